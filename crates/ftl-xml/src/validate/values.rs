use std::collections::BTreeMap;

use ftl_model::{DEFAULT_BUDGET, DeltaPath, Place, Status, WorkspaceName};

use super::vocabulary::nearest;
use super::{Findings, Patterns};
use crate::lower::{integer, number};
use crate::safe::quote;
use crate::{Document, ElementRef};

/// Least budget of any task: read, one file, verify.
const LEAST_BUDGET: i64 = 3;
/// What a task costs besides its files: read and verify.
const OVERHEAD: i64 = 2;
/// Ways in which a fix can be applied without an agent.
const FIX_KINDS: [&str; 3] = ["patch", "command", "rerun"];

/// Values that block the task, or that mean nothing.
pub(super) fn check(
    document: &Document<'_>,
    name: Option<&WorkspaceName>,
    patterns: &dyn Patterns,
    findings: &mut Findings,
) {
    let root = document.root();
    findings.unreadable(document);
    identity(root, name, findings);
    implementation(root, findings);
    confidence(root, findings);
    if let Some(idioms) = root.child("idioms") {
        check_idioms(idioms, patterns, findings);
    }
    let knowledge = root.child("prior_knowledge");
    for failure in knowledge.iter().flat_map(|k| k.children_named("failure")) {
        check_failure(failure, patterns, findings);
    }
    contexts(root, findings);
}

/// Status, ID and dependencies, also against the file's name.
fn identity(root: ElementRef<'_, '_>, name: Option<&WorkspaceName>, findings: &mut Findings) {
    let place = |attribute: &str| {
        root.attribute_place(attribute)
            .unwrap_or_else(|| root.tag_place())
    };
    let status = root.attribute("status");
    let words = Status::ALL.map(Status::as_str);
    match (status.as_deref(), name) {
        (None, _) => findings.error(
            place("status"),
            "workspace::status",
            "the status is missing",
            "write `status=\"active\"`",
        ),
        (Some(word), _) if !words.contains(&word) => findings.error(
            place("status"),
            "workspace::status",
            format!("`{}` is no status", quote(word)),
            format!("it is one of: {}", words.join(", ")),
        ),
        (Some(word), Some(name)) if word != name.status.as_str() => findings.error(
            place("status"),
            "workspace::status",
            format!(
                "the status is `{word}`, the file's name says `{}`",
                name.status
            ),
            "make them agree",
        ),
        (Some(_), _) => {}
    }
    let Some(name) = name else { return };
    let expected = name.id.attribute();
    if root.attribute("id").as_deref() != Some(expected.as_str()) {
        findings.warning(
            place("id"),
            "workspace::id",
            format!("the id is not `{expected}`, as the file's name has it"),
            "the name counts: write the same id",
        );
    }
    let depends = root.attribute("depends").unwrap_or_default();
    if depends.split_whitespace().any(|seq| seq == name.id.seq()) {
        findings.error(
            place("depends"),
            "workspace::depends",
            "the task depends on itself",
            "remove its own number",
        );
    }
}

fn implementation(root: ElementRef<'_, '_>, findings: &mut Findings) {
    let elements: Vec<_> = root
        .descendants()
        .filter(|element| element.is("implementation"))
        .collect();
    let each = |name: &'static str| elements.iter().flat_map(move |e| e.children_named(name));
    let place = elements.first().map_or(root.tag_place(), |e| e.tag_place());
    let paths = delta(each("delta"), place, findings);
    let verify = each("verify").next();
    if verify.is_none_or(is_blank) {
        findings.error(
            verify.map_or(place, ElementRef::place),
            "workspace::verify",
            "there is no command to verify the task",
            "write one into `<verify>`: the task is done when it exits with 0",
        );
    }
    if let Some(element) = each("verify_source").next().filter(|e| !is_blank(*e)) {
        verify_source(element, findings);
    }
    budget(each("budget").next(), paths, place, findings);
    for command in each("preflight").filter(|element| is_blank(*element)) {
        findings.warning(
            command.place(),
            "workspace::preflight",
            "the preflight command is empty",
            "write a command, or remove the element",
        );
    }
}

