//! The names that a Python module binds, read from its syntax tree; nothing is imported or run.
//!
//! All branches are taken, since which one runs is known only at run time: a name that is bound in
//! any of them exists. So the reading errs towards names that exist. Names made at run time
//! (`globals()[…]`, `setattr`) are not seen.

mod captured;
mod declared;
mod depth;

use std::collections::BTreeSet;

use ruff_python_ast::{ExceptHandler, Expr, Parameters, PySourceType, Stmt, StmtIf, StmtImport};
use ruff_python_ast::{StmtClassDef, StmtImportFrom, StmtTry};
use ruff_python_parser::parse_unchecked_source;
use ruff_text_size::{Ranged, TextRange};

use self::captured::{assigned_within, captured};
use self::declared::{ALL, Declared};
use self::depth::{Depth, depth};
use super::module::{Binding, Module, Target};
use super::package::is_package;
use crate::constants::ConstPattern;

/// A name in a string.
static QUOTED: ConstPattern = ConstPattern::new(r#"["']([A-Za-z]\w*)["']"#);

/// Names that a Python file binds at module level when it is imported, in whichever branch.
///
/// Code under `if TYPE_CHECKING`, `if False` or `if __name__ == "__main__"` is not bound then.
/// A file with syntax errors is read as far as it goes, one that nests beyond reason not at all.
pub(super) fn module(path: &str, text: &str) -> Option<Module> {
    let depth = depth(text);
    if depth == Depth::Beyond {
        return None;
    }
    let is_stub = path.ends_with(".pyi");
    let kind = if is_stub { PySourceType::Stub } else { PySourceType::Python };
    let parsed = parse_unchecked_source(text, kind);
    let mut reader = Reader {
        path,
        text,
        is_stub,
        module: Module::default(),
        declared: Declared::default(),
        branches: Vec::new(),
    };
    reader.block(&parsed.syntax().body);
    reader.module.declared = reader.declared.names();
    if reader.module.names.contains_key("__getattr__") {
        let quoted = QUOTED.captures_iter(text).map(|name| name[1].to_owned());
        reader.module.on_request = quoted.collect();
    }
    if depth == Depth::Long {
        // Dropping the tree recurses through all of it; a leak is the lesser evil.
        std::mem::forget(parsed);
    }
    Some(reader.module)
}

struct Reader<'a> {
    path: &'a str,
    text: &'a str,
    is_stub: bool,
    module: Module,
    declared: Declared,
    /// Of each branch around a statement, the names that came to be in it.
    branches: Vec<BTreeSet<String>>,
}

