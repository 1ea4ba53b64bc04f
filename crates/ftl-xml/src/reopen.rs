//! Making a record a task file again.
//!
//! What a run wrote stays: its `run` element, and in it the text that says why it ended. Only what says
//! that the task is finished goes, and what the task is to be from now on is spliced in.

use ftl_model::{Failure, Finding};

use crate::lower::{ACCEPT, ALLOW_REMOVED, TESTS, TESTS_CHANGE};
use crate::new::{failure, text};
use crate::splice::Side;
use crate::{Document, Element, ElementRef, Splice, read};

/// The builder that a record names for a task without a run.
const MANUAL: &str = "hand";

/// The element of a `run` that keeps the `delivered` text of a block.
pub const HANDOFF: &str = "handoff";

/// What a task is to be from now on; what is `None` or empty stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reopening {
    /// Delta files that are added.
    pub delta: Vec<String>,
    /// Another verify command.
    pub verify: Option<String>,
    /// Another test file to read first.
    pub verify_source: Option<String>,
    /// Another budget.
    pub budget: Option<i64>,
    /// Globs that are added of files that may change beside the delta.
    pub allow: Vec<String>,
    /// Whether the task may change its tests from now on.
    pub tests_change: bool,
    /// Findings that the task takes for what they are from now on.
    pub accept: Vec<Finding>,
    /// Exports that the task may remove from now on.
    pub allow_removed: Vec<String>,
    /// A known failure, which comes before all others.
    pub failure: Option<Failure>,
}

/// The document as an active task: what `changes` says is spliced in, everything else stays byte for byte.
///
/// The `delivered` text is kept in the last `run` element, where it is not there yet, unless the document
/// would grow beyond the bounds of [`read`].
#[must_use]
pub fn reopen(document: &Document<'_>, changes: &Reopening) -> Vec<u8> {
    let kept = splice(document, changes, true);
    if read(&kept).is_ok() { kept } else { splice(document, changes, false) }
}

fn splice(document: &Document<'_>, changes: &Reopening, keep: bool) -> Vec<u8> {
    let root = document.root();
    let mut splice = Splice::new(document);
    if root.attribute("status").as_deref() != Some("active") {
        splice = splice.set_attribute("status", "active");
        for attribute in ["completed_at", "blocked_at", "dropped_at"] {
            splice = splice.remove_attribute(attribute);
        }
        if keep {
            splice = keep_handoff(splice, root);
        }
        let delivered = root.child("delivered");
        if let Some(delivered) = delivered.filter(|element| !element.node().is_empty_tag()) {
            splice = splice.fill(delivered, &Element::new("delivered"));
        }
    }
    splice = implementation(splice, root, changes);
    if let Some(known) = &changes.failure {
        splice = knowledge(splice, root, failure(known));
    }
    splice.finish()
}

/// Keeps the `delivered` text in the last run, or in a new `run` where another program wrote the
/// record.
fn keep_handoff<'d, 'a>(splice: Splice<'d, 'a>, root: ElementRef<'d, 'a>) -> Splice<'d, 'a> {
    let delivered = root.child("delivered").and_then(ElementRef::text);
    let Some(delivered) = delivered.filter(|text| !text.trim().is_empty()) else {
        return splice;
    };
    let handoff = text(HANDOFF, &delivered);
    match root.children_named("run").last() {
        None => splice.append(
            Element::new("run")
                .attribute("by", MANUAL)
                .attribute("outcome", root.attribute("status").as_deref().unwrap_or("blocked"))
                .child(handoff),
        ),
        Some(run) => {
            let known = run.child(HANDOFF).and_then(ElementRef::text);
            if known.as_deref() == Some(&*delivered) {
                splice
            } else {
                splice.append_in(run, 1, &[handoff])
            }
        }
    }
}

fn implementation<'d, 'a>(
    mut splice: Splice<'d, 'a>,
    root: ElementRef<'d, 'a>,
    changes: &Reopening,
) -> Splice<'d, 'a> {
    let all: Vec<ElementRef<'d, 'a>> =
        root.descendants().filter(|element| element.is("implementation")).collect();
    let budget = changes.budget.map(|budget| budget.to_string());
    let singles = [
        ("verify", changes.verify.as_deref()),
        ("verify_source", changes.verify_source.as_deref()),
        ("budget", budget.as_deref()),
    ];
    let mut missing = Vec::new();
    for (name, value) in singles {
        let Some(value) = value else { continue };
        // The first of several counts: that of the first implementation that has one.
        match all.iter().find_map(|element| element.child(name)) {
            Some(element) => splice = splice.fill(element, &text(name, value)),
            None => missing.push(text(name, value)),
        }
    }
    let delta: Vec<Element> = changes.delta.iter().map(|path| text("delta", path)).collect();
    let last = all.iter().find_map(|element| element.children_named("delta").last());
    match last {
        Some(last) if !delta.is_empty() => splice = splice.beside(last, Side::Behind, 2, &delta),
        _ => missing.splice(0..0, delta).for_each(drop),
    }
    let known: Vec<_> = all.iter().flat_map(|element| element.children_named("allow")).collect();
    let is_known =
        |glob: &String| known.iter().any(|element| element.text().as_deref() == Some(glob));
    missing.extend(
        changes.allow.iter().filter(|glob| !is_known(glob)).map(|glob| text("allow", glob)),
    );
    let attributes = attributes(&all, changes);
    match all.first() {
        None if missing.is_empty() && attributes.is_empty() => splice,
        None => {
            let mut element = Element::new("implementation").children(missing);
            for (name, value) in attributes {
                element = element.verbatim_attribute(name, &value);
            }
            splice.append(element)
        }
        Some(first) => {
            for (name, value) in attributes {
                splice = splice.set_attribute_of(*first, name, &value);
            }
            splice.append_in(*first, 1, &missing)
        }
    }
}

/// The attributes of the first implementation that change.
fn attributes(all: &[ElementRef<'_, '_>], changes: &Reopening) -> Vec<(&'static str, String)> {
    let mut attributes = Vec::new();
    if changes.tests_change {
        attributes.push((TESTS, TESTS_CHANGE.to_owned()));
    }
    let accept: Vec<String> = changes.accept.iter().map(ToString::to_string).collect();
    for (name, added) in [(ALLOW_REMOVED, &changes.allow_removed), (ACCEPT, &accept)] {
        if added.is_empty() {
            continue;
        }
        let known = all.first().and_then(|element| element.attribute(name)).unwrap_or_default();
        let mut words: Vec<&str> = known.split_whitespace().collect();
        for word in added {
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        attributes.push((name, words.join(" ")));
    }
    attributes
}

/// Adds a failure before all others, so that it is the one that counts.
fn knowledge<'d, 'a>(
    splice: Splice<'d, 'a>,
    root: ElementRef<'d, 'a>,
    failure: Element,
) -> Splice<'d, 'a> {
    let Some(knowledge) = root.child("prior_knowledge") else {
        return splice.append(Element::new("prior_knowledge").child(failure));
    };
    match knowledge.child("failure") {
        Some(first) => splice.beside(first, Side::Before, 2, &[failure]),
        None => splice.append_in(knowledge, 1, &[failure]),
    }
}
