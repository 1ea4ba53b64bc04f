//! `break` and `continue` that would leave an arrow function.
//!
//! ECMA-262 makes a jump without a target in its function an early error. oxc's semantic checker
//! looks for the target across an arrow function as if it were a block; for every other kind of
//! function it stops, so only arrows are looked at here.

use oxc_ast::ast::{
    ArrowFunctionExpression, BreakStatement, ContinueStatement, DoWhileStatement, ForInStatement,
    ForOfStatement, ForStatement, Function, LabelIdentifier, LabeledStatement, Program,
    StaticBlock, SwitchStatement, WhileStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use oxc_syntax::scope::ScopeFlags;

use crate::finding::Finding;

/// The findings in a parsed file; most files hold nothing to look for.
pub(super) fn check(program: &Program<'_>) -> Vec<Finding> {
    let text = program.source_text;
    // Cheaper than the walk, which most files are spared.
    if !text.contains("=>") || !(text.contains("break") || text.contains("continue")) {
        return Vec::new();
    }
    let mut jumps = Jumps::default();
    jumps.visit_program(program);
    jumps.findings
}

#[derive(Default)]
struct Jumps<'a> {
    inside: Inside<'a>,
    findings: Vec<Finding>,
}

/// What surrounds a statement in its function.
#[derive(Default)]
struct Inside<'a> {
    /// oxc looks after the others.
    is_arrow: bool,
    loops: usize,
    switches: usize,
    labels: Vec<&'a str>,
}

impl<'a> Jumps<'a> {
    fn function(&mut self, is_arrow: bool, walk: impl FnOnce(&mut Self)) {
        let inside = Inside { is_arrow, ..Inside::default() };
        let outside = std::mem::replace(&mut self.inside, inside);
        walk(self);
        self.inside = outside;
    }

    fn repeated(&mut self, walk: impl FnOnce(&mut Self)) {
        self.inside.loops += 1;
        walk(self);
        self.inside.loops -= 1;
    }

    fn jump(&mut self, span: Span, label: Option<&LabelIdentifier<'a>>, has_target: bool) {
        // A label that belongs to no loop still is a target of `break`; that `continue` needs a
        // loop is oxc's to say.
        let has_target =
            label.map_or(has_target, |label| self.inside.labels.contains(&label.name.as_str()));
        if self.inside.is_arrow && !has_target {
            let range = span.start as usize..span.end as usize;
            let message = "a jump cannot leave the function that it is in";
            self.findings.push(Finding::early(message, range));
        }
    }
}

impl<'a> Visit<'a> for Jumps<'a> {
    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.function(true, |jumps| walk::walk_arrow_function_expression(jumps, it));
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.function(false, |jumps| walk::walk_function(jumps, it, flags));
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        self.function(false, |jumps| walk::walk_static_block(jumps, it));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.repeated(|jumps| walk::walk_do_while_statement(jumps, it));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.repeated(|jumps| walk::walk_while_statement(jumps, it));
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.repeated(|jumps| walk::walk_for_statement(jumps, it));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.repeated(|jumps| walk::walk_for_in_statement(jumps, it));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.repeated(|jumps| walk::walk_for_of_statement(jumps, it));
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.inside.switches += 1;
        walk::walk_switch_statement(self, it);
        self.inside.switches -= 1;
    }

    fn visit_labeled_statement(&mut self, it: &LabeledStatement<'a>) {
        self.inside.labels.push(it.label.name.as_str());
        walk::walk_labeled_statement(self, it);
        self.inside.labels.pop();
    }

    fn visit_break_statement(&mut self, it: &BreakStatement<'a>) {
        let has_target = self.inside.loops + self.inside.switches > 0;
        self.jump(it.span, it.label.as_ref(), has_target);
    }

    fn visit_continue_statement(&mut self, it: &ContinueStatement<'a>) {
        self.jump(it.span, it.label.as_ref(), self.inside.loops > 0);
    }
}
