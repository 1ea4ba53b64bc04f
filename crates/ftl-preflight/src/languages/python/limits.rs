//! How deep a file may nest before CPython gives up, and before ruff's parser overflows the stack.
//!
//! The first is part of the language as it is: `MAXLEVEL` and `MAXINDENT` of CPython's tokenizer
//! (`Parser/lexer/state.h`) make a file invalid. The second is about this process, and makes it
//! unchecked.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{Mode, lexer};
use ruff_text_size::Ranged;

use super::bounds::Bounds;
use super::range;
use crate::finding::Finding;
use crate::nesting::Depth;

/// Open brackets that CPython's tokenizer keeps (`MAXLEVEL`).
const BRACKETS: usize = 200;
/// Levels of indentation that it keeps, the outermost among them (`MAXINDENT`).
const INDENTS: usize = 100;

/// Where a file may hold more open brackets than are kept, by a look that does not tell strings
/// from code.
pub(super) fn suspicious_prefix<'a>(text: &'a str, bounds: &Bounds) -> Option<&'a str> {
    if bounds.brackets <= BRACKETS {
        return None;
    }
    let mut open = 0_usize;
    let at = text.bytes().position(|byte| {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > BRACKETS
    })?;
    Some(&text[..text.ceil_char_boundary(at + BRACKETS)])
}

/// Whether the parser would go deeper than `limit`, in tokens. Few files have so many that the
/// lexer is to be asked.
pub(super) fn is_too_deep(text: &str, bounds: &Bounds, limit: usize) -> bool {
    bounds.tokens > limit && depth(text) > limit
}

/// How deep the parser would go, as far as the lexer shows it.
fn depth(text: &str) -> usize {
    let mut depth = Depth::new();
    let mut lexer = lexer::lex(text, Mode::Module);
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return depth.deepest(),
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth.open(),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth.close(),
            // Between its parameters are commas.
            TokenKind::Lambda => depth.open_softly(),
            TokenKind::Newline | TokenKind::Semi => depth.end(),
            TokenKind::Comma => depth.separator(),
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            _ => depth.token(),
        }
    }
}

/// What the tokens of a file say about CPython's limits.
pub(super) struct Limits {
    /// The first place, if any, at which CPython's tokenizer stops.
    pub(super) exceeded: Vec<Finding>,
}

impl Limits {
    pub(super) fn measure(text: &str, tokens: &Tokens) -> Self {
        let mut limits = Self { exceeded: Vec::new() };
        // Both bounds take a byte a level, and this one is the smaller.
        if text.len() <= INDENTS {
            return limits;
        }
        let (mut brackets, mut indents) = (0_usize, 0_usize);
        for token in tokens {
            match token.kind() {
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                    brackets += 1;
                    if brackets > BRACKETS {
                        limits.stop("too many nested parentheses", token);
                    }
                }
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                    brackets = brackets.saturating_sub(1);
                }
                TokenKind::Indent => {
                    indents += 1;
                    // The outermost level counts too: CPython keeps 0 as the first.
                    if indents >= INDENTS {
                        limits.stop("too many levels of indentation", token);
                    }
                }
                TokenKind::Dedent => indents = indents.saturating_sub(1),
                _ => {}
            }
        }
        limits
    }

    fn stop(&mut self, message: &str, token: &impl Ranged) {
        if self.exceeded.is_empty() {
            self.exceeded.push(Finding::syntax(message, range(token.range())));
        }
    }
}
