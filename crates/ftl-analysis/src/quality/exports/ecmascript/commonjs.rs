//! What a CommonJS module puts into `exports`: assignments anywhere in a file, as the TypeScript compiler reads them too.
//!
//! A module may hand out one thing, `module.exports = it`. Then its name is given, since that is how a list calls it, and so are
//! its members: they are what others take from `require`.

use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, CallExpression,
    Class, Declaration, Expression, Function, ObjectExpression, ObjectPropertyKind, Program,
    VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::ScopeFlags;

use super::local::{Locals, binding_of};
use super::targets;
use crate::quality::exports::module::{Binding, Module, Target};

/// What a compiler leaves in `exports` to say that the file was a module.
const MARK: &str = "__esModule";

/// Takes in what a file exports; whether it is a CommonJS module at all: it exports or requires something.
pub(super) fn read<'a>(
    path: &'a str,
    program: &'a Program<'a>,
    locals: &'a Locals<'a>,
    module: &'a mut Module,
) -> bool {
    let mut reader = Reader::new(path, program, locals, module);
    reader.visit_program(program);
    reader.finish()
}

/// Takes in an expression that is all that a module gives: `export = …`.
pub(super) fn whole<'a>(
    path: &'a str,
    value: &'a Expression<'a>,
    program: &'a Program<'a>,
    locals: &'a Locals<'a>,
    module: &'a mut Module,
) {
    let mut reader = Reader::new(path, program, locals, module);
    reader.whole(value);
    reader.finish();
}

struct Reader<'a> {
    path: &'a str,
    program: &'a Program<'a>,
    locals: &'a Locals<'a>,
    module: &'a mut Module,
    is_one: bool,
    /// Functions around the place.
    depth: usize,
    /// The names of what is all that the module gives.
    wholes: Vec<&'a str>,
    /// `name.member = …` outside functions.
    members: Vec<(&'a str, &'a str, Binding)>,
}

impl<'a> Visit<'a> for Reader<'a> {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.depth += 1;
        walk::walk_function(self, it, flags);
        self.depth -= 1;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.depth += 1;
        walk::walk_arrow_function_expression(self, it);
        self.depth -= 1;
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        // `const api = module.exports`, `const api = module.exports = {}`
        let value = it.init.as_ref();
        let id = it.id.get_binding_identifier().filter(|_| self.depth == 0);
        if let Some(id) = id
            && value.is_some_and(is_exports_object)
        {
            self.wholes.push(id.name.as_str());
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.assignment(it);
        walk::walk_assignment_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.is_one |= required(it).is_some();
        self.definition(it);
        walk::walk_call_expression(self, it);
    }
}

impl<'a> Reader<'a> {
    fn new(
        path: &'a str,
        program: &'a Program<'a>,
        locals: &'a Locals<'a>,
        module: &'a mut Module,
    ) -> Self {
        Self {
            path,
            program,
            locals,
            module,
            is_one: false,
            depth: 0,
            wholes: Vec::new(),
            members: Vec::new(),
        }
    }

    /// Gives the members of what is given as a whole.
    fn finish(mut self) -> bool {
        for (name, member, binding) in std::mem::take(&mut self.members) {
            if self.wholes.contains(&name) {
                self.give(member, binding);
            }
        }
        self.is_one
    }

    /// `Object.defineProperty(exports, 'name', …)`, or of what is given as a whole.
    fn definition(&mut self, call: &CallExpression<'a>) {
        let member = call.callee.get_member_expr();
        let defines = member.is_some_and(|it| it.static_property_name() == Some("defineProperty"));
        let [on, Argument::StringLiteral(name), ..] = call.arguments.as_slice() else {
            return;
        };
        if !defines {
            return;
        }
        match on {
            Argument::Identifier(id) if id.name != "exports" && self.depth == 0 => {
                self.members.push((id.name.as_str(), name.value.as_str(), Binding::Value));
            }
            on if on.as_expression().is_some_and(is_exports) => {
                self.give(&name.value, Binding::Value);
            }
            _ => {}
        }
    }

