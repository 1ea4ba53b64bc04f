//! Whether the code contexts still show what the files hold, and list exports that exist.
//!
//! A stale context is a warning and no error: a build gives it to the implementer as it is. How text is
//! compared is in `stale.rs`; which exports count, in `ftl_analysis::quality`.

use std::collections::BTreeMap;
use std::path::Path;

use ftl_model::{CodeContext, DeltaPath};
use ftl_text::quote;
use ftl_xml::plan::{Project, Source};
use ftl_xml::{Document, ElementRef, Findings};

use super::implementations;
use super::stale::{Drift, drift};
use crate::parsing::Parsing;
use crate::project::{ProjectFiles, committed};
use ftl_analysis::quality::{Before, FileText, judge_exports};
use ftl_model::{ExportStatus, ExportVerdict};
use ftl_store::Layout;

/// Whether the contexts still show what the files hold, and list what these give to others.
pub(super) fn check(document: &Document<'_>, root: &Path, findings: &mut Findings) {
    // A document that cannot be lowered has other errors; its contexts can wait.
    let Ok(workspace) = document.workspace() else {
        return;
    };
    let elements = document.root().children_named("code_context");
    let contexts: Vec<_> = elements.zip(&workspace.code_contexts).collect();
    let texts = texts(document, &workspace.code_contexts, root);
    for (element, context) in &contexts {
        let Some(path) = path(context) else {
            continue;
        };
        match texts.get(&path) {
            Some(Some(text)) => content(*element, context, text, findings),
            Some(None) => {}
            None => findings.warning(
                element.attribute_place("path").unwrap_or_else(|| element.tag_place()),
                "workspace::stale_context",
                format!("`{}` does not exist", quote(path.as_str())),
                "remove the code context, or correct its path",
            ),
        }
    }
    exports(&contexts, &texts, root, findings);
}

/// Files that contexts and delta name, as they are; `None` for one that is no text.
type Texts = BTreeMap<DeltaPath, Option<String>>;

fn texts(document: &Document<'_>, contexts: &[CodeContext], root: &Path) -> Texts {
    let delta = implementations(document, "delta")
        .filter_map(|element| DeltaPath::parse(&element.text()?).ok());
    let project = ProjectFiles::new(Layout::new(root));
    let mut texts = Texts::new();
    for path in contexts.iter().filter_map(path).chain(delta) {
        // A file is read once, however many contexts show it.
        if texts.contains_key(&path) {
            continue;
        }
        match project.source(path.as_str()) {
            Source::Missing => {}
            Source::Text(text) => drop(texts.insert(path, Some(text))),
            Source::NotText => drop(texts.insert(path, None)),
        }
    }
    texts
}

fn path(context: &CodeContext) -> Option<DeltaPath> {
    DeltaPath::parse(context.path.as_deref()?).ok()
}

fn content(
    element: ElementRef<'_, '_>,
    context: &CodeContext,
    text: &str,
    findings: &mut Findings,
) {
    let place =
        element.child("content").map_or_else(|| element.tag_place(), |content| content.tag_place());
    let path = quote(context.path.as_deref().unwrap_or_default().trim());
    let (message, help) = match drift(context, text) {
        Drift::None => return,
        Drift::Moved { line } => (
            format!("the code that the context shows is in line {line} of `{path}` now"),
            "correct `lines`, or update the context",
        ),
        Drift::Changed { line: Some(line) } => (
            format!("`{path}` differs from the code context, first in line {line}"),
            "update the context: otherwise the implementer works from the old text",
        ),
        Drift::Changed { line: None } => (
            format!("`{path}` does not contain the code that the context shows"),
            "update the context: otherwise the implementer works from the old text",
        ),
    };
    findings.warning(place, "workspace::stale_context", message, help);
}

/// Warns of exports that a context lists and its file does not have.
fn exports(
    contexts: &[(ElementRef<'_, '_>, &CodeContext)],
    texts: &Texts,
    root: &Path,
    findings: &mut Findings,
) {
    let lists: Vec<CodeContext> = contexts.iter().map(|(_, context)| (*context).clone()).collect();
    let current = texts.iter().filter_map(|(path, text)| Some((path, text.as_deref()?)));
    let mut missing = never_there(&lists, current, root);
    if !missing.is_empty() {
        // What the last commit has and an edit removed is there to be kept.
        let paths: Vec<DeltaPath> = texts.keys().cloned().collect();
        let old = committed(root, &paths);
        let known = |path: &str| old.keys().any(|known| known.as_str() == path);
        let never = never_there(&lists, old.iter().map(|(path, text)| (path, text.as_str())), root);
        missing.retain(|verdict| !known(&verdict.path) || never.contains(verdict));
    }
    for verdict in missing {
        let Some(element) = lister(contexts, &verdict) else {
            continue;
        };
        findings.warning(
            element.text_place(),
            "workspace::exports",
            format!("`{}` has no export `{}`", quote(&verdict.path), quote(&verdict.name)),
            "remove the name: the file has no such export to keep",
        );
    }
}

/// Listed exports that the files with these texts do not have.
fn never_there<'t>(
    lists: &[CodeContext],
    texts: impl Iterator<Item = (&'t DeltaPath, &'t str)>,
    root: &Path,
) -> Vec<ExportVerdict> {
    // The same text before and after: what is missing then was never there.
    let file = |(path, text): (&'t DeltaPath, &'t str)| FileText {
        path: path.as_str(),
        before: Some(text),
        after: Some(text),
    };
    let files: Vec<FileText<'_>> = texts.map(file).collect();
    if lists.is_empty() {
        return Vec::new();
    }
    let parsing = Parsing::new(None);
    let is_shallow = |path: &str, text: &str| parsing.is_shallow(path, text);
    let project = ProjectFiles::new(Layout::new(root));
    let others = |path: &str| project.text(path);
    let judge = || judge_exports(lists, &files, Before::Known, &[], &others, &is_shallow);
    // Without a thread nothing is known to be missing.
    let mut verdicts = parsing.run(judge).unwrap_or_default().verdicts;
    verdicts.retain(|verdict| verdict.verdict == ExportStatus::NeverThere);
    verdicts
}

/// The element that lists an export; `None` where contexts list it in another spelling.
fn lister<'d, 'a>(
    contexts: &[(ElementRef<'d, 'a>, &CodeContext)],
    verdict: &ExportVerdict,
) -> Option<ElementRef<'d, 'a>> {
    let name = verdict.name.trim_end_matches("()");
    contexts
        .iter()
        .filter(|(_, context)| path(context).is_some_and(|path| path.as_str() == verdict.path))
        .find(|(_, context)| context.exports.contains(name))
        .and_then(|(element, _)| element.child("exports"))
}
