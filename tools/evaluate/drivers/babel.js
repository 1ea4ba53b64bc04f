// Babel's verdicts: `node babel.js PACKAGES MODE LIST`.
"use strict";
const [packages, mode, list] = process.argv.slice(2);
const parser = require(require.resolve("@babel/parser", { paths: [packages] }));
const { run, goals, anyGoal } = require("./batch.js");

const parse = (source, options) => {
  try {
    parser.parse(source, options);
    return null;
  } catch (error) {
    if (!error.loc) throw error;
    return { line: error.loc.line, message: error.message.replace(/ \(\d+:\d+\)$/, "") };
  }
};

const plain = (plugins) => (file, source) =>
  anyGoal(goals(file), (sourceType) => parse(source, { sourceType, plugins }));

const typescript = (jsx) => (file, source) => {
  const dts = /\.d(\.[^.]+)?\.[cm]?ts$/.test(file);
  const readings = ["module", "script"].flatMap((sourceType) =>
    ["decorators", "decorators-legacy"].map((decorators) => [sourceType, decorators]));
  return anyGoal(readings, ([sourceType, decorators]) => {
    const plugins = [["typescript", { dts }], decorators, "decoratorAutoAccessors",
      "importAttributes", "explicitResourceManagement"];
    return parse(source, { sourceType, plugins: jsx ? [...plugins, "jsx"] : plugins });
  });
};

// What a bundler reads of any suffix: either goal, with JSX, and Flow where it must be.
const project = (file, source) => {
  const readings = ["module", "commonjs"].flatMap((sourceType) =>
    [[], [["flow", { all: true }]]].map((flow) => [sourceType, ["jsx", ...flow]]));
  return anyGoal(readings, ([sourceType, plugins]) =>
    parse(source, { sourceType, plugins: [...plugins, "decorators", "importAttributes"] }));
};

const modes = {
  project,
  javascript: plain(["importAttributes"]),
  jsx: plain(["jsx", "importAttributes"]),
  typescript: typescript(false),
  tsx: typescript(true),
};
run(list, modes[mode]);
