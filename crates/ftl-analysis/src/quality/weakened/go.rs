//! Go's testing package and testify.

use super::dialect::{Dialect, Role, SourceNode, elements, unquoted};

const LITERALS: [&str; 9] = [
    "interpreted_string_literal",
    "raw_string_literal",
    "int_literal",
    "float_literal",
    "rune_literal",
    "imaginary_literal",
    "true",
    "false",
    "nil",
];

pub(super) const DIALECT: Dialect = Dialect { role, rows, separator: "/", literals: &LITERALS };

const REPORTS: [&str; 4] = ["t.Error", "t.Fatal", "t.Fail", "b.Fatal"];

fn role(node: &SourceNode<'_>) -> Role {
    match node.kind().as_ref() {
        "function_declaration" | "method_declaration" => {
            let name = node.field("name").map_or(String::new(), |name| name.text().into_owned());
            if is_test(&name) { Role::Test(name, None) } else { Role::Function(name) }
        }
        "if_statement" if only_reports(node) => Role::Assertion,
        "call_expression" => call(node),
        _ => Role::Other,
    }
}

fn is_test(name: &str) -> bool {
    let rest = ["Test", "Fuzz", "Example"].iter().find_map(|prefix| name.strip_prefix(prefix));
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase)) && name != "TestMain"
}

fn call(node: &SourceNode<'_>) -> Role {
    let Some(function) = node.field("function") else { return Role::Other };
    let text = function.text();
    let (object, last) = text.rsplit_once('.').unwrap_or(("", &text));
    let is_context = matches!(object, "t" | "tt" | "b" | "f" | "tb");
    match last {
        "Skip" | "Skipf" | "SkipNow" if is_context => Role::Skips,
        "Run" if is_context => subtest(node),
        "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow" if is_context => {
            Role::Assertion
        }
        _ if matches!(object, "assert" | "require" | "is" | "qt") => Role::Assertion,
        _ if object == "c" && is_check(last) => Role::Assertion,
        _ if takes_context(node) && is_check(last) => Role::Assertion,
        _ => Role::Other,
    }
}

/// Whether an `if` does nothing but report a failure: its condition is what is asserted.
fn only_reports(node: &SourceNode<'_>) -> bool {
    let Some(body) = node.field("consequence") else { return false };
    let list = body.children().find(|it| it.kind() == "statement_list");
    let list = list.unwrap_or_else(|| body.clone());
    let mut has_report = false;
    let only = list.children().filter(SourceNode::is_named).all(|it| {
        let text = it.text();
        let reports = REPORTS.iter().any(|call| text.starts_with(call));
        has_report |= reports;
        reports || text.starts_with("return") || text.starts_with("t.Log") || it.kind() == "comment"
    });
    only && has_report && node.field("alternative").is_none()
}

/// `t.Run("name", …)`; a name that is computed is of a table, whose checks are its test's.
fn subtest(node: &SourceNode<'_>) -> Role {
    let first = node.field("arguments").and_then(|arguments| arguments.child(1));
    match first.filter(|it| it.kind().ends_with("string_literal")) {
        Some(name) => Role::Test(unquoted(&name.text()).to_owned(), None),
        None => Role::Other,
    }
}

fn takes_context(node: &SourceNode<'_>) -> bool {
    let first = node.field("arguments").and_then(|arguments| arguments.child(1));
    first.is_some_and(|it| matches!(it.text().as_ref(), "t" | "tt" | "tb"))
}

fn is_check(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["assert", "check", "expect", "verify", "require", "must", "compare", "equal", "test"]
        .iter()
        .any(|word| name.contains(word))
}

/// The elements of `[]struct{…}{…}` and `map[string]struct{…}{…}`.
fn rows<'r>(test: &SourceNode<'r>) -> Vec<SourceNode<'r>> {
    let is_table = |node: &SourceNode<'r>| {
        let of = node.field("type").filter(|_| node.kind() == "composite_literal");
        let element = of.and_then(|of| of.field("element").or_else(|| of.field("value")));
        element.is_some_and(|element| element.kind() == "struct_type")
    };
    let tables = test.dfs().filter(is_table).filter_map(|table| table.field("body"));
    tables.flat_map(|body| elements(&body)).collect()
}
