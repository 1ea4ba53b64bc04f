//! Python, by ruff's parser and the checks that `compile` makes after parsing.
//!
//! CPython refuses a file in stages: the tokenizer (with the bounds in `limits.rs`), the
//! parser, the symbol table, the compiler. ruff's parser answers for the second, ruff's semantic
//! checker for most of the last two, and `semantic.rs` for what that leaves out. Like CPython, only
//! the first stage that finds something is reported.

mod bounds;
#[allow(dead_code, reason = "only notebooks have cells")]
mod cell;
mod context;
#[cfg(feature = "toolchain")]
mod cpython;
mod encoding;
mod limits;
mod scope;
mod semantic;
mod tokenizer;

use ruff_python_ast::Mod;
use ruff_python_parser::{Mode, ParseError, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

use self::bounds::Bounds;
#[cfg(feature = "toolchain")]
pub(crate) use self::cpython::FRONT_END;
pub(crate) use self::encoding::decode;
use self::limits::Limits;
use crate::Reason;
use crate::finding::{Finding, MOST_FINDINGS, Outcome, Setting};

/// A module, as `compile(…, "exec")` takes it.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    check_as(Mode::Module, text, setting)
}

/// A cell of a notebook, as IPython takes it: with lines of magic, and `await` outside of functions.
#[allow(dead_code, reason = "only notebooks have cells")]
pub(crate) fn check_cell(text: &str, setting: &Setting<'_>) -> Outcome {
    cell::check(text, |text| check_as(Mode::Ipython, text, setting))
}

fn check_as(mode: Mode, text: &str, setting: &Setting<'_>) -> Outcome {
    let bounds = Bounds::of(text);
    // CPython refuses these before it looks at anything else, even inside a comment.
    if bounds.nulls > 0
        && let Some(at) = text.find('\0')
    {
        return Outcome::syntax("source code cannot contain null bytes", at..at + 1);
    }
    let version = setting.options.python;
    let version = ruff_python_ast::PythonVersion { major: version.major, minor: version.minor };
    let options = ParseOptions::from(mode).with_target_version(version);
    // ruff recovers from every bracket that is never closed, which takes long; CPython stops at
    // the 201st. So where there may be that many, the text up to there is parsed alone first.
    if let Some(prefix) = limits::suspicious_prefix(text, &bounds) {
        let parsed = parse_unchecked(prefix, options.clone());
        let limits = Limits::measure(prefix, parsed.tokens());
        if !limits.exceeded.is_empty() {
            return Outcome::Invalid(limits.exceeded);
        }
    }
    if limits::is_too_deep(text, &bounds, setting.options.nesting) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let renamed;
    let mut parsed = parse_unchecked(text, options.clone());
    if let Some(at) = soft_keyword(text, parsed.errors()) {
        renamed = format!("{}_{}", &text[..at], &text[at + 1..]);
        parsed = parse_unchecked(&renamed, options);
    }
    let mut findings: Vec<Finding> = Vec::new();
    if !parsed.errors().is_empty() || !limits::are_kept(parsed.tokens()) {
        findings = Limits::measure(text, parsed.tokens()).exceeded;
    }
    let errors = parsed.errors().iter().take(MOST_FINDINGS);
    findings.extend(errors.map(|it| tokenizer::placed(it, parsed.tokens())));
    if !findings.is_empty()
        && let Some(found) = tokenizer::error(text, parsed.tokens(), parsed.errors())
    {
        findings = vec![found];
    }
    let unsupported = parsed.unsupported_syntax_errors().iter().take(MOST_FINDINGS);
    findings.extend(unsupported.map(|it| Finding::syntax(it.to_string(), range(it.range()))));
    // On a file that does not parse, the later stages would speak of a tree that ruff guessed.
    if let (true, Mod::Module(module)) = (findings.is_empty(), parsed.syntax()) {
        let is_stub = setting.path.extension().is_some_and(|it| it == "pyi");
        let kind = semantic::ModuleKind { is_stub, is_cell: mode == Mode::Ipython };
        findings = semantic::check(text, &module.body, version, kind);
    }
    Outcome::of(findings)
}

/// Where a name follows a `;` that ruff takes for the keyword of a compound statement.
fn soft_keyword(text: &str, errors: &[ParseError]) -> Option<usize> {
    let mut starts = errors.iter().map(|it| it.location.start().to_usize());
    starts.find(|&at| text[at..].starts_with("match") && text[..at].trim_end().ends_with(';'))
}

fn range(range: TextRange) -> std::ops::Range<usize> {
    range.start().to_usize()..range.end().to_usize()
}
