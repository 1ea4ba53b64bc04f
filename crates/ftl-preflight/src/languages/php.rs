//! PHP, in the syntax of the newest version that the parser knows.
//!
//! The parser also refuses what PHP refuses when it compiles a file, such as `break` outside of a loop, and stops
//! at a nesting that no stack is too small for. Short tags (`<?`) are text, as in the configuration that PHP
//! recommends.

use php_rs_parser::bumpalo::Bump;
use php_rs_parser::diagnostics::ParseError;
use php_rs_parser::{ParseOptions, parse_arena_with};

use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};

/// A script, or a page with scripts in it.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    let arena = Bump::new();
    let result = parse_arena_with(&arena, text, &ParseOptions::default().source_map(false));
    let is_deep = |error: &ParseError| matches!(error, ParseError::NestingTooDeep { .. });
    if result.errors.iter().any(is_deep) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let findings = result.errors.iter().map(|error| {
        let (start, end) = (error.span().start as usize, error.span().end as usize);
        let start = text.floor_char_boundary(start.min(text.len()));
        Finding::syntax(
            error.to_string(),
            start..text.ceil_char_boundary(end.clamp(start, text.len())),
        )
    });
    Outcome::of(findings.collect())
}

#[cfg(feature = "toolchain")]
pub(crate) use self::command::FRONT_END;

/// `php -l`, which compiles and runs nothing. Without a configuration it loads no extension.
#[cfg(feature = "toolchain")]
mod command {
    use crate::Reason;
    use crate::finding::Finding;
    use crate::toolchain::front_end::{Answer, FrontEnd, Question, offset};

    pub(crate) const FRONT_END: FrontEnd = FrontEnd { programs: &["php"], decodes: true, ask };

    fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
        let args = ["-n", "-d", "short_open_tag=0", "-d", "display_errors=stderr", "-l"];
        question.ask("php", &args, parse)
    }

    /// `PHP Parse error:  MESSAGE in Standard input code on line LINE`.
    fn parse(text: &str, line: &str) -> Option<Finding> {
        let (message, line) = line.rsplit_once(" in Standard input code on line ")?;
        let (_, message) = message.split_once(" error:")?;
        Some(Finding::at(text, offset(text, line.parse().ok()?, 1, |_| 1), message.trim()))
    }
}
