// The names that JavaScript and TypeScript files give, as the TypeScript compiler sees them.
//
// Usage: node typescript.js PACKAGES LIST, a directory with `typescript` in its node_modules and a file of paths. A line of
// JSON a file: `given` and `public`, which are the same in a module, or `unread` with the reason.
//
// Each file is a separate program, so that `export *` gives nothing: what it passes on is another file's. Of `export =` and
// `module.exports =` the compiler lists the members; the name of what is assigned counts as well, since a module that is
// one function is known by it. A file that is no module gives what it declares.
"use strict";
const fs = require("fs");
const path = require("path");
const [packages, list] = process.argv.slice(2);
const ts = require(require.resolve("typescript", { paths: [packages] }));

const options = {
  noLib: true, noResolve: true, types: [], allowJs: true, checkJs: false, target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve, strict: false, noEmit: true,
};

const program = (name, source) => {
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
  const [parsed, made] = program("/" + path.basename(file), source);
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
