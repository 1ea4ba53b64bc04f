//! Whether idioms and failures have rules and patterns that can be used.
//!
//! Idioms are checked one by one, so that each bad rule is found and shown at its place; a build stops at
//! the first. No rule is applied to code here.

use ftl_model::{Idiom, Idioms};
use ftl_xml::{Document, ElementRef, Findings};

use super::filled;
use ftl_analysis::pattern::{Deadline, Dialect, Pattern};
use ftl_analysis::quality::{Rules, check_rules, judge_idioms};
use ftl_model::IdiomStatus;

/// What the idioms' rules and the failures' patterns come to.
pub(super) fn check(document: &Document<'_>, rules: &Rules, findings: &mut Findings) {
    let root = document.root();
    if let Some(element) = root.child("idioms") {
        idioms(document, element, rules, findings);
    }
    let knowledge = root.child("prior_knowledge");
    let deadline = Deadline::of_a_phase();
    for failure in knowledge.iter().flat_map(|k| k.children_named("failure")) {
        pattern(failure, &deadline, findings);
    }
}

fn idioms(
    document: &Document<'_>,
    element: ElementRef<'_, '_>,
    rules: &Rules,
    findings: &mut Findings,
) {
    let Ok(Some(idioms)) = document.workspace().map(|workspace| workspace.idioms) else {
        return;
    };
    let mut is_usable = true;
    let deadline = Deadline::of_a_phase();
    let required = element.children_named("required").zip(&idioms.required);
    for (child, idiom) in required {
        is_usable &= deadline.check().is_ok()
            && decided(child, alone(&idioms, &[idiom], &[]), rules, findings);
    }
    let forbidden = element.children_named("forbidden").zip(&idioms.forbidden);
    for (child, idiom) in forbidden {
        is_usable &= deadline.check().is_ok()
            && decided(child, alone(&idioms, &[], &[idiom]), rules, findings);
    }
    if let Err(late) = deadline.check() {
        findings.warning(
            element.tag_place(),
            "workspace::rule",
            late.to_string(),
            "write fewer or simpler patterns: the rest was not checked",
        );
    }
    // Two idioms may be the same and differ in what the text alone would compare.
    if is_usable
        && !findings.has("workspace::contradiction")
        && let Err(why) = check_rules(&idioms, rules)
    {
        findings.error(
            element.tag_place(),
            "workspace::contradiction",
            why,
            "remove one of the two",
        );
    }
}

/// One idiom of the list by itself.
fn alone(idioms: &Idioms, required: &[&Idiom], forbidden: &[&Idiom]) -> Idioms {
    let owned = |list: &[&Idiom]| list.iter().map(|&idiom| idiom.clone()).collect();
    Idioms {
        framework: idioms.framework.clone(),
        required: owned(required),
        forbidden: owned(forbidden),
    }
}

/// Whether a build would not block on the idiom. One that no rule decides is a warning.
fn decided(
    element: ElementRef<'_, '_>,
    idiom: Idioms,
    rules: &Rules,
    findings: &mut Findings,
) -> bool {
    let rule = ["regex", "pattern", "rule"];
    let place = rule.into_iter().find_map(|name| {
        let is_given = !element.attribute(name)?.trim().is_empty();
        element.attribute_place(name).filter(|_| is_given)
    });
    if let Err(why) = check_rules(&idiom, rules) {
        findings.error(
            place.unwrap_or_else(|| element.place()),
            "workspace::rule",
            why,
            "correct the rule: it blocks the build",
        );
        return false;
    }
    if filled(element).is_none() && place.is_none() {
        return true;
    }
    // Judged without any file: what no rule decides is undecidable whatever the code says.
    for verdict in judge_idioms(&idiom, &[], rules) {
        if verdict.verdict == IdiomStatus::Undecidable {
            let why = verdict.note.unwrap_or_default();
            findings.warning(
                place.unwrap_or_else(|| element.text_place()),
                "workspace::undecided_idiom",
                format!("the idiom cannot be checked: {why}"),
                "write a `regex`, or a `pattern` with its `language`, that finds it, or leave it to code review",
            );
        }
    }
    true
}

fn pattern(failure: ElementRef<'_, '_>, deadline: &Deadline, findings: &mut Findings) {
    let Some(element) = failure.child("match") else {
        return;
    };
    let text = element.text().unwrap_or_default();
    if text.trim().is_empty() {
        return;
    }
    let checked = deadline.check().map_err(|late| late.to_string());
    match checked.and_then(|()| Pattern::compile(&text, Dialect::Python)) {
        Err(why) => findings.warning(
            element.text_place(),
            "workspace::match",
            format!("the pattern cannot be used: {why}"),
            "the failure is recognised by its trigger's text alone",
        ),
        Ok(pattern) if pattern.fits_anything(deadline) == Ok(true) => findings.warning(
            element.text_place(),
            "workspace::match",
            "the pattern fits any output",
            "write what only this error says: any other error would get this fix",
        ),
        Ok(_) => {}
    }
}
