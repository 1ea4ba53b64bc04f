// TypeScript's verdicts: `node typescript.js PACKAGES MODE LIST`.
//
// `parse` is what its parser refuses. `grammar` adds what its checker reports under numbers from
// 1000 to 1999 and some of its later ones, less those that depend on settings, on other files or
// on types.
"use strict";
const path = require("path");
const [packages, mode, list] = process.argv.slice(2);
const ts = require(require.resolve("typescript", { paths: [packages] }));
const { run, lineAt } = require("./batch.js");

const NOT_GRAMMAR = new Set([
  1056, 1058, 1059, 1062, 1064, 1065, 1055, 1148, 1149, 1167, 1192, 1194, 1202, 1203, 1204, 1205,
  1208, 1219, 1220, 1238, 1239, 1240, 1241, 1252, 1254, 1259, 1261, 1262, 1268, 1269, 1270, 1271,
  1272, 1280, 1281, 1282, 1283, 1284, 1285, 1286, 1287, 1288, 1289, 1290, 1291, 1292, 1293, 1294,
  1295, 1320, 1321, 1322, 1323, 1324, 1329, 1331, 1332, 1333, 1337, 1340, 1341, 1343, 1355, 1360,
  1361, 1362, 1371, 1375, 1376, 1377, 1378, 1379, 1380, 1384, 1385, 1386, 1387, 1388, 1431, 1432,
  1446, 1448, 1449, 1450, 1452, 1453, 1454, 1470, 1471, 1479, 1484, 1485, 1541, 1542, 1543, 1544,
]);

const MORE_GRAMMAR = new Set([
  17000, 17001, 17002, 17006, 17007, 17008, 17011, 17012, 17013, 17014, 17015, 18006, 18007, 18009,
  18010, 18011, 18012, 18016, 18019, 18024, 18026, 18029, 18030, 18037, 18038, 18041, 18058, 18059,
]);

// Whether a name that must be constant is one by the types of what it is made of.
const COMPUTED = new Set([1165, 1166, 1168, 1169, 1170]);
const takesTypes = (it, source) =>
  COMPUTED.has(it.code) && /^\[\s*(?!this\b)[\w$.]+\s*\]$/.test(source.slice(it.start, it.start + it.length));

const isGrammar = (it, source) =>
  MORE_GRAMMAR.has(it.code) ||
  (it.code >= 1000 && it.code < 2000 && !NOT_GRAMMAR.has(it.code) && !takesTypes(it, source));

const parse = (file, source) =>
  ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, undefined).parseDiagnostics;

const checked = (name, source, experimentalDecorators) => {
  const options = {
    noLib: true, noResolve: true, types: [], allowJs: true, target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve, experimentalDecorators,
    strict: false, isolatedModules: false, allowImportingTsExtensions: true, noEmit: true,
  };
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const host = {
    getSourceFile: (asked) => (asked === name ? file : undefined),
    fileExists: (asked) => asked === name,
    readFile: () => undefined,
    getDefaultLibFileName: () => "lib.d.ts",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (asked) => asked,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => {},
  };
  const program = ts.createProgram([name], options, host);
  const all = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  return all.filter((it) => isGrammar(it, source));
};

const grammar = (file, source) => {
  const name = "/" + path.basename(file);
  const legacy = checked(name, source, true);
  return legacy.length === 0 ? legacy : checked(name, source, false);
};

const judge = { parse, grammar }[mode];
run(list, (file, source) => {
  const [first] = [...judge(file, source)].sort((a, b) => a.start - b.start);
  if (!first) return null;
  const message = ts.flattenDiagnosticMessageText(first.messageText, " ");
  return { line: lineAt(source, first.start), message: `TS${first.code}: ${message}` };
});