impl Reader<'_> {
    fn block(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// A block that may not run: deleting in it a name that was there before leaves the name there.
    fn branch(&mut self, statements: &[Stmt]) {
        self.branches.push(BTreeSet::new());
        self.block(statements);
        self.join();
    }

    /// Ends a branch: what came to be in it came to be in the one around it.
    fn join(&mut self) {
        let inner = self.branches.pop().unwrap_or_default();
        if let Some(outer) = self.branches.last_mut() {
            outer.extend(inner);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        for name in assigned_within(statement) {
            self.bind(name, Binding::Value);
        }
        match statement {
            Stmt::FunctionDef(function) => {
                self.bind(&function.name, Binding::Callable);
                let list = without_hints(self.text, &function.parameters);
                self.module.parameters.add(&function.name, &list);
            }
            Stmt::ClassDef(class) => self.class(class),
            Stmt::Assign(assignment) => {
                for target in &assignment.targets {
                    self.assign(target, Some(&assignment.value));
                }
            }
            Stmt::AnnAssign(assignment) if self.is_stub || assignment.value.is_some() => {
                self.assign(&assignment.target, assignment.value.as_deref());
            }
            Stmt::AugAssign(assignment) => {
                self.declared.augment(assignment);
                if let Expr::Name(name) = &*assignment.target {
                    self.bind(&name.id, Binding::Value);
                }
            }
            Stmt::Expr(expression) => self.declared.call(&expression.value),
            Stmt::TypeAlias(alias) => self.assign(&alias.name, None),
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Delete(deletion) => {
                deletion.targets.iter().for_each(|target| self.unbind(target))
            }
            Stmt::If(branches) => self.branches(branches),
            Stmt::Try(attempt) => self.attempt(attempt),
            Stmt::With(with) => {
                let targets = with.items.iter().filter_map(|item| item.optional_vars.as_deref());
                targets.for_each(|target| self.assign(target, None));
                self.block(&with.body);
            }
            Stmt::For(each) => {
                self.assign(&each.target, None);
                self.branch(&each.body);
                self.branch(&each.orelse);
            }
            Stmt::While(repeat) => {
                self.branch(&repeat.body);
                self.branch(&repeat.orelse);
            }
            Stmt::Match(choice) => {
                for case in &choice.cases {
                    for name in captured(&case.pattern) {
                        self.bind(name, Binding::Value);
                    }
                    self.branch(&case.body);
                }
            }
            Stmt::AnnAssign(_)
            | Stmt::Return(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Global(_)
            | Stmt::Nonlocal(_)
            | Stmt::Pass(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::IpyEscapeCommand(_) => {}
        }
    }

    fn class(&mut self, class: &StmtClassDef) {
        self.bind(&class.name, Binding::Callable);
        let methods = class.body.iter().filter_map(|it| Some(&it.as_function_def_stmt()?.name));
        let public = methods.filter(|name| !name.starts_with('_'));
        self.module.members.extend(public.map(|name| format!("{}.{name}", class.name)));
    }

    fn branches(&mut self, branches: &StmtIf) {
        if !is_never_true_on_import(&branches.test) {
            self.branch(&branches.body);
        }
        for clause in &branches.elif_else_clauses {
            if !clause.test.as_ref().is_some_and(is_never_true_on_import) {
                self.branch(&clause.body);
            }
        }
    }

    fn attempt(&mut self, attempt: &StmtTry) {
        // What follows a body without an exception goes on with it.
        self.branches.push(BTreeSet::new());
        self.block(&attempt.body);
        self.block(&attempt.orelse);
        self.join();
        for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
            self.branch(&handler.body);
        }
        self.block(&attempt.finalbody);
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(branch) = self.branches.last_mut()
            && !self.module.names.contains_key(name)
        {
            branch.insert(name.to_owned());
        }
        self.module.bind(name, binding);
    }

    fn unbind(&mut self, target: &Expr) {
        match target {
            Expr::Name(name) => {
                let name = name.id.as_str();
                let is_gone = match self.branches.last_mut() {
                    Some(branch) => branch.remove(name),
                    None => true,
                };
                if is_gone {
                    self.module.names.remove(name);
                }
            }
            Expr::Tuple(several) => several.elts.iter().for_each(|target| self.unbind(target)),
            _ => {}
        }
    }

    /// Binds the names of an assignment's left side. Of several at once, values are not distinguished.
    fn assign(&mut self, target: &Expr, value: Option<&Expr>) {
        match target {
            Expr::Name(name) => {
                if name.id.as_str() == ALL {
                    self.declared.assign(value);
                }
                self.bind(&name.id, value.map_or(Binding::Value, binding_of));
            }
            Expr::Tuple(several) => several.elts.iter().for_each(|one| self.assign(one, None)),
            Expr::List(several) => several.elts.iter().for_each(|one| self.assign(one, None)),
            Expr::Starred(rest) => self.assign(&rest.value, None),
            _ => {}
        }
    }

    /// Whether `a as a` declares a name public: the typing specification's rule for stubs, and a habit in the files
    /// of packages.
    fn passes_on_by_alias(&self) -> bool {
        self.is_stub || is_package(self.path)
    }

    fn import(&mut self, import: &StmtImport) {
        for alias in &import.names {
            let whole = alias.name.as_str();
            let (name, module) = match &alias.asname {
                Some(name) => (name.as_str(), whole),
                None => {
                    let first = whole.split('.').next().unwrap_or(whole);
                    (first, first)
                }
            };
            let files = absolute(module);
            let is_same = alias.asname.as_ref().is_some_and(|name| name.as_str() == whole);
            if is_same && self.passes_on_by_alias() {
                self.module.passed_on.insert(name.to_owned());
            }
            self.bind(name, Binding::Imported { files, name: None });
        }
    }

    fn import_from(&mut self, import: &StmtImportFrom) {
        let module = import.module.as_ref().map_or("", |module| module.as_str());
        let first = module.split('.').next().unwrap_or(module);
        let files = match import.level {
            0 => absolute(module),
            level => relative(self.path, level, module),
        };
        let is_of_package = is_package(self.path)
            && (import.level > 0 || self.path.split('/').rev().skip(1).any(|part| part == first));
        for alias in &import.names {
            let original = alias.name.as_str();
            if original == "*" {
                self.module.stars.push(files.clone());
                continue;
            }
            let name = alias.asname.as_ref().map_or(original, |name| name.as_str());
            let is_same = alias.asname.as_ref().is_some_and(|name| name.as_str() == original);
            if is_of_package || is_same && self.passes_on_by_alias() {
                self.module.passed_on.insert(name.to_owned());
            }
            let binding =
                Binding::Imported { files: files.clone(), name: Some(original.to_owned()) };
            self.bind(name, binding);
        }
    }
}

/// A list of parameters as it would be without type hints, which no caller has to follow.
fn without_hints(text: &str, parameters: &Parameters) -> String {
    let mut list = String::new();
    let mut from = parameters.range.start();
    for parameter in parameters.iter() {
        if let Some(hint) = parameter.annotation() {
            list.push_str(&text[TextRange::new(from, parameter.name().end())]);
            from = hint.end();
        }
    }
    list.push_str(&text[TextRange::new(from, parameters.range.end())]);
    list
}

/// Whether a condition holds for a type checker, a script or no program, but not for an importer.
fn is_never_true_on_import(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.as_str() == "TYPE_CHECKING",
        Expr::Attribute(attribute) => attribute.attr.as_str() == "TYPE_CHECKING",
        Expr::BooleanLiteral(literal) => !literal.value,
        Expr::Compare(comparison) => {
            let sides = [Some(&*comparison.left), comparison.comparators.first()];
            let is_name =
                |side: &&Expr| matches!(side, Expr::Name(name) if name.id.as_str() == "__name__");
            let is_main = |side: &&Expr| matches!(side, Expr::StringLiteral(text) if text.value.to_str() == "__main__");
            let sides = || sides.iter().flatten().copied();
            sides().any(|side| is_name(&side)) && sides().any(|side| is_main(&side))
        }
        _ => false,
    }
}

/// What an assigned value is.
fn binding_of(value: &Expr) -> Binding {
    match value {
        Expr::Lambda(_) => Binding::Callable,
        Expr::StringLiteral(_)
        | Expr::BytesLiteral(_)
        | Expr::NumberLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_)
        | Expr::EllipsisLiteral(_)
        | Expr::FString(_)
        | Expr::TString(_)
        | Expr::List(_)
        | Expr::Tuple(_)
        | Expr::Dict(_)
        | Expr::Set(_)
        | Expr::ListComp(_)
        | Expr::SetComp(_)
        | Expr::DictComp(_)
        | Expr::Generator(_)
        | Expr::Compare(_) => Binding::Data,
        _ => Binding::Value,
    }
}

/// Files that the absolute module `a.b` may be, wherever its packages lie.
fn absolute(module: &str) -> Vec<Target> {
    let stem = module.replace('.', "/");
    let endings = [format!("{stem}.py"), format!("{stem}/__init__.py"), format!("{stem}.pyi")];
    endings.map(Target::Ending).into()
}

/// Files that a module `level` dots away from `path` may be.
fn relative(path: &str, level: u32, module: &str) -> Vec<Target> {
    let mut directory: Vec<&str> = path.split('/').collect();
    directory.truncate(directory.len().saturating_sub(level as usize));
    directory.extend(module.split('.').filter(|part| !part.is_empty()));
    let stem = directory.join("/");
    let package =
        if stem.is_empty() { "__init__.py".to_owned() } else { format!("{stem}/__init__.py") };
    [format!("{stem}.py"), package, format!("{stem}.pyi")].map(Target::Path).into()
}
