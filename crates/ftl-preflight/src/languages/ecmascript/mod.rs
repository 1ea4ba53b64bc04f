//! What JavaScript and TypeScript share: a measure of the nesting, then one parse for each goal, by
//! oxc.
//!
//! What a language makes of the findings is in its [`Rules`]: TypeScript leaves many of
//! JavaScript's early errors to its type checker, and reports others only for files that parse
//! otherwise.

mod jumps;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_semantic::SemanticBuilder;
use oxc_span::{SourceType, Span};

use crate::Reason;
use crate::finding::{Finding, MOST_FINDINGS, Outcome, Setting};
use crate::nesting::ecmascript as nesting;

/// What a language makes of oxc's findings.
pub(super) struct Rules {
    /// Whether a finding counts at all.
    pub(super) counts: fn(&OxcDiagnostic) -> bool,
    /// Whether the front end says it of files alone that parse otherwise.
    pub(super) is_late: fn(&OxcDiagnostic) -> bool,
    /// What else is wrong in a file that parses.
    pub(super) more: fn(&Program<'_>) -> Vec<Finding>,
    /// Whether only the parser's own errors count.
    pub(super) parses_only: bool,
    /// Whether a `return` may be outside of functions in a module too.
    pub(super) returns: bool,
    /// Blanks of oxc's that are none to the language.
    pub(super) no_blanks: &'static [char],
}

/// Tries one goal after the other until one accepts; else returns the findings of the goal whose
/// first error is further into the file, since that is the one the author had in mind.
pub(super) fn check(
    text: &str,
    setting: &Setting<'_>,
    goals: &[SourceType],
    rules: &Rules,
) -> Outcome {
    let jsx = goals.iter().any(|goal| goal.is_jsx());
    if nesting::is_too_deep(text, jsx, setting.options.nesting) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    #[cfg(feature = "toolchain")]
    if let Err(reason) = crate::toolchain::scout::survives(text, setting) {
        return Outcome::Unchecked(reason);
    }
    let mut best: Vec<Finding> = Vec::new();
    for &goal in goals {
        let findings = parse(text, goal, rules);
        if findings.is_empty() {
            return Outcome::Valid;
        }
        if best.is_empty() || first(&findings) > first(&best) {
            best = findings;
        }
    }
    Outcome::Invalid(best)
}

/// Whether a comment before the first statement holds a mark.
pub(super) fn begins_with(text: &str, mark: &str) -> bool {
    let may_precede = |line: &str| {
        line.is_empty() || ["//", "/*", "*", "#!"].iter().any(|it| line.starts_with(it))
    };
    text.lines().map(str::trim).take_while(|it| may_precede(it)).any(|it| it.contains(mark))
}

/// Where the first error is.
pub(super) fn first(findings: &[Finding]) -> Option<usize> {
    findings.iter().map(|finding| finding.range.start).min()
}

fn parse(text: &str, goal: SourceType, rules: &Rules) -> Vec<Finding> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        // An invalid pattern is an early error (ECMA-262, "Static Semantics: Early Errors" of
        // RegularExpressionLiteral).
        parse_regular_expression: true,
        // Node wraps a CommonJS file into a function.
        allow_return_outside_function: goal.is_commonjs() || rules.returns,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, text, goal).with_options(options).parse();
    let counted = parsed.diagnostics.errors().filter(|it| (rules.counts)(it));
    let (late, grammar): (Vec<_>, Vec<_>) = counted.partition(|it| (rules.is_late)(it));
    let mut findings = to_findings(grammar, "syntax");
    findings.extend(strangers(&parsed, text, goal, rules));
    // oxc calls it a panic when it gives up on a file. It always says why, but a file it gave up on
    // must not pass for valid if one day it does not.
    if parsed.panicked && findings.is_empty() && late.is_empty() {
        findings.push(Finding::syntax("cannot be parsed", text.len()..text.len()));
    }
    if findings.is_empty() && !parsed.panicked && !rules.parses_only {
        findings.extend(to_findings(late, "early"));
        let checked = SemanticBuilder::new_compiler().build(&parsed.program);
        let errors = checked.diagnostics.errors().filter(|it| (rules.counts)(it));
        findings.extend(to_findings(errors, "early"));
        let mut more = jumps::check(&parsed.program);
        // A jump that oxc complains about as well is not reported twice.
        more.retain(|jump| findings.iter().all(|it| it.range.start != jump.range.start));
        findings.extend(more);
        findings.extend((rules.more)(&parsed.program));
    } else if findings.is_empty() && !rules.parses_only {
        findings.extend(to_findings(late, "syntax"));
    }
    findings
}

/// Blanks that are none to the language, and comments of HTML, which only JavaScript without JSX has
/// (ECMA-262, B.1.1).
fn strangers(
    parsed: &ParserReturn<'_>,
    text: &str,
    goal: SourceType,
    rules: &Rules,
) -> Vec<Finding> {
    let range = |span: &Span| span.start as usize..span.end as usize;
    let blanks = parsed.irregular_whitespaces.iter().map(range);
    let blanks = blanks.filter(|it| text[it.clone()].starts_with(rules.no_blanks));
    let blanks = blanks.map(|it| Finding::syntax("invalid or unexpected token", it));
    let comments = parsed.program.comments.iter().map(|it| range(&it.span));
    let of_html = comments.filter(|it| text[it.clone()].starts_with("<!--"));
    let of_html = of_html.filter(|_| goal.is_jsx() || goal.is_typescript());
    blanks.chain(of_html.map(|it| Finding::syntax("a comment of HTML", it))).collect()
}

fn to_findings<'a>(
    errors: impl IntoIterator<Item = &'a OxcDiagnostic>,
    kind: &'static str,
) -> Vec<Finding> {
    let errors = errors.into_iter().take(MOST_FINDINGS);
    errors.map(|error| finding(error, kind)).collect()
}

/// Beginnings of messages about something that is there twice: oxc points at both, and the second
/// is the one that is wrong.
const REPEATED: &[&str] =
    &["A module cannot have multiple default exports", "Duplicated export", "Identifier `"];

fn finding(error: &OxcDiagnostic, kind: &'static str) -> Finding {
    let is_repeated = REPEATED.iter().any(|start| error.message.starts_with(start));
    let label = if is_repeated {
        error.labels.iter().max_by_key(|label| label.offset())
    } else {
        error.labels.first()
    };
    let start = label.map_or(0, |label| label.offset() as usize);
    let end = start + label.map_or(0, |label| label.len() as usize);
    let code = match &error.code.number {
        Some(number) => format!("{}{number}", error.code.scope.as_deref().unwrap_or("")).into(),
        None => kind.into(),
    };
    Finding { message: error.message.to_string(), range: start..end, code }
}
