//! pytest and unittest.

use super::dialect::{Dialect, Role, Skip, SourceNode, elements, skip_at};

const LITERALS: [&str; 7] =
    ["string", "concatenated_string", "integer", "float", "true", "false", "none"];

pub(super) const DIALECT: Dialect = Dialect { role, rows, separator: "::", literals: &LITERALS };

/// Whether pytest or unittest finds tests in a file of this name.
pub(super) fn is_test_file(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    name.starts_with("test")
        || name.ends_with("_test.py")
        || name.ends_with("_tests.py")
        || name == "conftest.py"
        || directory.split('/').any(|part| matches!(part, "test" | "tests" | "testing"))
}

fn role(node: &SourceNode<'_>) -> Role {
    let is_decorated =
        || node.parent().is_some_and(|parent| parent.kind() == "decorated_definition");
    match node.kind().as_ref() {
        "decorated_definition" => decorated(node),
        // It was read with its decorators, so that these belong to the test.
        "function_definition" | "class_definition" if is_decorated() => Role::Other,
        "function_definition" | "class_definition" => definition(node, None),
        "assert_statement" if !is_trivial(&node.text()) => Role::Assertion,
        "call" => call(node),
        _ => Role::Other,
    }
}

fn decorated(node: &SourceNode<'_>) -> Role {
    let mut marks = node.children().filter(|child| child.kind() == "decorator");
    let skip = marks.find(|mark| skips(&mark.text())).map(|mark| skip_at(&mark));
    let inner = node.children().find(|child| child.kind().ends_with("_definition"));
    inner.map_or(Role::Other, |inner| definition(&inner, skip))
}

fn definition(node: &SourceNode<'_>, skip: Option<Skip>) -> Role {
    let name = node.field("name").map_or(String::new(), |name| name.text().into_owned());
    match node.kind().as_ref() {
        "class_definition" => Role::Group(name, skip),
        _ if name.starts_with("test") && !is_nested(node) => Role::Test(name, skip),
        _ => Role::Function(name),
    }
}

fn is_nested(node: &SourceNode<'_>) -> bool {
    node.ancestors().any(|above| above.kind() == "function_definition")
}

fn skips(text: &str) -> bool {
    let name: String = text.chars().take_while(|c| *c != '(').collect();
    let last = name.rsplit('.').next().unwrap_or_default().trim_start_matches('@').trim();
    matches!(
        last,
        "skip"
            | "skipif"
            | "skipIf"
            | "skipUnless"
            | "xfail"
            | "expectedFailure"
            | "expected_failure"
    )
}

/// An assertion that always holds.
fn is_trivial(text: &str) -> bool {
    let condition = text.trim_start_matches("assert").trim();
    matches!(condition, "True" | "1" | "1 == 1" | "True == True" | "not False")
}

fn call(node: &SourceNode<'_>) -> Role {
    let Some(function) = node.field("function") else { return Role::Other };
    let text = function.text();
    if skips(&text) && (text.starts_with("pytest.") || text.starts_with("unittest."))
        || text.ends_with(".skipTest")
    {
        let is_mark = node.parent().is_some_and(|parent| parent.kind() == "decorator")
            || text.contains("mark.");
        return if is_mark { Role::Other } else { Role::Skips };
    }
    let last = text.rsplit('.').next().unwrap_or_default();
    let is_assertion = last.starts_with("assert")
        || matches!(
            text.as_ref(),
            "pytest.raises"
                | "pytest.warns"
                | "pytest.deprecated_call"
                | "pytest.fail"
                | "self.fail"
        )
        || last.starts_with("check_")
        || last.starts_with("verify_");
    if is_assertion { Role::Assertion } else { Role::Other }
}

/// `@pytest.mark.parametrize(names, [row, …])`.
fn rows<'r>(test: &SourceNode<'r>) -> Vec<SourceNode<'r>> {
    let marks = test.children().filter(|child| child.kind() == "decorator");
    let calls = marks.filter_map(|mark| mark.children().find(|it| it.kind() == "call"));
    let tables = calls.filter_map(|call| {
        let function = call.field("function")?;
        let arguments = elements(&call.field("arguments")?);
        let is_list = |it: &SourceNode<'_>| matches!(it.kind().as_ref(), "list" | "tuple" | "set");
        let table = arguments.into_iter().nth(1).filter(is_list);
        table.filter(|_| function.text().ends_with("parametrize"))
    });
    tables.flat_map(|table| elements(&table)).collect()
}
