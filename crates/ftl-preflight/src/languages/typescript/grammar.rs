//! What TypeScript's checker says of the grammar in files that parse, and that needs no types.
//!
//! These are the `checkGrammar…` functions of TypeScript's `checker.ts`, as far as oxc has no rule
//! by itself. Each is named by TypeScript's number. Where a rule asks for the type of something
//! (whether a computed name is a unique symbol), what may be fine is let through.

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, Expression, Function, IfStatement, JSXOpeningElement,
    MethodDefinition, MethodDefinitionType, NumericLiteral, ObjectExpression, ObjectPropertyKind,
    Program, PropertyDefinition, PropertyKey, PropertyKind, RegExpFlags, RegExpLiteral, Statement,
    TSConstructorType, TSFunctionType, TSInterfaceBody, TSSignature, TSTypeLiteral,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use crate::finding::Finding;

/// The findings in a parsed file.
pub(super) fn check(program: &Program<'_>) -> Vec<Finding> {
    let is_declaration = program.source_type.is_typescript_definition();
    let mut grammar = Grammar { text: program.source_text, is_declaration, findings: Vec::new() };
    grammar.top_level(program);
    grammar.visit_program(program);
    grammar.findings
}

struct Grammar<'a> {
    text: &'a str,
    is_declaration: bool,
    findings: Vec<Finding>,
}

impl Grammar<'_> {
    fn report(&mut self, number: &'static str, message: &str, span: Span) {
        self.findings.push(Finding {
            message: message.to_owned(),
            range: span.start as usize..span.end as usize,
            code: number.into(),
        });
    }

    /// Rules of the statements that make up a file.
    fn top_level(&mut self, program: &Program<'_>) {
        let is_declaration = self.is_declaration;
        let is_module = program.body.iter().any(Statement::is_module_declaration);
        for statement in &program.body {
            if let Statement::TSNamespaceExportDeclaration(export) = statement {
                if !is_module {
                    let message = "global module exports may only appear in module files";
                    self.report("TS1314", message, export.span);
                } else if !is_declaration {
                    let message = "global module exports may only appear in declaration files";
                    self.report("TS1315", message, export.span);
                }
            }
        }
        // TS1046, a declaration without `declare`, is what `skipLibCheck` is silent about, which almost every project sets.
    }

    /// A name in brackets that is not known before the program runs. One that is a path of names
    /// may be a constant: that takes types.
    fn computed(&mut self, number: &'static str, is_computed: bool, key: &PropertyKey<'_>) {
        let is_dynamic = key.as_expression().is_some_and(|key| !may_be_constant(key));
        if is_computed && is_dynamic {
            let message = "a computed name here must be a literal or a unique symbol";
            self.report(number, message, key.span());
        }
    }

    /// oxc takes any token between the parameters of a function's type and what it returns.
    fn arrow(&mut self, parameters: u32, end: u32) {
        let behind = &self.text[parameters as usize..end as usize];
        let next = behind.trim_start();
        if !next.starts_with("=>") && !next.starts_with("/") {
            let at = end - u32::try_from(next.len()).unwrap_or(0);
            self.report("TS1005", "`=>` expected", Span::sized(at, 1));
        }
    }

    fn signatures(&mut self, number: &'static str, members: &[TSSignature<'_>]) {
        // oxc takes members without anything between them; TypeScript wants a semicolon, a comma or
        // a new line. The separator may be part of the member's span or stand behind it.
        for (one, next) in members.iter().zip(members.iter().skip(1)) {
            let (end, start) = (one.span().end as usize, next.span().start as usize);
            let last = self.text[..end].chars().next_back();
            let between = last.into_iter().chain(self.text[end..start].chars());
            if !between.into_iter().any(|it| matches!(it, ';' | ',' | '\n' | '\r')) {
                let message = "`;` expected between members on one line";
                self.report("TS1005", message, Span::sized(next.span().start, 1));
            }
        }
        for member in members {
            match member {
                TSSignature::TSPropertySignature(it) => {
                    self.computed(number, it.computed, &it.key);
                }
                TSSignature::TSMethodSignature(it) => self.computed(number, it.computed, &it.key),
                TSSignature::TSIndexSignature(_)
                | TSSignature::TSCallSignatureDeclaration(_)
                | TSSignature::TSConstructSignatureDeclaration(_) => {}
            }
        }
    }
}

