//! What the compiler's lexer and parser refuse and rust-analyzer's let through, as far as the
//! tokens show it: unknown characters, reserved prefixes, documentation comments that document
//! nothing.

use ra_ap_parser::{Edition, LexedStr, SyntaxKind};

use crate::finding::Finding;

/// Rules that need only the tokens.
pub(super) fn check(lexed: &LexedStr<'_>, edition: Edition) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    let mut doc: Option<usize> = None;
    let mut last = [SyntaxKind::EOF; 2];
    for token in 0..lexed.len() {
        let kind = lexed.kind(token);
        if kind.is_trivia() {
            if is_outer_doc(lexed.text(token)) {
                doc = Some(token);
            }
            continue;
        }
        match kind {
            SyntaxKind::ERROR if lexed.error(token).is_none() => {
                findings.push(Finding::syntax("unknown start of token", lexed.text_range(token)));
            }
            SyntaxKind::IDENT if edition.at_least_2021() && is_prefix(lexed, token) => {
                findings.push(Finding::syntax("unknown literal prefix", lexed.text_range(token)));
            }
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACK | SyntaxKind::L_CURLY => {
                // `m!(…)`, `m! name (…)` and `#[…]`: their content is tokens and no code, so that a
                // comment in it is no documentation. Whatever is nested in it is as well.
                let is_given_to_macro = last[1] == SyntaxKind::BANG
                    || last == [SyntaxKind::BANG, SyntaxKind::IDENT]
                    || last[1] == SyntaxKind::POUND;
                open.push(is_given_to_macro || open.last() == Some(&true));
            }
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACK | SyntaxKind::R_CURLY => {
                let is_code = open.pop() == Some(false);
                // E0585: nothing that a comment could document follows before the end of a block or
                // a body.
                if let (SyntaxKind::R_CURLY, true, Some(doc)) = (kind, is_code, doc) {
                    findings.push(dangling(lexed, doc));
                }
            }
            _ => {}
        }
        doc = None;
        last = [last[1], kind];
    }
    findings.extend(doc.map(|doc| dangling(lexed, doc)));
    findings
}

/// Whether a word is right before `#`, which the 2021 edition reserves (Rust reference, "Reserved
/// prefixes"). The lexer reports every word but `builtin`, which rust-analyzer has a use for.
fn is_prefix(lexed: &LexedStr<'_>, token: usize) -> bool {
    let is_followed = token + 1 < lexed.len() && lexed.kind(token + 1) == SyntaxKind::POUND;
    is_followed && lexed.text(token) == "builtin"
}

/// `///` and `/** */`, but neither `////` nor `/***` nor `/**/`.
fn is_outer_doc(comment: &str) -> bool {
    (comment.starts_with("///") && !comment.starts_with("////"))
        || (comment.starts_with("/**") && !comment.starts_with("/***") && comment.len() > 4)
}

fn dangling(lexed: &LexedStr<'_>, doc: usize) -> Finding {
    Finding::syntax("this documentation comment documents nothing", lexed.text_range(doc))
}
