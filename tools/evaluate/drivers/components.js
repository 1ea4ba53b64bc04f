// Verdicts on the scripts of components, found by the compiler of Vue or Svelte and read by Babel: `node components.js
// PACKAGES MODE LIST`.
"use strict";
const [packages, mode, list] = process.argv.slice(2);
const load = (name) => require(require.resolve(name, { paths: [packages] }));
const parser = load("@babel/parser");
const { run, lineAt, anyGoal } = require("./batch.js");

const read = (source, start, end, options) => {
  const before = source.slice(0, start).replace(/[^\r\n]/g, " ");
  try {
    parser.parse(before + source.slice(start, end), { sourceType: "module", ...options });
    return null;
  } catch (error) {
    if (!error.loc) throw error;
    return { line: error.loc.line, message: error.message };
  }
};

const script = (source, start, end, lang) => {
  const plugins = { "": ["jsx"], js: ["jsx"], jsx: ["jsx"], ts: ["typescript"], tsx: ["typescript", "jsx"] }[lang ?? ""];
  return plugins ? read(source, start, end, { plugins: [...plugins, "decorators"] }) : null;
};

const vue = () => {
  const { parse } = load("@vue/compiler-sfc");
  return (file, source) => {
    const { descriptor } = parse(source, { ignoreEmpty: false });
    const blocks = [descriptor.script, descriptor.scriptSetup].filter((it) => it && !it.src);
    const found = blocks.map((it) => script(source, it.loc.start.offset, it.loc.end.offset, it.lang));
    return found.filter(Boolean).sort((a, b) => a.line - b.line)[0] ?? null;
  };
};

// Svelte's own parser reads the scripts. What else it refuses is in the markup.
const svelte = () => {
  const { parse } = load("svelte/compiler");
  return (file, source) => {
    try {
      parse(source, { modern: true });
      return null;
    } catch (error) {
      if (error.code !== "js_parse_error") throw error;
      return { line: error.start?.line ?? lineAt(source, error.position?.[0] ?? 0), message: error.message };
    }
  };
};

// As the compiler of Astro does, without a parser: what is between the first two lines of dashes.
const astro = () => (file, source) => {
  const fences = /^\s*---([^]*?)^---/m.exec(source);
  if (!fences || source.slice(0, fences.index).trim()) return null;
  const start = source.indexOf("---") + 3;
  const end = start + fences[1].length;
  const options = { allowReturnOutsideFunction: true };
  return anyGoal([[], ["jsx"]], (more) =>
    read(source, start, end, { ...options, plugins: ["typescript", ...more] }));
};

run(list, { vue, svelte, astro }[mode]());
