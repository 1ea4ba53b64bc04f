//! What only TypeScript gives: the contents of declaration files, `export =` and the namespaces behind it.

use oxc_ast::ast::{
    Declaration, ModuleExportName, Program, Statement, TSModuleReference, TSNamespaceDeclaration,
    TSNamespaceDeclarationBody,
};

use super::commonjs;
use super::local::Locals;
use crate::quality::exports::module::{Binding, Module};

/// Whether a file is a module by what only TypeScript has: `export =`, `export as namespace`,
/// `import a = require("…")`.
pub(super) fn is_module(program: &Program<'_>) -> bool {
    program.body.iter().any(|statement| match statement {
        Statement::TSExportAssignment(_) | Statement::TSNamespaceExportDeclaration(_) => true,
        Statement::TSImportEqualsDeclaration(import) => {
            matches!(import.module_reference, TSModuleReference::ExternalModuleReference(_))
        }
        _ => false,
    })
}

/// Takes in what `export =` gives, and what a declaration file gives without a word.
pub(super) fn read<'a>(
    path: &'a str,
    program: &'a Program<'a>,
    locals: &'a Locals,
    module: &'a mut Module,
) {
    for statement in &program.body {
        if let Statement::TSExportAssignment(assignment) = statement {
            commonjs::whole(path, &assignment.expression, program, locals, module);
            if let Some(id) = assignment.expression.get_identifier_reference() {
                of_namespaces(&program.body, id.name.as_str(), is_declarations(path), module);
            }
        }
    }
    if is_declarations(path) {
        given(&program.body, true, module);
    }
}

fn is_declarations(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// The members of every namespace with this name.
fn of_namespaces(statements: &[Statement<'_>], name: &str, is_ambient: bool, module: &mut Module) {
    for statement in statements {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            statement => statement.as_declaration(),
        };
        if let Some(Declaration::TSNamespaceDeclaration(space)) = declaration
            && space.id.name == name
        {
            members(space, is_ambient || space.declare, module);
        }
    }
}

fn members(space: &TSNamespaceDeclaration<'_>, is_ambient: bool, module: &mut Module) {
    match &space.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
            module.bind(&inner.id.name, Binding::Data);
        }
        TSNamespaceDeclarationBody::TSModuleBlock(block) => {
            given(&block.body, is_ambient, module);
            for statement in &block.body {
                exported(statement, module);
            }
        }
    }
}

/// What is exported by name in a namespace.
fn exported(statement: &Statement<'_>, module: &mut Module) {
    match statement {
        Statement::ExportDeclaration(export) => {
            let mut locals = Locals::empty();
            locals.declaration(&export.declaration);
            bind(locals, module);
        }
        Statement::ExportNamedDeclaration(export) => {
            for specifier in &export.specifiers {
                module.bind(&written(&specifier.exported), Binding::Value);
            }
        }
        _ => {}
    }
}

fn written(name: &ModuleExportName<'_>) -> String {
    name.name().to_string()
}

/// Where declarations only describe what is defined elsewhere, all of them are exports, unless one statement says
/// which are.
fn given(statements: &[Statement<'_>], is_ambient: bool, module: &mut Module) {
    if !is_ambient || statements.iter().any(chooses) {
        return;
    }
    let mut locals = Locals::empty();
    for declaration in statements.iter().filter_map(|it| it.as_declaration()) {
        // An import is no declaration, though it is written as one.
        if !matches!(declaration, Declaration::TSImportEqualsDeclaration(_)) {
            locals.declaration(declaration);
        }
    }
    bind(locals, module);
}

/// Whether a statement says which of the declarations around it are exports.
fn chooses(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExportNamedDeclaration(_)
        | Statement::ExportFromDeclaration(_)
        | Statement::ExportAllDeclaration(_)
        | Statement::TSExportAssignment(_) => true,
        Statement::ExportDefaultDeclaration(export) => export.declaration.is_expression(),
        _ => false,
    }
}

fn bind(locals: Locals, module: &mut Module) {
    for (name, bindings) in locals.names {
        for binding in bindings {
            module.bind(&name, binding);
        }
    }
}
