//! TypeScript, with and without JSX, and declaration files.
//!
//! The front end is `tsc`, which reports three kinds of errors: those of its parser, those of the
//! grammar that its checker finds (`grammarErrorOnNode` and others, which are silent in files that
//! do not parse), and type errors. The first two make a file invalid here, the third never does.
//! TypeScript's numbers tell them apart, 1xxx for syntax and grammar and 2xxx for types, where oxc
//! passes a number on; where it does not, the tables below go by the beginning of its messages.

mod grammar;
#[cfg(feature = "toolchain")]
mod tsc;

#[cfg(feature = "toolchain")]
pub(crate) use self::tsc::FRONT_END;
use std::borrow::Cow;
use std::path::Path;

use oxc_diagnostics::OxcDiagnostic;
use oxc_span::SourceType;

use super::ecmascript::{self, Rules};
use crate::finding::{Finding, Outcome, Setting};

const RULES: Rules = Rules {
    counts: |error| !is_type_error(error),
    is_late,
    more: grammar::check,
    parses_only: false,
    returns: false,
    no_blanks: &[],
};

/// For a file with `// @ts-nocheck`, in which TypeScript's checker reports nothing.
const UNCHECKED: Rules = Rules { parses_only: true, more: |_| Vec::new(), ..RULES };

/// For a declaration file: `skipLibCheck` is silent about TS1038, `declare` where it is meant anyway.
const DECLARATIONS: Rules = Rules {
    counts: |error| !is_type_error(error) && error.code.number.as_deref() != Some("1038"),
    ..RULES
};

/// A file without JSX.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if let Some(finding) = bad_reference(text) {
        return Outcome::Invalid(vec![finding]);
    }
    let module = if is_declaration(setting.path) { SourceType::d_ts() } else { SourceType::ts() };
    let script = module.with_script(true);
    let extension = setting.path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let goals: &[SourceType] = match extension {
        "mts" => &[module],
        // `export` and `import` may be used in a `.cts` too; they are compiled to `exports` and
        // `require`.
        "cts" => &[module.with_commonjs(true), module],
        // Whether a file is a module is decided by what is in it, and both are tried.
        _ => &[module, script],
    };
    check_goals(text, setting, goals)
}

/// A file with JSX.
pub(crate) fn check_tsx(text: &str, setting: &Setting<'_>) -> Outcome {
    let module = SourceType::tsx();
    check_goals(text, setting, &[module, module.with_script(true)])
}

/// A component's script, which a bundler reads: `returns` if it becomes the body of a function. A bundler refuses a
/// name that is declared twice, and takes two properties of one name.
#[cfg(feature = "components")]
pub(crate) fn check_script(text: &str, setting: &Setting<'_>, jsx: bool, returns: bool) -> Outcome {
    let counts = |it: &OxcDiagnostic| it.message.starts_with("Identifier `") || !is_type_error(it);
    let more = |program: &oxc_ast::ast::Program<'_>| {
        let mut found = grammar::check(program);
        found.retain(|it| !["TS1117", "TS1118", "TS1119", "TS17001"].contains(&&*it.code));
        found
    };
    let rules = Rules { counts, more, returns, ..RULES };
    ecmascript::check(text, setting, &[SourceType::ts().with_jsx(jsx)], &rules)
}

fn check_goals(text: &str, setting: &Setting<'_>, goals: &[SourceType]) -> Outcome {
    let is_checked = !ecmascript::begins_with(text, "@ts-nocheck");
    let rules = match is_checked {
        true if is_declaration(setting.path) => &DECLARATIONS,
        true => &RULES,
        false => &UNCHECKED,
    };
    let mut text = Cow::Borrowed(text);
    let mut left = MOST_CHANGES;
    loop {
        let findings = match ecmascript::check(&text, setting, goals, rules) {
            Outcome::Invalid(findings) => findings,
            outcome => return outcome,
        };
        match without_arguments(&text, &findings).filter(|_| left > 0) {
            Some(changed) => text = Cow::Owned(changed),
            None => return Outcome::Invalid(move_open_ended(findings, &text)),
        }
        left -= 1;
    }
}

/// Changes of one file: each costs a parse.
const MOST_CHANGES: usize = 16;

/// The text without the type arguments of what is assigned to, which oxc refuses: `route<Name> = …`. Blanks keep the
/// places behind them.
fn without_arguments(text: &str, findings: &[Finding]) -> Option<String> {
    let [Finding { message, range, .. }] = findings else { return None };
    let target = text.get(range.clone()).filter(|it| it.ends_with('>'))?;
    let at =
        range.start + target.find('<').filter(|_| message.starts_with("The left-hand side"))?;
    let blanks = " ".repeat(range.end - at);
    Some(format!("{}{blanks}{}", &text[..at], &text[range.end..]))
}

