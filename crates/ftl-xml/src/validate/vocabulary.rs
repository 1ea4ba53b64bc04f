//! The elements and attributes of a workspace: what may stand where, and what a misspelt name
//! probably meant.
//!
//! Much like the element declarations of a DTD. It has to name whatever `lower.rs` reads: an
//! element missing here would be called unknown, which a test over generated workspaces rules out.

/// An element type, in the sense of a DTD: what may stand in elements of this name.
pub(super) struct ElementType {
    pub(super) name: &'static str,
    pub(super) attributes: &'static [&'static str],
    /// Child elements of which one is read: if one is repeated, the first is used.
    pub(super) single: &'static [&'static str],
    /// Child elements that are all read.
    pub(super) repeated: &'static [&'static str],
}

impl ElementType {
    /// Whether the element holds elements, so that text in it is lost.
    pub(super) const fn is_structure(&self) -> bool {
        !(self.single.is_empty() && self.repeated.is_empty())
    }

    pub(super) fn children(&self) -> impl Iterator<Item = &'static str> {
        self.single.iter().chain(self.repeated).copied()
    }
}

const fn leaf(name: &'static str, attributes: &'static [&'static str]) -> ElementType {
    ElementType { name, attributes, single: &[], repeated: &[] }
}

/// Name of the root element.
pub(super) const ROOT: &str = "workspace";
/// The account of a run, whose content is ftl's own.
pub(super) const RUN: &str = "run";

const RULES: &[&str] = &["rule", "regex", "pattern", "language"];

/// Every element that is read, the root first.
pub(super) const ELEMENT_TYPES: &[ElementType] = &[
    ElementType {
        name: ROOT,
        attributes: &[
            "id",
            "status",
            "_schema_version",
            "created_at",
            "completed_at",
            "blocked_at",
            "dropped_at",
            "depends",
        ],
        single: &[
            "objective",
            "idioms",
            "framework_confidence",
            "prior_knowledge",
            "lineage",
            "delivered",
            "memory_utilization",
        ],
        repeated: &["implementation", "code_context", RUN],
    },
    ElementType {
        name: "implementation",
        attributes: &["tests", "accept", "allow_removed"],
        single: &["verify", "verify_source", "budget"],
        repeated: &["delta", "preflight", "allow"],
    },
    ElementType {
        name: "code_context",
        attributes: &["path", "lines"],
        single: &["content", "exports", "imports"],
        repeated: &[],
    },
    ElementType {
        name: "idioms",
        attributes: &["framework", "confidence"],
        single: &[],
        repeated: &["required", "forbidden"],
    },
    ElementType {
        name: "prior_knowledge",
        attributes: &[],
        single: &[],
        repeated: &["failure", "pattern"],
    },
    ElementType {
        name: "failure",
        attributes: &["name", "cost", "injected", "tags"],
        single: &["trigger", "fix", "match"],
        repeated: &[],
    },
    ElementType {
        name: "pattern",
        attributes: &["name", "saved", "injected"],
        single: &["trigger", "insight"],
        repeated: &[],
    },
    ElementType {
        name: "lineage",
        attributes: &[],
        single: &["prior_delivery"],
        repeated: &["parent"],
    },
    ElementType {
        name: "memory_utilization",
        attributes: &[],
        single: &[],
        repeated: &["utilized"],
    },
    leaf("objective", &[]),
    leaf("delta", &[]),
    leaf("verify", &[]),
    leaf("verify_source", &[]),
    leaf("budget", &[]),
    leaf("preflight", &[]),
    leaf("allow", &[]),
    leaf("content", &[]),
    leaf("exports", &[]),
    leaf("imports", &[]),
    leaf("required", RULES),
    leaf("forbidden", RULES),
    leaf("framework_confidence", &[]),
    leaf("trigger", &[]),
    leaf("fix", &["kind"]),
    leaf("match", &[]),
    leaf("insight", &[]),
    leaf("prior_delivery", &[]),
    leaf("delivered", &[]),
    leaf("utilized", &["name", "type"]),
];

/// A parent in a lineage: a name as its text, or attributes and a delivery.
pub(super) const PARENT: ElementType = ElementType {
    name: "parent",
    attributes: &["seq", "workspace"],
    single: &["prior_delivery"],
    repeated: &[],
};

/// The declaration of elements of this name.
pub(super) fn element_type(name: &str) -> Option<&'static ElementType> {
    if name == PARENT.name {
        return Some(&PARENT);
    }
    ELEMENT_TYPES.iter().find(|declared| declared.name == name)
}

/// The elements in which one of this name may stand.
pub(super) fn parents_of(name: &str) -> impl Iterator<Item = &'static str> {
    ELEMENT_TYPES
        .iter()
        .chain([&PARENT])
        .filter(move |declared| declared.children().any(|child| child == name))
        .map(|declared| declared.name)
}

/// Characters beyond which a name is no typing mistake, and not worth comparing.
const LONGEST_TYPO: usize = 64;

/// The one of `known` that was probably meant by `name`.
pub(super) fn nearest(
    name: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let length = name.chars().count();
    // A third of the name may differ, and in short ones a single letter: more would suggest
    // anything for anything.
    let bound = (length / 3).max(1);
    known
        .into_iter()
        .filter(|_| length <= LONGEST_TYPO)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= bound)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The Levenshtein distance: insertions, deletions and replacements that lead from one text to the
/// other. One row of the table is kept.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, c) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(c != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{ELEMENT_TYPES, element_type, nearest};

    #[test]
    fn every_child_that_is_named_is_described() {
        for parent in ELEMENT_TYPES {
            for child in parent.children().filter(|name| *name != super::RUN) {
                assert!(element_type(child).is_some(), "{child} in {}", parent.name);
            }
        }
    }

    #[test]
    fn a_misspelt_name_finds_the_one_that_was_meant() {
        let known = ["verify", "verify_source", "delta", "budget"];
        for (name, expected) in [
            ("verfy", Some("verify")),
            ("verifysource", Some("verify_source")),
            ("deltas", Some("delta")),
            ("Budget", Some("budget")),
            ("x", None),
            ("notes", None),
        ] {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
    }
}
