//! How deep a file may nest before CPython gives up, and before ruff's parser overflows the stack.
//!
//! The first is part of the language as it is: `MAXLEVEL` and `MAXINDENT` of CPython's tokenizer
//! (`Parser/lexer/state.h`) make a file invalid. The second is about this process, and makes it
//! unchecked.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{Mode, lexer};
use ruff_text_size::Ranged;

use super::bounds::{self, Bounds};
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
/// lexer is to be asked, and of those it is asked up to where the rest has too few to matter.
pub(super) fn is_too_deep(text: &str, bounds: &Bounds, limit: usize) -> bool {
    if bounds.tokens <= limit {
        return false;
    }
    let rest = limit - limit / 8;
    let head = Depths::of(&text[..bounds::tail(text, rest)]);
    let at_most = head.deepest.max(head.open + rest);
    at_most > limit && Depths::of(text).deepest > limit
}

/// How deep the parser would go, as far as the lexer shows it.
struct Depths {
    deepest: usize,
    /// What may go on behind the end: the lexer ends a statement that is cut off, and then all
    /// levels of indentation, with a token each.
    open: usize,
}

impl Depths {
    fn of(text: &str) -> Self {
        let mut depth = Depth::new();
        let mut open = 0;
        let mut lexer = lexer::lex(text, Mode::Module);
        loop {
            match lexer.next_token() {
                TokenKind::EndOfFile => break,
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth.open(),
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth.close(),
                // Between its parameters are commas.
                TokenKind::Lambda => depth.open_softly(),
                TokenKind::Newline => {
                    open = depth.now();
                    depth.end();
                }
                TokenKind::Semi => depth.end(),
                TokenKind::Comma => depth.separator(),
                TokenKind::Comment | TokenKind::NonLogicalNewline => {}
                _ => depth.token(),
            }
        }
        Self { deepest: depth.deepest(), open: open.max(depth.now()) }
    }
}

/// Tokens that are summed in one go.
const SHARE: usize = 64;
/// A level of indentation, in a sum that holds brackets as well.
const LEVEL: i32 = 1 << 16;

/// How a token changes the number of open brackets and of levels of indentation, by its kind.
const CHANGES: [i32; 256] = {
    let mut changes = [0; 256];
    changes[TokenKind::Lpar as usize] = 1;
    changes[TokenKind::Lsqb as usize] = 1;
    changes[TokenKind::Lbrace as usize] = 1;
    changes[TokenKind::Rpar as usize] = -1;
    changes[TokenKind::Rsqb as usize] = -1;
    changes[TokenKind::Rbrace as usize] = -1;
    changes[TokenKind::Indent as usize] = LEVEL;
    changes[TokenKind::Dedent as usize] = -LEVEL;
    changes
};

/// Whether the tokens of a file that parses keep the limits, with a share to spare: what opens in it is
/// closed, so that sums tell.
pub(super) fn are_kept(tokens: &Tokens) -> bool {
    let (mut brackets, mut indents) = (0, 0);
    tokens.chunks(SHARE).all(|share| {
        let sum: i32 = share.iter().map(|token| CHANGES[token.kind() as usize]).sum();
        let change = i32::from(sum as i16);
        brackets += change;
        indents += (sum - change) / LEVEL;
        has_room(brackets, BRACKETS) && has_room(indents, INDENTS - 1)
    })
}

/// Whether a share more would still be no more than `most`.
fn has_room(open: i32, most: usize) -> bool {
    usize::try_from(open).is_ok_and(|open| open + SHARE <= most)
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

#[cfg(test)]
mod tests {
    use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};

    use super::super::bounds::tests::cases;
    use super::{Bounds, Depths, Limits, are_kept, is_too_deep};

    /// Real texts, and hostile ones that are cut off in the middle of a string, bracket or statement.
    fn texts() -> Vec<String> {
        let units = [
            "a = 1\n",
            "(",
            "(1,\n",
            ")",
            "f(1 +\n 2)\n",
            "'''\n'''",
            "x = '\n",
            "f'{\n",
            "f'''{a}\n{b:\n}''' + ",
            "1 + \\\n",
            "if 1:\n ",
            "lambda a, b: \n",
            "lambda: ",
            "not ",
            "a;",
            "# (\n",
            "\r",
            "1if 2else ",
            "0b12",
            "\n \n",
        ];
        let nested: String = (0..99).map(|at| format!("{}if 1:\n", " ".repeat(at))).collect();
        let pairs = units.iter().flat_map(|first| units.map(|second| format!("{first}{second}")));
        let hostile = pairs.flat_map(|unit| [unit.repeat(5), unit.repeat(60)]);
        let inside = " ".repeat(99) + "a = [\n" + &"a,\n".repeat(60) + "]\na + a + a + a + a\n";
        let whole = [
            nested.clone() + "1\n",
            nested.clone() + &inside,
            nested.repeat(2),
            "((".repeat(100),
            "[".repeat(201) + &"]".repeat(201),
        ];
        cases().chain(hostile).chain(whole).collect()
    }

    #[test]
    fn the_rest_of_a_file_is_left_out_where_it_changes_nothing_only() {
        for text in texts() {
            let (bounds, deepest) = (Bounds::of(&text), Depths::of(&text).deepest);
            for limit in [1, 8, 20, 50, 100, 200, 400, deepest, deepest.saturating_sub(1)] {
                assert_eq!(is_too_deep(&text, &bounds, limit), deepest > limit, "{limit}: {text}");
            }
        }
    }

    #[test]
    fn a_file_that_keeps_the_limits_does_not_exceed_them() {
        let parsed = texts().into_iter().map(|text| {
            let parsed = parse_unchecked(&text, ParseOptions::from(Mode::Module));
            (text, parsed)
        });
        let mut kept = 0;
        for (text, parsed) in parsed.filter(|(_, parsed)| parsed.errors().is_empty()) {
            let exceeded = Limits::measure(&text, parsed.tokens()).exceeded;
            assert!(exceeded.is_empty() || !are_kept(parsed.tokens()), "{text}");
            kept += usize::from(are_kept(parsed.tokens()));
        }
        assert!(kept > 100, "{kept}");
    }
}
