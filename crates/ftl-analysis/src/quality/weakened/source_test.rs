//! The tests of a source file, read from its syntax tree.

use std::collections::HashSet;

use super::super::structure::{Language, parse_tree};
use super::dialect::{Dialect, Role, Skip, SourceNode, line_of, skip_at};
use super::{ecmascript, go, python, rust};

/// A word, a sign or a literal of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceToken {
    pub(super) text: String,
    pub(super) is_literal: bool,
    /// A name or a value, not a sign or a keyword.
    pub(super) is_named: bool,
    /// A variable of the test that it is in: it may be called otherwise.
    pub(super) is_local: bool,
    pub(super) line: u32,
}

/// An assertion with its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assertion {
    pub(super) source: String,
    pub(super) line: u32,
    /// A row of the test's table: a case that it runs with.
    pub(super) is_row: bool,
    pub(super) tokens: Vec<SourceToken>,
}

/// A test, or a function that tests may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceTest {
    /// With the names of what it is in.
    pub(super) name: String,
    /// Without them.
    pub(super) title: String,
    pub(super) line: u32,
    pub(super) skip: Option<Skip>,
    /// Without those of tests within it.
    pub(super) tokens: Vec<SourceToken>,
    pub(super) locals: HashSet<String>,
    pub(super) assertions: Vec<Assertion>,
    /// The names by which its assertions are called: they tell nothing of what is asserted.
    pub(super) vocabulary: Vec<String>,
    /// It is no test, but holds assertions.
    pub(super) is_helper: bool,
}

impl SourceTest {
    pub(super) fn tokens_equal(&self, other: &Self) -> bool {
        self.tokens.iter().map(|token| &token.text).eq(other.tokens.iter().map(|it| &it.text))
    }
}

/// What a file has of tests.
pub(super) struct ReadTests {
    pub(super) tests: Vec<SourceTest>,
    /// What is around its tests and functions; of Rust, the macros and attributes there, which may hold tests. Nothing
    /// of another file that is no test file.
    pub(super) tokens: Vec<SourceToken>,
    /// Its runner finds tests in it, by its name.
    pub(super) is_test_file: bool,
    /// Its tests run: so they do in a test file, and in any file of Rust.
    pub(super) has_tests: bool,
}

/// The tests of a file; `None` when it can't be read.
pub(super) fn read_tests(path: &str, text: &str) -> Option<ReadTests> {
    let language = Language::of_path(path)?;
    let (dialect, is_test_file) = match language {
        Language::Python => (&python::DIALECT, python::is_test_file(path)),
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            (&ecmascript::DIALECT, ecmascript::is_test_file(path))
        }
        Language::Go => (&go::DIALECT, path.ends_with("_test.go")),
        Language::Rust => (&rust::DIALECT, path.contains("test")),
    };
    let tree = parse_tree(language, text).ok().filter(|tree| tree.is_whole)?;
    let root = tree.root.root();
    let mut walk =
        Walk { dialect, is_test_file, tests: Vec::new(), asserting: rust::asserting(&root) };
    walk.node(&root, &mut Vec::new(), &None, None);
    // Calls of functions that assert are assertions too, of those that call them as well.
    let asserts = |test: &&SourceTest| test.is_helper && !test.assertions.is_empty();
    let asserting = walk.tests.iter().filter(asserts).map(|test| test.name.clone()).collect();
    if walk.asserting != asserting {
        walk.asserting.extend(asserting);
        walk.tests.clear();
        walk.node(&root, &mut Vec::new(), &None, None);
    }
    let tokens = match language {
        Language::Rust => rust::around(&root).flat_map(|node| walk.tokens(&node)).collect(),
        _ if is_test_file => walk.around(&root),
        _ => Vec::new(),
    };
    let has_tests = is_test_file || language == Language::Rust;
    Some(ReadTests { tests: walk.tests, tokens, is_test_file, has_tests })
}

struct Walk<'d> {
    dialect: &'d Dialect,
    is_test_file: bool,
    tests: Vec<SourceTest>,
    /// Functions and macros of the file that assert.
    asserting: HashSet<String>,
}