fn is_blank(element: ElementRef<'_, '_>) -> bool {
    element.text().is_none_or(|text| text.trim().is_empty())
}

/// Checks the paths; gives how many there are.
fn delta<'d, 'a: 'd>(
    elements: impl Iterator<Item = ElementRef<'d, 'a>>,
    place: Place,
    findings: &mut Findings,
) -> usize {
    let mut lines: BTreeMap<DeltaPath, usize> = BTreeMap::new();
    let mut count = 0;
    for element in elements {
        count += 1;
        let at = element.text_place();
        match DeltaPath::parse(&element.text().unwrap_or_default()) {
            Err(problem) => findings.error(
                at,
                "workspace::delta",
                quote(&problem.to_string()),
                "name one file, relative to the root: no patterns, no `..`",
            ),
            Ok(path) => {
                let message = format!("`{}` is given more than once", quote(path.as_str()));
                if let Some(line) = lines.insert(path, at.line) {
                    let help = format!("remove it: it stands in line {line} already");
                    findings.error(at, "workspace::repeated_delta", message, help);
                }
            }
        }
    }
    if count == 0 {
        findings.error(
            place,
            "workspace::delta",
            "the task names no file that it may change",
            "write one `<delta>` a file into `<implementation>`",
        );
    }
    count
}

fn verify_source(element: ElementRef<'_, '_>, findings: &mut Findings) {
    if let Err(problem) = DeltaPath::parse(&element.text().unwrap_or_default()) {
        findings.warning(
            element.text_place(),
            "workspace::verify_source",
            quote(&problem.to_string()),
            "it will not be read: name one file, relative to the root",
        );
    }
}

fn budget(
    element: Option<ElementRef<'_, '_>>,
    files: usize,
    place: Place,
    findings: &mut Findings,
) {
    let text = element.and_then(ElementRef::text);
    let budget = match (element, text) {
        (None, _) => DEFAULT_BUDGET,
        (Some(_), text) => match integer(&text.unwrap_or_default()) {
            Some(budget) => budget,
            None => return,
        },
    };
    let place = element.map_or(place, ElementRef::text_place);
    let needed = i64::try_from(files).map_or(i64::MAX, |n| n.saturating_add(OVERHEAD));
    if budget < LEAST_BUDGET {
        findings.error(
            place,
            "workspace::budget",
            format!("a budget of {budget} carries no task"),
            format!("reading, one file and verifying cost {LEAST_BUDGET}"),
        );
    } else if budget < needed {
        findings.warning(
            place,
            "workspace::budget",
            format!("a budget of {budget} does not carry all {files} files"),
            format!("reading and verifying cost {OVERHEAD}, every file touched 1: {needed}"),
        );
    }
}

fn confidence(root: ElementRef<'_, '_>, findings: &mut Findings) {
    let element = root.child("framework_confidence");
    let own = element.and_then(|e| Some((number(&e.text()?)?, e.text_place())));
    let carried = root.child("idioms").and_then(|e| {
        let value = number(&e.attribute("confidence")?)?;
        Some((value, e.attribute_place("confidence")?))
    });
    for (value, place) in own.into_iter().chain(carried) {
        if !(0.0..=1.0).contains(&value) {
            findings.warning(
                place,
                "workspace::confidence",
                format!("the confidence {value} is not between 0 and 1"),
                "it is taken as the nearer of the two",
            );
        }
    }
}

fn check_idioms(idioms: ElementRef<'_, '_>, patterns: &dyn Patterns, findings: &mut Findings) {
    for idiom in idioms.children() {
        if idiom.is("required") || idiom.is("forbidden") {
            idiom_rule(idiom, patterns, findings);
        }
    }
    let required: BTreeMap<String, ElementRef<'_, '_>> = idioms
        .children_named("required")
        .map(|idiom| (meaning(idiom), idiom))
        .collect();
    for forbidden in idioms.children_named("forbidden") {
        let same = required.get(&meaning(forbidden));
        if let Some(other) = same.filter(|_| !is_blank(forbidden)) {
            findings.error(
                forbidden.place(),
                "workspace::contradiction",
                "the same idiom is required and forbidden",
                format!("it is required in line {}", other.place().line),
            );
        }
    }
}

