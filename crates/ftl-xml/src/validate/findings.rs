//! Problems of one task file as they are collected. Texts are made safe for a terminal here, since
//! they quote the file.

use ftl_model::SourcePosition;

use super::{Problem, Severity};
use ftl_text::terminal_text;

/// Problems of one task file as they are found.
#[derive(Debug, Default)]
pub struct Findings {
    problems: Vec<Problem>,
}

impl Findings {
    /// Adds what keeps the task from being done as it is written.
    pub fn error(
        &mut self,
        place: SourcePosition,
        code: &'static str,
        message: impl AsRef<str>,
        help: impl AsRef<str>,
    ) {
        self.push(Severity::Error, place, code, message.as_ref(), help.as_ref());
    }

    /// Adds what makes it unlikely that the task is done as it was meant.
    pub fn warning(
        &mut self,
        place: SourcePosition,
        code: &'static str,
        message: impl AsRef<str>,
        help: impl AsRef<str>,
    ) {
        self.push(Severity::Warning, place, code, message.as_ref(), help.as_ref());
    }

    /// Whether a problem with this code was found.
    pub fn has(&self, code: &str) -> bool {
        self.problems.iter().any(|problem| problem.code == code)
    }

    /// The problems in the order of their places, of two at one place the worse first.
    pub fn sorted(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| (problem.place.start, problem.severity));
        self.problems
    }

    pub(super) fn extend(&mut self, problems: impl IntoIterator<Item = impl Into<Problem>>) {
        self.problems.extend(problems.into_iter().map(Into::into));
    }

    fn push(
        &mut self,
        severity: Severity,
        place: SourcePosition,
        code: &'static str,
        message: &str,
        help: &str,
    ) {
        self.problems.push(Problem {
            severity,
            code,
            message: terminal_text(message.as_bytes()),
            help: terminal_text(help.as_bytes()),
            place,
        });
    }
}
