//! `xmllint` of libxml2, without the network. Without further options it reads no other file.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, offset};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["xmllint"], decodes: true, ask };

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    question.ask("xmllint", &["--noout", "--nonet", "-"], parse)
}

/// `-:LINE: parser error : MESSAGE`.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let (line, message) = line.strip_prefix("-:")?.split_once(": ")?;
    let (_, message) = message.split_once("error : ")?;
    Some(Finding::at(text, offset(text, line.parse().ok()?, 1, |_| 1), message))
}
