// A newer CPython's verdicts, by its build for the web: `node pyodide.js PACKAGES LIST`.
"use strict";
const fs = require("fs");
const [packages, list] = process.argv.slice(2);
const { loadPyodide } = require(require.resolve("pyodide", { paths: [packages] }));

const JUDGE = `
import sys, warnings
warnings.simplefilter("ignore")
def judge(data):
    try:
        compile(data.to_py().tobytes(), "file", "exec", dont_inherit=True)
    except (MemoryError, RecursionError, OverflowError) as error:
        return f"unknown\\t0\\t{type(error).__name__}"
    except SyntaxError as error:
        return f"invalid\\t{error.lineno or 1}\\t{' '.join(str(error.msg).split())}"
    except ValueError as error:
        return f"invalid\\t1\\t{' '.join(str(error).split())}"
    return "valid"
judge
`;

loadPyodide().then((python) => {
  const judge = python.runPython(JUDGE);
  const files = fs.readFileSync(list, "utf8").split("\n").filter(Boolean);
  const verdicts = files.map((file) => {
    try {
      return judge(new Uint8Array(fs.readFileSync(file)));
    } catch (error) {
      return `unknown\t0\t${String(error.message).split("\n")[0]}`;
    }
  });
  process.stdout.write(verdicts.join("\n") + "\n");
});
