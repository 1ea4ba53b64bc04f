//! How a language writes tests: what its syntax nodes mean to the runners.

use ast_grep_core::Node;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_language::SupportLang;

pub(super) type SourceNode<'r> = Node<'r, StrDoc<SupportLang>>;

/// What keeps a test from running or from failing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skip {
    pub(super) text: String,
    pub(super) line: u32,
    /// It depends on the platform, a version, or something else that the run finds out.
    pub(super) is_conditional: bool,
    /// The test runs, and passes if it fails: what it checks may have changed with it.
    pub(super) expects_failure: bool,
}

/// What a node means to the runners of a language.
pub(super) enum Role {
    /// A class, module or `describe` that holds tests, by name, with what skips all of them.
    Group(String, Option<Skip>),
    /// A test.
    Test(String, Option<Skip>),
    /// A call with a title and a function: a test by a function of the project, if no test or function is around it.
    Titled(String),
    /// Any other function.
    Function(String),
    /// An assertion.
    Assertion,
    /// It skips the test that it is in.
    Skips,
    /// Nothing: what is in it may.
    Other,
}

/// How a language writes tests.
pub(super) struct Dialect {
    pub(super) role: fn(&SourceNode<'_>) -> Role,
    /// The rows of a test's table.
    pub(super) rows: for<'r> fn(&SourceNode<'r>) -> Vec<SourceNode<'r>>,
    /// What joins the names of a test.
    pub(super) separator: &'static str,
    pub(super) literals: &'static [&'static str],
}

pub(super) fn line_of(node: &SourceNode<'_>) -> u32 {
    u32::try_from(node.start_pos().line() + 1).unwrap_or(u32::MAX)
}

/// A mark that skips, in one line.
pub(super) fn skip_at(node: &SourceNode<'_>) -> Skip {
    let text = node.text();
    let mark = text.lines().next().unwrap_or_default().trim().to_owned();
    let is_in_condition = node.ancestors().any(|above| {
        let kind = above.kind();
        (kind.starts_with("if_") || kind == "ternary_expression") && has_condition(&above.text())
    });
    let words = ["skipif", "skipIf", "skipUnless", "runIf"];
    let asks = words.iter().any(|word| text.split_once(word).is_some_and(|it| has_condition(it.1)));
    Skip {
        is_conditional: is_in_condition || asks,
        expects_failure: mark.contains("should_panic"),
        text: mark,
        line: line_of(node),
    }
}

/// Whether what follows an `if` is no constant.
fn has_condition(text: &str) -> bool {
    let condition = text.trim_start_matches("if").trim_start_matches(['(', ' ']);
    !["True", "true", "1", "False", "false"].iter().any(|it| condition.starts_with(it))
}

/// The text of a string literal without its quotes.
pub(super) fn unquoted(text: &str) -> &str {
    let opening = text.find(['"', '\'', '`']).filter(|at| *at <= 2);
    let Some(quoted) = opening.map(|at| &text[at..]) else { return text };
    let quotes = ["\"\"\"", "'''", "\"", "'", "`"];
    let inner =
        |quote: &&str| quoted.strip_prefix(*quote).and_then(|rest| rest.strip_suffix(*quote));
    quotes.iter().find_map(inner).unwrap_or(text)
}

/// The elements of a list in brackets.
pub(super) fn elements<'r>(list: &SourceNode<'r>) -> Vec<SourceNode<'r>> {
    list.children().filter(|it| it.is_named() && !it.kind().contains("comment")).collect()
}
