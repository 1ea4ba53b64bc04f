//! `luac -p`, which parses and writes nothing. Some systems name it by its version.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, offset};

pub(crate) const FRONT_END: FrontEnd =
    FrontEnd { programs: &["luac", "luac5.4", "luac5.3", "luac5.1"], decodes: false, ask };

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let mut programs = FRONT_END.programs.iter().filter(|name| find(name).is_ok());
    let program = programs.next().unwrap_or(&FRONT_END.programs[0]);
    question.ask(program, &["-p", "-"], parse)
}

/// `luac: stdin:LINE: MESSAGE`.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let (_, rest) = line.split_once("stdin:")?;
    let (line, message) = rest.split_once(": ")?;
    Some(Finding::at(text, offset(text, line.parse().ok()?, 1, |_| 1), message))
}