/// Moves the error of what never ends to the end of the file, where TypeScript has it, and drops
/// what else was said at the place where it began.
fn move_open_ended(mut findings: Vec<Finding>, text: &str) -> Vec<Finding> {
    let open_ended = findings.iter().find(|it| is_open_ended(it, text));
    if let Some(start) = open_ended.map(|it| it.range.start) {
        findings.retain(|it| it.range.start != start || is_open_ended(it, text));
        for finding in findings.iter_mut().filter(|it| it.range.start == start) {
            finding.range = text.len()..text.len();
        }
    }
    findings
}

/// Whether TypeScript places a finding where the file ends, and oxc where the trouble begins.
fn is_open_ended(finding: &Finding, text: &str) -> bool {
    // A string in quotes ends with its line, so oxc's place is TypeScript's; a template goes on. If oxc
    // has read beyond the brace where it goes on, its place is a later one, even within a character.
    let is_quoted = |it: &str| it.starts_with(['"', '\'']);
    let is_template = || !text.get(finding.range.start..).is_some_and(is_quoted);
    match finding.message.as_str() {
        "Unterminated multiline comment" => true,
        "Unterminated string" => is_template(),
        _ => false,
    }
}

/// The first `/// <reference … />` among the comments at the top that refers to nothing (TS1084).
///
/// Only there are such comments directives: TypeScript reads them before it parses, up to the first
/// token that is no comment.
fn bad_reference(text: &str) -> Option<Finding> {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(block) = rest.strip_prefix("/*") {
            block.find("*/")? + 4
        } else {
            return None;
        };
        if refers_to_nothing(&rest[..end]) {
            let start = text.len() - rest.len();
            let message = "invalid `reference` directive".to_owned();
            return Some(Finding { message, range: start..start + end, code: "TS1084".into() });
        }
        rest = rest[end..].trim_start();
    }
}

/// Whether a comment is a reference without an attribute that says to what.
fn refers_to_nothing(comment: &str) -> bool {
    let tag = comment.strip_prefix("///").map(str::trim_start);
    let Some(tag) = tag.and_then(|tag| tag.strip_prefix("<reference")) else {
        return false;
    };
    let is_tag = tag.starts_with(char::is_whitespace) && tag.contains("/>");
    is_tag && !["lib", "no-default-lib", "path", "types"].iter().any(|name| has_value(tag, name))
}

/// Whether a tag has an attribute with a value in quotes.
fn has_value(tag: &str, attribute: &str) -> bool {
    let begins = |at: usize| tag[..at].ends_with(char::is_whitespace);
    let mut named = tag.match_indices(attribute).filter(|&(at, _)| begins(at));
    named.any(|(at, _)| {
        let value =
            tag[at + attribute.len()..].trim_start().strip_prefix('=').map_or("", str::trim_start);
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        quote.is_some_and(|quote| value[1..].contains(quote))
    })
}

/// `.d.ts`, `.d.mts`, `.d.cts`, and `.d.css.ts` and the like.
fn is_declaration(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((stem, _)) = name.rsplit_once('.') else {
        return false;
    };
    stem.ends_with(".d") || stem.split('.').rev().nth(1) == Some("d")
}

/// Beginnings of oxc's messages, without a number, for what TypeScript calls a type error (2xxx), or none: a
/// file with one still compiles to JavaScript.
const TYPE_ERRORS: &[&str] = &[
    "'arguments' is not allowed in",
    // Its checker says nothing, since what it compiles to is in a function.
    "'using' declarations are not allowed at the top level of a script",
    "'private' modifier cannot appear on a parameter",
    "'protected' modifier cannot appear on a parameter",
    "'public' modifier cannot appear on a parameter",
    "'readonly' modifier cannot appear on a parameter",
    "'super' can only be referenced in",
    "Export '",
    "Identifier `",
    "Multiple constructor implementations",
    "`let` cannot be declared",
    "await expression not allowed in formal parameter",
    "yield expression not allowed in formal parameter",
];

fn is_type_error(error: &OxcDiagnostic) -> bool {
    let number = error.code.number.as_deref().unwrap_or_default();
    let is_numbered = number.len() == 4 && number.starts_with('2');
    is_numbered || TYPE_ERRORS.iter().any(|start| error.message.starts_with(start))
}

/// Numbers of errors that TypeScript's own parser reports too, and not its checker.
const PARSER_NUMBERS: &[&str] = &["1141", "1477", "1490"];

/// Errors of oxc's parser, without a number, that TypeScript's checker reports.
const LATE: &[&str] = &[
    "'abstract' modifier",
    "'async' modifier",
    "'declare' modifier",
    "'export' modifier",
    "'override' modifier",
    "'static' modifier",
    "A rest ",
    "Invalid assignment in object literal",
    "Lexical declaration cannot appear",
    "Missing initializer",
    "`await` is only allowed",
    "`for await` loops are only allowed",
];

/// Whether TypeScript's checker says it, which is silent about files that do not parse.
fn is_late(error: &OxcDiagnostic) -> bool {
    match &error.code.number {
        Some(number) => !PARSER_NUMBERS.contains(&number.as_ref()),
        None => LATE.iter().any(|start| error.message.starts_with(start)),
    }
}
