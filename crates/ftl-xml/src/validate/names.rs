//! Elements and attributes that no reader would look at.
//!
//! The format skips what it does not know, so a misspelt element is silently without effect. So
//! there are warnings, and no errors. Elements of other namespaces are skipped: their author knows
//! what they are for.

use super::Findings;
use super::vocabulary::{ElementType, PARENT, ROOT, RUN, element_type, nearest, parents_of};
use crate::ElementRef;
use ftl_text::quote;

/// Warns of elements and attributes that are not read where they stand.
pub(super) fn check(root: ElementRef<'_, '_>, findings: &mut Findings) {
    if !root.is(ROOT) {
        findings.warning(
            root.tag_place(),
            "workspace::root",
            format!("the root element is `{}`", quote(root.name())),
            format!("name it `{ROOT}`, without a namespace"),
        );
    }
    if let Some(declared) = element_type(ROOT) {
        inside(root, declared, findings);
    }
}

fn inside(element: ElementRef<'_, '_>, declared: &ElementType, findings: &mut Findings) {
    attributes(element, declared, findings);
    children(element, declared, findings);
    // A parent of the older lineage is its own text.
    if declared.is_structure() && declared.name != PARENT.name {
        stray_text(element, findings);
    }
}

fn attributes(element: ElementRef<'_, '_>, declared: &ElementType, findings: &mut Findings) {
    for (name, _) in element.attributes() {
        if declared.attributes.contains(&name) {
            continue;
        }
        let place = element.attribute_name_place(name).unwrap_or_else(|| element.tag_place());
        let help = match nearest(name, declared.attributes.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None if declared.attributes.is_empty() => {
                format!("`{}` has no attributes", declared.name)
            }
            None => format!("`{}` has: {}", declared.name, declared.attributes.join(", ")),
        };
        findings.warning(
            place,
            "workspace::unknown_attribute",
            format!("`{}` is not an attribute of `{}`", quote(name), declared.name),
            help,
        );
    }
}

fn children(element: ElementRef<'_, '_>, parent: &ElementType, findings: &mut Findings) {
    let mut seen: Vec<&str> = Vec::new();
    for child in element.children().filter(|child| child.is_plain()) {
        let name = child.name();
        let counts_once = parent.single.contains(&name);
        if counts_once && seen.contains(&name) {
            findings.warning(
                child.tag_place(),
                "workspace::repeated_element",
                format!("`{name}` is given more than once: only the first counts"),
                "remove all but one",
            );
        } else if counts_once {
            seen.push(name);
        }
        if !parent.children().any(|known| known == name) {
            unknown(child, parent, findings);
        // What a run records is ftl's own, and changes with it.
        } else if let Some(declared) = element_type(name).filter(|_| name != RUN) {
            inside(child, declared, findings);
        }
    }
}

fn unknown(child: ElementRef<'_, '_>, parent: &ElementType, findings: &mut Findings) {
    let name = child.name();
    let home = parents_of(name).next();
    let help = match (nearest(name, parent.children()), home) {
        (Some(known), _) => format!("did you mean `{known}`?"),
        (None, Some(home)) => format!("move it into `{home}`"),
        (None, None) => "nothing reads it: remove it, or give it a separate namespace".to_owned(),
    };
    findings.warning(
        child.tag_place(),
        "workspace::unknown_element",
        format!("`{}` has no meaning inside `{}`", quote(name), parent.name),
        help,
    );
}

fn stray_text(element: ElementRef<'_, '_>, findings: &mut Findings) {
    if element.text().is_some_and(|text| !text.trim().is_empty()) {
        findings.warning(
            element.text_place(),
            "workspace::stray_text",
            format!("text directly inside `{}` is not read", element.name()),
            "move it into an element",
        );
    }
}
