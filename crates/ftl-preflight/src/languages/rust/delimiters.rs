//! Brackets, matched before anything is parsed, as the compiler does it: where they don't match, it
//! says so and nothing else.
//!
//! This follows `rustc_parse`'s lexer of token trees, down to where it places an error: at the
//! closing bracket where one is unexpected, at the opening one where another kind of bracket came,
//! and at the end of the file where one is missing.

use ra_ap_parser::{LexedStr, SyntaxKind};

use crate::finding::Finding;

/// The brackets that don't match, each placed where the compiler places it.
pub(super) fn unmatched(lexed: &LexedStr<'_>, text: &str) -> Vec<Finding> {
    let mut delimiters = Delimiters { lexed, text, open: Vec::new(), mismatched: Vec::new() };
    for token in 0..lexed.len() {
        let kind = lexed.kind(token);
        if closer(kind).is_some() {
            delimiters.open.push(token);
        } else if is_closer(kind) && !delimiters.close(token) {
            return delimiters.unexpected(token);
        }
    }
    let unclosed = delimiters.open.last().map(|&opener| delimiters.unclosed(opener));
    let mut findings = delimiters.mismatches_by(|_| true);
    findings.extend(unclosed);
    findings
}

struct Delimiters<'a> {
    lexed: &'a LexedStr<'a>,
    text: &'a str,
    /// Openers that wait to be closed.
    open: Vec<usize>,
    /// Openers, each with the bracket of another kind that came instead.
    mismatched: Vec<(usize, usize)>,
}

impl Delimiters<'_> {
    /// Closes what a bracket closes; `false` when nothing is open.
    fn close(&mut self, token: usize) -> bool {
        let kind = self.lexed.kind(token);
        let mut is_reported = false;
        while let Some(opener) = self.open.pop() {
            if self.closes(kind, opener) {
                return true;
            }
            if !is_reported {
                is_reported = true;
                self.mismatched.push((opener, token));
            }
            // One that fits nothing that is open is passed over.
            if !self.open.iter().any(|&opener| self.closes(kind, opener)) {
                return true;
            }
        }
        false
    }

    fn closes(&self, kind: SyntaxKind, opener: usize) -> bool {
        closer(self.lexed.kind(opener)) == Some(kind)
    }

    fn line(&self, token: usize) -> usize {
        1 + self.text[..self.lexed.text_start(token)].matches('\n').count()
    }

    /// The mismatches whose closing brackets are of kinds that `wanted` names.
    fn mismatches_by(&self, wanted: impl Fn(SyntaxKind) -> bool) -> Vec<Finding> {
        let wrong = self.mismatched.iter().filter(|(_, found)| wanted(self.lexed.kind(*found)));
        wrong
            .map(|&(opener, found)| {
                let (line, found) = (self.line(found), self.lexed.text(found));
                let message = format!("mismatched closing delimiter: `{found}` on line {line}");
                Finding::syntax(message, self.lexed.text_range(opener))
            })
            .collect()
    }

    /// One too many, for which an opener may be missing where a `)` or `]` came too early.
    fn unexpected(&self, token: usize) -> Vec<Finding> {
        let message = format!("unexpected closing delimiter: `{}`", self.lexed.text(token));
        let mut findings = self.mismatches_by(|found| found == SyntaxKind::R_CURLY);
        findings.push(Finding::syntax(message, self.lexed.text_range(token)));
        findings
    }

    /// At the end of the file, or before the line end that ends it.
    fn unclosed(&self, opener: usize) -> Finding {
        let (line, opener) = (self.line(opener), self.lexed.text(opener));
        let message =
            format!("this file contains an unclosed delimiter: `{opener}` on line {line}");
        let end = self.text.strip_suffix('\n').unwrap_or(self.text).len();
        Finding::syntax(message, end..end)
    }
}

fn closer(kind: SyntaxKind) -> Option<SyntaxKind> {
    match kind {
        SyntaxKind::L_PAREN => Some(SyntaxKind::R_PAREN),
        SyntaxKind::L_BRACK => Some(SyntaxKind::R_BRACK),
        SyntaxKind::L_CURLY => Some(SyntaxKind::R_CURLY),
        _ => None,
    }
}

fn is_closer(kind: SyntaxKind) -> bool {
    matches!(kind, SyntaxKind::R_PAREN | SyntaxKind::R_BRACK | SyntaxKind::R_CURLY)
}