    /// Of `a = b = value` every side is assigned the value; this is one of them.
    fn assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        let mut value = &assignment.right;
        while let Expression::AssignmentExpression(inner) = value {
            value = &inner.right;
        }
        let (object, name) = match &assignment.left {
            AssignmentTarget::StaticMemberExpression(it) => (&it.object, it.property.name.as_str()),
            AssignmentTarget::ComputedMemberExpression(it) => match &it.expression {
                Expression::StringLiteral(name) => (&it.object, name.value.as_str()),
                _ => return,
            },
            _ => return,
        };
        if is_module(object) && name == "exports" {
            self.is_one = true;
            self.whole(value);
        } else if is_void(value) {
            // A compiler names what it is going to assign.
        } else if is_exports(object) {
            self.give(name, self.binding(value));
        } else if let Expression::Identifier(id) = object
            && self.depth == 0
        {
            self.members.push((id.name.as_str(), name, self.binding(value)));
        }
    }

    fn binding(&self, value: &Expression<'_>) -> Binding {
        let local = match value {
            Expression::Identifier(id) => self.locals.get(&id.name),
            _ => None,
        };
        local.unwrap_or_else(|| binding_of(value))
    }

    fn whole(&mut self, value: &Expression<'a>) {
        match value {
            Expression::ObjectExpression(object) => self.object(object),
            Expression::Identifier(id) => {
                let name = id.name.as_str();
                self.give(name, self.locals.get(name).unwrap_or(Binding::Value));
                self.wholes.push(name);
                self.of_local(name);
            }
            Expression::FunctionExpression(function) => {
                if let Some(name) = function.name() {
                    self.give(name.as_str(), Binding::Callable);
                }
            }
            Expression::ClassExpression(class) => self.class(class),
            Expression::CallExpression(call) => self.module.stars.extend(self.files(call)),
            _ => {}
        }
    }

    /// The members of an object or a class at the top of the file.
    fn of_local(&mut self, name: &str) {
        for declaration in self.program.body.iter().filter_map(|it| it.as_declaration()) {
            match declaration {
                Declaration::VariableDeclaration(variables) => {
                    let mut named = variables.declarations.iter();
                    let named = named.find(|it| {
                        it.id.get_binding_identifier().is_some_and(|id| id.name == name)
                    });
                    match named.and_then(|it| it.init.as_ref()) {
                        Some(Expression::ObjectExpression(object)) => self.object(object),
                        Some(Expression::ClassExpression(class)) => self.class(class),
                        _ => {}
                    }
                }
                Declaration::ClassDeclaration(class)
                    if class.name().is_some_and(|it| it == name) =>
                {
                    self.class(class);
                }
                _ => {}
            }
        }
    }

    fn class(&mut self, class: &Class<'_>) {
        if let Some(name) = class.name() {
            self.give(name.as_str(), Binding::Callable);
        }
        for element in class.body.body.iter().filter(|it| it.r#static()) {
            if let Some(name) = element.static_name() {
                self.give(&name, Binding::Value);
            }
        }
    }

    fn object(&mut self, object: &ObjectExpression<'_>) {
        for property in &object.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    if let Some(name) = property.key.static_name() {
                        self.give(&name, self.binding(&property.value));
                    }
                }
                ObjectPropertyKind::SpreadProperty(spread) => {
                    if let Expression::CallExpression(call) = &spread.argument {
                        self.module.stars.extend(self.files(call));
                    }
                }
            }
        }
    }

    fn files(&self, call: &CallExpression<'_>) -> Option<Vec<Target>> {
        Some(targets(self.path, required(call)?))
    }

    fn give(&mut self, name: &str, binding: Binding) {
        self.is_one = true;
        if !matches!(name, MARK | "prototype") {
            self.module.bind(name, binding);
        }
    }
}

/// Whether a value is what the module gives, or is being made it.
fn is_exports_object(value: &Expression<'_>) -> bool {
    let mut value = value;
    while let Expression::AssignmentExpression(assignment) = value {
        let is_one = match &assignment.left {
            AssignmentTarget::StaticMemberExpression(it) => {
                is_module(&it.object) && it.property.name == "exports"
            }
            _ => false,
        };
        if is_one {
            return true;
        }
        value = &assignment.right;
    }
    is_exports(value)
}

fn is_void(value: &Expression<'_>) -> bool {
    matches!(value, Expression::UnaryExpression(it) if it.operator == UnaryOperator::Void)
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

/// What `require("…")` names.
fn required<'c>(call: &'c CallExpression<'_>) -> Option<&'c str> {
    let is_require = matches!(&call.callee, Expression::Identifier(id) if id.name == "require");
    match call.arguments.as_slice() {
        [Argument::StringLiteral(request)] if is_require => Some(&request.value),
        _ => None,
    }
}