impl Walk<'_> {
    /// Reads `node`, in the groups `names`; `within` is the test or function that it is in.
    fn node(
        &mut self,
        node: &SourceNode<'_>,
        names: &mut Vec<String>,
        skip: &Option<Skip>,
        within: Option<usize>,
    ) {
        match self.role(node, within) {
            Role::Group(name, own) => {
                let is_named = !name.is_empty();
                names.extend(is_named.then_some(name));
                let skip = skip.clone().or(own);
                self.children(node, names, &skip, None);
                if is_named {
                    names.pop();
                }
            }
            Role::Test(name, own) => {
                let skip = skip.clone().or(own);
                names.push(name);
                let at = self.add(node, names, skip.clone(), false);
                for row in (self.dialect.rows)(node) {
                    self.assert(&row, at, true);
                }
                self.assert_by_argument(node, at);
                self.children(node, names, &skip, Some(at));
                names.pop();
            }
            Role::Function(name) if within.is_none() => {
                let at = self.add(node, &[name], None, true);
                // What the code under test asserts is no test.
                let is_of_tests = self.is_test_file || !names.is_empty();
                self.children(node, names, skip, is_of_tests.then_some(at));
            }
            Role::Assertion => {
                if let Some(at) = within {
                    self.assert(node, at, false);
                }
                self.children(node, names, skip, within.filter(|_| false));
            }
            Role::Skips => {
                if let Some(at) = within.filter(|at| self.tests[*at].skip.is_none()) {
                    self.tests[at].skip = Some(skip_at(node));
                }
            }
            Role::Function(_) | Role::Titled(_) | Role::Other => {
                self.children(node, names, skip, within)
            }
        }
    }

    /// What a node is, by its dialect or as a call of a function that asserts.
    fn role(&self, node: &SourceNode<'_>, within: Option<usize>) -> Role {
        match (self.dialect.role)(node) {
            Role::Titled(name) if within.is_none() => Role::Test(name, None),
            Role::Titled(_) | Role::Other if self.calls_asserting(node) => Role::Assertion,
            Role::Titled(_) => Role::Other,
            role => role,
        }
    }

    fn calls_asserting(&self, node: &SourceNode<'_>) -> bool {
        let function = match node.kind().as_ref() {
            "call" | "call_expression" => node.field("function"),
            "macro_invocation" => node.field("macro"),
            _ => None,
        };
        function.is_some_and(|function| {
            let text = function.text();
            let last = text.rsplit(['.', ':']).next().unwrap_or_default();
            self.asserting.contains(last)
        })
    }

    fn children(
        &mut self,
        node: &SourceNode<'_>,
        names: &mut Vec<String>,
        skip: &Option<Skip>,
        within: Option<usize>,
    ) {
        for child in node.children() {
            self.node(&child, names, skip, within);
        }
    }

    fn add(
        &mut self,
        node: &SourceNode<'_>,
        names: &[String],
        skip: Option<Skip>,
        is_helper: bool,
    ) -> usize {
        let mut tokens: Vec<SourceToken> = Vec::new();
        match self.role(node, None) {
            Role::Test(..) => node.children().for_each(|child| self.collect(&child, &mut tokens)),
            _ => self.collect(node, &mut tokens),
        }
        let locals = locals(&tokens);
        mark(&mut tokens, &locals);
        let line = line_of(node);
        let (assertions, vocabulary) = (Vec::new(), Vec::new());
        let (name, title) =
            (names.join(self.dialect.separator), names.last().cloned().unwrap_or_default());
        self.tests.push(SourceTest {
            name,
            title,
            line,
            skip,
            tokens,
            locals,
            assertions,
            vocabulary,
            is_helper,
        });
        self.tests.len() - 1
    }

    fn assert(&mut self, node: &SourceNode<'_>, at: usize, is_row: bool) {
        let (source, line) = (node.text().into_owned(), line_of(node));
        let mut tokens = self.tokens(node);
        let test = &mut self.tests[at];
        mark(&mut tokens, &test.locals);
        let assertion = Assertion { source, line, is_row, tokens };
        test.assertions.push(assertion);
        if !is_row {
            add_callees(node, &mut test.vocabulary);
        }
    }

    /// `test("title", check, 1)`: the function that asserts is an argument, and the others are what it asserts of.
    fn assert_by_argument(&mut self, test: &SourceNode<'_>, at: usize) {
        let arguments = test.field("arguments").filter(|_| test.kind() == "call_expression");
        let Some(arguments) = arguments else { return };
        let is_asserting = |it: &SourceNode<'_>| {
            it.kind() == "identifier" && self.asserting.contains(it.text().as_ref())
        };
        if arguments.children().any(|it| is_asserting(&it)) {
            let tokens = arguments.children().skip(2).flat_map(|it| self.tokens(&it)).collect();
            let (source, line) = (arguments.text().into_owned(), line_of(test));
            self.tests[at].assertions.push(Assertion { source, line, is_row: false, tokens });
        }
    }

    /// The tokens of what is no test, no function and no assertion.
    fn around(&self, node: &SourceNode<'_>) -> Vec<SourceToken> {
        match (self.dialect.role)(node) {
            Role::Test(..) | Role::Titled(_) | Role::Function(_) | Role::Assertion => Vec::new(),
            _ if node.children().next().is_none() => self.tokens(node),
            _ if self.dialect.literals.contains(&node.kind().as_ref()) => self.tokens(node),
            _ => node.children().flat_map(|child| self.around(&child)).collect(),
        }
    }

    fn tokens(&self, node: &SourceNode<'_>) -> Vec<SourceToken> {
        let mut tokens = Vec::new();
        self.collect(node, &mut tokens);
        tokens
    }

    fn collect(&self, node: &SourceNode<'_>, tokens: &mut Vec<SourceToken>) {
        let kind = node.kind();
        if kind.contains("comment") || is_docstring(node) {
            return;
        }
        if matches!((self.dialect.role)(node), Role::Test(..)) {
            return;
        }
        let text = node.text();
        let is_negative = kind.starts_with("unary")
            && text
                .strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_literal = is_negative
            || self.dialect.literals.contains(&kind.as_ref()) && !has_substitution(node);
        let mut children = node.children().peekable();
        if is_literal || children.peek().is_none() {
            if !text.trim().is_empty() {
                tokens.push(SourceToken {
                    text: text.into_owned(),
                    is_literal,
                    is_named: node.is_named() && !is_keyword(node),
                    is_local: false,
                    line: line_of(node),
                });
            }
            return;
        }
        for child in children {
            self.collect(&child, tokens);
        }
    }
}

