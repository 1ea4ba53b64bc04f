//! Everything that is wrong with a task file, as far as its text tells.

mod implementation;
mod names;
mod problem;
mod rules;
mod values;
mod vocabulary;

use ftl_model::{Place, WorkspaceName};

pub use self::problem::{Problem, Severity};
use crate::{Document, ElementRef, read};

/// Judges patterns, which this crate does not compile. The error says why one is refused.
pub trait Patterns {
    /// A regular expression.
    ///
    /// # Errors
    ///
    /// Why it does not compile.
    fn regex(&self, pattern: &str) -> Result<(), String>;

    /// A structural pattern in a language.
    ///
    /// # Errors
    ///
    /// Why it does not compile.
    fn structural(&self, pattern: &str, language: &str) -> Result<(), String>;

    /// The name of a registry rule.
    ///
    /// # Errors
    ///
    /// That there is none of this name.
    fn rule(&self, name: &str) -> Result<(), String>;
}

/// All problems of a task file, in the order of their places.
///
/// A document that cannot be read as XML has one: its first fault. With `name`, the file's name, the
/// document is also compared with it.
pub fn validate(
    source: &[u8],
    name: Option<&WorkspaceName>,
    patterns: &dyn Patterns,
) -> Vec<Problem> {
    match read(source) {
        Ok(document) => {
            let mut findings = Findings::default();
            let root = document.root();
            findings.unreadable(&document);
            names::check(root, &mut findings);
            values::check(root, name, &mut findings);
            implementation::check(root, &mut findings);
            rules::check(root, patterns, &mut findings);
            let mut problems = findings.problems;
            problems.sort_by_key(|problem| (problem.place.start, problem.severity));
            problems
        }
        Err(error) => vec![error.into()],
    }
}

/// Problems found so far.
#[derive(Default)]
struct Findings {
    problems: Vec<Problem>,
}

impl Findings {
    fn error(
        &mut self,
        place: Place,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Severity::Error, place, code, message.into(), help.into());
    }

    fn warning(
        &mut self,
        place: Place,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Severity::Warning, place, code, message.into(), help.into());
    }

    fn push(
        &mut self,
        severity: Severity,
        place: Place,
        code: &'static str,
        message: String,
        help: String,
    ) {
        self.problems.push(Problem {
            severity,
            code,
            message,
            help,
            place,
        });
    }

    /// What lowering the document cannot read.
    fn unreadable(&mut self, document: &Document<'_>) {
        let errors = document.workspace().err().unwrap_or_default();
        self.problems.extend(errors.into_iter().map(Problem::from));
    }
}

fn is_blank(element: ElementRef<'_, '_>) -> bool {
    element.text().is_none_or(|text| text.trim().is_empty())
}
