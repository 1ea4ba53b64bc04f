//! Rust, by rust-analyzer's parser.

mod extra;

use ra_ap_parser::{Edition, LexedStr, StrStep, SyntaxKind, TopEntryPoint};

use self::extra::LetChains;
use super::{Finding, MOST_FINDINGS, Outcome, Setting};
use crate::Reason;
use crate::nesting::{Depth, LIMIT};

/// A file of a crate, in the edition of its package, else in 2021. What macros are given is
/// only matched for brackets.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let edition = setting
        .manifests
        .edition(setting.path)
        .unwrap_or(Edition::Edition2021);
    let lexed = LexedStr::new(edition, text);
    if lexed.len() > LIMIT && is_too_deep(&lexed) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let mut findings: Vec<_> = lexed
        .errors()
        .take(MOST_FINDINGS)
        .map(|(token, message)| Finding::syntax(message, lexed.text_range(token)))
        .collect();
    findings.extend(extra::in_tokens(&lexed));
    let mut let_chains = LetChains::new(edition);
    let output = TopEntryPoint::SourceFile.parse(&lexed.to_input(edition));
    lexed.intersperse_trivia(&output, &mut |step| {
        let_chains.step(&step);
        if let StrStep::Error { msg, pos } = step
            && findings.len() < 2 * MOST_FINDINGS
        {
            findings.push(Finding::syntax(msg, token_at(&lexed, pos)));
        }
    });
    findings.extend(let_chains.found);
    if !findings.is_empty() && lexed.errors().next().is_none() {
        // The parser notices at the end of the file what the compiler blames on the opener.
        findings.extend(unclosed(&lexed));
    }
    Outcome::of(findings)
}

/// The range of the token that begins at a byte offset.
fn token_at(lexed: &LexedStr<'_>, offset: usize) -> std::ops::Range<usize> {
    let (mut low, mut high) = (0, lexed.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if lexed.text_start(middle) < offset {
            low = middle + 1
        } else {
            high = middle
        }
    }
    if low < lexed.len() {
        lexed.text_range(low)
    } else {
        offset..offset
    }
}

/// The innermost bracket that nothing closes.
fn unclosed(lexed: &LexedStr<'_>) -> Option<Finding> {
    let mut open = Vec::new();
    for token in 0..lexed.len() {
        match lexed.kind(token) {
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACK | SyntaxKind::L_CURLY => open.push(token),
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACK | SyntaxKind::R_CURLY => {
                open.pop()?;
            }
            _ => {}
        }
    }
    let range = lexed.text_range(open.pop()?);
    Some(Finding::syntax("this bracket is never closed", range))
}

fn is_too_deep(lexed: &LexedStr<'_>) -> bool {
    let mut depth = Depth::new();
    let mut after_brace = false;
    for token in 0..lexed.len() {
        let kind = lexed.kind(token);
        if kind.is_trivia() {
            continue;
        }
        let goes_on = matches!(lexed.text(token), "else" | "as" | "." | "?");
        let starts_anew = lexed
            .text(token)
            .starts_with(|c: char| c.is_alphabetic() || c == '#');
        if after_brace && starts_anew && !goes_on {
            depth.separator();
        }
        match kind {
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACK | SyntaxKind::L_CURLY => depth.open(),
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACK | SyntaxKind::R_CURLY => depth.close(),
            SyntaxKind::SEMICOLON | SyntaxKind::COMMA => depth.separator(),
            _ => depth.token(),
        }
        after_brace = kind == SyntaxKind::R_CURLY;
    }
    depth.is_too_deep()
}
