//! TypeScript, with and without JSX, and declaration files.

use std::path::Path;

use oxc_diagnostics::OxcDiagnostic;
use oxc_span::SourceType;

use super::{Finding, Outcome, Setting, ecmascript};

/// A file without JSX.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if let Some(finding) = bad_reference(text) {
        return Outcome::Invalid(vec![finding]);
    }
    let module = if is_declaration(setting.path) {
        SourceType::d_ts()
    } else {
        SourceType::ts()
    };
    let script = module.with_script(true);
    let extension = setting
        .path
        .extension()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    let goals: &[SourceType] = match extension {
        "mts" => &[module],
        "cts" => &[module.with_commonjs(true), module],
        _ => &[module, script],
    };
    ecmascript::check(text, goals, is_grammar)
}

/// A file with JSX.
pub(crate) fn check_tsx(text: &str, _: &Setting<'_>) -> Outcome {
    ecmascript::check(
        text,
        &[SourceType::tsx(), SourceType::tsx().with_script(true)],
        is_grammar,
    )
}

/// The first `/// <reference … />` among the comments at the top that refers to nothing.
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
            return Some(Finding {
                message,
                range: start..start + end,
                code: "TS1084".into(),
            });
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
    is_tag
        && !["lib", "no-default-lib", "path", "types"]
            .iter()
            .any(|name| has_value(tag, name))
}

/// Whether a tag has an attribute with a value in quotes.
fn has_value(tag: &str, attribute: &str) -> bool {
    tag.split(attribute).skip(1).any(|rest| {
        let value = rest
            .trim_start()
            .strip_prefix('=')
            .map_or("", str::trim_start);
        let quote = value
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''));
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

/// Errors of JavaScript that TypeScript has as type errors: a file with them still compiles to
/// JavaScript, and its numbers for them begin with 2.
const TYPE_ERRORS: &[&str] = &[
    "'arguments' is not allowed in",
    "'super' can only be referenced in",
    "Export '",
    "Identifier `",
    "Multiple constructor implementations",
    "`let` cannot be declared",
    "await expression not allowed in formal parameter",
    "yield expression not allowed in formal parameter",
];

fn is_grammar(error: &OxcDiagnostic) -> bool {
    let number = error.code.number.as_deref().unwrap_or_default();
    let is_type_error = number.len() == 4 && number.starts_with('2');
    !is_type_error
        && !TYPE_ERRORS
            .iter()
            .any(|start| error.message.starts_with(start))
}
