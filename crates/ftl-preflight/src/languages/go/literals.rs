//! Numbers, runes and strings.
//!
//! Specification: "Integer literals", "Floating-point literals", "Imaginary literals", "Rune
//! literals", "String literals". The rules are those of `go/scanner`, and so is their order: it
//! decides which of two errors of one number is reported.

use super::error::Error;

/// The end of the number that begins at `start`.
///
/// Digits of any kind are taken first and checked against the base afterwards: `0b12` is one number
/// with a wrong digit, and not two numbers.
pub(super) fn number(text: &str, start: usize) -> Result<usize, Error> {
    let bytes = text.as_bytes();
    let at = |offset: usize| bytes.get(offset).map_or(0, u8::to_ascii_lowercase);
    let (base, prefix) = match (at(start), at(start + 1)) {
        (b'0', b'x') => (16, start + 2),
        (b'0', b'o') => (8, start + 2),
        (b'0', b'b') => (2, start + 2),
        // A leading 0 alone is octal, unless a point, an exponent or `i` follows: `08.5` and `09i`
        // are fine.
        _ => (10, start),
    };
    let is_digit = |byte: u8| {
        byte == b'_' || if base == 16 { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() }
    };
    let digits = |mut end: usize| {
        while is_digit(at(end)) {
            end += 1;
        }
        end
    };
    let mut end = digits(prefix);
    let (whole, mut fraction, mut exponent) = (end, false, false);
    if at(end) == b'.' {
        if base == 2 || base == 8 {
            return Err(Error::new(
                "a radix point needs a decimal or hexadecimal number",
                end..end + 1,
            ));
        }
        fraction = true;
        end = digits(end + 1);
    }
    // `0x`, `0x_` and `0x.` have a prefix and no digit.
    if !text[prefix..end].contains(|c: char| c.is_ascii_hexdigit()) {
        return Err(Error::new("number has no digits", start..end));
    }
    let marker = at(end);
    // `e` is a digit of a hexadecimal number, whose exponent, of 2, is written with `p`.
    if (marker == b'e' && base != 16) || marker == b'p' {
        if (marker == b'p') != (base == 16) {
            return Err(Error::new("this exponent needs a hexadecimal number", end..end + 1));
        }
        exponent = true;
        end += 1 + usize::from(matches!(at(end + 1), b'+' | b'-'));
        let begin = end;
        while at(end).is_ascii_digit() || at(end) == b'_' {
            end += 1;
        }
        if !text[begin..end].contains(|c: char| c.is_ascii_digit()) {
            return Err(Error::new("exponent has no digits", start..end));
        }
    } else if base == 16 && fraction {
        return Err(Error::new("a hexadecimal fraction needs an exponent", start..end));
    }
    let imaginary = at(end) == b'i';
    check_digits(text, start..whole, base, fraction || exponent || imaginary)?;
    if !separates(&text[start..end]) {
        return Err(Error::new("`_` must separate successive digits", start..end));
    }
    Ok(end + usize::from(imaginary))
}

/// Digits of whole numbers must fit the base; a number that begins with 0 is octal unless it turns
/// out to be no integer. "Imaginary literals" keeps `0123i` decimal "for backward compatibility".
fn check_digits(
    text: &str,
    range: std::ops::Range<usize>,
    base: u8,
    real: bool,
) -> Result<(), Error> {
    let whole = &text[range.clone()];
    let limit = match base {
        2 => b'1',
        8 => b'7',
        10 if whole.starts_with('0') && whole.len() > 1 && !real => b'7',
        _ => return Ok(()),
    };
    let skipped = if base == 10 { 0 } else { 2 };
    let bad = whole.bytes().skip(skipped).position(|byte| byte.is_ascii_digit() && byte > limit);
    match bad {
        None => Ok(()),
        Some(bad) => {
            let at = range.start + skipped + bad;
            Err(Error::new("digit is too large for the number's base", at..at + 1))
        }
    }
}

