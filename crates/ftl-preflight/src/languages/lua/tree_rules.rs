//! What `luac` refuses in a chunk that parses: `break` outside of loops, `goto` without a label, `...` in
//! functions without it, and assignments to constants.

use full_moon::ast::lua52::{Goto, Label};
use full_moon::ast::{
    Assignment, Ast, Block, Expression, FunctionBody, GenericFor, LastStmt, LocalAssignment,
    LocalFunction, NumericFor, Parameter, Repeat, Var, While,
};
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;

use crate::finding::Finding;

/// The first finding in a parsed chunk.
pub(super) fn check(text: &str, chunk: &Ast) -> Option<Finding> {
    let mut rules = TreeRules { text, functions: vec![Function::new(true)], found: Vec::new() };
    rules.visit_ast(chunk);
    rules.leave_function();
    // The parser drops a second `return` at the end of the chunk.
    let kept = chunk.nodes().to_string().len();
    if chunk.nodes().last_stmt().is_some() && kept + chunk.eof().to_string().len() < text.len() {
        rules.report(kept, "`return` must be the last statement");
    }
    rules.found.into_iter().min_by_key(|it| it.range.start)
}

struct TreeRules<'t> {
    text: &'t str,
    functions: Vec<Function>,
    found: Vec<Finding>,
}

struct Function {
    has_varargs: bool,
    loops: usize,
    scopes: Vec<Scope>,
}

#[derive(Default)]
struct Scope {
    /// Names of local variables, and whether each is a constant.
    locals: Vec<(String, bool)>,
    labels: Vec<String>,
    gotos: Vec<(String, usize)>,
}

impl Function {
    fn new(has_varargs: bool) -> Self {
        Self { has_varargs, loops: 0, scopes: vec![Scope::default()] }
    }
}

fn name(token: &TokenReference) -> String {
    token.token().to_string()
}

fn offset(token: &TokenReference) -> usize {
    token.token().start_position().bytes()
}

impl TreeRules<'_> {
    fn report(&mut self, at: usize, message: impl Into<String>) {
        self.found.push(Finding::at(self.text, at, message));
    }

    fn function(&mut self) -> &mut Function {
        self.functions.last_mut().expect("because the chunk is left last")
    }

    fn scope(&mut self) -> &mut Scope {
        self.function().scopes.last_mut().expect("because a function has one")
    }

    fn declare(&mut self, token: &TokenReference, is_constant: bool) {
        let local = (name(token), is_constant);
        self.scope().locals.push(local);
    }

    fn enter(&mut self, loops: usize) {
        self.function().loops += loops;
        self.function().scopes.push(Scope::default());
    }

    /// Leaves a scope: its gotos without a label look for one in the scope around it.
    fn leave(&mut self, loops: usize) {
        self.function().loops -= loops;
        let Some(scope) = self.function().scopes.pop() else { return };
        let open = scope.gotos.into_iter().filter(|(name, _)| !scope.labels.contains(name));
        let open: Vec<_> = open.collect();
        match self.function().scopes.last_mut() {
            Some(around) => around.gotos.extend(open),
            None => {
                for (name, at) in open {
                    self.report(at, format!("no visible label `{name}` for this goto"));
                }
            }
        }
    }

    fn leave_function(&mut self) {
        self.leave(0);
        self.functions.pop();
    }

    fn is_constant(&self, name: &str) -> bool {
        let scopes = self.functions.iter().rev().flat_map(|it| it.scopes.iter().rev());
        let mut locals = scopes.flat_map(|it| it.locals.iter().rev());
        locals.find(|local| local.0 == name).is_some_and(|local| local.1)
    }
}

impl Visitor for TreeRules<'_> {
    fn visit_block(&mut self, _: &Block) {
        self.enter(0);
    }

    fn visit_block_end(&mut self, _: &Block) {
        self.leave(0);
    }

    fn visit_while(&mut self, _: &While) {
        self.enter(1);
    }

    fn visit_while_end(&mut self, _: &While) {
        self.leave(1);
    }

    fn visit_repeat(&mut self, _: &Repeat) {
        self.enter(1);
    }

    fn visit_repeat_end(&mut self, _: &Repeat) {
        self.leave(1);
    }

    fn visit_numeric_for(&mut self, node: &NumericFor) {
        self.enter(1);
        self.declare(node.index_variable(), false);
    }

    fn visit_numeric_for_end(&mut self, _: &NumericFor) {
        self.leave(1);
    }

    fn visit_generic_for(&mut self, node: &GenericFor) {
        self.enter(1);
        for token in node.names() {
            self.declare(token, false);
        }
    }

    fn visit_generic_for_end(&mut self, _: &GenericFor) {
        self.leave(1);
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        let varargs = body.parameters().iter().any(|it| matches!(it, Parameter::Ellipsis(_)));
        self.functions.push(Function::new(varargs));
        for parameter in body.parameters() {
            if let Parameter::Name(token) = parameter {
                self.declare(token, false);
            }
        }
    }

    fn visit_function_body_end(&mut self, _: &FunctionBody) {
        self.leave_function();
    }

    fn visit_local_function(&mut self, node: &LocalFunction) {
        self.declare(node.name(), false);
    }

    fn visit_local_assignment_end(&mut self, node: &LocalAssignment) {
        for (token, attribute) in node.names().iter().zip(node.attributes()) {
            let attribute = attribute.map(|it| it.name());
            if let Some(unknown) = attribute.filter(|it| !["const", "close"].contains(&&*name(it)))
            {
                self.report(offset(unknown), format!("unknown attribute `{}`", name(unknown)));
            }
            self.declare(token, attribute.is_some());
        }
    }

    fn visit_assignment(&mut self, node: &Assignment) {
        for variable in node.variables() {
            if let Var::Name(token) = variable
                && self.is_constant(&name(token))
            {
                let message = format!("assignment to the constant `{}`", name(token));
                self.report(offset(token), message);
            }
        }
    }

    fn visit_last_stmt(&mut self, node: &LastStmt) {
        if let LastStmt::Break(token) = node
            && self.function().loops == 0
        {
            self.report(offset(token), "`break` outside a loop");
        }
    }

    fn visit_expression(&mut self, node: &Expression) {
        if let Expression::Symbol(token) = node
            && name(token) == "..."
            && !self.function().has_varargs
        {
            self.report(offset(token), "`...` outside a function with it");
        }
    }

    fn visit_goto(&mut self, node: &Goto) {
        let goto = (name(node.label_name()), offset(node.goto_token()));
        self.scope().gotos.push(goto);
    }

    fn visit_label(&mut self, node: &Label) {
        let label = name(node.name());
        self.scope().labels.push(label);
    }
}
