// What the drivers for node share: a list of paths in, a line of verdict a file out.
"use strict";
const fs = require("fs");
const path = require("path");

const text = (file) => fs.readFileSync(file, "utf8").replace(/^\uFEFF/, "");
exports.text = text;
const oneLine = (message) => String(message).split(/\s+/).join(" ").trim();

// Calls `judge(path, text)` for every path in the list: `null` is valid, else `{ line, message }`.
exports.run = (list, judge) => {
  const out = [];
  for (const file of fs.readFileSync(list, "utf8").split("\n").filter(Boolean)) {
    try {
      const error = judge(file, text(file));
      out.push(error ? `invalid\t${error.line}\t${oneLine(error.message)}` : "valid");
    } catch (error) {
      out.push(`unknown\t0\t${oneLine(error.message)}`);
    }
  }
  process.stdout.write(out.join("\n") + "\n");
};

const packages = new Map();

// "module", "commonjs" or null: what the nearest package.json says about `.js`.
const packageType = (directory) => {
  if (!packages.has(directory)) {
    let type;
    const manifest = path.join(directory, "package.json");
    const parent = path.dirname(directory);
    if (path.basename(directory) === "node_modules") type = null;
    else if (fs.existsSync(manifest)) type = JSON.parse(text(manifest)).type ?? null;
    else type = parent === directory ? null : packageType(parent);
    packages.set(directory, type);
  }
  return packages.get(directory);
};

// The goals under which a file may be read; one that accepts is enough.
exports.goals = (file) => {
  const extension = path.extname(file);
  const type = packageType(path.dirname(path.resolve(file)));
  if (extension === ".mjs" || (extension === ".js" && type === "module")) return ["module"];
  if (extension === ".cjs" || (extension === ".js" && type === "commonjs")) return ["commonjs"];
  return ["module", "commonjs"];
};

// Tries the goals in turn; of several refusals, the one furthest into the file.
exports.anyGoal = (goals, attempt) => {
  let refused = null;
  for (const goal of goals) {
    const error = attempt(goal);
    if (!error) return null;
    if (!refused || error.line > refused.line) refused = error;
  }
  return refused;
};

// The line of an offset in UTF-16 units, from 1.
exports.lineAt = (source, offset) => source.slice(0, offset).split(/\r\n|\r|\n/).length;
