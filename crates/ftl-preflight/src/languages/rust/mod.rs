//! Rust, by rust-analyzer's parser.
//!
//! That parser is made for editors: it accepts on purpose what the compiler's refuses, and reports
//! what is wrong with a tree elsewhere. What matters of that is added in three files, by what they
//! need to know: `delimiters.rs` brackets, `token_rules.rs` the tokens in their order,
//! `tree_rules.rs` the tree. Macros are not expanded: what they are given is only matched for
//! brackets, here as in the compiler's parser.

mod delimiters;
#[cfg(feature = "toolchain")]
mod rustc;
mod token_rules;
mod tree_rules;

use ra_ap_parser::{Edition, LexedStr, StrStep, SyntaxKind, TopEntryPoint};

#[cfg(feature = "toolchain")]
pub(crate) use self::rustc::FRONT_END;
use self::tree_rules::TreeRules;
use crate::Reason;
use crate::finding::{Finding, MOST_FINDINGS, Outcome, Setting};
use crate::nesting::Depth;

/// A file of a crate, in the edition of its package, else in 2021. What macros are given is
/// only matched for brackets.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let edition = setting.manifests.edition(setting.path).unwrap_or(Edition::Edition2021);
    let lexed = LexedStr::new(edition, text);
    let limit = setting.options.nesting;
    if lexed.len() > limit && depth(&lexed) > limit {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let mut findings: Vec<_> = lexed
        .errors()
        .filter(|&(token, _)| !is_about_line_ends(&lexed, token, edition))
        .filter(|(_, message)| edition.at_least_2021() || !is_about_a_prefix(message))
        .take(MOST_FINDINGS)
        .map(|(token, message)| Finding::syntax(message, lexed.text_range(token)))
        .collect();
    // Behind a string or comment that never ends there are no tokens: every bracket would seem open.
    let is_cut_short = lexed.errors().any(|(_, message)| ends_the_file(message));
    if !is_cut_short {
        findings.extend(delimiters::unmatched(&lexed, text));
    }
    // The compiler lexes the whole file into token trees before it parses: an error there is all it
    // says.
    if !findings.is_empty() {
        return Outcome::Invalid(findings);
    }
    findings.extend(token_rules::check(&lexed, edition));
    let mut rules = TreeRules::new(edition);
    let output = TopEntryPoint::SourceFile.parse(&lexed.to_input(edition));
    lexed.intersperse_trivia(&output, &mut |step| {
        rules.step(&step);
        if let StrStep::Error { msg, pos } = step
            // Bounded, for broken files may give an error a token; twice, since they are sorted and
            // cut later.
            && findings.len() < 2 * MOST_FINDINGS
        {
            findings.push(Finding::syntax(msg, token_at(&lexed, pos)));
        }
    });
    findings.extend(rules.found);
    Outcome::of(findings)
}

/// Whether an error vanishes with the carriage returns of line ends. The compiler replaces CR LF by
/// LF before it lexes (Rust reference, "Input format": CRLF normalization), rust-analyzer does not,
/// and a string may be continued after a backslash at the end of a line.
fn is_about_line_ends(lexed: &LexedStr<'_>, token: usize, edition: Edition) -> bool {
    let text = lexed.text(token);
    text.contains("\r\n")
        && LexedStr::single_token(edition, &text.replace("\r\n", "\n"))
            .is_some_and(|(_, error)| error.is_none())
}

/// Whether an error is about `kind#value` or `kind"value"`, which are several tokens before the 2021 edition.
fn is_about_a_prefix(message: &str) -> bool {
    message.starts_with("unknown literal prefix") || message.starts_with("Unknown lifetime prefix")
}

/// Whether an error is about a token that goes on to the end of the file.
fn ends_the_file(message: &str) -> bool {
    message.starts_with("Missing trailing") || message.starts_with("Invalid raw")
}

/// The range of the token that begins at a byte offset: a binary search, since every error asks.
fn token_at(lexed: &LexedStr<'_>, offset: usize) -> std::ops::Range<usize> {
    let (mut low, mut high) = (0, lexed.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if lexed.text_start(middle) < offset { low = middle + 1 } else { high = middle }
    }
    if low < lexed.len() { lexed.text_range(low) } else { offset..offset }
}

/// How deep the parser would go, in tokens: see [`crate::nesting`]. Angle brackets and the bars of
/// closures are soft levels, since only a parse distinguishes them from operators.
fn depth(lexed: &LexedStr<'_>) -> usize {
    let mut depth = Depth::new();
    let (mut before, mut ended) = (SyntaxKind::EOF, false);
    for token in 0..lexed.len() {
        let kind = lexed.kind(token);
        if kind.is_trivia() {
            continue;
        }
        // Inside type arguments a brace ends nothing, and only a parse distinguishes those from comparisons.
        if before == SyntaxKind::R_CURLY && begins_item(lexed.text(token)) && !depth.is_soft() {
            depth.end();
        }
        match kind {
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACK | SyntaxKind::L_CURLY => depth.open(),
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACK | SyntaxKind::R_CURLY => depth.close(),
            // A closure's parameters, unless it is an operator.
            SyntaxKind::L_ANGLE | SyntaxKind::PIPE => depth.open_softly(),
            SyntaxKind::R_ANGLE if !matches!(before, SyntaxKind::MINUS | SyntaxKind::EQ) => {
                depth.close_softly();
            }
            // The parser skips one where something else must be.
            SyntaxKind::SEMICOLON if ended => depth.end(),
            SyntaxKind::COMMA if ended => depth.separator(),
            _ => depth.token(),
        }
        before = kind;
        ended = may_end(kind, lexed.text(token));
    }
    depth.deepest()
}

/// Whether something can be complete with this token.
fn may_end(kind: SyntaxKind, token: &str) -> bool {
    match kind {
        SyntaxKind::R_PAREN | SyntaxKind::R_BRACK | SyntaxKind::R_CURLY => true,
        SyntaxKind::R_ANGLE | SyntaxKind::QUESTION | SyntaxKind::UNDERSCORE => true,
        SyntaxKind::STAR | SyntaxKind::DOT | SyntaxKind::BANG | SyntaxKind::LIFETIME_IDENT => true,
        kind if kind.is_literal() || kind == SyntaxKind::IDENT => true,
        _ => matches!(
            token,
            "Self"
                | "await"
                | "break"
                | "continue"
                | "crate"
                | "false"
                | "return"
                | "self"
                | "super"
                | "true"
        ),
    }
}

/// Whether a token after a block does not go on with what the block ended.
fn begins_item(token: &str) -> bool {
    let is_first = |c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '"' | '\'');
    token.starts_with(is_first) && !matches!(token, "else" | "as")
}
