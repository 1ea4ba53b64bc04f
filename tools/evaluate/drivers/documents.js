// Verdicts of npm's readers of YAML 1.2, TOML and GraphQL: `node documents.js PACKAGES MODE LIST`.
"use strict";
const [packages, mode, list] = process.argv.slice(2);
const load = (name) => require(require.resolve(name, { paths: [packages] }));
const { run } = require("./batch.js");

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

run(list, { yaml, toml, graphql }[mode]());
