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

/// All problems of a task file, in the order of their places.
///
/// A document that cannot be read as XML has one: its first fault. With `name`, the file's name, the
/// document is also compared with it. What patterns and rules mean, and how the project stands, is not
/// known here.
pub fn validate(source: &[u8], name: Option<&WorkspaceName>) -> Vec<Problem> {
    match read(source) {
        Ok(document) => {
            let mut findings = Findings::default();
            let root = document.root();
            findings.unreadable(&document);
            names::check(root, &mut findings);
            values::check(root, name, &mut findings);
            implementation::check(root, &mut findings);
            rules::check(root, &mut findings);
            let mut problems = findings.problems;
            problems.sort_by_key(Problem::order);
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