/// Literals, signed numbers, and names with dots between them.
fn may_be_constant(key: &Expression<'_>) -> bool {
    match key {
        Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::Identifier(_) => true,
        Expression::TemplateLiteral(it) => it.expressions.is_empty(),
        Expression::UnaryExpression(it) => {
            it.operator.is_arithmetic() && it.argument.is_number_literal()
        }
        Expression::StaticMemberExpression(it) => !it.optional && is_path(&it.object),
        _ => false,
    }
}

fn is_path(object: &Expression<'_>) -> bool {
    match object {
        Expression::Identifier(_) => true,
        Expression::StaticMemberExpression(it) => !it.optional && is_path(&it.object),
        _ => false,
    }
}

/// Name of a property by which TypeScript looks for another one; none if it takes running.
fn name<'a>(key: &PropertyKey<'a>, is_computed: bool) -> Option<std::borrow::Cow<'a, str>> {
    let is_known = match key {
        PropertyKey::StringLiteral(_) | PropertyKey::NumericLiteral(_) => true,
        PropertyKey::TemplateLiteral(it) => it.expressions.is_empty(),
        _ => !is_computed,
    };
    if is_known { key.static_name() } else { None }
}

/// The second of two of a name, by what the first was.
fn clash(first: (bool, bool), property: PropertyKind) -> Option<(&'static str, &'static str)> {
    let (is_accessor, was_accessor) = (property != PropertyKind::Init, first != (false, false));
    match (was_accessor, is_accessor) {
        (false, false) => {
            Some(("TS1117", "an object literal cannot have two properties with the same name"))
        }
        (true, true) => {
            let is_taken = if property == PropertyKind::Get { first.0 } else { first.1 };
            is_taken.then_some((
                "TS1118",
                "an object literal cannot have two accessors of a kind with the same name",
            ))
        }
        (true, false) | (false, true) => Some((
            "TS1119",
            "an object literal cannot have a property and an accessor with the same name",
        )),
    }
}

