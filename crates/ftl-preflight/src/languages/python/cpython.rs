//! `compile`, isolated: no site, no user directory, no variables, no bytecode files.
//!
//! `py_compile` would write a file, and `ast.parse` stops before the symbol table and the compiler,
//! which refuse things too. `-I` ignores variables and the working directory, `-S` and `-B` leave
//! out `site` and bytecode, and `dont_inherit` keeps the script's own `__future__` imports out. The
//! answer goes through `sys.stdout.buffer`, for the encoding of `sys.stdout` is the locale's.

use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, offset, run};
use crate::{PythonVersion, Reason};

pub(crate) const FRONT_END: FrontEnd =
    FrontEnd { programs: &["python3", "python"], decodes: true, ask };

/// Prints nothing for a file that compiles; else the kind of error, its place and its message.
const SCRIPT: &str = r#"
import sys
try:
    compile(sys.stdin.buffer.read(), "preflight", "exec", dont_inherit=True)
except SyntaxError as e:
    places = (e.lineno or 0, e.offset or 0, e.end_lineno or 0, e.end_offset or 0)
    out = "\n".join(["syntax", *map(str, places), str(e.msg).replace("\n", " ")])
except ValueError as e:
    out = "value\n" + str(e)
except (MemoryError, RecursionError, OverflowError) as e:
    out = "limit\n" + type(e).__name__
else:
    out = "valid"
sys.stdout.buffer.write(out.encode("utf-8", "replace"))
"#;

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let Question { bytes, text, setting } = *question;
    let version = setting.options.python;
    // A file for an older version has to be asked of that version: `feature_version` of `ast.parse`
    // is a best effort, by its documentation.
    let python = if version == PythonVersion::NEWEST {
        find("python3", setting).or_else(|_| find("python", setting))?
    } else {
        find(&format!("python{}.{}", version.major, version.minor), setting)?
    };
    let args = ["-I", "-S", "-B", "-W", "ignore", "-c", SCRIPT];
    let (code, out, errors) = run(python, args, bytes, setting)?;
    if code != 0 {
        return Err(Reason::CheckerFailed(errors.trim().to_owned()));
    }
    match out.split_once('\n') {
        None if out == "valid" => Ok(Answer::Accepts),
        Some(("syntax", rest)) => Ok(Answer::Refuses(vec![parse(text, rest)])),
        Some(("value", message)) => {
            // The one `ValueError` that `compile` has for source: null bytes, with no place.
            let at = text.find('\0').unwrap_or(0);
            Ok(Answer::Refuses(vec![Finding::syntax(message, at..at)]))
        }
        Some((_, what)) => Err(Reason::CheckerFailed(format!("python: {what}"))),
        None => Err(Reason::CheckerFailed("python: no answer".to_owned())),
    }
}

/// Line, column, end line, end column and message, one a line; columns in characters.
fn parse(text: &str, answer: &str) -> Finding {
    let mut parts = answer.splitn(5, '\n');
    let mut number = || parts.next().and_then(|it| it.parse::<usize>().ok()).unwrap_or(0);
    let (line, column, end_line, end_column) = (number(), number(), number(), number());
    let start = offset(text, line, column, |_| 1);
    let end = if end_line == 0 { start } else { offset(text, end_line, end_column, |_| 1) };
    Finding::syntax(parts.next().unwrap_or("invalid syntax"), start..end.max(start))
}
