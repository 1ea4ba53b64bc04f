//! Where the walk over a module is, as ruff's semantic checker asks for it.
//!
//! Each answer looks at the open scopes from the inside out, and stops at the kind of scope that
//! decides: a comprehension is transparent to `await`, a class is not.

use std::cell::RefCell;

use ruff_python_ast::PythonVersion;
use ruff_python_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxContext, SemanticSyntaxError,
};
use ruff_text_size::TextRange;

use super::range;
use super::scope::{Block, Scope, ScopeKind, mangled};
use crate::finding::Finding;

/// Where the walk is.
pub(super) struct Context<'a> {
    pub(super) text: &'a str,
    pub(super) version: PythonVersion,
    pub(super) future_annotations: bool,
    /// Whether the module is a cell of a notebook.
    pub(super) is_cell: bool,
    pub(super) declares: bool,
    pub(super) scopes: Vec<Scope<'a>>,
    /// `try` statements around the current place.
    pub(super) tries: usize,
    pub(super) findings: RefCell<Vec<Finding>>,
}

impl<'a> Context<'a> {
    pub(super) fn scope(&self) -> &Scope<'a> {
        self.scopes.last().expect("because the module's scope is open during the walk")
    }

    fn inner_to_outer(&self) -> impl Iterator<Item = ScopeKind> {
        self.scopes.iter().rev().map(|scope| scope.kind)
    }

    pub(super) fn report(&self, message: impl Into<String>, place: TextRange) {
        self.findings.borrow_mut().push(Finding::early(message, range(place)));
    }

    /// A name is bound here by a statement; complains if it is declared further down.
    pub(super) fn bind(&self, name: &str, place: TextRange) {
        let declared = &self.scope().declared;
        for (kind, names) in [("global", &declared.globals), ("nonlocal", &declared.nonlocals)] {
            if names.get(name).is_some_and(|it| place.start() < it.start()) {
                self.report(format!("name `{name}` is bound before its {kind} declaration"), place);
            }
        }
    }
}

impl SemanticSyntaxContext for Context<'_> {
    fn future_annotations_or_stub(&self) -> bool {
        self.future_annotations
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        match self.scope().kind {
            ScopeKind::Function { .. } | ScopeKind::Lambda => Some(LazyImportContext::Function),
            ScopeKind::Class => Some(LazyImportContext::Class),
            ScopeKind::Module | ScopeKind::Comprehension { .. } | ScopeKind::Generator => {
                // PEP 810: `lazy import` is for modules, and there not for a `try`.
                (self.tries > 0).then_some(LazyImportContext::TryExceptBlocks)
            }
        }
    }

    fn python_version(&self) -> PythonVersion {
        self.version
    }

    fn source(&self) -> &str {
        self.text
    }

    fn global(&self, name: &str) -> Option<TextRange> {
        self.scope().declared.globals.get(name).copied()
    }

    fn has_nonlocal_binding(&self, name: &str) -> bool {
        // `nonlocal` skips its own scope, and classes on the way out (language reference,
        // "Resolution of names").
        let enclosing = self.scopes.iter().rev().skip(1);
        let mut functions = enclosing
            .filter(|it| matches!(it.kind, ScopeKind::Function { .. } | ScopeKind::Lambda));
        // A class leaves a cell `__class__` for its methods, which `super()` uses (PEP 3135).
        let class_cell =
            name == "__class__" && self.inner_to_outer().any(|kind| kind == ScopeKind::Class);
        let name = mangled(name, self.scope().class);
        class_cell || functions.any(|it| it.binds(&name))
    }

    fn in_async_context(&self) -> bool {
        let decides = |kind| match kind {
            ScopeKind::Function { is_async } => Some(is_async),
            // A lambda is never async, whatever is around it.
            ScopeKind::Class | ScopeKind::Lambda => Some(false),
            ScopeKind::Module | ScopeKind::Comprehension { .. } | ScopeKind::Generator => None,
        };
        self.inner_to_outer().find_map(decides).unwrap_or(self.is_cell)
    }

    fn in_await_allowed_context(&self) -> bool {
        let decides = |kind| match kind {
            ScopeKind::Function { .. } | ScopeKind::Lambda => Some(true),
            ScopeKind::Class => Some(false),
            ScopeKind::Module | ScopeKind::Comprehension { .. } | ScopeKind::Generator => None,
        };
        self.inner_to_outer().find_map(decides).unwrap_or(self.is_cell)
    }

    fn in_yield_allowed_context(&self) -> bool {
        self.in_function_scope()
    }

    fn in_sync_comprehension(&self) -> bool {
        self.inner_to_outer()
            .take_while(|kind| {
                !matches!(kind, ScopeKind::Function { .. } | ScopeKind::Lambda | ScopeKind::Class)
            })
            .any(|kind| kind == ScopeKind::Comprehension { is_async: false })
    }

    fn in_class_body_comprehension(&self) -> bool {
        let is_comprehension = |kind: &ScopeKind| {
            matches!(kind, ScopeKind::Comprehension { .. } | ScopeKind::Generator)
        };
        self.inner_to_outer().find(|kind| !is_comprehension(kind)) == Some(ScopeKind::Class)
    }

    fn in_module_scope(&self) -> bool {
        self.scope().kind == ScopeKind::Module
    }

    fn in_function_scope(&self) -> bool {
        matches!(self.scope().kind, ScopeKind::Function { .. } | ScopeKind::Lambda)
    }

    fn in_generator_context(&self) -> bool {
        self.inner_to_outer()
            .take_while(|kind| {
                !matches!(kind, ScopeKind::Function { .. } | ScopeKind::Lambda | ScopeKind::Class)
            })
            .any(|kind| kind == ScopeKind::Generator)
    }

    fn in_notebook(&self) -> bool {
        self.is_cell
    }

    fn report_semantic_error(&self, error: SemanticSyntaxError) {
        self.report(error.to_string(), error.range);
    }

    // The blocks are those of this scope alone, so a loop around a function is not seen.
    fn in_loop_context(&self) -> bool {
        self.scope().blocks.contains(&Block::Loop)
    }

    fn is_bound_parameter(&self, name: &str) -> bool {
        self.scope().has_parameter(name)
    }
}
