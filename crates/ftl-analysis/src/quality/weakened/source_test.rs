//! The tests of a source file, read from its syntax tree.

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
    pub(super) line: u32,
}

/// An assertion with its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assertion {
    pub(super) source: String,
    pub(super) tokens: Vec<SourceToken>,
}

/// A test, or a function that tests may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceTest {
    /// With the names of what it is in.
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) skip: Option<Skip>,
    pub(super) tokens: Vec<SourceToken>,
    pub(super) assertions: Vec<Assertion>,
    /// It is no test, but holds assertions.
    pub(super) is_helper: bool,
}

impl SourceTest {
    pub(super) fn tokens_equal(&self, other: &Self) -> bool {
        let texts =
            |test: &Self| test.tokens.iter().map(|token| token.text.clone()).collect::<Vec<_>>();
        texts(self) == texts(other)
    }

    /// The last part of its name.
    pub(super) fn short_name(&self) -> &str {
        let parts = self.name.rsplit([':', '>', '/']);
        parts.map(str::trim).find(|part| !part.is_empty()).unwrap_or(&self.name)
    }
}

/// What a file has of tests.
pub(super) struct ReadTests {
    pub(super) tests: Vec<SourceTest>,
    /// All of the file. If it is no test file: of Rust, what is around its functions and may hold tests, else nothing.
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
    let mut walk = Walk { dialect, tests: Vec::new() };
    let root = tree.root.root();
    walk.node(&root, &mut Vec::new(), &None, None);
    let tokens = match (is_test_file, language) {
        (true, _) => walk.tokens(&root),
        (false, Language::Rust) => {
            rust::around(&root).flat_map(|node| walk.tokens(&node)).collect()
        }
        (false, _) => Vec::new(),
    };
    let has_tests = is_test_file || language == Language::Rust;
    Some(ReadTests { tests: walk.tests, tokens, is_test_file, has_tests })
}

struct Walk<'d> {
    dialect: &'d Dialect,
    tests: Vec<SourceTest>,
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
        match (self.dialect.role)(node) {
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
                let whole = names.iter().cloned().chain([name.clone()]).collect::<Vec<_>>();
                let skip = skip.clone().or(own);
                let at = self.add(node, whole.join(self.dialect.separator), skip.clone(), false);
                names.push(name);
                self.children(node, names, &skip, Some(at));
                names.pop();
            }
            Role::Function(name) if within.is_none() => {
                let at = self.add(node, name, None, true);
                self.children(node, names, skip, Some(at));
            }
            Role::Assertion => {
                if let Some(at) = within {
                    let tokens = self.tokens(node);
                    self.tests[at]
                        .assertions
                        .push(Assertion { source: node.text().into_owned(), tokens });
                }
                self.children(node, names, skip, within.filter(|_| false));
            }
            Role::Skips => {
                if let Some(at) = within.filter(|at| self.tests[*at].skip.is_none()) {
                    self.tests[at].skip = Some(skip_at(node));
                }
            }
            Role::Function(_) | Role::Other => self.children(node, names, skip, within),
        }
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
        name: String,
        skip: Option<Skip>,
        is_helper: bool,
    ) -> usize {
        let tokens = self.tokens(node);
        let line = line_of(node);
        self.tests.push(SourceTest { name, line, skip, tokens, assertions: Vec::new(), is_helper });
        self.tests.len() - 1
    }

    fn tokens(&self, node: &SourceNode<'_>) -> Vec<SourceToken> {
        let mut tokens = Vec::new();
        self.collect(node, &mut tokens);
        tokens
    }

    fn collect(&self, node: &SourceNode<'_>, tokens: &mut Vec<SourceToken>) {
        let kind = node.kind();
        if kind.contains("comment") {
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
                    is_named: node.is_named(),
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
