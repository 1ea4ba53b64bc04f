//! Jest, Vitest, Mocha, node, Bun, Deno, ava and tape.

use super::dialect::{Dialect, Role, Skip, SourceNode, elements, skip_at, unquoted};

const LITERALS: [&str; 8] =
    ["string", "template_string", "number", "true", "false", "null", "undefined", "regex"];

/// What the object that a runner hands to a test does besides asserting.
const OF_CONTEXT: [&str; 20] = [
    "end",
    "endAll",
    "pass",
    "plan",
    "comment",
    "diagnostic",
    "log",
    "timeout",
    "timeoutAfter",
    "setTimeout",
    "teardown",
    "before",
    "beforeEach",
    "after",
    "afterEach",
    "context",
    "mock",
    "test",
    "testdir",
    "on",
];

pub(super) const DIALECT: Dialect = Dialect { role, rows, separator: " > ", literals: &LITERALS };

/// Whether a runner finds tests in a file of this name.
pub(super) fn is_test_file(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let in_tests = |part: &str| {
        matches!(part, "test" | "tests" | "__tests__" | "spec" | "specs" | "e2e" | "cypress")
    };
    name.contains(".test.")
        || name.contains(".spec.")
        || name.contains("_test.")
        || name.starts_with("test")
        || name.contains(".cy.")
        || directory.split('/').any(in_tests)
}

fn role(node: &SourceNode<'_>) -> Role {
    match node.kind().as_ref() {
        "call_expression" => call(node),
        "expression_statement" => statement(node),
        "function_declaration" => {
            Role::Function(node.field("name").map_or(String::new(), |it| it.text().into_owned()))
        }
        "variable_declarator" => {
            let is_function = node.field("value").is_some_and(|value| {
                matches!(value.kind().as_ref(), "arrow_function" | "function_expression")
            });
            match (is_function, node.field("name")) {
                (true, Some(name)) => Role::Function(name.text().into_owned()),
                _ => Role::Other,
            }
        }
        _ => Role::Other,
    }
}

fn call(node: &SourceNode<'_>) -> Role {
    let Some(function) = node.field("function") else { return Role::Other };
    let path = callee(&function);
    let Some(root) = path.first().map(String::as_str) else { return Role::Other };
    let has_body = node.field("arguments").is_some_and(|arguments| {
        arguments.children().any(|it| {
            matches!(it.kind().as_ref(), "arrow_function" | "function_expression" | "function")
        })
    });
    let marks = &path[1..];
    let has = |word: &str| marks.iter().any(|mark| mark == word);
    let group = matches!(root, "describe" | "xdescribe" | "fdescribe" | "context" | "suite")
        || root == "test" && has("describe");
    let test = matches!(root, "it" | "test" | "specify" | "xit" | "xtest" | "fit" | "bench")
        || root == "Deno" && has("test")
        || root == "t" && has("test");
    if (group || test)
        && !has("each") | has_body | title(node).is_some()
        && marks.iter().all(|mark| is_modifier(mark))
    {
        let Some(name) = title(node) else { return Role::Other };
        let skip = skip(node, root, marks);
        return if group { Role::Group(name, skip) } else { Role::Test(name, skip) };
    }
    if marks.last().is_some_and(|last| last == "skip")
        && matches!(root, "this" | "t" | "ctx" | "context")
    {
        return Role::Skips;
    }
    // supertest: each `.expect(…)` of a request.
    let is_request = function.field("property").is_some_and(|it| it.text() == "expect");
    if is_request
        || (is_assertion(root, marks) || is_of_context(node, root, marks))
            && !is_part_of_chain(node)
    {
        Role::Assertion
    } else if marks.is_empty() && has_body {
        literal_title(node).map_or(Role::Other, Role::Titled)
    } else {
        Role::Other
    }
}

/// `expect(n).to.be.finite;`, without a call at the end.
fn statement(node: &SourceNode<'_>) -> Role {
    let property = node.child(0).filter(|it| it.kind() == "member_expression");
    let path = property.map(|it| callee(&it)).unwrap_or_default();
    let is_chain = path.len() > 2 && (path[0] == "expect" || path.iter().any(|it| it == "should"));
    if is_chain { Role::Assertion } else { Role::Other }
}

fn is_modifier(word: &str) -> bool {
    matches!(
        word,
        "skip"
            | "only"
            | "todo"
            | "failing"
            | "fails"
            | "fixme"
            | "concurrent"
            | "serial"
            | "sequential"
            | "each"
            | "for"
            | "skipIf"
            | "runIf"
            | "describe"
            | "test"
            | "extend"
            | "shuffle"
            | "parallel"
    )
}

