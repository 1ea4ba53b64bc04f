// V8's verdicts: `node --expose-internals --experimental-vm-modules v8.js MODE LIST`; nothing is run.
"use strict";
const vm = require("vm");
const { internalBinding } = require("internal/test/binding");
const { run, goals, anyGoal, lineAt } = require("./batch.js");

const PARAMETERS = ["exports", "require", "module", "__filename", "__dirname"];
const options = { filename: "checked-file", identifier: "checked-file" };

// Node keeps the place of a module's error where only its own code finds it.
const place = internalBinding("util").privateSymbols.arrow_message_private_symbol;

const lineOf = (error) => {
  const found = /^checked-file:(\d+)/m.exec(`${error[place] ?? ""}\n${error.stack}`);
  return found ? Number(found[1]) : 1;
};

const compile = (source, goal) => {
  const body = source.replace(/^#!/, "//");
  try {
    if (goal === "module") new vm.SourceTextModule(body, options);
    else vm.compileFunction(body, PARAMETERS, options);
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line: lineOf(error), message: error.message };
  }
};

const javascript = (file, source) => anyGoal(goals(file), (goal) => compile(source, goal));

const json = (file, source) => {
  try {
    JSON.parse(source);
    return null;
  } catch (error) {
    const place = /position (\d+)/.exec(error.message);
    const offset = place ? Number(place[1]) : source.length;
    return { line: lineAt(source, offset), message: error.message };
  }
};

const [mode, list] = process.argv.slice(2);
run(list, { javascript, json }[mode]);
