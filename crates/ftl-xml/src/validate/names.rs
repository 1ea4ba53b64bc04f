use super::Findings;
use super::vocabulary::{Kind, PARENT, ROOT, RUN, homes, kind, nearest};
use crate::ElementRef;
use crate::safe::quote;

/// Elements and attributes that no reader would look at. Other namespaces are nobody's business.
pub(super) fn check(root: ElementRef<'_, '_>, findings: &mut Findings) {
    if !root.is(ROOT) {
        findings.warning(
            root.tag_place(),
            "workspace::root",
            format!("the root element is `{}`", quote(root.name())),
            format!("name it `{ROOT}`, without a namespace"),
        );
    }
    if let Some(kind) = kind(ROOT) {
        inside(root, kind, findings);
    }
}

fn inside(element: ElementRef<'_, '_>, kind: &Kind, findings: &mut Findings) {
    attributes(element, kind, findings);
    children(element, kind, findings);
    if kind.is_structure() && kind.name != PARENT.name {
        stray_text(element, findings);
    }
}

fn attributes(element: ElementRef<'_, '_>, kind: &Kind, findings: &mut Findings) {
    for (name, _) in element.attributes() {
        if kind.attributes.contains(&name) {
            continue;
        }
        let place = element
            .attribute_name_place(name)
            .unwrap_or_else(|| element.tag_place());
        let help = match nearest(name, kind.attributes.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None if kind.attributes.is_empty() => format!("`{}` has no attributes", kind.name),
            None => format!("`{}` has: {}", kind.name, kind.attributes.join(", ")),
        };
        findings.warning(
            place,
            "workspace::unknown_attribute",
            format!("`{}` is no attribute of `{}`", quote(name), kind.name),
            help,
        );
    }
}

fn children(element: ElementRef<'_, '_>, parent: &Kind, findings: &mut Findings) {
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
        } else if let Some(kind) = kind(name).filter(|_| name != RUN) {
            inside(child, kind, findings);
        }
    }
}

fn unknown(child: ElementRef<'_, '_>, parent: &Kind, findings: &mut Findings) {
    let name = child.name();
    let home = homes(name).next();
    let help = match (nearest(name, parent.children()), home) {
        (Some(known), _) => format!("did you mean `{known}`?"),
        (None, Some(home)) => format!("move it into `{home}`"),
        (None, None) => "nothing reads it: remove it, or give it a namespace of its own".to_owned(),
    };
    findings.warning(
        child.tag_place(),
        "workspace::unknown_element",
        format!("`{}` means nothing inside `{}`", quote(name), parent.name),
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
