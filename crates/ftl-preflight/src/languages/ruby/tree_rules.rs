//! What Ruby refuses when it compiles a file, and its parser's tree shows: jumps out of place, and regular
//! expressions.

use lib_ruby_parser::nodes::{
    Block, Break, Class, Def, Defined, Defs, For, Module, Next, Numblock, Postexe, Preexe, Redo,
    Regexp, RescueBody, Retry, SClass, Until, UntilPost, While, WhilePost, Yield,
};
use lib_ruby_parser::traverse::visitor::{
    Visitor, visit_block, visit_class, visit_def, visit_defined, visit_defs, visit_for,
    visit_module, visit_numblock, visit_postexe, visit_preexe, visit_regexp, visit_rescue_body,
    visit_s_class, visit_until, visit_until_post, visit_while, visit_while_post, visit_yield,
};
use lib_ruby_parser::{Loc, Node};

use super::regexp;
use crate::finding::Finding;

/// The findings in a parsed file.
pub(super) fn check(text: &str, tree: &Node) -> Vec<Finding> {
    let mut rules = TreeRules { text, place: JumpContext::default(), found: Vec::new() };
    rules.visit(tree);
    rules.found
}

/// What a statement may do where it is.
#[derive(Clone, Copy, Default)]
struct JumpContext {
    /// `break`, `next` and `redo`.
    jumps: bool,
    retry: bool,
    r#yield: bool,
}

const ANYTHING: JumpContext = JumpContext { jumps: true, retry: true, r#yield: true };
const METHOD: JumpContext = JumpContext { jumps: false, retry: false, r#yield: true };

struct TreeRules<'a> {
    text: &'a str,
    place: JumpContext,
    found: Vec<Finding>,
}

impl TreeRules<'_> {
    fn within(&mut self, place: JumpContext, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.place, place);
        visit(self);
        self.place = before;
    }

    fn expect(&mut self, allowed: bool, what: &str, at: &Loc) {
        if !allowed {
            self.found.push(Finding::syntax(format!("invalid {what}"), at.begin..at.end));
        }
    }

    /// The place within a loop or a block.
    fn looped(&self) -> JumpContext {
        JumpContext { jumps: true, ..self.place }
    }
}

/// Visits a kind of node in another place.
macro_rules! places {
    ($($on:ident $visit:ident $node:ident $place:expr),+ $(,)?) => {
        $(fn $on(&mut self, node: &$node) {
            let place: fn(&Self) -> JumpContext = $place;
            self.within(place(self), |it| $visit(it, node));
        })+
    };
}

impl Visitor for TreeRules<'_> {
    places! {
        on_block visit_block Block |it| it.looped(),
        on_numblock visit_numblock Numblock |it| it.looped(),
        on_for visit_for For |it| it.looped(),
        on_until visit_until Until |it| it.looped(),
        on_until_post visit_until_post UntilPost |it| it.looped(),
        on_while visit_while While |it| it.looped(),
        on_while_post visit_while_post WhilePost |it| it.looped(),
        on_def visit_def Def |_| METHOD,
        on_defs visit_defs Defs |_| METHOD,
        on_class visit_class Class |_| JumpContext::default(),
        on_module visit_module Module |_| JumpContext::default(),
        on_s_class visit_s_class SClass |it| JumpContext { r#yield: it.place.r#yield, ..JumpContext::default() },
        on_rescue_body visit_rescue_body RescueBody |it| JumpContext { retry: true, ..it.place },
        on_defined visit_defined Defined |_| ANYTHING,
        on_preexe visit_preexe Preexe |_| ANYTHING,
        on_postexe visit_postexe Postexe |_| ANYTHING,
    }

    fn on_break(&mut self, node: &Break) {
        self.expect(self.place.jumps, "break", &node.keyword_l);
    }

    fn on_next(&mut self, node: &Next) {
        self.expect(self.place.jumps, "next", &node.keyword_l);
    }

    fn on_redo(&mut self, node: &Redo) {
        self.expect(self.place.jumps, "redo", &node.expression_l);
    }

    fn on_retry(&mut self, node: &Retry) {
        self.expect(self.place.retry, "retry without rescue", &node.expression_l);
    }

    fn on_yield(&mut self, node: &Yield) {
        self.expect(self.place.r#yield, "yield", &node.keyword_l);
        visit_yield(self, node);
    }

    fn on_regexp(&mut self, node: &Regexp) {
        let (start, end) = (node.begin_l.end, node.end_l.begin);
        // What is put into a pattern is known only when it runs.
        let is_whole = node.parts.iter().all(|part| matches!(part, Node::Str(_)));
        if let Some(pattern) = self.text.get(start..end).filter(|_| is_whole) {
            let options =
                self.text[node.end_l.begin..].trim_start_matches(|it: char| !it.is_alphabetic());
            let flags = options.split(|it: char| !it.is_alphabetic()).next().unwrap_or_default();
            let is_extended = node.options.is_some() && flags.contains('x');
            if let Some((at, message)) = regexp::error(pattern, is_extended) {
                self.found.push(Finding::at(self.text, start + at, message));
            }
        }
        visit_regexp(self, node);
    }
}