/// Whether a string has code in it.
fn has_substitution(node: &SourceNode<'_>) -> bool {
    node.children()
        .any(|child| matches!(child.kind().as_ref(), "interpolation" | "template_substitution"))
}

/// `true`, `None`, `self`: what any test may say.
fn is_keyword(node: &SourceNode<'_>) -> bool {
    let kind = node.kind();
    kind == "boolean_literal" || kind.eq_ignore_ascii_case(&node.text())
}

/// The names by which an assertion is called: of `expect(total(1)).toBe(2)` these are `expect` and `toBe`.
fn add_callees(assertion: &SourceNode<'_>, names: &mut Vec<String>) {
    let calls = ["call", "call_expression", "macro_invocation"];
    let call = assertion.dfs().find(|node| calls.contains(&node.kind().as_ref()));
    // What an `if` only reports is behind its condition.
    let call = match assertion.kind().as_ref() {
        "if_statement" => assertion
            .field("consequence")
            .and_then(|body| body.dfs().find(|node| calls.contains(&node.kind().as_ref()))),
        "assert_statement" => None,
        _ => call,
    };
    let mut left: Vec<SourceNode<'_>> = call.into_iter().collect();
    while let Some(node) = left.pop() {
        let kind = node.kind();
        if matches!(kind.as_ref(), "arguments" | "argument_list" | "token_tree") {
            continue;
        }
        if kind.ends_with("identifier") && node.children().next().is_none() {
            names.push(node.text().into_owned());
        }
        left.extend(node.children());
    }
}

/// A statement that is only a string.
fn is_docstring(node: &SourceNode<'_>) -> bool {
    let mut children = node.children();
    node.kind() == "expression_statement"
        && children.next().is_some_and(|it| it.kind() == "string")
        && children.next().is_none()
}

/// The variables that are declared or assigned among tokens.
fn locals(tokens: &[SourceToken]) -> HashSet<String> {
    let mut depth = 0_usize;
    let mut found = HashSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|it| it.text.as_str());
        let before = at.checked_sub(1).map(|at| tokens[at].text.as_str());
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        // In brackets `=` names an argument.
        let is_bound = next == Some(":=")
            || depth == 0 && next == Some("=")
            || matches!(before, Some("let" | "const" | "var" | "mut"));
        if token.is_named && !token.is_literal && is_bound {
            found.insert(token.text.clone());
        }
    }
    found
}

fn mark(tokens: &mut [SourceToken], locals: &HashSet<String>) {
    for token in tokens {
        token.is_local = locals.contains(&token.text);
    }
}
