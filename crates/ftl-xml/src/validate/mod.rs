//! Everything that is wrong with a task file, as far as its text shows. What depends on the project
//! (does a file exist, does a pattern compile) is added by the caller: see [`findings`].

mod findings;
mod implementation;
mod names;
mod problem;
mod rules;
mod values;
mod vocabulary;

use ftl_model::WorkspaceName;

pub use self::findings::Findings;
pub use self::problem::{Problem, Severity};
use crate::{Document, ElementRef, read};

/// All problems of a task file, in the order of their places.
///
/// A document that cannot be read as XML has one: its first fault. With `name`, the file's name, the
/// document is also compared with it. Patterns and rules are not
/// compiled, and the project is not looked at.
pub fn validate(source: &[u8], name: Option<&WorkspaceName>) -> Vec<Problem> {
    match read(source) {
        Ok(document) => findings(&document, name).sorted(),
        Err(error) => vec![error.into()],
    }
}

/// What [`validate()`] finds in a document that was read already, for callers that add findings of
/// their own.
pub fn findings(document: &Document<'_>, name: Option<&WorkspaceName>) -> Findings {
    let mut findings = Findings::default();
    let root = document.root();
    findings.extend(document.workspace().err().unwrap_or_default());
    names::check(root, &mut findings);
    values::check(root, name, &mut findings);
    implementation::check(root, &mut findings);
    rules::check(root, &mut findings);
    findings
}

fn is_blank(element: ElementRef<'_, '_>) -> bool {
    element.text().is_none_or(|text| text.trim().is_empty())
}
