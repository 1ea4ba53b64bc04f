//! `bash -n`, which parses and runs nothing; `-p` keeps the environment from adding to it. About a script for
//! `sh`, dash has a say too.

use crate::Reason;
use crate::finding::Finding;
use crate::language::interpreter;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, offset, run};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["bash", "dash"], decodes: true, ask };

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let mut args = vec!["--norc", "--noprofile", "-p", "-n"];
    // The option would be set by the script, which does not run.
    if question.text.contains("extglob") {
        args.extend(["-O", "extglob"]);
    }
    let (code, _, errors) =
        run(find("bash", question.setting)?, args, question.bytes, question.setting)?;
    // After an error in `[[ … ]]` bash ends with 0 nevertheless.
    let findings: Vec<_> = errors.lines().filter_map(|line| parse(question.text, line)).collect();
    if findings.is_empty() && code == 0 {
        return Ok(Answer::Accepts);
    }
    let is_posix = interpreter(question.bytes).is_some_and(|it| it != "bash");
    if let (true, Ok(dash)) = (is_posix, find("dash", question.setting)) {
        let (code, ..) = run(dash, ["-n"], question.bytes, question.setting)?;
        if code == 0 {
            return Ok(Answer::Accepts);
        }
    }
    if findings.is_empty() {
        return Err(Reason::CheckerFailed(format!("`bash` ended with {code}")));
    }
    Ok(Answer::Refuses(findings))
}

/// `bash: line LINE: MESSAGE`, except warnings and the line that repeats the text. An error in `[[ … ]]` may come
/// without its line.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let (_, rest) = line.split_once("bash: ")?;
    let numbered = rest.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
    let (number, message) = numbered.unwrap_or(("1", rest));
    if message.starts_with("warning") || message.starts_with('`') {
        return None;
    }
    Some(Finding::at(text, offset(text, number.parse().ok()?, 1, |_| 1), message))
}
