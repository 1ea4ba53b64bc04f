//! The tests of a source file, read from its syntax tree.

use super::super::structure::{Language, parse_tree};
use super::dialect::{Dialect, Role, Skip, SourceNode, line_of, skip_at};
use super::{ecmascript, go, python, rust};

/// A word, a sign or a literal of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceToken {
    pub(super) text: String,
    pub(super) is_literal: bool,
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

/// The tests of a file; `None` when it can't be read. A file without tests has none.
pub(super) fn tests_of(path: &str, text: &str) -> Option<Vec<SourceTest>> {
    let language = Language::of_path(path)?;
    let dialect = match language {
        Language::Python => python::dialect(path)?,
        Language::JavaScript | Language::TypeScript | Language::Tsx => ecmascript::dialect(path)?,
        Language::Go => go::dialect(path)?,
        Language::Rust => rust::dialect(),
    };
    let tree = parse_tree(language, text).ok().filter(|tree| tree.is_whole)?;
    let mut walk = Walk { dialect: &dialect, tests: Vec::new() };
    walk.node(&tree.root.root(), &mut Vec::new(), &None, None);
    Some(walk.tests)
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
