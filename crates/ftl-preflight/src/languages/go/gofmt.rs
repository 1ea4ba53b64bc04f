//! `gofmt -e`, whose parser is `go/parser`. With `-e` it prints every error, not only the first ten
//! on different lines.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, offset};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["gofmt"], decodes: false, ask };

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    question.ask("gofmt", &["-e"], parse)
}

/// `<standard input>:LINE:COLUMN: MESSAGE`, the column in bytes.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let mut parts = line.strip_prefix("<standard input>:")?.splitn(3, ':');
    let (line, column) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let message = parts.next()?.trim();
    Some(Finding::at(text, offset(text, line, column, char::len_utf8), message))
}
