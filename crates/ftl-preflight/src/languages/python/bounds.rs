//! Upper bounds on tokens and brackets, from the bytes alone.
//!
//! Most files are so small that no nesting in them can be too deep. This finds that out many bytes
//! at a time, so that the lexer need not be run twice. A bound may be too high, which costs a
//! second look; one that is too low would let a file through that overflows the stack, so every
//! rule below errs upwards, and a test compares it with the lexer.

/// Bytes that are summed in one go. The sums are bytes themselves, so that the compiler can keep
/// sixteen or more of them in one register; no byte of text counts for more than [`LINE`], and 64 ×
/// 3 < 256.
const SHARE: usize = 64;

/// Tokens that have no bytes: around all lines, and at each line's end, where the
/// indentation may change.
const AROUND: usize = 4;
const LINE: u8 = 3;
/// With a first byte that may be anything.
const FIRST: usize = AROUND + LINE as usize;

/// The most that a text can hold.
pub(super) struct Bounds {
    pub(super) tokens: usize,
    /// Brackets that are open at once, those in strings and comments among them.
    pub(super) brackets: usize,
    pub(super) nulls: usize,
}

impl Bounds {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        // The first byte, which has none before it, may be anything.
        let mut open = 1;
        let nulls = usize::from(bytes.first() == Some(&0));
        let mut bounds = Self { tokens: FIRST, brackets: open, nulls };
        for start in (1..bytes.len()).step_by(SHARE) {
            let sums = Sums::of(&share(bytes, start));
            let [opening, closing] = [sums.opening, sums.closing].map(usize::from);
            bounds.tokens += usize::from(sums.tokens);
            bounds.nulls += usize::from(sums.nulls);
            bounds.brackets = bounds.brackets.max(open + opening);
            // Nothing is open longer than if whatever closes here came first.
            open = open.saturating_sub(closing) + opening;
        }
        bounds
    }
}

/// Where a line begins from which on a text holds at most so many tokens, or the text's end.
pub(super) fn tail(text: &str, most: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut from, mut tokens) = (bytes.len(), FIRST);
    for start in (1..bytes.len()).step_by(SHARE).rev() {
        tokens += usize::from(Sums::of(&share(bytes, start)).tokens);
        if tokens > most {
            break;
        }
        from = start;
    }
    let line = bytes[from..].iter().position(|&byte| byte == b'\n');
    line.map_or(bytes.len(), |line| from + line + 1)
}

/// The byte before a place, then a share of bytes from there on; blanks, which count for nothing, where
/// there are no more.
fn share(bytes: &[u8], start: usize) -> [u8; 1 + SHARE] {
    let rest = &bytes[start - 1..];
    rest.first_chunk().copied().unwrap_or_else(|| {
        let mut share = [b' '; 1 + SHARE];
        share[..rest.len()].copy_from_slice(rest);
        share
    })
}

/// What bytes hold, but for the first, which is there for the second.
#[derive(Default)]
struct Sums {
    tokens: u8,
    opening: u8,
    closing: u8,
    nulls: u8,
}

impl Sums {
    /// Without branches (`&` and `|`, not `&&` and `||`), so that many bytes are summed at once.
    fn of(bytes: &[u8; 1 + SHARE]) -> Self {
        let mut sums = Self::default();
        for (&before, &now) in bytes[..SHARE].iter().zip(&bytes[1..]) {
            sums.tokens += weight(now, is_word(before) & is_word(now));
            sums.opening += u8::from((now == b'(') | (now == b'[') | (now == b'{'));
            sums.closing += u8::from((now == b')') | (now == b']') | (now == b'}'));
            sums.nulls += u8::from(now == 0);
        }
        sums
    }
}

/// The most tokens that begin with a byte, or just before or after it. A word may begin with
/// numbers (`1if x`); before and after a field of a formatted string there may be text.
fn weight(now: u8, goes_on: bool) -> u8 {
    let is_space = (now == b' ') | (now == b'\t');
    let is_end = (now == b'\n') | (now == b'\r');
    let is_more = now.is_ascii_digit() | (now == b'{') | (now == b'}');
    u8::from(!(is_space | goes_on))
        + u8::from(is_more)
        + u8::from(now.is_ascii_digit() & goes_on)
        + (LINE - 1) * u8::from(is_end)
}

fn is_word(byte: u8) -> bool {
    (byte | 0x20).wrapping_sub(b'a').lt(&26) | byte.wrapping_sub(b'0').lt(&10) | (byte == b'_')
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::Path;

    use ruff_python_ast::token::TokenKind;
    use ruff_python_parser::{Mode, lexer};

    use super::Bounds;

    /// Tokens, and brackets open at once.
    fn counted(text: &str) -> (usize, usize) {
        let mut lexer = lexer::lex(text, Mode::Module);
        let tokens = std::iter::from_fn(|| Some(lexer.next_token()))
            .take_while(|token| *token != TokenKind::EndOfFile)
            .count();
        let mut open = 0_usize;
        let depths = text.bytes().map(|byte| {
            match byte {
                b'(' | b'[' | b'{' => open += 1,
                b')' | b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            open
        });
        (tokens, depths.max().unwrap_or_default())
    }

    /// The texts of the cases for Python.
    pub(in super::super) fn cases() -> impl Iterator<Item = String> {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/python");
        let files = ["ok", "err"].map(|kind| fs::read_dir(cases.join(kind)).unwrap());
        files.into_iter().flatten().map(|file| {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }

    #[test]
    fn the_bounds_are_never_below_what_the_lexer_counts() {
        let hostile = [
            "",
            "(",
            " 1if 2else 3or 0b12and 0x1for",
            "f' {a} { b } {c: {d} {e} }{f!r} '",
            "if 1:\n if 2:\n  3\r 4\n5",
            "\u{20ac}\u{20ac}\u{e9} \u{1F600}$?`\u{c}\u{b}",
            "rb'''\n\n''' f''' {x}\n {y} '''",
            "}}([{)]}((",
        ];
        let hostile = hostile.map(|text| [text.to_owned(), text.repeat(50)]);
        for text in cases().chain(hostile.into_iter().flatten()) {
            let (bounds, (tokens, brackets)) = (Bounds::of(&text), counted(&text));
            assert!(bounds.tokens >= tokens, "{tokens}: {text}");
            assert!(bounds.brackets >= brackets, "{brackets}: {text}");
        }
    }
}
