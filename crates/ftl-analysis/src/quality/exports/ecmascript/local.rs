//! The names at the top of a file, exported or not, and what they are.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::{
    BindingPattern, Class, ClassElement, Declaration, ExportDefaultDeclarationKind, Expression,
    FormalParameters, Program, Statement, TSAccessibility, VariableDeclaration,
};
use oxc_syntax::module_record::ModuleRecord;

use super::imported;
use crate::quality::exports::module::Binding;
use crate::quality::exports::parameters::Parameters;

/// Names at the top of a file.
pub(super) struct Locals<'a> {
    pub(super) names: BTreeMap<String, Vec<Binding>>,
    /// What the functions among them take.
    pub(super) parameters: Parameters,
    /// Methods of the classes among them.
    pub(super) members: BTreeSet<String>,
    /// The text of the file.
    text: &'a str,
}

impl<'a> Locals<'a> {
    /// The names that a file's statements and imports bind.
    pub(super) fn of(path: &str, program: &Program<'a>, record: &ModuleRecord<'_>) -> Self {
        let mut locals = Self { text: program.source_text, ..Self::empty() };
        for entry in &record.import_entries {
            let binding = imported(path, &entry.module_request.name, &entry.import_name);
            locals.bind(&entry.local_name.name, binding);
        }
        let mut left: Vec<&Statement<'_>> = program.body.iter().rev().collect();
        while let Some(statement) = left.pop() {
            locals.statement(statement, &mut left);
        }
        locals
    }

    /// No names yet, and no text: what functions take is not read.
    pub(super) fn empty() -> Self {
        Self {
            names: BTreeMap::new(),
            parameters: Parameters::default(),
            members: BTreeSet::new(),
            text: "",
        }
    }

    /// The one thing that a name means; a function where it may be one, so that a name is
    /// called lost only where it is.
    pub(super) fn get(&self, name: &str) -> Option<Binding> {
        let bindings = self.names.get(name)?;
        let callable = bindings.iter().find(|one| **one == Binding::Callable);
        callable.or_else(|| bindings.first()).cloned()
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        self.names.entry(name.to_owned()).or_default().push(binding);
    }

    fn takes(&mut self, name: &str, parameters: &FormalParameters<'_>) {
        let span = parameters.span;
        let list = self.text.get(span.start as usize..span.end as usize);
        if let Some(list) = list {
            self.parameters.add(name, list);
        }
    }

    /// The methods that others may call.
    fn methods(&mut self, of: &str, class: &Class<'_>) {
        let methods = class.body.body.iter().filter_map(|element| match element {
            ClassElement::MethodDefinition(method)
                if method.accessibility.is_none_or(is_public) =>
            {
                method.key.static_name()
            }
            _ => None,
        });
        let public = methods.filter(|name| !name.starts_with(['_', '#']) && name != "constructor");
        self.members.extend(public.map(|name| format!("{of}.{name}")));
    }

    fn statement<'p>(&mut self, statement: &'p Statement<'p>, left: &mut Vec<&'p Statement<'p>>) {
        match statement {
            Statement::ExportDeclaration(export) => self.declaration(&export.declaration),
            Statement::ExportDefaultDeclaration(export) => self.default(&export.declaration),
            // `var` in a block belongs to the file.
            Statement::BlockStatement(block) => left.extend(block.body.iter().rev()),
            Statement::IfStatement(branch) => {
                left.extend(branch.alternate.iter());
                left.push(&branch.consequent);
            }
            Statement::TryStatement(attempt) => left.extend(attempt.block.body.iter().rev()),
            statement => {
                if let Some(declaration) = statement.as_declaration() {
                    self.declaration(declaration);
                }
            }
        }
    }

    /// Takes in what a declaration binds.
    pub(super) fn declaration(&mut self, declaration: &Declaration<'_>) {
        let name = declaration.id().map(|id| id.name.as_str());
        if let (Declaration::FunctionDeclaration(function), Some(name)) = (declaration, name) {
            self.takes(name, &function.params);
        }
        if let (Declaration::ClassDeclaration(class), Some(name)) = (declaration, name) {
            self.methods(name, class);
        }
        let binding = match declaration {
            Declaration::VariableDeclaration(variables) => return self.variables(variables),
            Declaration::FunctionDeclaration(_) | Declaration::ClassDeclaration(_) => {
                Binding::Callable
            }
            Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSEnumDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_)
            | Declaration::TSNamespaceDeclaration(_)
            | Declaration::TSGlobalDeclaration(_) => Binding::Data,
            Declaration::TSImportEqualsDeclaration(_) => Binding::Value,
        };
        let name = match declaration {
            Declaration::TSNamespaceDeclaration(space) => Some(space.id.name.as_str()),
            Declaration::TSImportEqualsDeclaration(import) => Some(import.id.name.as_str()),
            _ => name,
        };
        if let Some(name) = name {
            self.bind(name, binding);
        }
    }

    fn default(&mut self, declaration: &ExportDefaultDeclarationKind<'_>) {
        let (name, binding) = match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                self.takes("default", &function.params);
                (function.name(), Binding::Callable)
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                (class.name(), Binding::Callable)
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(interface) => {
                (Some(interface.id.name), Binding::Data)
            }
            _ => return,
        };
        if let Some(name) = name {
            self.bind(name.as_str(), binding);
        }
    }

    fn variables(&mut self, variables: &VariableDeclaration<'_>) {
        for declarator in &variables.declarations {
            match &declarator.id {
                BindingPattern::BindingIdentifier(id) => {
                    let binding = declarator.init.as_ref().map_or(Binding::Value, binding_of);
                    match &declarator.init {
                        Some(Expression::ArrowFunctionExpression(function)) => {
                            self.takes(&id.name, &function.params);
                        }
                        Some(Expression::FunctionExpression(function)) => {
                            self.takes(&id.name, &function.params);
                        }
                        _ => {}
                    }
                    self.bind(&id.name, binding);
                }
                pattern => {
                    for id in pattern.get_binding_identifiers() {
                        self.bind(&id.name, Binding::Value);
                    }
                }
            }
        }
    }
}

fn is_public(accessibility: TSAccessibility) -> bool {
    accessibility == TSAccessibility::Public
}

/// What an expression gives, as far as its form shows.
pub(super) fn binding_of(expression: &Expression<'_>) -> Binding {
    match expression {
        Expression::FunctionExpression(_)
        | Expression::ArrowFunctionExpression(_)
        | Expression::ClassExpression(_) => Binding::Callable,
        Expression::NumericLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::RegExpLiteral(_)
        | Expression::TemplateLiteral(_)
        | Expression::ArrayExpression(_)
        | Expression::ObjectExpression(_) => Binding::Data,
        _ => Binding::Value,
    }
}