/// Text and rule of an idiom; equal for idioms that mean the same.
fn meaning(idiom: ElementRef<'_, '_>) -> String {
    let attributes: BTreeMap<_, _> = idiom.attributes().collect();
    format!("{:?} {attributes:?}", idiom.text())
}

fn idiom_rule(idiom: ElementRef<'_, '_>, patterns: &dyn Patterns, findings: &mut Findings) {
    let mut refuse = |attribute: &str, why: String| {
        let place = idiom
            .attribute_place(attribute)
            .unwrap_or_else(|| idiom.tag_place());
        let help = format!("mend `{attribute}`: without its rule the idiom blocks the task");
        findings.error(place, "workspace::rule", why, help);
    };
    if let Some(Err(why)) = idiom.attribute("regex").map(|regex| patterns.regex(&regex)) {
        refuse("regex", why);
    }
    if let Some(Err(why)) = idiom.attribute("rule").map(|name| patterns.rule(&name)) {
        refuse("rule", why);
    }
    match (idiom.attribute("pattern"), idiom.attribute("language")) {
        (Some(pattern), Some(language)) => {
            if let Err(why) = patterns.structural(&pattern, &language) {
                refuse("pattern", why);
            }
        }
        (Some(_), None) => refuse("pattern", "`pattern` needs a `language`".to_owned()),
        (None, Some(_) | None) => {}
    }
    let has_rule = ["regex", "rule", "pattern"]
        .iter()
        .any(|name| idiom.attribute(name).is_some());
    if is_blank(idiom) && !has_rule {
        findings.warning(
            idiom.place(),
            "workspace::idiom",
            "the idiom is empty",
            "say what is meant, or remove the element",
        );
    }
}

fn check_failure(failure: ElementRef<'_, '_>, patterns: &dyn Patterns, findings: &mut Findings) {
    let pattern = failure.child("match");
    if let Some(element) = pattern.filter(|element| !is_blank(*element)) {
        let text = element.text().unwrap_or_default();
        if let Err(why) = patterns.regex(&text) {
            findings.warning(
                element.text_place(),
                "workspace::match",
                why,
                "the failure is recognised by its trigger's text alone",
            );
        }
    }
    let is_missing = |name| failure.child(name).is_none_or(is_blank);
    if is_missing("trigger") && is_missing("match") {
        findings.warning(
            failure.tag_place(),
            "workspace::failure",
            "the failure can never be recognised",
            "write the error's text into `<trigger>`, or a pattern into `<match>`",
        );
    }
    check_fix(failure, findings);
}

fn check_fix(failure: ElementRef<'_, '_>, findings: &mut Findings) {
    let Some(fix) = failure.child("fix") else {
        return;
    };
    let Some(kind) = fix.attribute("kind") else {
        return;
    };
    if !FIX_KINDS.contains(&kind.as_ref()) {
        let help = match nearest(&kind, FIX_KINDS) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("it is one of: {}; prose has none", FIX_KINDS.join(", ")),
        };
        let place = fix
            .attribute_place("kind")
            .unwrap_or_else(|| fix.tag_place());
        let message = format!("`{}` is no kind of fix", quote(&kind));
        findings.warning(place, "workspace::fix", message, help);
    } else if kind != "rerun" && is_blank(fix) {
        findings.warning(
            fix.place(),
            "workspace::fix",
            format!("the fix is a {kind} without text"),
            format!("write the {kind}, or remove the failure"),
        );
    }
}

fn contexts(root: ElementRef<'_, '_>, findings: &mut Findings) {
    for context in root.children_named("code_context") {
        if context.attribute("path").is_none() {
            findings.warning(
                context.tag_place(),
                "workspace::code_context",
                "the code context names no file",
                "write its `path`: without it no export is kept",
            );
        }
    }
}
