//! What the compiler's lexer and parser refuse and rust-analyzer's let through, as far as the
//! tokens show it: unknown characters, reserved prefixes, literals, documentation comments that document
//! nothing or come too late.

use ra_ap_parser::{Edition, LexedStr, SyntaxKind};

use crate::finding::Finding;

/// Rules that need only the tokens.
pub(super) fn check(lexed: &LexedStr<'_>, edition: Edition) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    let mut doc: Option<usize> = None;
    let mut last = [SyntaxKind::EOF; 2];
    // Whether a comment may document what it is in: at its beginning, behind inner attributes.
    let (mut is_beginning, mut attributes) = (true, 0_usize);
    for token in 0..lexed.len() {
        let kind = lexed.kind(token);
        if kind.is_trivia() {
            let is_macro = open.last() == Some(&true);
            if is_inner_doc(lexed.text(token)) && !is_beginning && !is_macro {
                let message = "a comment that documents what it is in must be at its beginning";
                findings.push(Finding::syntax(message, lexed.text_range(token)));
            }
            if is_outer_doc(lexed.text(token)) {
                doc = Some(token);
            }
            continue;
        }
        findings.extend(
            literal(kind, lexed.text(token)).map(|it| Finding::syntax(it, lexed.text_range(token))),
        );
        if is_beginning
            && last == [SyntaxKind::POUND, SyntaxKind::BANG]
            && kind == SyntaxKind::L_BRACK
        {
            attributes = open.len() + 1;
        }
        // `#`, `#!`, and the attribute itself.
        let is_attribute = attributes > 0 || matches!(kind, SyntaxKind::POUND | SyntaxKind::BANG);
        is_beginning = kind == SyntaxKind::L_CURLY || (is_beginning && is_attribute);
        if kind == SyntaxKind::R_BRACK && open.len() == attributes {
            attributes = 0;
        }
        match kind {
            SyntaxKind::COLON if is_triple(lexed, token) && open.last() != Some(&true) => {
                findings
                    .push(Finding::syntax("expected a type, found `:`", lexed.text_range(token)));
            }
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

/// What is wrong with a name or a literal.
fn literal(kind: SyntaxKind, text: &str) -> Option<&'static str> {
    let digits = |base: &str, most: char| {
        let digits = text.strip_prefix(base)?.split(|it: char| it.is_alphabetic()).next()?;
        digits.chars().any(|it| it.is_ascii_digit() && it > most).then_some(())
    };
    match kind {
        SyntaxKind::IDENT if ["r#crate", "r#self", "r#super", "r#Self"].contains(&text) => {
            Some("this name cannot be a raw identifier")
        }
        SyntaxKind::INT_NUMBER if digits("0b", '1').or(digits("0o", '7')).is_some() => {
            Some("invalid digit for the base of this literal")
        }
        SyntaxKind::FLOAT_NUMBER if ["0x", "0o", "0b"].iter().any(|it| text.starts_with(it)) => {
            Some("float literals are decimal")
        }
        SyntaxKind::STRING | SyntaxKind::BYTE_STRING | SyntaxKind::C_STRING
            if text.replace("\r\n", "").contains('\r') =>
        {
            Some("a carriage return alone is not allowed in a string")
        }
        _ => None,
    }
}

/// Whether this is the third of three colons in a row.
fn is_triple(lexed: &LexedStr<'_>, token: usize) -> bool {
    token >= 2 && (token - 2..token).all(|it| lexed.kind(it) == SyntaxKind::COLON)
}

/// `//!` and `/*! */`.
fn is_inner_doc(comment: &str) -> bool {
    comment.starts_with("//!") || comment.starts_with("/*!")
}

/// `///` and `/** */`, but neither `////` nor `/***` nor `/**/`.
fn is_outer_doc(comment: &str) -> bool {
    (comment.starts_with("///") && !comment.starts_with("////"))
        || (comment.starts_with("/**") && !comment.starts_with("/***") && comment.len() > 4)
}

fn dangling(lexed: &LexedStr<'_>, doc: usize) -> Finding {
    Finding::syntax("this documentation comment documents nothing", lexed.text_range(doc))
}
