//! What the compiler's parser refuses and rust-analyzer's lets through, as far as the tree shows
//! it.
//!
//! No tree is built for it: the parser reports its steps (enter a node, a token, leave the node),
//! and the rules look at the open nodes while it does. An editor reports these things from its own
//! validation of the tree, which is not part of the parser's crate.

use ra_ap_parser::{Edition, StrStep, SyntaxKind};

use crate::finding::Finding;

/// Looks for what the compiler's parser refuses in trees that rust-analyzer's makes.
pub(super) struct TreeRules {
    edition: Edition,
    open: Vec<Node>,
    offset: usize,
    pub(super) found: Vec<Finding>,
}

/// An open node, and what was seen directly below it.
struct Node {
    kind: SyntaxKind,
    /// `unsafe` or `default`: where, and which.
    modifier: Option<(usize, &'static str)>,
    has_for: bool,
}

impl TreeRules {
    pub(super) fn new(edition: Edition) -> Self {
        Self { edition, open: Vec::new(), offset: 0, found: Vec::new() }
    }

    pub(super) fn step(&mut self, step: &StrStep<'_>) {
        match *step {
            StrStep::Enter { kind } => {
                self.enter(kind);
                self.open.push(Node { kind, modifier: None, has_for: false });
            }
            StrStep::Exit => self.exit(),
            StrStep::Token { kind, text } => {
                self.token(kind, text);
                self.offset += text.len();
            }
            StrStep::Error { .. } => {}
        }
    }

    fn parent(&self) -> Option<SyntaxKind> {
        self.open.last().map(|node| node.kind)
    }

    fn report(&mut self, message: impl Into<String>, width: usize) {
        let range = self.offset..self.offset + width;
        self.found.push(Finding::syntax(message, range));
    }

    fn enter(&mut self, kind: SyntaxKind) {
        match kind {
            // Stable since 1.88, in the 2024 edition alone: the scope of temporaries differs before
            // it.
            SyntaxKind::LET_EXPR if !self.edition.at_least_2024() && self.is_in_chain() => {
                self.report("`let` in a chain needs the 2024 edition", 0);
            }
            SyntaxKind::CONST_BLOCK_PAT => {
                self.report("const blocks cannot be used as patterns", 0)
            }
            SyntaxKind::CONST if self.parent() == Some(SyntaxKind::EXTERN_ITEM_LIST) => {
                self.report("extern items cannot be `const`", 0);
            }
            _ => {}
        }
    }

    /// Whether the innermost node is a chain, but for the guard of a match arm, which may be one.
    fn is_in_chain(&self) -> bool {
        let mut outwards = self.open.iter().rev().map(|node| node.kind);
        let outside = outwards.find(|&kind| kind != SyntaxKind::BIN_EXPR);
        self.parent() == Some(SyntaxKind::BIN_EXPR) && outside != Some(SyntaxKind::MATCH_GUARD)
    }

    fn token(&mut self, kind: SyntaxKind, text: &str) {
        let offset = self.offset;
        let Some(node) = self.open.last_mut() else {
            return;
        };
        match (node.kind, kind) {
            (SyntaxKind::IMPL, SyntaxKind::UNSAFE_KW) => node.modifier = Some((offset, "unsafe")),
            (SyntaxKind::IMPL, SyntaxKind::DEFAULT_KW) => node.modifier = Some((offset, "default")),
            (SyntaxKind::IMPL, SyntaxKind::FOR_KW) => node.has_for = true,
            (SyntaxKind::LIFETIME | SyntaxKind::LIFETIME_PARAM, SyntaxKind::LIFETIME_IDENT)
                // Without the `'` in front.
                if self.is_keyword(&text[1..]) =>
            {
                self.report("lifetimes cannot use keyword names", text.len());
            }
            _ => {}
        }
    }

    /// Whether a name is a keyword of the edition, but for the lifetimes that are made of one.
    fn is_keyword(&self, name: &str) -> bool {
        let is_keyword = SyntaxKind::from_keyword(name, self.edition).is_some();
        is_keyword && !matches!(name, "static" | "_")
    }

    fn exit(&mut self) {
        let Some(node) = self.open.pop() else {
            return;
        };
        // Known only at the end of the node: whether an `impl` is of a trait is said after its
        // modifiers.
        if let (Some((at, modifier)), false) = (node.modifier, node.has_for) {
            let message = format!("inherent impls cannot be `{modifier}`");
            self.found.push(Finding::syntax(message, at..at + modifier.len()));
        }
    }
}
