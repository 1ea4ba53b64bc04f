//! TypeScript's parser, taken from the package that the `tsc` in `PATH` belongs to.
//!
//! `tsc` itself would check types and look for imports. `createSourceFile` only parses. It does not
//! tell the grammar errors that the checker finds, which makes this more lenient than the parser
//! inside this process, never stricter.

use std::path::{Path, PathBuf};

use crate::Reason;
use crate::finding::{Finding, Setting};
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, run};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["tsc", "node"], decodes: false, ask };

/// Prints start, length, number and message of every parse diagnostic, one a line. Offsets are
/// in UTF-16 units.
const SCRIPT: &str = r#"
const [library, name] = process.argv.slice(1);
const ts = require(library);
const text = require("fs").readFileSync(0, "utf8");
const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false);
for (const d of file.parseDiagnostics) {
  const message = ts.flattenDiagnosticMessageText(d.messageText, " ");
  console.log([d.start, d.length, d.code, message].join("\t"));
}
"#;

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let (text, setting) = (question.text, question.setting);
    let (node, library) = (find("node", setting)?, library(setting)?);
    let name = setting.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let args = ["-e", SCRIPT, &library.to_string_lossy(), &name];
    let (code, out, errors) = run(node, args, text.as_bytes(), setting)?;
    if code != 0 {
        return Err(Reason::CheckerFailed(errors.lines().take(3).collect::<Vec<_>>().join(" ")));
    }
    let findings: Vec<_> = out.lines().filter_map(|line| parse(text, line)).collect();
    Ok(if findings.is_empty() { Answer::Accepts } else { Answer::Refuses(findings) })
}

fn library(setting: &Setting<'_>) -> Result<PathBuf, Reason> {
    let missing = || Reason::MissingTool("typescript".to_owned());
    let tsc = find("tsc", setting)?.canonicalize().map_err(|_| missing())?;
    let package = tsc.parent().and_then(Path::parent).ok_or_else(missing)?;
    let library = package.join("lib/typescript.js");
    if library.is_file() { Ok(library) } else { Err(missing()) }
}

fn parse(text: &str, line: &str) -> Option<Finding> {
    let mut parts = line.splitn(4, '\t');
    let start: usize = parts.next()?.parse().ok()?;
    let length: usize = parts.next()?.parse().ok()?;
    let (code, message) = (parts.next()?, parts.next()?.to_owned());
    let range = from_utf16(text, start)..from_utf16(text, start + length);
    Some(Finding { message, range, code: format!("TS{code}").into() })
}

fn from_utf16(text: &str, units: usize) -> usize {
    let mut passed = 0;
    for (at, character) in text.char_indices() {
        if passed >= units {
            return at;
        }
        passed += character.len_utf16();
    }
    text.len()
}
