//! A known value, recognised in whatever way a program spells it.
//!
//! Programs print values in JSON, in URLs, in shell words and in XML, wrap them to a width and colour
//! them. Instead of each of these spellings, the search looks for two short pieces of the value that
//! look the same in all of them, and around a piece the text is read as the value, an escape at a
//! time. In base64 a value has three spellings, by where it begins; each is a separate value.

use std::sync::Arc;

/// Bytes of a value: what is shorter would be found by chance.
pub(super) const SHORTEST: usize = 8;
/// Bytes of a piece that is searched for.
const PIECE: usize = 8;
const SHORTEST_PIECE: usize = 4;
/// Bytes that one byte of a value may take: `\u0041`, or a line break with an indent.
const WIDEST: usize = 6;
/// Bytes that a byte of the value may take with a colour before it.
const LONGEST_UNIT: usize = 48;
/// Bytes of the values from which base64 is searched for: shorter ones leave too little of it.
const SHORTEST_BASE64: usize = 12;

/// A value, or one of its spellings in base64.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) name: Arc<str>,
    bytes: Vec<u8>,
    is_base64: bool,
}

/// What a reading of the text as the value came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The text says something else.
    Other,
    /// The text ends within the value, of which so many bytes were there.
    Cut(usize),
    /// The text says something else after so many bytes of the value, unless what follows makes another
    /// escape of its end.
    Open(usize),
    /// The value ends here.
    Ends(usize),
}

impl Value {
    /// The value, and what base64 makes of it.
    pub(super) fn all_of(name: &str, value: &[u8]) -> Vec<Self> {
        let name: Arc<str> = name.into();
        let spelt = |bytes, is_base64| Self { name: Arc::clone(&name), bytes, is_base64 };
        let mut all = vec![spelt(value.to_vec(), false)];
        if value.len() >= SHORTEST_BASE64 {
            all.extend((0..3).map(|shift| spelt(base64(value, shift), true)));
        }
        all
    }

