// Verdicts on the scripts of components, found by the compiler of Vue, Svelte or Astro: `node components.js PACKAGES MODE
// LIST`. What is wrong in the markup alone throws, so that there is no verdict.
"use strict";
const [packages, mode, list] = process.argv.slice(2);
const load = (name) => require(require.resolve(name, { paths: [packages] }));
const parser = load("@babel/parser");
const fs = require("fs");
const { run, text, lineAt, anyGoal } = require("./batch.js");

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
    const { descriptor, errors } = parse(source, { ignoreEmpty: false });
    const blocks = [descriptor.script, descriptor.scriptSetup].filter((it) => it && !it.src);
    const found = blocks.map((it) => script(source, it.loc.start.offset, it.loc.end.offset, it.lang));
    const first = found.filter(Boolean).sort((a, b) => a.line - b.line)[0];
    if (!first && errors.length > 0) throw errors[0];
    return first ?? null;
  };
};

// Svelte's own parser reads the scripts.
const svelte = () => {
  const { parse } = load("svelte/compiler");
  const scripts = /<!--[^]*?-->|<script\b(?:"[^"]*"|'[^']*'|[^>"'])*>([^]*?)<\/script\s*>/g;
  return (file, source) => {
    try {
      parse(source, { modern: true });
      return null;
    } catch (error) {
      const at = error.position?.[0] ?? 0;
      const inside = (it) => it[1] !== undefined && it.index <= at && at <= it.index + it[0].length;
      if (error.code !== "js_parse_error" || ![...source.matchAll(scripts)].some(inside)) throw error;
      return { line: error.start?.line ?? lineAt(source, at), message: error.message };
    }
  };
};

// Astro's compiler finds the frontmatter, in bytes, and leaves reading it to others.
const astro = async () => {
  const compiler = await import(require.resolve("@astrojs/compiler", { paths: [packages] }));
  const found = new Map();
  for (const file of fs.readFileSync(list, "utf8").split("\n").filter(Boolean)) {
    const { ast } = await compiler.parse(text(file), { position: true });
    found.set(file, ast.children?.find((it) => it.type === "frontmatter"));
  }
  const options = { allowReturnOutsideFunction: true };
  return (file, source) => {
    const frontmatter = found.get(file);
    if (!frontmatter) return null;
    const before = Buffer.from(source).subarray(0, frontmatter.position.start.offset);
    const start = before.toString().length + 3;
    const end = start + frontmatter.value.length;
    return anyGoal([[], ["jsx"]], (more) => read(source, start, end, { ...options, plugins: ["typescript", ...more] }));
  };
};

Promise.resolve({ vue, svelte, astro }[mode]()).then((judge) => run(list, judge));
