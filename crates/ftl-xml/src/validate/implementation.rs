//! What the task may change, how it is verified and what it may cost.
//!
//! These are errors where the build would block at once, and warnings where it would only go worse.

use std::collections::BTreeMap;

use ftl_model::{DEFAULT_BUDGET, DeltaPath, SourcePosition};

use super::{Findings, is_blank};
use crate::ElementRef;
use crate::lower::integer;
use ftl_text::quote;

/// Least budget of any task: read, one file, verify.
const LEAST_BUDGET: i64 = 3;
/// What a task costs besides its files: read and verify.
const OVERHEAD: i64 = 2;

/// What the task may change, how it is verified and what it may cost.
pub(super) fn check(root: ElementRef<'_, '_>, findings: &mut Findings) {
    let elements: Vec<_> =
        root.descendants().filter(|element| element.is("implementation")).collect();
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

/// Checks the paths; gives how many there are.
fn delta<'d, 'a: 'd>(
    elements: impl Iterator<Item = ElementRef<'d, 'a>>,
    place: SourcePosition,
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
                    let help = format!("remove it: line {line} already names it");
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
    place: SourcePosition,
    findings: &mut Findings,
) {
    let text = element.and_then(ElementRef::text);
    let budget = match (element, text) {
        (None, _) => DEFAULT_BUDGET,
        (Some(_), text) => match integer(&text.unwrap_or_default()) {
            Some(budget) => budget,
            // Unreadable, which `lower.rs` has reported.
            None => return,
        },
    };
    let place = element.map_or(place, ElementRef::text_place);
    let needed = i64::try_from(files).map_or(i64::MAX, |n| n.saturating_add(OVERHEAD));
    if budget < LEAST_BUDGET {
        findings.error(
            place,
            "workspace::budget",
            format!("a budget of {budget} is too small for any task"),
            format!("reading, one file and verifying cost {LEAST_BUDGET}"),
        );
    } else if budget < needed {
        findings.warning(
            place,
            "workspace::budget",
            format!("a budget of {budget} is too small for all {files} files"),
            format!("reading and verifying cost {OVERHEAD}, every file touched 1: {needed}"),
        );
    }
}