    /// Pieces of the value with their offsets: of a value that is there, one at least is unbroken,
    /// unless it is wrapped to fewer than 16 columns.
    pub(super) fn pieces(&self) -> Vec<(usize, Vec<u8>)> {
        let mut pieces: Vec<(usize, Vec<u8>)> = Vec::new();
        let plain =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) && !self.is_base64;
        let mut at = 0;
        for run in self.bytes.split(|&byte| !plain(byte)) {
            let size = if run.len() >= 2 * SHORTEST_PIECE {
                (run.len() / 2).min(PIECE)
            } else {
                run.len()
            };
            for (index, piece) in run.chunks(size.max(1)).take(2).enumerate() {
                if piece.len() >= SHORTEST_PIECE && pieces.len() < 2 {
                    pieces.push((at + index * size, piece.to_vec()));
                }
            }
            at += run.len() + 1;
        }
        if pieces.is_empty() {
            // All punctuation: the ways to write its beginning are tried one by one.
            let head = &self.bytes[..SHORTEST_PIECE];
            let percent: String = head.iter().map(|byte| format!("%{byte:02X}")).collect();
            let json = format!("{:?}", String::from_utf8_lossy(head));
            let json = json.trim_matches('"').as_bytes().to_vec();
            let lower = percent.to_ascii_lowercase().into_bytes();
            let mut ways = vec![head.to_vec(), json, percent.into_bytes(), lower];
            ways.sort();
            ways.dedup();
            pieces.extend(ways.into_iter().map(|way| (0, way)));
        }
        pieces
    }

    /// How far before a piece at this offset the value may begin.
    pub(super) fn back(offset: usize) -> usize {
        if offset == 0 { 0 } else { offset * WIDEST + 32 }
    }

    /// Reads the text from `at` as the value.
    pub(super) fn read(&self, text: &[u8], mut at: usize) -> Reading {
        let mut index = 0;
        while index < self.bytes.len() {
            if index > 0 {
                at = self.skip_layout(text, at, self.bytes[index]);
            }
            let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) else {
                return Reading::Cut(index);
            };
            match self.unit(rest, index) {
                Some((taken, bytes)) => {
                    at += taken;
                    index += bytes;
                }
                None if rest.len() < 8 && b"\\%&'".contains(&rest[0]) => {
                    return Reading::Cut(index);
                }
                None if rest.len() < LONGEST_UNIT => return Reading::Open(index),
                None => return Reading::Other,
            }
        }
        Reading::Ends(at)
    }

    /// Whether the last byte of the value, which was read, may be the beginning of a longer escape, of which
    /// `rest` is all that there is yet.
    pub(super) fn may_go_on(&self, rest: &[u8]) -> bool {
        let last = self.bytes.last();
        rest.len() < WIDEST && last.is_some_and(|last| b"\\%&'".contains(last))
    }

    /// Line breaks with the indent behind them, and colours, which are no part of a value.
    fn skip_layout(&self, text: &[u8], mut at: usize, next: u8) -> usize {
        const INDENT: usize = 16;
        loop {
            let rest = &text[at.min(text.len())..];
            let broken = match rest {
                _ if next.is_ascii_whitespace() => 0,
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] | [b'\\', b'\n', ..] => 2,
                _ => 0,
            };
            if broken > 0 {
                let indent = rest[broken..].iter().take(INDENT);
                at += broken + indent.take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                continue;
            }
            match rest {
                [0x1B, b'[', sequence @ ..] => {
                    let end = sequence.iter().take(32).position(|byte| matches!(byte, b'@'..=b'~'));
                    let Some(end) = end else { return at };
                    at += 2 + end + 1;
                }
                _ => return at,
            }
        }
    }

    /// One byte of the value, or one escape of it: bytes of the text, and of the value.
    fn unit(&self, text: &[u8], index: usize) -> Option<(usize, usize)> {
        let byte = self.bytes[index];
        let quoted: [&[u8]; 2] = [b"'\\''", b"'\"'\"'"];
        if byte == b'\''
            && let Some(quote) = quoted.iter().find(|quote| text.starts_with(quote))
        {
            return Some((quote.len(), 1));
        }
        if text[0] == b'\\' {
            return self.backslash(text, index);
        }
        let escaped = match byte {
            b'&' => entity(text, byte),
            b'%' if text.starts_with(b"%25") && !self.bytes[index..].starts_with(b"%25") => {
                Some((3, 1))
            }
            _ => None,
        };
        if escaped.is_some() {
            return escaped;
        }
        if text[0] == byte {
            return Some((1, 1));
        }
        match (text, byte) {
            ([b'-', ..], b'+') | ([b'_', ..], b'/') if self.is_base64 => Some((1, 1)),
            ([b'\r', b'\n', ..], b'\n') => Some((2, 1)),
            ([b'+', ..], b' ') => Some((1, 1)),
            ([b'%', high, low, ..], _) => {
                (hex(&[*high, *low])? == u32::from(byte)).then_some((3, 1))
            }
            ([b'&', ..], _) => entity(text, byte),
            _ => None,
        }
    }

    /// Backslashes, however often a text was escaped, and what they stand before.
    fn backslash(&self, text: &[u8], index: usize) -> Option<(usize, usize)> {
        let byte = self.bytes[index];
        let slashes = text.iter().take_while(|&&byte| byte == b'\\').count();
        if byte == b'\\' {
            let own = self.bytes[index..].iter().take_while(|&&byte| byte == b'\\').count();
            return Some((slashes, own));
        }
        let rest = &text[slashes..];
        match (rest, byte) {
            ([b'n', ..], b'\n') | ([b't', ..], b'\t') | ([b'r', ..], b'\r') => {
                Some((slashes + 1, 1))
            }
            ([b'u', digits @ ..], _) if digits.len() >= 4 && hex(&digits[..4]).is_some() => {
                let code = char::from_u32(hex(&digits[..4])?)?;
                let mut buffer = [0; 4];
                let spelt = code.encode_utf8(&mut buffer).as_bytes();
                self.bytes[index..].starts_with(spelt).then_some((slashes + 5, spelt.len()))
            }
            ([first, ..], _) if *first == byte && !byte.is_ascii_alphanumeric() => {
                Some((slashes + 1, 1))
            }
            _ => None,
        }
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// A reference of XML or HTML.
fn entity(text: &[u8], byte: u8) -> Option<(usize, usize)> {
    let end = text.iter().take(8).position(|&byte| byte == b';').filter(|&end| end > 1)?;
    let name = std::str::from_utf8(&text[1..end]).ok()?;
    let code = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    (u32::from(code) == u32::from(byte)).then_some((end + 1, 1))
}

/// What base64 makes of the value when it is `shift` bytes behind a group's beginning, without the
/// characters that its neighbours have a part in.
fn base64(value: &[u8], shift: usize) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = (value.len() + shift) * 8;
    let bit = |at: usize| match at.checked_sub(shift * 8) {
        Some(at) => value[at / 8] >> (7 - at % 8) & 1,
        None => 0,
    };
    let first = (shift * 8).div_ceil(6);
    (first..bits / 6)
        .map(|at| {
            let index = (0..6).fold(0, |index, offset| index << 1 | bit(at * 6 + offset));
            ALPHABET[usize::from(index)]
        })
        .collect()
}