/// Whether every `_` is between digits, or between a base's prefix and a digit.
fn separates(number: &str) -> bool {
    let bytes = number.as_bytes();
    let has_prefix = bytes.len() > 1 && bytes[0] == b'0' && bytes[1].is_ascii_alphabetic();
    (0..bytes.len()).filter(|&at| bytes[at] == b'_').all(|at| {
        let before = at.checked_sub(1).map_or(0, |at| bytes[at]);
        let after = bytes.get(at + 1).copied().unwrap_or(0);
        let is_digit = |byte: u8| {
            if has_prefix { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() }
        };
        (is_digit(before) || (has_prefix && at == 2)) && is_digit(after)
    })
}

/// The end of the rune or string that begins at `start`.
pub(super) fn quoted(text: &str, start: usize) -> Result<usize, Error> {
    let quote = text.as_bytes()[start];
    let is_rune = quote == b'\'';
    let unterminated = |end: usize| {
        let what = if is_rune { "rune literal" } else { "string" };
        Error::new(format!("{what} not terminated"), start..end)
    };
    let (mut at, mut characters) = (start + 1, 0);
    loop {
        match text[at..].chars().next() {
            None | Some('\n') => return Err(unterminated(at)),
            Some(c) if c as u32 == u32::from(quote) => break,
            Some('\\') => at = escape(text, at, quote)?,
            Some(c) => at += c.len_utf8(),
        }
        // An escape is one character, whatever it is written with.
        characters += 1;
    }
    match characters {
        0 if is_rune => Err(Error::new("empty rune literal", start..at + 1)),
        2.. if is_rune => Err(Error::new("more than one character in rune literal", start..at + 1)),
        _ => Ok(at + 1),
    }
}

/// The end of the escape sequence that begins at `start`.
fn escape(text: &str, start: usize, quote: u8) -> Result<usize, Error> {
    let invalid = |end: usize| {
        let end = text.floor_char_boundary(end.min(text.len()));
        Error::new("unknown escape sequence", start..end)
    };
    let letter = text.as_bytes().get(start + 1).copied().unwrap_or(b'\n');
    let (digits, base, limit) = match letter {
        b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' => return Ok(start + 2),
        // `\'` is for runes, `\"` for strings, and neither for the other.
        letter if letter == quote => return Ok(start + 2),
        b'0'..=b'7' => (start + 1..start + 4, 8, 255),
        b'x' => (start + 2..start + 4, 16, 255),
        b'u' => (start + 2..start + 6, 16, 0x10_FFFF),
        b'U' => (start + 2..start + 10, 16, 0x10_FFFF),
        _ => return Err(invalid(start + 2)),
    };
    let end = digits.end;
    let value = text.get(digits).and_then(|digits| u32::from_str_radix(digits, base).ok());
    // `\377` and `\xff` are bytes; `\u` and `\U` are code points, of which surrogates are none.
    let is_point = |value: u32| limit == 255 || char::from_u32(value).is_some();
    match value {
        Some(value) if value <= limit && is_point(value) => Ok(end),
        _ => Err(invalid(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::{number, quoted};

    #[test]
    fn numbers_end_where_they_should_or_are_refused() {
        let good = [
            "0",
            "7",
            "1_000",
            "0x_Ff",
            "0o17",
            "0b1_0",
            "017",
            "08.5",
            "09i",
            "1e9",
            "1.e+1_0",
            ".5",
            "0x1p-2",
            "0x.8p1",
            "0x1.8P+3i",
            "0_7",
            "1.",
        ];
        for text in good {
            assert_eq!(number(text, 0).ok(), Some(text.len()), "{text}");
        }
        let bad = [
            "08", "0b2", "0o8", "1__0", "1_", "0x", "0x1.8", "1p3", "1e", "0b1.0", "0_x1", "0x1e+",
        ];
        for text in bad {
            assert_ne!(number(text, 0).ok(), Some(text.len()), "{text}");
        }
    }

    #[test]
    fn quoted_text_ends_where_it_should_or_is_refused() {
        for text in
            [r"'a'", r"'\''", r"'\n'", r"'\377'", r"'\u00e9'", "'é'", r#""\"""#, r#""\x00""#]
        {
            assert_eq!(quoted(text, 0).ok(), Some(text.len()), "{text}");
        }
        for text in
            [r"''", r"'ab'", r#"'\"'"#, r"'\400'", r"'\ud800'", r#""\'""#, r#""\x0""#, "\"a\n\""]
        {
            assert!(quoted(text, 0).is_err(), "{text}");
        }
    }
}
