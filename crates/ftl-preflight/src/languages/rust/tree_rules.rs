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
    last: Option<SyntaxKind>,
    pub(super) found: Vec<Finding>,
}

/// An open node, and what was seen directly below it.
struct Node {
    kind: SyntaxKind,
    /// `unsafe` or `default`: where, and which.
    modifier: Option<(usize, &'static str)>,
    has_for: bool,
    /// The operator of a comparison, and of one that is its left side.
    comparison: Option<usize>,
    compared: Option<usize>,
    /// `..=` or `..` that nothing follows yet.
    dots: Option<(usize, SyntaxKind)>,
}

impl Node {
    fn new(kind: SyntaxKind) -> Self {
        Self { kind, modifier: None, has_for: false, comparison: None, compared: None, dots: None }
    }
}

/// Types that `+` does not go on with unless they are in parentheses (E0178).
const POINTERS: [SyntaxKind; 2] = [SyntaxKind::REF_TYPE, SyntaxKind::PTR_TYPE];

const COMPARISONS: [SyntaxKind; 6] = [
    SyntaxKind::EQ2,
    SyntaxKind::NEQ,
    SyntaxKind::L_ANGLE,
    SyntaxKind::R_ANGLE,
    SyntaxKind::LTEQ,
    SyntaxKind::GTEQ,
];

impl TreeRules {
    pub(super) fn new(edition: Edition) -> Self {
        Self { edition, open: Vec::new(), offset: 0, last: None, found: Vec::new() }
    }

    pub(super) fn step(&mut self, step: &StrStep<'_>) {
        match *step {
            StrStep::Enter { kind } => {
                self.enter(kind);
                self.open.push(Node::new(kind));
            }
            StrStep::Exit => self.exit(),
            StrStep::Token { kind, text } => {
                self.token(kind, text);
                self.last = Some(kind);
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

    /// The kind of an open node, counted from the innermost.
    fn outwards(&self, steps: usize) -> Option<SyntaxKind> {
        self.open.iter().rev().nth(steps).map(|node| node.kind)
    }

    fn enter(&mut self, kind: SyntaxKind) {
        if let Some(node) = self.open.last_mut() {
            let is_after_rest =
                node.kind == SyntaxKind::RECORD_PAT_FIELD_LIST && node.dots.is_some();
            node.dots = None;
            if is_after_rest {
                self.report("`..` must be at the end", 0);
            }
        }
        match kind {
            SyntaxKind::OR_PAT
                if matches!(self.parent(), Some(SyntaxKind::LET_STMT | SyntaxKind::PARAM)) =>
            {
                self.report("alternatives need parentheses here", 0);
            }
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
        let (around, outside) = (self.outwards(1), self.outwards(2));
        let is_behind_angle = kind == SyntaxKind::MINUS && self.is_behind_angle();
        let Some(node) = self.open.last_mut() else {
            return;
        };
        let dots = node.dots.take_if(|_| !kind.is_trivia());
        match (node.kind, kind) {
            (SyntaxKind::BIN_EXPR, _) if COMPARISONS.contains(&kind) => {
                node.comparison = Some(offset);
                if let Some(first) = node.compared {
                    let message = "comparison operators cannot be chained; type arguments in an expression need `::<`";
                    self.found.push(Finding::syntax(message, first..first + 1));
                }
            }
            // The lexer takes both for one token, which no expression has.
            (SyntaxKind::PREFIX_EXPR, SyntaxKind::MINUS) if is_behind_angle => {
                self.report("unexpected token: `<-`", 1);
            }
            (SyntaxKind::RANGE_EXPR | SyntaxKind::RANGE_PAT, SyntaxKind::DOT2EQ)
            | (SyntaxKind::REST_PAT, SyntaxKind::DOT2) => node.dots = Some((offset, kind)),
            (SyntaxKind::RECORD_PAT_FIELD_LIST, SyntaxKind::COMMA) => node.dots = dots,
            (SyntaxKind::CONST, SyntaxKind::MUT_KW) => self.report("constants cannot be mutable", text.len()),
            (SyntaxKind::TYPE_BOUND_LIST, SyntaxKind::PLUS)
                if matches!(
                    around,
                    Some(SyntaxKind::DYN_TRAIT_TYPE | SyntaxKind::IMPL_TRAIT_TYPE)
                ) && outside.is_some_and(|it| POINTERS.contains(&it)) =>
            {
                self.report("ambiguous `+` in a type: put it in parentheses", 1);
            }
            (SyntaxKind::LIFETIME, SyntaxKind::LIFETIME_IDENT)
                if text == "'static"
                    && matches!(
                        around,
                        Some(SyntaxKind::BREAK_EXPR | SyntaxKind::CONTINUE_EXPR | SyntaxKind::LABEL)
                    ) =>
            {
                self.report("invalid label name `'static`", text.len());
            }
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

    /// Whether the token right before is the `<` of a comparison.
    fn is_behind_angle(&self) -> bool {
        let parent = self.open.iter().rev().nth(1);
        parent.is_some_and(|it| {
            it.kind == SyntaxKind::BIN_EXPR && it.comparison.is_some_and(|at| at + 1 == self.offset)
        }) && self.last == Some(SyntaxKind::L_ANGLE)
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
        match (node.kind, node.dots, self.open.last_mut()) {
            (SyntaxKind::RANGE_EXPR | SyntaxKind::RANGE_PAT, Some((at, _)), _) => {
                self.found.push(Finding::syntax("inclusive range with no end", at..at + 3));
            }
            (SyntaxKind::REST_PAT, dots @ Some(_), Some(parent)) => parent.dots = dots,
            (SyntaxKind::BIN_EXPR, _, Some(parent)) => parent.compared = node.comparison,
            _ => {}
        }
        // Known only at the end of the node: whether an `impl` is of a trait is said after its
        // modifiers.
        if let (Some((at, modifier)), false) = (node.modifier, node.has_for) {
            let message = format!("inherent impls cannot be `{modifier}`");
            self.found.push(Finding::syntax(message, at..at + modifier.len()));
        }
    }
}
