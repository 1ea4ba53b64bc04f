//! How deep a file may nest before Python itself gives up.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::Ranged;

use super::range;
use crate::languages::Finding;
use crate::nesting::{Depth, LIMIT};

/// Open brackets that CPython's tokenizer keeps (`MAXLEVEL`).
const BRACKETS: usize = 200;
/// Levels of indentation that it keeps, the outermost among them (`MAXINDENT`).
const INDENTS: usize = 100;

/// Where a file may hold more open brackets than are kept, by a look that does not tell strings
/// from code.
pub(super) fn suspicious_prefix(text: &str) -> Option<&str> {
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

/// What the tokens of a file say about its depth.
pub(super) struct Limits {
    /// The first place, if any, at which CPython's tokenizer stops.
    pub(super) exceeded: Vec<Finding>,
    /// Whether the tree is too deep to be walked, or even dropped.
    pub(super) is_too_deep: bool,
}

impl Limits {
    pub(super) fn measure(text: &str, tokens: &Tokens) -> Self {
        let mut limits = Self {
            exceeded: Vec::new(),
            is_too_deep: false,
        };
        if text.len() <= INDENTS {
            return limits;
        }
        let (mut brackets, mut indents) = (0_usize, 0_usize);
        let mut depth = Depth::new();
        for token in tokens {
            match token.kind() {
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                    brackets += 1;
                    depth.open();
                    if brackets > BRACKETS {
                        limits.stop("too many nested parentheses", token);
                    }
                }
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                    brackets = brackets.saturating_sub(1);
                    depth.close();
                }
                TokenKind::Indent => {
                    indents += 1;
                    if indents >= INDENTS {
                        limits.stop("too many levels of indentation", token);
                    }
                }
                TokenKind::Dedent => indents = indents.saturating_sub(1),
                TokenKind::Newline | TokenKind::Comma | TokenKind::Semi => depth.separator(),
                TokenKind::Comment | TokenKind::NonLogicalNewline => {}
                _ => depth.token(),
            }
        }
        limits.is_too_deep = tokens.len() > LIMIT && depth.is_too_deep();
        limits
    }

    fn stop(&mut self, message: &str, token: &impl Ranged) {
        if self.exceeded.is_empty() {
            self.exceeded
                .push(Finding::syntax(message, range(token.range())));
        }
    }
}
