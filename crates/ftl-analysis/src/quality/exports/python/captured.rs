//! Names that are bound within other code: by the patterns of a `match`, and by `:=`.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Pattern, Stmt};

/// How deeply `:=` is looked for, which is deeper than people nest it. The search recurses.
const DEEPEST: usize = 100;

/// The names that a pattern binds.
pub(super) fn captured(pattern: &Pattern) -> Vec<&str> {
    let mut names = Vec::new();
    let mut left = vec![pattern];
    while let Some(pattern) = left.pop() {
        match pattern {
            Pattern::MatchAs(capture) => {
                names.extend(capture.name.as_deref());
                left.extend(capture.pattern.as_deref());
            }
            Pattern::MatchStar(capture) => names.extend(capture.name.as_deref()),
            Pattern::MatchMapping(mapping) => {
                names.extend(mapping.rest.as_deref());
                left.extend(&mapping.patterns);
            }
            Pattern::MatchSequence(several) => left.extend(&several.patterns),
            Pattern::MatchOr(several) => left.extend(&several.patterns),
            Pattern::MatchClass(class) => {
                left.extend(&class.arguments.patterns);
                let keywords = class.arguments.keywords.iter();
                left.extend(keywords.map(|keyword| &keyword.pattern));
            }
            Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => {}
        }
    }
    names
}

/// The names that a statement's own expressions bind by `:=`; its blocks are separate statements.
pub(super) fn assigned_within(statement: &Stmt) -> Vec<&str> {
    let mut search = Search::default();
    walk_stmt(&mut search, statement);
    search.names
}

#[derive(Default)]
struct Search<'a> {
    names: Vec<&'a str>,
    depth: usize,
}

impl<'a> Visitor<'a> for Search<'a> {
    fn visit_body(&mut self, _: &'a [Stmt]) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Named(named) = expression
            && let Expr::Name(name) = &*named.target
        {
            self.names.push(name.id.as_str());
        }
        if self.depth < DEEPEST && !matches!(expression, Expr::Lambda(_)) {
            self.depth += 1;
            walk_expr(self, expression);
            self.depth -= 1;
        }
    }
}
