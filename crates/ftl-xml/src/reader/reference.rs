//! References: the five predefined entities (XML 1.0, section 4.6) and characters by number ([66]
//! CharRef).
//!
//! Other entities would have to be declared in a DOCTYPE, which is refused.

use std::ops::Range;

use memchr::memchr;

use crate::Fault;
use crate::chars::is_char;
use crate::span::{Checked, SpannedFault};

/// Longest piece of a malformed reference that a message repeats, in characters.
const SHOWN: usize = 24;

/// Checks the reference at the start of `range`, an `&`; gives the offset behind its `;`.
pub(super) fn check(text: &str, range: Range<usize>) -> Checked<usize> {
    let rest = &text[range.clone()];
    let end = memchr(b';', rest.as_bytes());
    match end.and_then(|end| resolve(&rest[1..end]).map(|_| end)) {
        Some(end) => Ok(range.start + end + 1),
        None => Err(malformed(text, range.start)),
    }
}

/// The flaw of the malformed reference that starts at `start`.
pub(super) fn malformed(text: &str, start: usize) -> SpannedFault {
    let shown: String = text[start..]
        .chars()
        .enumerate()
        .take_while(|&(at, c)| at < SHOWN && (at == 0 || !matches!(c, '&' | '<' | '"' | '\n')))
        .map(|(_, c)| c)
        .collect();
    let shown = match shown.find(';') {
        Some(end) => shown[..=end].to_owned(),
        None => shown,
    };
    let range = start..start + shown.len();
    SpannedFault::new(Fault::Reference(shown), range)
}

/// The character that `&body;` means: one of the five predefined entities, or a number.
pub(crate) fn resolve(body: &str) -> Option<char> {
    match body {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => numeric(body.strip_prefix('#')?),
    }
}

fn numeric(body: &str) -> Option<char> {
    let (digits, radix) = match body.strip_prefix('x') {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (body, 10),
    };
    // Checked first, since Rust would take a sign too: `&#+65;` is no reference.
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    let code = plain.then(|| u32::from_str_radix(digits, radix).ok())??;
    // Well-formedness constraint "Legal Character": `&#0;` cannot smuggle in what may not be written.
    char::from_u32(code).filter(|&c| is_char(c))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn entities_resolve_if_predefined_or_a_legal_character() {
        for (body, character) in [
            ("lt", Some('<')),
            ("apos", Some('\'')),
            ("#65", Some('A')),
            ("#x41", Some('A')),
            ("#x0000041", Some('A')),
            ("#x10FFFF", Some('\u{10FFFF}')),
            ("#13", Some('\r')),
            ("", None),
            ("LT", None),
            ("nbsp", None),
            ("#", None),
            ("#x", None),
            ("#X41", None),
            ("#+65", None),
            ("#0", None),
            ("#27", None),
            ("#xD800", None),
            ("#xFFFE", None),
            ("#x110000", None),
            ("#99999999999999999999", None),
        ] {
            assert_eq!(resolve(body), character, "{body}");
        }
    }
}
