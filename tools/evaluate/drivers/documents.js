// Verdicts of npm's readers of YAML, TOML, JSON5, GraphQL and Ruby: `node documents.js PACKAGES MODE LIST`.
"use strict";
const [packages, mode, list] = process.argv.slice(2);
const load = (name) => require(require.resolve(name, { paths: [packages] }));
const { run, lineAt } = require("./batch.js");

const yaml = () => {
  const { LineCounter, parseAllDocuments } = load("yaml");
  return (file, source) => {
    const lineCounter = new LineCounter();
    const documents = parseAllDocuments(source, { lineCounter, uniqueKeys: false, prettyErrors: false });
    const errors = Array.isArray(documents) ? documents.flatMap((it) => it.errors) : documents.errors ?? [];
    const [first] = errors.sort((a, b) => a.pos[0] - b.pos[0]);
    return first ? { line: lineCounter.linePos(first.pos[0]).line, message: first.message } : null;
  };
};

// Tags are the program's, and so is what they mean.
const jsYaml = () => {
  const { DEFAULT_SCHEMA, Type, loadAll } = load("js-yaml");
  const any = (kind) => new Type("!", { kind, multi: true, construct: (value) => value });
  const schema = DEFAULT_SCHEMA.extend({ explicit: ["scalar", "sequence", "mapping"].map(any) });
  return (file, source) => {
    try {
      loadAll(source, () => {}, { schema, json: true });
      return null;
    } catch (error) {
      return { line: (error.mark?.line ?? 0) + 1, message: error.reason ?? error.message };
    }
  };
};

const json5 = () => {
  const { parse } = load("json5");
  return (file, source) => {
    try {
      parse(source);
      return null;
    } catch (error) {
      return { line: error.lineNumber ?? 1, message: error.message };
    }
  };
};

const toml = () => {
  const { parse } = load("smol-toml");
  return (file, source) => {
    try {
      parse(source);
      return null;
    } catch (error) {
      return { line: error.line ?? 1, message: error.message.split("\n")[0] };
    }
  };
};

const graphql = () => {
  const { parse } = load("graphql");
  return (file, source) => {
    try {
      parse(source, { noLocation: true });
      return null;
    } catch (error) {
      if (error.name !== "GraphQLError") throw error;
      return { line: error.locations[0].line, message: error.message };
    }
  };
};

// Ruby's own parser; its package is a module.
const ruby = async () => {
  const { loadPrism } = await import(require.resolve("@ruby/prism", { paths: [packages] }));
  const parse = await loadPrism();
  return (file, source) => {
    const places = parse(source).errors.map((it) => [it.location.startOffset, it.message]);
    const [first] = places.sort((a, b) => a[0] - b[0]);
    const before = first && Buffer.from(source).subarray(0, first[0]).toString();
    return first ? { line: lineAt(before, before.length), message: first[1] } : null;
  };
};

Promise.resolve({ yaml, jsYaml, toml, json5, graphql, ruby }[mode]()).then((judge) => run(list, judge));
