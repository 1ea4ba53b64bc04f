//! What `compile` refuses in a file that parses.
//!
//! ruff's `SemanticSyntaxChecker` knows most of these rules, but it only looks at one node at a
//! time: this walk calls it on each, and answers its questions about the surroundings through
//! `context.rs`. The rules that it lacks are added here; they are those of CPython's `symtable.c`
//! and `compile.c`.
//!
//! The order of the walk is part of the rules: decorators, defaults, annotations and the first
//! iterable of a comprehension belong to the scope outside, the body to the one inside.

use std::cell::RefCell;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, InterpolatedStringElement, Keyword,
    Parameters, Pattern, PythonVersion, Stmt,
};
use ruff_python_parser::semantic_errors::SemanticSyntaxChecker;
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::context::Context;
use super::scope::{Block, Declared, Scope, ScopeKind};
use crate::finding::Finding;

/// What the text is, beside a module.
#[derive(Clone, Copy)]
pub(super) struct ModuleKind {
    pub(super) is_stub: bool,
    pub(super) is_cell: bool,
}

/// Checks the statements of a module.
pub(super) fn check(
    text: &str,
    body: &[Stmt],
    version: PythonVersion,
    kind: ModuleKind,
) -> Vec<Finding> {
    let mut walk = Walker {
        checker: SemanticSyntaxChecker::new(),
        context: Context {
            text,
            version,
            future_annotations: kind.is_stub,
            is_cell: kind.is_cell,
            // Most files declare nothing, and need not be searched for declarations.
            declares: text.contains("global") || text.contains("nonlocal"),
            scopes: Vec::new(),
            tries: 0,
            findings: RefCell::default(),
        },
    };
    walk.scope(ScopeKind::Module, None, body, |walk| walk.visit_body(body));
    walk.context.findings.into_inner()
}

/// A walk over a module, in the order in which Python evaluates it.
struct Walker<'a> {
    checker: SemanticSyntaxChecker,
    context: Context<'a>,
}

impl<'a> Walker<'a> {
    fn scope(
        &mut self,
        kind: ScopeKind,
        parameters: Option<&'a Parameters>,
        body: &'a [Stmt],
        walk: impl FnOnce(&mut Self),
    ) {
        let declared =
            if self.context.declares { Declared::in_body(body) } else { Declared::default() };
        // Functions in a class mangle names for it too, so the class is handed down.
        let class = self.context.scopes.last().and_then(|scope| scope.class);
        self.context.scopes.push(Scope::new(kind, parameters, body, declared, class));
        walk(self);
        self.context.scopes.pop();
    }

    fn block(&mut self, block: Block, body: &'a [Stmt]) {
        let scope = self.context.scopes.last_mut();
        scope.expect("because a scope is open").blocks.push(block);
        self.visit_body(body);
        let scope = self.context.scopes.last_mut();
        scope.expect("because it was open before").blocks.pop();
    }

