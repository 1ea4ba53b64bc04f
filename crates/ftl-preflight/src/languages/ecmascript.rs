//! What JavaScript and TypeScript share: one parse under one goal, by oxc.

use oxc_allocator::Allocator;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use super::{Finding, MOST_FINDINGS, Outcome};
use crate::Reason;
use crate::nesting::{self, Dialect};

/// Tries one goal after the other until one accepts; else tells the findings of the goal whose
/// first error lies further into the file, since that is the one the author had in mind.
///
/// `early` says which findings of the checks after parsing count.
pub(super) fn check(
    text: &str,
    goals: &[SourceType],
    early: fn(&OxcDiagnostic) -> bool,
) -> Outcome {
    let jsx = goals.iter().any(|goal| goal.is_jsx());
    if nesting::is_too_deep(text, Dialect::EcmaScript { jsx }) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let mut best: Vec<Finding> = Vec::new();
    for &goal in goals {
        let findings = parse(text, goal, early);
        if findings.is_empty() {
            return Outcome::Valid;
        }
        if best.is_empty() || first(&findings) > first(&best) {
            best = findings;
        }
    }
    Outcome::Invalid(best)
}

fn first(findings: &[Finding]) -> Option<usize> {
    findings.iter().map(|finding| finding.range.start).min()
}

fn parse(text: &str, goal: SourceType, early: fn(&OxcDiagnostic) -> bool) -> Vec<Finding> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: goal.is_commonjs(),
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, text, goal)
        .with_options(options)
        .parse();
    let mut findings: Vec<_> = parsed
        .diagnostics
        .errors()
        .map(|error| finding(error, "syntax"))
        .collect();
    if parsed.panicked && findings.is_empty() {
        findings.push(Finding::syntax("cannot be parsed", text.len()..text.len()));
    }
    if findings.is_empty() {
        let checked = SemanticBuilder::new_compiler().build(&parsed.program);
        let errors = checked.diagnostics.errors().filter(|error| early(error));
        findings.extend(
            errors
                .take(MOST_FINDINGS)
                .map(|error| finding(error, "early")),
        );
    }
    findings
}

fn finding(error: &OxcDiagnostic, kind: &'static str) -> Finding {
    let label = error.labels.first();
    let start = label.map_or(0, |label| label.offset() as usize);
    let end = start + label.map_or(0, |label| label.len() as usize);
    let code = match &error.code.number {
        Some(number) => format!("{}{number}", error.code.scope.as_deref().unwrap_or("")).into(),
        None => kind.into(),
    };
    Finding {
        message: error.message.to_string(),
        range: start..end,
        code,
    }
}