impl<'a> Visit<'a> for Grammar<'a> {
    fn visit_object_expression(&mut self, object: &ObjectExpression<'a>) {
        // Whether a getter and a setter were seen; neither for a property. Methods are left to
        // the type checker, which calls two of them duplicate identifiers.
        let mut seen: HashMap<_, (bool, bool)> = HashMap::new();
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                continue;
            };
            // A spread or a computed name may override anything, and is no duplicate.
            let Some(name) = name(&property.key, property.computed).filter(|_| !property.method)
            else {
                continue;
            };
            let now = (property.kind == PropertyKind::Get, property.kind == PropertyKind::Set);
            let Some(first) = seen.get(&name).copied() else {
                seen.insert(name, now);
                continue;
            };
            if let Some((number, message)) = clash(first, property.kind) {
                // One an object, as TypeScript does it.
                self.report(number, message, property.key.span());
                break;
            }
            seen.insert(name, (first.0 || now.0, first.1 || now.1));
        }
        walk::walk_object_expression(self, object);
    }

    fn visit_jsx_opening_element(&mut self, element: &JSXOpeningElement<'a>) {
        let mut seen = HashSet::new();
        for attribute in element.attributes.iter().filter_map(|it| it.as_attribute()) {
            // Compared as written: `a:b` is another name than `b`.
            let span = attribute.name.span();
            if !seen.insert(span.source_text(self.text)) {
                let message = "a JSX element cannot have two attributes with the same name";
                self.report("TS17001", message, span);
            }
        }
        walk::walk_jsx_opening_element(self, element);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let is_cast = matches!(
            assignment.left,
            AssignmentTarget::TSAsExpression(_)
                | AssignmentTarget::TSSatisfiesExpression(_)
                | AssignmentTarget::TSTypeAssertion(_)
        );
        // A target in parentheses begins after them.
        if is_cast && assignment.left.span().start == assignment.span.start {
            let message = "a cast is assigned to in parentheses only";
            self.report("TS1005", message, assignment.left.span());
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_numeric_literal(&mut self, number: &NumericLiteral<'a>) {
        let raw = number.raw.as_ref().map_or("", |raw| raw.as_str());
        // In JavaScript, both forms are errors of strict mode alone.
        let digits = raw.strip_prefix('0').unwrap_or_default();
        if digits.starts_with(|it: char| it.is_ascii_digit()) {
            if digits.bytes().all(|it| matches!(it, b'0'..=b'7')) {
                self.report("TS1121", "octal literals are written `0o…`", number.span);
            } else {
                let message = "decimals with leading zeros are not allowed";
                self.report("TS1489", message, number.span);
            }
        }
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        let text = literal.regex.pattern.text.as_str();
        let is_unicode = literal.regex.flags.intersects(RegExpFlags::U | RegExpFlags::V);
        let escape = text.match_indices("\\u{").find(|(at, _)| {
            let before = &text[..*at];
            // An even number of backslashes before it: the backslash of `\u` is not itself escaped.
            (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2)
        });
        if let (Some((at, _)), false) = (escape, is_unicode) {
            let start = literal.span.start + 1 + u32::try_from(at).unwrap_or(0);
            let message = "`\\u{…}` needs the flag `u` or `v`";
            self.report("TS1538", message, Span::sized(start, 3));
        }
    }

    fn visit_if_statement(&mut self, statement: &IfStatement<'a>) {
        if let Statement::EmptyStatement(body) = &statement.consequent {
            let message = "the body of an `if` cannot be the empty statement";
            self.report("TS1313", message, body.span);
        }
        walk::walk_if_statement(self, statement);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        self.computed("TS1166", property.computed, &property.key);
        walk::walk_property_definition(self, property);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        // An overload, or an abstract method.
        if method.value.body.is_none() && !method.value.declare {
            self.computed("TS1168", method.computed, &method.key);
        }
        let is_abstract = method.r#type == MethodDefinitionType::TSAbstractMethodDefinition;
        if is_abstract && method.value.r#async {
            let message = "`async` cannot be used with `abstract`";
            self.report("TS1243", message, method.key.span());
        }
        walk::walk_method_definition(self, method);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let is_ambient = function.declare || (self.is_declaration && function.body.is_none());
        if is_ambient && function.r#async {
            let message = "`async` cannot be used in a declaration";
            self.report("TS1040", message, Span::sized(function.span.start, 1));
        }
        // Only what is the default may be without a name.
        let before = self.text[..function.span.start as usize].trim_end();
        if function.declare && function.id.is_none() && !before.ends_with("default") {
            self.report("TS1003", "expected a name", Span::sized(function.params.span.start, 1));
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_ts_function_type(&mut self, function: &TSFunctionType<'a>) {
        let (start, end) = (function.params.span.end, function.return_type.span.end);
        self.arrow(start, end);
        walk::walk_ts_function_type(self, function);
    }

    fn visit_ts_constructor_type(&mut self, constructor: &TSConstructorType<'a>) {
        self.arrow(constructor.params.span.end, constructor.return_type.span.end);
        walk::walk_ts_constructor_type(self, constructor);
    }

    fn visit_ts_interface_body(&mut self, body: &TSInterfaceBody<'a>) {
        self.signatures("TS1169", &body.body);
        walk::walk_ts_interface_body(self, body);
    }

    fn visit_ts_type_literal(&mut self, literal: &TSTypeLiteral<'a>) {
        self.signatures("TS1170", &literal.members);
        walk::walk_ts_type_literal(self, literal);
    }
}
