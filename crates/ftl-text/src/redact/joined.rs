//! Secrets that are wrapped: a text without its line breaks, and the lines of a key.

/// A text without its line breaks, and where each byte comes from.
pub(super) struct Joined {
    pub(super) bytes: Vec<u8>,
    pub(super) origin: Vec<usize>,
    /// Where in `bytes` lines were joined.
    pub(super) breaks: Vec<usize>,
}

impl Joined {
    /// From `start` up to an empty line, or a line that holds more than one word.
    pub(super) fn of(text: &[u8], start: usize) -> Self {
        let mut joined = Self { bytes: Vec::new(), origin: Vec::new(), breaks: Vec::new() };
        let mut at = start;
        let mut blanks = 0;
        while at < text.len() && blanks < 8 {
            if is_break(text, at) {
                at += if text[at] == b'\r' { 2 } else { 1 };
                if joined.breaks.last() == Some(&joined.bytes.len()) {
                    break;
                }
                joined.breaks.push(joined.bytes.len());
                continue;
            }
            blanks += usize::from(text[at] == b' ');
            joined.bytes.push(text[at]);
            joined.origin.push(at);
            at += 1;
        }
        joined
    }
}

pub(super) fn is_break(text: &[u8], at: usize) -> bool {
    matches!(text[at..], [b'\n', ..] | [b'\r', b'\n', ..])
}

/// The distance of a byte from the beginning of its line.
pub(super) fn column(text: &[u8], at: usize) -> usize {
    at - memchr::memrchr(b'\n', &text[..at]).map_or(0, |at| at + 1)
}

/// Whether what begins a line is the rest of a token that filled the line before, and not the next
/// thing that was printed.
pub(super) fn is_rest(rest: &[u8], follows: u8, column: usize, is_whole_without: bool) -> bool {
    let digit = rest.iter().any(u8::is_ascii_digit);
    let letter = rest.iter().any(u8::is_ascii_alphabetic);
    let inner_capital =
        rest.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let random = digit && letter || inner_capital || rest.len() >= 24;
    let ends = !matches!(follows, b':' | b'(' | b'[');
    if is_whole_without {
        return column >= 15 && random && ends;
    }
    column >= 7 && (random || digit || rest.len() >= 8)
}

/// The lines of a key whose end is missing: those that hold nothing but base64, perhaps behind the
/// marks of a diff or a quotation.
pub(super) fn key_lines(body: &[u8]) -> usize {
    let mut length = 0;
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        let content = line.trim_ascii();
        let content = content.strip_prefix(b"> ").unwrap_or(content);
        let content = content.strip_prefix(b"| ").unwrap_or(content);
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=-\\".contains(byte);
        let is_key = content.iter().all(is_base64)
            && (content.len() >= 16 || length == 0 || content.is_empty());
        let is_header = content.starts_with(b"Proc-Type:") || content.starts_with(b"DEK-Info:");
        if !is_key && !is_header {
            break;
        }
        length += line.len();
    }
    body[..length].trim_ascii_end().len()
}

/// Whether a byte may be part of a token.
pub(super) const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~' | b'%')
}
