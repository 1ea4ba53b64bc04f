//! Everything that is wrong with a task file: with its text, with its patterns, and with how it sees
//! the project.
//!
//! An error is what a build would block on, or a verify that cannot pass; everything else is a
//! warning. The project is looked at for active tasks alone: a finished one has changed it.

mod commands;
mod contexts;
mod files;
mod rules;
mod stale;

use std::path::Path;

pub use commands::masked_verify;

use ftl_analysis::quality::Rules;
use ftl_model::{Status, WorkspaceName};
use ftl_process::Environment;
use ftl_xml::{Document, ElementRef, Problem, read};

/// All problems of a task file, in the order of their places.
///
/// `path` is where the file is, of which the name and the neighbours count; `root` is the project, and
/// `env` the environment that its verify will have; `rules` decide idioms. A document that is no XML has the
/// faults of its XML alone.
pub fn validate(
    source: &[u8],
    path: &Path,
    root: &Path,
    env: &Environment,
    rules: &Rules,
) -> Vec<Problem> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name: Option<WorkspaceName> = file.parse().ok();
    let document = match read(source) {
        Ok(document) => document,
        Err(error) => return vec![error.into()],
    };
    let mut findings = ftl_xml::findings(&document, name.as_ref());
    if name.is_none() {
        findings.warning(
            document.root().tag_place(),
            "workspace::name",
            format!("`{}` is not a valid task file name", ftl_text::quote(&file)),
            "name it `NNN_slug_active.xml`: a build takes no other files",
        );
    }
    rules::check(&document, rules, &mut findings);
    if is_active(&document, name.as_ref()) {
        files::check(&document, path, root, &mut findings);
        commands::check(&document, root, env, &mut findings);
        contexts::check(&document, root, &mut findings);
    }
    findings.sorted()
}

fn is_active(document: &Document<'_>, name: Option<&WorkspaceName>) -> bool {
    let status = document.root().attribute("status");
    let says_active = status.is_none_or(|status| status == Status::Active.as_str());
    says_active && name.is_none_or(|name| name.status == Status::Active)
}

/// The children of this name of every `implementation`, wherever it is.
fn implementations<'d, 'a: 'd>(
    document: &'d Document<'a>,
    name: &str,
) -> impl Iterator<Item = ElementRef<'d, 'a>> {
    document
        .root()
        .descendants()
        .filter(|element| element.is("implementation"))
        .flat_map(move |element| element.children_named(name))
}

/// The text of an element, trimmed; `None` where it says nothing.
fn filled(element: ElementRef<'_, '_>) -> Option<String> {
    let text = element.text()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
