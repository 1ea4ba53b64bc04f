// What the TypeScript compiler says of files: `node typescript.js PACKAGES MODE LIST`.
//
// `names` prints a line of JSON a file: `given` and `public`, which are the same in a module, or `unread` with the reason.
// Each file is a separate program, so that `export *` gives nothing: what it passes on is another file's. Of `export =` and
// `module.exports =` the compiler lists the members; the name of what is assigned counts as well, since a module that is
// one function is known by it. A file that is no module gives what it declares.
//
// The other modes print verdicts. `parse` is what its parser refuses. `grammar` adds what its checker reports under numbers from
// 1000 to 1999 and some of its later ones, less those that depend on settings, on other files or
// on types.
"use strict";
const fs = require("fs");
const path = require("path");
const [packages, mode, list] = process.argv.slice(2);
const ts = require(require.resolve("typescript", { paths: [packages] }));
const { run, lineAt } = require("./batch.js");

const NOT_GRAMMAR = new Set([
  1046, 1056, 1058, 1059, 1062, 1064, 1065, 1055, 1148, 1149, 1167, 1192, 1194, 1202, 1203, 1204, 1205,
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

// A program of one file, and that file.
const program = (name, source, more) => {
  const options = {
    noLib: true, noResolve: true, types: [], allowJs: true, target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve, strict: false, noEmit: true, ...more,
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
  return [file, ts.createProgram([name], options, host)];
};

const checked = (name, source, experimentalDecorators) => {
  const more = { experimentalDecorators, isolatedModules: false, allowImportingTsExtensions: true };
  const [file, made] = program(name, source, more);
  const all = [...made.getSyntacticDiagnostics(file), ...made.getSemanticDiagnostics(file)];
  return all.filter((it) => isGrammar(it, source));
};

const grammar = (file, source) => {
  const name = "/" + path.basename(file);
  const legacy = checked(name, source, true);
  return legacy.length === 0 ? legacy : checked(name, source, false);
};

const plain = (symbol) => ts.unescapeLeadingUnderscores(symbol.escapedName);

// Types that only comments declare are no code.
const isCode = (symbol) => !symbol.declarations?.length || symbol.declarations.some((it) => !ts.isJSDocTypeAlias?.(it) && !IN_COMMENTS.has(it.kind));
const IN_COMMENTS = new Set([ts.SyntaxKind.JSDocTypedefTag, ts.SyntaxKind.JSDocCallbackTag, ts.SyntaxKind.JSDocEnumTag]);

const membersOf = (checker, object) => checker.getPropertiesOfType(checker.getTypeAtLocation(object));

// The expression after `export =` or `module.exports =`.
const assigned = (declaration) => {
  let value = ts.isExportAssignment(declaration) ? declaration.expression : declaration.right ?? declaration.parent?.right;
  while (value && ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) value = value.right;
  return value;
};

const named = (value) => {
  if (!value) return undefined;
  if (ts.isIdentifier(value)) return value.text;
  return (ts.isFunctionExpression(value) || ts.isClassExpression(value)) && value.name ? value.name.text : undefined;
};

const names = (file, source) => {
  const [parsed, made] = program("/" + path.basename(file), source, { checkJs: false });
  if (parsed.parseDiagnostics.length) throw new Error("not parsed");
  const checker = made.getTypeChecker();
  // The checker names no symbol of a CommonJS file, though its binder has made one.
  const symbol = checker.getSymbolAtLocation(parsed) ?? parsed.symbol;
  const given = new Set();
  if (!symbol) {
    for (const [name, local] of parsed.locals ?? []) {
      // `declare module "a"` declares another module, and no name.
      const isModule = local.declarations?.every((it) => ts.isModuleDeclaration(it) && ts.isStringLiteral(it.name));
      if (!isModule && isCode(local)) given.add(ts.unescapeLeadingUnderscores(name));
    }
    return { given, public: new Set([...given].filter((name) => !name.startsWith("_"))) };
  }
  const all = [...(symbol.exports?.values() ?? []), ...checker.getExportsOfModule(symbol)];
  for (const one of all.filter(isCode)) given.add(plain(one));
  const whole = symbol.exports?.get("export=");
  for (const declaration of whole?.declarations ?? []) {
    const value = assigned(declaration);
    if (value && ts.isObjectLiteralExpression(value)) {
      for (const one of membersOf(checker, value)) given.add(plain(one));
    }
    if (value && ts.isIdentifier(value)) {
      // Of an object that has a name, too.
      for (const it of checker.getSymbolAtLocation(value)?.declarations ?? []) {
        const object = ts.isVariableDeclaration(it) && it.initializer;
        if (!object || !ts.isObjectLiteralExpression(object)) continue;
        for (const one of membersOf(checker, object)) given.add(plain(one));
      }
    }
    const name = named(value);
    if (name) given.add(name);
  }
  for (const none of ["export=", "__export", "prototype", "__esModule"]) given.delete(none);
  return { given, public: given };
};

const printNames = () => {
  for (const file of fs.readFileSync(list, "utf8").split("\n").filter(Boolean)) {
    let said = { path: file };
    try {
      const found = names(file, fs.readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
      said = { ...said, given: [...found.given], public: [...found.public] };
    } catch (error) {
      said.unread = String(error.message).split("\n")[0];
    }
    fs.writeSync(1, JSON.stringify(said) + "\n");
  }
};

const judge = { parse, grammar }[mode];
if (mode === "names") printNames();
else run(list, (file, source) => {
  const [first] = [...judge(file, source)].sort((a, b) => a.start - b.start);
  if (!first) return null;
  const message = ts.flattenDiagnosticMessageText(first.messageText, " ");
  return { line: lineAt(source, first.start), message: `TS${first.code}: ${message}` };
});
