//! Idioms, and the fixes of known failures: contradictions, and what can never apply.
//!
//! Whether a pattern compiles is not known here; `ftl-engine`, which runs them, adds that.

use std::collections::BTreeMap;

use super::vocabulary::nearest;
use super::{Findings, is_blank};
use crate::ElementRef;
use ftl_text::quote;

/// Ways in which a fix can be applied without an agent.
const FIX_KINDS: [&str; 3] = ["patch", "command", "rerun"];

/// Idioms, and fixes of known failures.
pub(super) fn check(root: ElementRef<'_, '_>, findings: &mut Findings) {
    if let Some(idioms) = root.child("idioms") {
        check_idioms(idioms, findings);
    }
    let knowledge = root.child("prior_knowledge");
    for failure in knowledge.iter().flat_map(|k| k.children_named("failure")) {
        check_failure(failure, findings);
    }
}

fn check_idioms(idioms: ElementRef<'_, '_>, findings: &mut Findings) {
    for idiom in idioms.children() {
        if idiom.is("required") || idiom.is("forbidden") {
            idiom_rule(idiom, findings);
        }
    }
    let required: BTreeMap<String, ElementRef<'_, '_>> =
        idioms.children_named("required").map(|idiom| (meaning(idiom), idiom)).collect();
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

fn idiom_rule(idiom: ElementRef<'_, '_>, findings: &mut Findings) {
    let is_given = |name: &str| idiom.attribute(name).is_some_and(|value| !value.trim().is_empty());
    if is_given("pattern") && !is_given("language") {
        findings.warning(
            idiom.attribute_place("pattern").unwrap_or_else(|| idiom.tag_place()),
            "workspace::rule",
            "`pattern` needs a `language`",
            "write the `language` that the pattern is code of",
        );
    }
    if is_blank(idiom) && !["regex", "rule", "pattern"].into_iter().any(is_given) {
        findings.warning(
            idiom.place(),
            "workspace::idiom",
            "the idiom is empty",
            "say what is meant, or remove the element",
        );
    }
}

fn check_failure(failure: ElementRef<'_, '_>, findings: &mut Findings) {
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
        let place = fix.attribute_place("kind").unwrap_or_else(|| fix.tag_place());
        let message = format!("unknown kind of fix `{}`", quote(&kind));
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
