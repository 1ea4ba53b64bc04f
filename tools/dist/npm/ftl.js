#!/usr/bin/env node
// Starts the program of this platform's package, and ends as it ends.
"use strict";

const { spawn } = require("node:child_process");

const name = `ftl-task-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/ftl`);
} catch {
  console.error(`error: there is no ftl for this platform: the package ${name} is not installed`);
  console.error("  help: install without `--omit=optional`, or build ftl from its sources");
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// From a terminal both get an interrupt, and the program says what it does about it.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`error: ftl could not be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
