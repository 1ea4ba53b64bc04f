//! Functions marked `#[test]`, by Rust's own harness or another that is named so.

use std::collections::HashSet;

use super::dialect::{Dialect, Role, Skip, SourceNode, skip_at};

const LITERALS: [&str; 6] = [
    "string_literal",
    "raw_string_literal",
    "integer_literal",
    "float_literal",
    "boolean_literal",
    "char_literal",
];

/// Tests may be in any file.
pub(super) const DIALECT: Dialect = Dialect { role, rows, separator: "::", literals: &LITERALS };

fn role(node: &SourceNode<'_>) -> Role {
    match node.kind().as_ref() {
        "mod_item" => Role::Group(name_of(node), None),
        "function_item" => {
            let marks = marks(node);
            match marks.iter().any(|mark| is_test(mark)) {
                true => Role::Test(name_of(node), skip(node)),
                false => Role::Function(name_of(node)),
            }
        }
        "macro_invocation" => {
            let name = node.field("macro").map_or(String::new(), |it| it.text().into_owned());
            let last = name.rsplit("::").next().unwrap_or_default();
            let is_assertion = last.contains("assert") || last == "panic";
            if is_assertion && !is_trivial(&node.text()) { Role::Assertion } else { Role::Other }
        }
        _ => Role::Other,
    }
}

/// Macros and attributes beside functions: tests may be written in them, and rows of their tables.
pub(super) fn around<'r>(root: &SourceNode<'r>) -> impl Iterator<Item = SourceNode<'r>> {
    let is_beside = |node: &SourceNode<'r>| {
        matches!(node.kind().as_ref(), "macro_invocation" | "attribute_item")
            && node.ancestors().all(|above| above.kind() != "function_item")
    };
    root.dfs().filter(is_beside)
}

/// The macros of a file that assert.
pub(super) fn asserting(root: &SourceNode<'_>) -> HashSet<String> {
    let macros = root.dfs().filter(|node| node.kind() == "macro_definition");
    let asserting = macros.filter(|node| node.text().contains("assert"));
    asserting.map(|node| name_of(&node)).collect()
}

fn name_of(node: &SourceNode<'_>) -> String {
    node.field("name").map_or(String::new(), |name| name.text().into_owned())
}

/// The attributes above an item.
fn attributes<'r>(node: &SourceNode<'r>) -> Vec<SourceNode<'r>> {
    let mut found = Vec::new();
    let mut above = node.prev();
    while let Some(item) = above.filter(|item| {
        matches!(item.kind().as_ref(), "attribute_item" | "line_comment" | "block_comment")
    }) {
        above = item.prev();
        if item.kind() == "attribute_item" {
            found.push(item);
        }
    }
    found
}

fn marks(node: &SourceNode<'_>) -> Vec<String> {
    let inner = |text: &str| text.trim_start_matches("#[").trim_end_matches(']').trim().to_owned();
    attributes(node).iter().map(|item| inner(&item.text())).collect()
}

fn is_test(mark: &str) -> bool {
    let name = mark.split(['(', ' ', '=']).next().unwrap_or_default();
    let last = name.rsplit("::").next().unwrap_or_default();
    matches!(
        last,
        "test" | "rstest" | "test_case" | "wasm_bindgen_test" | "quickcheck" | "test_log" | "apply"
    )
}

fn skip(node: &SourceNode<'_>) -> Option<Skip> {
    attributes(node).iter().find_map(|item| {
        let text = item.text();
        let mark = text.trim_start_matches("#[");
        (mark.starts_with("ignore")
            || mark.starts_with("should_panic")
            || mark.starts_with("should_fail")
            || mark.starts_with("cfg(any())"))
        .then(|| skip_at(item))
    })
}

fn is_trivial(text: &str) -> bool {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(plain.as_str(), "assert!(true)" | "assert_eq!(1,1)" | "assert_eq!(true,true)")
}

/// `#[case(…)]` of rstest, `#[test_case(…)]`.
fn rows<'r>(test: &SourceNode<'r>) -> Vec<SourceNode<'r>> {
    let is_case = |item: &SourceNode<'_>| {
        let text = item.text();
        let mark = text.trim_start_matches("#[");
        mark.starts_with("case") || mark.starts_with("test_case(")
    };
    attributes(test).into_iter().rev().filter(is_case).collect()
}
