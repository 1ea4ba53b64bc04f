//! How deeply Python source nests, measured from its tokens before anything recurses.
//!
//! The parser, the walk and the dropping of the tree recurse, and a stack overflow ends the process. A
//! chain of operators nests as deeply as it is long, without any bracket. The limits on brackets and
//! indentation are those of CPython's tokenizer (`MAXLEVEL` 200, `MAXINDENT` 100), so that no source
//! that Python reads is refused for them.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// Open brackets that Python's own tokenizer keeps.
const BRACKETS: usize = 200;
/// Levels of indentation that it keeps.
const INDENTS: usize = 100;
/// Tokens without a separator between them, each of which may be a separate level: `- - - 1`.
const CHAIN: usize = 5_000;
/// Tokens from which dropping the tree might need more stack than a small thread has.
const LONG_CHAIN: usize = 500;

/// How deeply a text nests, found without recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// As people nest.
    Usual,
    /// The tree can be walked, but should not be dropped.
    Long,
    /// Deeper than Python reads, or than a parser should be asked to.
    Beyond,
}

/// Measures the nesting of Python source.
pub(super) fn depth(text: &str) -> Depth {
    let mut lexer = lexer::lex(text, Mode::Module);
    let (mut brackets, mut indents, mut chain, mut longest) = (0_usize, 0_usize, 0_usize, 0_usize);
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => break,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => brackets += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                brackets = brackets.saturating_sub(1);
            }
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::Newline | TokenKind::Comma | TokenKind::Semi => chain = 0,
            _ => chain += 1,
        }
        longest = longest.max(chain);
        if brackets > BRACKETS || indents >= INDENTS || chain > CHAIN {
            return Depth::Beyond;
        }
    }
    match longest > LONG_CHAIN {
        true => Depth::Long,
        false => Depth::Usual,
    }
}

#[cfg(test)]
mod tests {
    use super::{Depth, depth};

    #[test]
    fn nesting_is_measured_before_anything_recurses() {
        for (text, expected) in [
            ("x = 1\n".repeat(10_000), Depth::Usual),
            (format!("x = [{}]\n", "1, ".repeat(10_000)), Depth::Usual),
            (format!("x = '{}'\n", "(".repeat(10_000)), Depth::Usual),
            (format!("x = {}1\n", "1 + ".repeat(1_000)), Depth::Long),
            (format!("x = {}1\n", "1 + ".repeat(10_000)), Depth::Beyond),
            (format!("x = {}1\n", "-".repeat(1 << 20)), Depth::Beyond),
            ("(".repeat(1 << 20), Depth::Beyond),
            (deep_blocks(120), Depth::Beyond),
        ] {
            assert_eq!(depth(&text), expected, "{:.40}", text);
        }
    }

    fn deep_blocks(levels: usize) -> String {
        (0..levels).map(|level| format!("{}if x:\n", " ".repeat(level))).collect()
    }
}