    /// A comprehension. Its first iterable is evaluated outside of its scope (language reference,
    /// "Displays for lists, sets and dictionaries"): there `await` and the names of a class may be
    /// used.
    fn comprehension(
        &mut self,
        kind: ScopeKind,
        clauses: &'a [Comprehension],
        results: &[&'a Expr],
    ) {
        let Some((first, others)) = clauses.split_first() else {
            return;
        };
        self.visit_expr(&first.iter);
        self.scope(kind, None, &[], |walk| {
            walk.visit_expr(&first.target);
            first.ifs.iter().for_each(|it| walk.visit_expr(it));
            others.iter().for_each(|it| walk.visit_comprehension(it));
            results.iter().for_each(|it| walk.visit_expr(it));
        });
    }

    fn handlers(&mut self, handlers: &'a [ExceptHandler], is_star: bool) {
        for (at, handler) in handlers.iter().enumerate() {
            let ExceptHandler::ExceptHandler(handler) = handler;
            match &handler.type_ {
                Some(exception) => self.visit_expr(exception),
                None if at + 1 < handlers.len() => {
                    self.context.report("default `except:` must be last", handler.range());
                }
                None => {}
            }
            // PEP 654: `break`, `continue` and `return` may not leave an `except*` block. A loop
            // inside one may be left, so the last block for jumps and any block for `return`.
            if is_star {
                self.block(Block::ExceptStar, &handler.body);
            } else {
                self.visit_body(&handler.body);
            }
        }
    }

    /// Rules of statements that the general checker does not know.
    fn check_stmt(&self, stmt: &Stmt) {
        let context = &self.context;
        let blocks = &context.scope().blocks;
        match stmt {
            Stmt::Expr(it) if it.value.is_starred_expr() => {
                context.report("can't use starred expression here", it.range());
            }
            // ruff takes `else` for enough; CPython's grammar has it behind `except` alone.
            Stmt::Try(it) if it.handlers.is_empty() && !it.orelse.is_empty() => {
                let body = it.body.last().map_or(it.start(), Ranged::end);
                let at = context.text[body.to_usize()..].find("else").unwrap_or(0);
                let at = body + TextSize::try_from(at).unwrap_or_default();
                context.report("expected 'except' or 'finally' block", TextRange::at(at, 4.into()));
            }
            Stmt::Break(_) | Stmt::Continue(_) if blocks.last() == Some(&Block::ExceptStar) => {
                context
                    .report("`break` and `continue` cannot leave an `except*` block", stmt.range());
            }
            Stmt::Return(_) if blocks.contains(&Block::ExceptStar) => {
                context.report("`return` cannot appear in an `except*` block", stmt.range());
            }
            // `symtable.c`: "name is nonlocal and global", wherever the two declarations stand.
            Stmt::Nonlocal(it) => {
                let globals = &context.scope().declared.globals;
                for name in it.names.iter().filter(|name| globals.contains_key(name.as_str())) {
                    context.report(format!("name `{name}` is nonlocal and global"), name.range());
                }
            }
            Stmt::AnnAssign(it) => {
                self.check_annotation(&it.annotation);
                let nonlocals = &context.scope().declared.nonlocals;
                let name =
                    it.target.as_name_expr().filter(|it| nonlocals.contains_key(it.id.as_str()));
                if let Some(name) = name {
                    let message = format!("annotated name `{}` can't be nonlocal", name.id);
                    context.report(message, name.range());
                }
            }
            // The general checker looks at names in expressions; these are bound by statements.
            Stmt::FunctionDef(it) => context.bind(&it.name, it.name.range()),
            Stmt::ClassDef(it) => context.bind(&it.name, it.name.range()),
            _ => {}
        }
    }

    /// Refuses `:=` in an annotation that is not evaluated. With `from __future__ import
    /// annotations` (PEP 563), and in every annotation since 3.14 (PEP 649), it would bind a name
    /// that is never bound. The general checker knows the rule from 3.14 on.
    fn check_annotation(&self, annotation: &Expr) {
        let context = &self.context;
        if !context.future_annotations || context.version >= PythonVersion::PY314 {
            return;
        }
        let mut walrus = Walrus(None);
        walrus.visit_expr(annotation);
        if let Some(place) = walrus.0 {
            let message = "named expression cannot be used within an annotation";
            context.report(message, place);
        }
    }

    /// Rules of expressions that the general checker does not know.
    fn check_expr(&self, expr: &Expr) {
        match expr {
            // A bare `__debug__` is known to the general checker, an attribute of that name is not.
            Expr::Attribute(it) if it.attr.as_str() == "__debug__" => match it.ctx {
                ExprContext::Store => {
                    self.context.report("cannot assign to `__debug__`", it.attr.range())
                }
                ExprContext::Del => {
                    self.context.report("cannot delete `__debug__`", it.attr.range())
                }
                ExprContext::Load | ExprContext::Invalid => {}
            },
            Expr::Name(it) => {
                let declared = self.context.scope().declared.nonlocals.get(it.id.as_str());
                if declared.is_some_and(|declared| it.start() < declared.start()) {
                    let message =
                        format!("name `{}` is used before its nonlocal declaration", it.id);
                    self.context.report(message, it.range());
                }
            }
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for Walker<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.checker.visit_stmt(stmt, &self.context);
        self.check_stmt(stmt);
        match stmt {
            Stmt::FunctionDef(it) => {
                // Outside of the function's scope, all of this.
                it.decorator_list.iter().for_each(|it| self.visit_decorator(it));
                it.type_params.iter().for_each(|it| self.visit_type_params(it));
                self.visit_parameters(&it.parameters);
                it.returns.iter().for_each(|it| self.visit_annotation(it));
                let kind = ScopeKind::Function { is_async: it.is_async };
                // A function is called later: the `try` around its definition does not surround its
                // body.
                let tries = std::mem::take(&mut self.context.tries);
                self.scope(kind, Some(&it.parameters), &it.body, |walk| walk.visit_body(&it.body));
                self.context.tries = tries;
            }
            Stmt::ClassDef(it) => {
                it.decorator_list.iter().for_each(|it| self.visit_decorator(it));
                it.type_params.iter().for_each(|it| self.visit_type_params(it));
                it.arguments.iter().for_each(|it| self.visit_arguments(it));
                self.scope(ScopeKind::Class, None, &it.body, |walk| {
                    let scope = walk.context.scopes.last_mut();
                    scope.expect("because it was opened").class = Some(&it.name);
                    walk.visit_body(&it.body)
                });
            }
            Stmt::For(it) => {
                self.visit_expr(&it.iter);
                self.visit_expr(&it.target);
                self.block(Block::Loop, &it.body);
                // The `else` of a loop is not part of it: `break` in there leaves the next loop.
                self.visit_body(&it.orelse);
            }
            Stmt::While(it) => {
                self.visit_expr(&it.test);
                self.block(Block::Loop, &it.body);
                self.visit_body(&it.orelse);
            }
            Stmt::Try(it) => {
                self.context.tries += 1;
                self.visit_body(&it.body);
                self.handlers(&it.handlers, it.is_star);
                self.visit_body(&it.orelse);
                self.visit_body(&it.finalbody);
                self.context.tries -= 1;
            }
            // Of the features of `__future__` only this one changes a rule that is checked here.
            Stmt::ImportFrom(it) => {
                let is_future = it.module.as_deref() == Some("__future__");
                let is_annotations = it.names.iter().any(|it| it.name.as_str() == "annotations");
                self.context.future_annotations |= is_future && is_annotations;
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.checker.visit_expr(expr, &self.context);
        self.check_expr(expr);
        match expr {
            Expr::Lambda(it) => {
                let parameters = it.parameters.as_deref();
                parameters.into_iter().for_each(|it| self.visit_parameters(it));
                self.scope(ScopeKind::Lambda, parameters, &[], |walk| walk.visit_expr(&it.body));
            }
            Expr::ListComp(it) => {
                self.comprehension(listing(&it.generators), &it.generators, &[&it.elt]);
            }
            Expr::SetComp(it) => {
                self.comprehension(listing(&it.generators), &it.generators, &[&it.elt]);
            }
            Expr::DictComp(it) => {
                let results: Vec<&Expr> =
                    it.key.as_deref().into_iter().chain([&*it.value]).collect();
                self.comprehension(listing(&it.generators), &it.generators, &results);
            }
            Expr::Generator(it) => {
                self.comprehension(ScopeKind::Generator, &it.generators, &[&it.elt]);
            }
            _ => visitor::walk_expr(self, expr),
        }
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        if let Some(name) = keyword.arg.as_ref().filter(|name| name.as_str() == "__debug__") {
            self.context.report("cannot assign to `__debug__`", name.range());
        }
        visitor::walk_keyword(self, keyword);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let Pattern::MatchOr(it) = pattern {
            // An alternative that always matches may be the last one only.
            let but_last = it.patterns.split_last().map_or(&[][..], |(_, others)| others);
            for irrefutable in but_last.iter().filter_map(Pattern::irrefutable_pattern) {
                self.context
                    .report("this makes the remaining patterns unreachable", irrefutable.range);
            }
        }
        visitor::walk_pattern(self, pattern);
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        if self.context.version < PythonVersion::PY312
            && let Some(place) = nested_too_deeply(element)
        {
            self.context.report("f-string: expressions nested too deeply", place);
        }
        // `f"{*a}"` parses, since a list may stand there: `f"{*a,}"`.
        if let InterpolatedStringElement::Interpolation(it) = element
            && it.expression.is_starred_expr()
        {
            self.context.report("can't use starred expression here", it.expression.range());
        }
        visitor::walk_interpolated_string_element(self, element);
    }
}

/// The first `:=` in an expression, if there is one.
struct Walrus(Option<TextRange>);

impl<'a> Visitor<'a> for Walrus {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Named(it) => self.0 = self.0.or(Some(it.range())),
            _ => visitor::walk_expr(self, expr),
        }
    }
}

/// A replacement field in the format of one in the format of one, `f"{a:{b:{c}}}"`: two levels were
/// all that the parser for f-strings took before 3.12 (PEP 701).
fn nested_too_deeply(element: &InterpolatedStringElement) -> Option<TextRange> {
    fields(element).flat_map(fields).find_map(|it| it.as_interpolation().map(Ranged::range))
}

/// What the format of a replacement field is made of.
fn fields(element: &InterpolatedStringElement) -> impl Iterator<Item = &InterpolatedStringElement> {
    let format = element.as_interpolation().and_then(|it| it.format_spec.as_deref());
    format.into_iter().flat_map(|format| &*format.elements)
}

fn listing(clauses: &[Comprehension]) -> ScopeKind {
    ScopeKind::Comprehension { is_async: clauses.iter().any(|it| it.is_async) }
}
