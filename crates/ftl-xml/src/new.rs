//! A workspace as a new document, for tasks that have no file yet. An existing one is never written
//! this way: see `splice.rs`.

use ftl_model::{
    CodeContext, Failure, Idiom, Idioms, Lineage, Parent, Pattern, PriorKnowledge, Utilized,
    Workspace,
};

use crate::Element;
use crate::lower::{ALLOW_REMOVED, TESTS, TESTS_CHANGE};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
const SCHEMA_VERSION: &str = "1.0";

/// A new task file's text. Reading it gives the same workspace, unless a text holds characters that
/// XML 1.0 cannot carry: these are replaced by visible ones.
///
/// Elements stand in a fixed order: objective, implementation, code contexts, idioms, confidence,
/// knowledge, lineage, delivered, utilization. Empty single texts are left out, `verify` and
/// `delivered` excepted.
pub fn write_new(workspace: &Workspace) -> String {
    // `{:?}` keeps the point, `1.0`, as Python prints a float.
    let confidence = workspace.framework_confidence.map(|n| format!("{n:?}"));
    let mut root = root(workspace);
    if !workspace.objective.is_empty() {
        root = root.child(text("objective", &workspace.objective));
    }
    root =
        root.child(implementation(workspace)).children(workspace.code_contexts.iter().map(context));
    if let Some(value) = &workspace.idioms {
        root = root.child(idioms(value, confidence.as_deref()));
    }
    // Written twice: readers of the format look in either place.
    if let Some(confidence) = &confidence {
        root = root.child(text("framework_confidence", confidence));
    }
    if let Some(value) = &workspace.prior_knowledge {
        root = root.child(knowledge(value));
    }
    if let Some(value) = &workspace.lineage {
        root = root.child(lineage(value));
    }
    root = root.child(text("delivered", &workspace.delivered));
    if let Some(entries) = &workspace.utilized {
        root = root.child(utilization(entries));
    }
    let mut document = DECLARATION.to_owned();
    root.write(0, &mut document);
    document.push('\n');
    document
}

fn root(workspace: &Workspace) -> Element {
    // `verbatim` throughout: reading the document must give the same workspace, so nothing is made
    // safe for a terminal here.
    let mut root = Element::new("workspace");
    let attributes = [
        ("id", workspace.id.as_deref()),
        ("status", workspace.status.as_deref()),
        ("_schema_version", Some(SCHEMA_VERSION)),
        ("created_at", workspace.created_at.as_deref()),
        ("completed_at", workspace.completed_at.as_deref()),
        ("blocked_at", workspace.blocked_at.as_deref()),
    ];
    for (name, value) in attributes {
        root = optional(root, name, value);
    }
    let depends: Vec<String> = workspace.depends.iter().map(ToString::to_string).collect();
    words(root, "depends", &depends)
}

fn implementation(workspace: &Workspace) -> Element {
    let list = |name: &'static str, texts: &[Option<String>]| -> Vec<Element> {
        let write = |value: &Option<String>| text(name, value.as_deref().unwrap_or_default());
        texts.iter().map(write).collect()
    };
    let tests = workspace.tests_change.then_some(TESTS_CHANGE);
    let element = optional(Element::new("implementation"), TESTS, tests);
    let mut element = words(element, ALLOW_REMOVED, &workspace.allow_removed)
        .children(list("delta", &workspace.delta))
        .child(text("verify", &workspace.verify));
    if !workspace.verify_source.is_empty() {
        element = element.child(text("verify_source", &workspace.verify_source));
    }
    element
        .child(text("budget", &workspace.budget.to_string()))
        .children(list("preflight", &workspace.preflight))
        .children(workspace.allow.iter().map(|glob| text("allow", glob)))
}

fn context(context: &CodeContext) -> Element {
    let element = optional(Element::new("code_context"), "path", context.path.as_deref());
    optional(element, "lines", context.lines.as_deref())
        .child(text("content", &context.content))
        .child(text("exports", &context.exports))
        .child(text("imports", &context.imports))
}

fn idioms(idioms: &Idioms, confidence: Option<&str>) -> Element {
    let element = optional(Element::new("idioms"), "framework", idioms.framework.as_deref());
    optional(element, "confidence", confidence)
        .children(idioms.required.iter().map(|i| idiom("required", i)))
        .children(idioms.forbidden.iter().map(|i| idiom("forbidden", i)))
}

fn idiom(name: &'static str, idiom: &Idiom) -> Element {
    let mut element = text(name, idiom.text.as_deref().unwrap_or_default());
    let attributes = [
        ("rule", &idiom.rule),
        ("regex", &idiom.regex),
        ("pattern", &idiom.pattern),
        ("language", &idiom.language),
    ];
    for (name, value) in attributes {
        element = optional(element, name, value.as_deref());
    }
    element
}

fn knowledge(knowledge: &PriorKnowledge) -> Element {
    Element::new("prior_knowledge")
        .children(knowledge.failures.iter().map(failure))
        .children(knowledge.patterns.iter().map(pattern))
}

/// A `failure` element of prior knowledge as text, on one line where its texts are.
#[must_use]
pub fn failure_xml(known: &Failure) -> String {
    let mut text = String::new();
    failure(known).write(0, &mut text);
    text
}

/// A `failure` element of prior knowledge.
pub(crate) fn failure(failure: &Failure) -> Element {
    let fix = text("fix", &failure.fix);
    let element = optional(Element::new("failure"), "name", failure.name.as_deref())
        .attribute("cost", failure.cost)
        .attribute("injected", failure.injected);
    let element = words(element, "tags", &failure.tags)
        .child(text("trigger", &failure.trigger))
        .child(optional(fix, "kind", failure.fix_kind.as_deref()));
    match &failure.pattern {
        Some(pattern) => element.child(text("match", pattern)),
        None => element,
    }
}

fn pattern(pattern: &Pattern) -> Element {
    optional(Element::new("pattern"), "name", pattern.name.as_deref())
        .attribute("saved", pattern.saved)
        .attribute("injected", pattern.injected)
        .child(text("trigger", &pattern.trigger))
        .child(text("insight", &pattern.insight))
}

fn lineage(lineage: &Lineage) -> Element {
    Element::new("lineage").children(lineage.parents.iter().map(parent))
}

fn parent(parent: &Parent) -> Element {
    let element = optional(Element::new("parent"), "seq", parent.seq.as_deref());
    optional(element, "workspace", parent.workspace.as_deref())
        .child(text("prior_delivery", &parent.prior_delivery))
}

/// The `memory_utilization` element.
pub(crate) fn utilization(entries: &[Utilized]) -> Element {
    let write = |entry: &Utilized| {
        let element = Element::new("utilized");
        match &entry.name {
            Some(name) => element.attribute("name", name),
            None => element,
        }
        .attribute("type", &entry.kind)
    };
    Element::new("memory_utilization").children(entries.iter().map(write))
}

pub(crate) fn text(name: &'static str, text: &str) -> Element {
    Element::new(name).verbatim(text)
}

fn optional(element: Element, name: &'static str, value: Option<&str>) -> Element {
    match value {
        Some(value) => element.verbatim_attribute(name, value),
        None => element,
    }
}

fn words(element: Element, name: &'static str, words: &[String]) -> Element {
    if words.is_empty() { element } else { element.verbatim_attribute(name, &words.join(" ")) }
}
