//! How deep a file may nest before Python itself gives up.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{Mode, lexer};
use ruff_text_size::Ranged;

use super::range;
use crate::languages::Finding;
use crate::nesting::Depth;

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

/// Whether the parser would go deeper than `limit`, in tokens. Few files have so many that the
/// lexer is to be asked.
pub(super) fn is_too_deep(text: &str, limit: usize) -> bool {
    text.len() > limit && most_tokens(text) > limit && depth(text) > limit
}

/// Tokens that come of no byte of their own: around all lines, and at each line's end, where the
/// indentation may change.
const AROUND: usize = 4;
const LINE: usize = 3;

/// The most tokens that text can be made of. A word may begin with a number (`1if x`); before and
/// after a field of a formatted string there may be text.
fn most_tokens(text: &str) -> usize {
    let (mut in_word, mut in_number) = (false, false);
    let most = text.bytes().map(|byte| {
        let goes_on = in_word;
        in_word = byte.is_ascii_alphanumeric() || byte == b'_';
        in_number = in_word && (in_number || !goes_on && byte.is_ascii_digit());
        match byte {
            b' ' | b'\t' => 0,
            b'\n' | b'\r' => LINE,
            b'{' | b'}' => 2,
            _ => usize::from(!(goes_on && in_word) || in_number),
        }
    });
    AROUND + most.sum::<usize>()
}

/// How deep the parser would go, told by the lexer alone.
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
        let mut limits = Self {
            exceeded: Vec::new(),
        };
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
            self.exceeded
                .push(Finding::syntax(message, range(token.range())));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use ruff_python_ast::token::TokenKind;
    use ruff_python_parser::{Mode, lexer};

    use super::most_tokens;

    fn tokens(text: &str) -> usize {
        let mut lexer = lexer::lex(text, Mode::Module);
        std::iter::from_fn(|| Some(lexer.next_token()))
            .take_while(|token| *token != TokenKind::EndOfFile)
            .count()
    }

    #[test]
    fn no_text_has_more_tokens_than_are_foreseen() {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/python");
        let files = ["ok", "err"].map(|kind| fs::read_dir(cases.join(kind)).unwrap());
        let real = files.into_iter().flatten().map(|file| {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let hostile = [
            " 1if 2else 3or 0b12and 0x1for",
            "f' {a} { b } {c: {d} {e} }{f!r} '",
            "if 1:\n if 2:\n  3\r 4\n5",
            "\u{20ac}\u{20ac}\u{e9} \u{1F600}$?`\u{c}\u{b}",
            "rb'''\n\n''' f''' {x}\n {y} '''",
        ];
        for text in real.chain(hostile.map(str::to_owned)) {
            assert!(most_tokens(&text) >= tokens(&text), "{text}");
        }
    }
}
