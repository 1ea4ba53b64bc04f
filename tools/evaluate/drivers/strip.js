// Takes the types out of TSX and keeps the JSX: `node strip.js PACKAGES LIST DIRECTORY`.
"use strict";
const fs = require("fs");
const path = require("path");
const [packages, list, directory] = process.argv.slice(2);
const ts = require(require.resolve("typescript", { paths: [packages] }));

const compilerOptions = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve };
for (const line of fs.readFileSync(list, "utf8").split("\n").filter(Boolean)) {
  const [from, to] = line.split("\t");
  const target = path.join(directory, to);
  const { outputText } = ts.transpileModule(fs.readFileSync(from, "utf8"), { compilerOptions, fileName: from });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, outputText);
}
