//! Scopes, and the names that a function declares and binds.
//!
//! CPython builds a symbol table for the whole module first (`symtable.c`). Here a scope's bindings
//! are collected only when a `nonlocal` inside it asks, which in most files is never.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Parameters, Pattern, Stmt};
use ruff_text_size::{Ranged, TextRange};

/// What made a scope; it decides where `await`, `yield` and `nonlocal` may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    Class,
    Function {
        is_async: bool,
    },
    Lambda,
    /// A list, set or dict comprehension.
    Comprehension {
        is_async: bool,
    },
    Generator,
}

/// What a `break` or `return` looks for among the statements around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Loop,
    ExceptStar,
}

/// An open scope.
pub(super) struct Scope<'a> {
    pub(super) kind: ScopeKind,
    pub(super) blocks: Vec<Block>,
    pub(super) declared: Declared<'a>,
    /// The class that names with two underscores belong to.
    pub(super) class: Option<&'a str>,
    parameters: Option<&'a Parameters>,
    body: &'a [Stmt],
    bindings: OnceCell<HashSet<&'a str>>,
}

/// The names of `global` and `nonlocal` statements, each with the first that names it.
#[derive(Default)]
pub(super) struct Declared<'a> {
    pub(super) globals: HashMap<&'a str, TextRange>,
    pub(super) nonlocals: HashMap<&'a str, TextRange>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(
        kind: ScopeKind,
        parameters: Option<&'a Parameters>,
        body: &'a [Stmt],
        declared: Declared<'a>,
        class: Option<&'a str>,
    ) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
            declared,
            class,
            parameters,
            body,
            bindings: OnceCell::new(),
        }
    }

    pub(super) fn has_parameter(&self, name: &str) -> bool {
        self.parameters().any(|parameter| parameter == name)
    }

    /// Whether a function binds this name, as [`mangled`] makes it, for functions within it.
    pub(super) fn binds(&self, name: &str) -> bool {
        let is_it = |own: &str| mangled(own, self.class) == name;
        // A name that the function declares global is not its own, even if it assigns to it.
        !self.declared.globals.keys().any(|own| is_it(own))
            && (self.parameters().any(is_it) || self.bindings().iter().any(|own| is_it(own)))
    }

    fn parameters(&self) -> impl Iterator<Item = &str> {
        let parameters = self.parameters.into_iter();
        parameters.flat_map(|all| all.iter().map(|it| it.name().as_str()))
    }

    fn bindings(&self) -> &HashSet<&'a str> {
        self.bindings.get_or_init(|| {
            let mut bindings = Bindings::default();
            bindings.visit_body(self.body);
            bindings.names
        })
    }
}

/// A name as a class keeps it: `__name` in `class C` is `_C__name` (language reference, "Private name
/// mangling"). Leading underscores of the class are left out, and a class named by underscores alone
/// mangles nothing.
pub(super) fn mangled<'n>(name: &'n str, class: Option<&str>) -> Cow<'n, str> {
    let class = class.map(|class| class.trim_start_matches('_'));
    match class.filter(|class| !class.is_empty()) {
        Some(class) if name.starts_with("__") && !name.ends_with("__") => {
            Cow::Owned(format!("_{class}{name}"))
        }
        _ => Cow::Borrowed(name),
    }
}

impl<'a> Declared<'a> {
    /// Collects the declarations in a body, not those of functions and classes within it.
    pub(super) fn in_body(body: &'a [Stmt]) -> Self {
        let mut declared = Self::default();
        declared.visit_body(body);
        declared
    }
}

impl<'a> Visitor<'a> for Declared<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let (names, into) = match stmt {
            Stmt::Global(it) => (&it.names, &mut self.globals),
            Stmt::Nonlocal(it) => (&it.names, &mut self.nonlocals),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            _ => return visitor::walk_stmt(self, stmt),
        };
        for name in names {
            // The first counts: what is used between two declarations was declared before.
            into.entry(name.as_str()).or_insert(stmt.range());
        }
    }

    // Declarations are statements, and no expression holds a statement of this scope.
    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Names bound in a body, not those of scopes within it.
#[derive(Default)]
struct Bindings<'a> {
    names: HashSet<&'a str>,
    /// Comprehensions around the current place, whose targets are their own.
    comprehensions: usize,
}

impl<'a> Visitor<'a> for Bindings<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(it) => {
                self.names.insert(it.name.as_str());
            }
            Stmt::ClassDef(it) => {
                self.names.insert(it.name.as_str());
            }
            Stmt::Import(it) => self.names.extend(it.names.iter().map(bound_name)),
            Stmt::ImportFrom(it) => self.names.extend(it.names.iter().map(bound_name)),
            Stmt::Try(it) => {
                let handlers = it.handlers.iter().filter_map(|it| it.as_except_handler());
                self.names.extend(handlers.filter_map(|it| it.name.as_ref()).map(|it| it.as_str()));
                visitor::walk_stmt(self, stmt);
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            // A lambda is a separate scope. A comprehension is too, but `:=` in it binds outside.
            Expr::Lambda(_) => {}
            Expr::Name(it) => {
                // `del x` makes a name local just as an assignment does.
                let binds = matches!(it.ctx, ExprContext::Store | ExprContext::Del);
                if binds && self.comprehensions == 0 {
                    self.names.insert(it.id.as_str());
                }
            }
            // PEP 572: in a comprehension `:=` binds in the function around it, unlike the targets
            // of `for`.
            Expr::Named(it) => {
                self.names.extend(it.target.as_name_expr().map(|it| it.id.as_str()));
                self.visit_expr(&it.value);
            }
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.comprehensions += 1;
                visitor::walk_expr(self, expr);
                self.comprehensions -= 1;
            }
            _ => visitor::walk_expr(self, expr),
        }
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(it) => it.name.as_ref(),
            Pattern::MatchStar(it) => it.name.as_ref(),
            Pattern::MatchMapping(it) => it.rest.as_ref(),
            Pattern::MatchValue(_)
            | Pattern::MatchSingleton(_)
            | Pattern::MatchSequence(_)
            | Pattern::MatchClass(_)
            | Pattern::MatchOr(_) => None,
        };
        self.names.extend(name.map(|it| it.as_str()));
        visitor::walk_pattern(self, pattern);
    }
}

/// The name that `import a.b` or `… import a as b` binds.
fn bound_name(alias: &ruff_python_ast::Alias) -> &str {
    let name = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
    // `import a.b` binds `a`; with `as` there is no dot in the name that is bound.
    name.split_once('.').map_or(name, |(first, _)| first)
}
