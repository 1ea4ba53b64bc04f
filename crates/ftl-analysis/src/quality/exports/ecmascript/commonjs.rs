//! What a CommonJS module puts into `exports`: assignments at the top of a file, in any branch.

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, Expression, ObjectExpression,
    ObjectPropertyKind, Program, Statement,
};

use super::local::{Locals, binding_of};
use super::targets;
use crate::quality::exports::module::{Binding, Module, Target};

/// Takes in what a file exports; whether it exports anything.
pub(super) fn read(
    path: &str,
    program: &Program<'_>,
    locals: &Locals,
    module: &mut Module,
) -> bool {
    let mut reader = Reader {
        path,
        locals,
        module,
        is_one: false,
    };
    let mut left: Vec<&Statement<'_>> = program.body.iter().rev().collect();
    while let Some(statement) = left.pop() {
        match statement {
            Statement::ExpressionStatement(statement) => reader.expression(&statement.expression),
            // `var a = module.exports = …`
            Statement::VariableDeclaration(variables) => {
                for declarator in &variables.declarations {
                    declarator.init.iter().for_each(|it| reader.expression(it));
                }
            }
            Statement::BlockStatement(block) => left.extend(block.body.iter().rev()),
            Statement::IfStatement(branch) => {
                left.extend(branch.alternate.iter());
                left.push(&branch.consequent);
            }
            Statement::TryStatement(attempt) => left.extend(attempt.block.body.iter().rev()),
            _ => {}
        }
    }
    reader.is_one
}

/// Takes in an expression that is all that a module gives: `module.exports = …`, `export = …`.
pub(super) fn whole(path: &str, value: &Expression<'_>, locals: &Locals, module: &mut Module) {
    let mut reader = Reader {
        path,
        locals,
        module,
        is_one: true,
    };
    reader.whole(value);
}

struct Reader<'a> {
    path: &'a str,
    locals: &'a Locals,
    module: &'a mut Module,
    is_one: bool,
}

impl Reader<'_> {
    fn expression(&mut self, expression: &Expression<'_>) {
        match expression {
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::CallExpression(call) => {
                let name = call.callee.get_member_expr();
                let defines = name
                    .is_some_and(|member| member.static_property_name() == Some("defineProperty"));
                let [Argument::Identifier(on), Argument::StringLiteral(name), ..] =
                    call.arguments.as_slice()
                else {
                    return;
                };
                // `__esModule` says that the file was compiled from a module.
                if defines && on.name == "exports" && name.value != "__esModule" {
                    self.give(&name.value, Binding::Value);
                }
            }
            Expression::SequenceExpression(several) => {
                several
                    .expressions
                    .iter()
                    .for_each(|it| self.expression(it));
            }
            _ => {}
        }
    }

    /// Of `a = b = value` every side is assigned the value.
    fn assignment(&mut self, assignment: &AssignmentExpression<'_>) {
        let mut sides = vec![&assignment.left];
        let mut value = &assignment.right;
        while let Expression::AssignmentExpression(inner) = value {
            sides.push(&inner.left);
            value = &inner.right;
        }
        for side in sides {
            let AssignmentTarget::StaticMemberExpression(member) = side else {
                continue;
            };
            let name = member.property.name.as_str();
            if is_module(&member.object) && name == "exports" {
                self.is_one = true;
                self.whole(value);
            } else if is_exports(&member.object) {
                let binding = match value {
                    Expression::Identifier(id) => self.locals.get(&id.name),
                    _ => None,
                };
                self.give(name, binding.unwrap_or_else(|| binding_of(value)));
            }
        }
    }

    fn whole(&mut self, value: &Expression<'_>) {
        match value {
            Expression::ObjectExpression(object) => self.object(object),
            Expression::Identifier(id) => {
                // A module that is one function is listed by its name.
                let binding = self.locals.get(&id.name).unwrap_or(Binding::Value);
                self.give(&id.name, binding);
            }
            Expression::FunctionExpression(function) => {
                if let Some(name) = function.name() {
                    self.give(name.as_str(), Binding::Callable);
                }
            }
            Expression::ClassExpression(class) => {
                if let Some(name) = class.name() {
                    self.give(name.as_str(), Binding::Callable);
                }
            }
            value => {
                if let Some(files) = required(self.path, value) {
                    self.module.stars.push(files);
                }
            }
        }
    }

    fn object(&mut self, object: &ObjectExpression<'_>) {
        for property in &object.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    let Some(name) = property.key.static_name() else {
                        continue;
                    };
                    let local = match &property.value {
                        Expression::Identifier(id) => self.locals.get(&id.name),
                        _ => None,
                    };
                    self.give(&name, local.unwrap_or_else(|| binding_of(&property.value)));
                }
                ObjectPropertyKind::SpreadProperty(spread) => {
                    let files = required(self.path, &spread.argument);
                    self.module.stars.extend(files);
                }
            }
        }
    }

    fn give(&mut self, name: &str, binding: Binding) {
        self.is_one = true;
        self.module.bind(name, binding);
    }
}

fn is_module(object: &Expression<'_>) -> bool {
    matches!(object, Expression::Identifier(id) if id.name == "module")
}

/// `exports`, or `module.exports`.
fn is_exports(object: &Expression<'_>) -> bool {
    match object {
        Expression::Identifier(id) => id.name == "exports",
        Expression::StaticMemberExpression(member) => {
            member.property.name == "exports" && is_module(&member.object)
        }
        _ => false,
    }
}

/// The files that `require("./…")` may mean.
fn required(path: &str, expression: &Expression<'_>) -> Option<Vec<Target>> {
    let Expression::CallExpression(call) = expression else {
        return None;
    };
    let is_require = matches!(&call.callee, Expression::Identifier(id) if id.name == "require");
    match call.arguments.as_slice() {
        [Argument::StringLiteral(request)] if is_require => Some(targets(path, &request.value)),
        _ => None,
    }
}
