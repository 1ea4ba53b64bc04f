//! `ruby -c`, which compiles and runs nothing, not even `BEGIN` blocks.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, offset};

pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["ruby"], decodes: true, ask };

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    question.ask("ruby", &["--disable-gems", "--disable-rubyopt", "-W0", "-c", "-"], parse)
}

/// `-:LINE: MESSAGE`, behind the place of the error itself in newer versions.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let at = line.rfind("-:")?;
    let (line, message) = line[at + 2..].split_once(':')?;
    let start = offset(text, line.parse().ok()?, 1, |_| 1);
    Some(Finding::at(text, start, message.trim()))
}