/// `test.each(…)`, `describe.skip`: the names from the root on, calls between them left out; none if the root is no
/// name.
fn callee(node: &SourceNode<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = Some(node.clone());
    while let Some(node) = at {
        at = match node.kind().as_ref() {
            "member_expression" => {
                names.extend(node.field("property").map(|it| it.text().into_owned()));
                node.field("object")
            }
            "call_expression" => node.field("function"),
            "await_expression" | "parenthesized_expression" | "non_null_expression" => {
                node.child(1)
            }
            "identifier" | "this" => {
                names.push(node.text().into_owned());
                None
            }
            _ => return Vec::new(),
        };
    }
    names.reverse();
    names
}

/// The title, when it is a literal; of `test(name, …)` the expression.
fn title(node: &SourceNode<'_>) -> Option<String> {
    let arguments = node.field("arguments")?;
    let first = arguments
        .children()
        .find(|it| !matches!(it.kind().as_ref(), "(" | ")" | "," | "comment"))?;
    let is_title = matches!(
        first.kind().as_ref(),
        "string" | "template_string" | "identifier" | "member_expression" | "binary_expression"
    );
    is_title.then(|| unquoted(&first.text()).to_owned())
}

fn literal_title(node: &SourceNode<'_>) -> Option<String> {
    let first = node.field("arguments")?.child(1)?;
    let is_literal = matches!(first.kind().as_ref(), "string" | "template_string");
    is_literal.then(|| unquoted(&first.text()).to_owned())
}

fn skip(node: &SourceNode<'_>, root: &str, marks: &[String]) -> Option<Skip> {
    let is_mark = |mark: &String| {
        matches!(
            mark.as_str(),
            "skip" | "todo" | "failing" | "fails" | "fixme" | "skipIf" | "runIf"
        )
    };
    let by_name = matches!(root, "xit" | "xtest" | "xdescribe") || marks.iter().any(is_mark);
    let arguments = node.field("arguments")?;
    let options =
        arguments.children().find(|it| it.kind() == "object").map(|it| it.text().into_owned());
    let by_option = options.is_some_and(|text| {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        ["skip:true", "todo:true", "ignore:true", "skip:'", "skip:\"", "todo:'", "todo:\""]
            .iter()
            .any(|mark| plain.contains(mark))
    });
    (by_name || by_option).then(|| skip_at(node))
}

fn is_assertion(root: &str, marks: &[String]) -> bool {
    match root {
        "expect" | "expectTypeOf" | "assertType" => {
            !marks.is_empty() && marks[0] != "extend" && marks[0] != "addSnapshotSerializer"
        }
        // It reports what was caught, and checks nothing.
        "assert" if matches!(marks, [only] if only == "fail" || only == "ifError") => false,
        "chai" => marks.first().is_some_and(|first| matches!(&**first, "assert" | "expect")),
        "assert" | "strictEqual" | "deepStrictEqual" | "deepEqual" => true,
        other => {
            other.starts_with("assert")
                || other.starts_with("expect")
                || marks.iter().any(|mark| mark == "should")
        }
    }
}

/// Whether an outer call of the same chain is read: `expect(a)` within `expect(a).toBe(1)`.
fn is_part_of_chain(node: &SourceNode<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    match parent.kind().as_ref() {
        "member_expression" => parent.parent().is_some_and(|above| {
            above.kind() == "call_expression" || above.kind() == "member_expression"
        }),
        _ => false,
    }
}

/// Whether a call is by the parameter of the test that it is in: `t.is(a, b)` in `test("…", t => …)`.
fn is_of_context(node: &SourceNode<'_>, root: &str, marks: &[String]) -> bool {
    let is_parameter = |function: &SourceNode<'_>| {
        let list = function.field("parameters").or_else(|| function.field("parameter"));
        list.is_some_and(|list| {
            let text = list.text();
            let mut names = text.trim_matches(['(', ')']).split([',', ':']).map(str::trim);
            names.next() == Some(root)
        })
    };
    let is_tested = |function: &SourceNode<'_>| {
        let call = function.parent().and_then(|arguments| arguments.parent());
        call.is_some_and(|it| {
            it.kind() == "call_expression" && matches!(role(&it), Role::Test(..) | Role::Titled(_))
        })
    };
    marks.first().is_some_and(|first| !OF_CONTEXT.contains(&first.as_str()))
        && node
            .ancestors()
            .find(is_parameter)
            .is_some_and(|function| root == "t" || is_tested(&function))
}

/// The elements of `test.each([…])`.
fn rows<'r>(test: &SourceNode<'r>) -> Vec<SourceNode<'r>> {
    let table = test.field("function").filter(|it| it.kind() == "call_expression");
    let each = table.filter(|it| {
        let function = it.field("function");
        function.is_some_and(|function| callee(&function).last().is_some_and(|it| it == "each"))
    });
    let arguments = each.and_then(|it| it.field("arguments"));
    let array = arguments.and_then(|it| it.children().find(|it| it.kind() == "array"));
    array.map(|array| elements(&array)).unwrap_or_default()
}
