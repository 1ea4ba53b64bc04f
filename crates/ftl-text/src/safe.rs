//! Text from anywhere, made fit for a record and for a terminal.
//!
//! What programs print is shown to people and written into XML. A terminal obeys escape sequences
//! (ECMA-48, and xterm's control sequences): they can set the title, write to the clipboard, or
//! repaint what was said before. Characters that reorder text or are displayed as nothing can make a
//! line read otherwise than it is. XML 1.0 cannot carry control characters at all, not even escaped.
//! Which characters these are, `chars` says.
//!
//! Sequences are dropped, for colours are no loss; single characters are made visible, for
//! something is meant to be noticed. The result is a fixed point: making safe text safe again
//! changes nothing.

use std::iter::Peekable;
use std::str::Chars;

use crate::chars::is_plain;

/// Bytes that [`excerpt`] keeps of the beginning, and again of the end.
const EXCERPT: usize = 32 << 10;

const ESCAPE: char = '\u{1B}';
const BELL: char = '\u{7}';
/// ST as a single character (C1). As `ESC \` it is two.
const STRING_TERMINATOR: char = '\u{9C}';

/// Makes any bytes text that XML 1.0 can carry and that no terminal obeys.
///
/// What is not UTF-8 becomes U+FFFD. Escape sequences (colours, titles, links) are dropped. Other
/// control characters become their pictures (`␀`), and what a reader could not see, or what would
/// reorder the text, becomes `\u{202e}`. Tab, LF and CR stay; the XML writer writes CR as `&#13;`.
/// Text that is safe already is left as it is.
#[must_use]
pub fn safe_text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    // Nearly all texts, which are copied in one go.
    if text.chars().all(is_plain) {
        return text.into_owned();
    }
    let mut safe = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == ESCAPE {
            drop_sequence(&mut chars, &mut safe);
        } else {
            push_visible(c, &mut safe);
        }
    }
    safe
}

/// [`safe_text`] for a terminal, where CR would let a line overwrite itself: CR LF becomes LF, any
/// other CR its picture.
#[must_use]
pub fn terminal_text(bytes: &[u8]) -> String {
    let safe = safe_text(bytes);
    if !safe.contains('\r') {
        return safe;
    }
    safe.replace("\r\n", "\n").replace('\r', "\u{240D}")
}

/// [`terminal_text`] on one line: line ends become U+2424, space around the text goes.
#[must_use]
pub fn one_line(text: &str) -> String {
    terminal_text(text.trim().as_bytes()).replace('\n', "\u{2424}")
}

/// Text of a file without what a terminal obeys. Every byte keeps its offset, for diagnostics that
/// point at offsets: a character that may not be shown becomes as many `?` as it has bytes.
#[must_use]
pub fn same_length(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_plain(c) && c != '\r' {
            shown.push(c);
        } else {
            shown.extend(std::iter::repeat_n('?', c.len_utf8()));
        }
    }
    shown
}

/// The first and the last 32 KiB of a long text, made safe, with a line between them that says how
/// many bytes are left out; all of a text that is not longer than both together.
#[must_use]
pub fn excerpt(bytes: &[u8]) -> String {
    let Some(omitted) = bytes.len().checked_sub(2 * EXCERPT).filter(|&n| n > 0) else {
        return safe_text(bytes);
    };
    let tail = bytes.len() - EXCERPT;
    excerpt_of_ends(&bytes[..EXCERPT], omitted, &bytes[tail..])
}

/// [`excerpt`] of a text of which only the ends were kept, `omitted` bytes having stood between.
/// Characters cut in two at the seams are left out as well.
#[must_use]
pub fn excerpt_of_ends(head: &[u8], omitted: usize, tail: &[u8]) -> String {
    if omitted == 0 {
        return safe_text(&[head, tail].concat());
    }
    let cut_head = cut_end(head);
    let cut_tail = cut_start(tail);
    let omitted = omitted + (head.len() - cut_head.len()) + (tail.len() - cut_tail.len());
    let head = safe_text(cut_head);
    let gap = if head.ends_with('\n') { "" } else { "\n" };
    let tail = safe_text(cut_tail);
    format!("{head}{gap}… {omitted} bytes omitted …\n{tail}")
}

/// The first characters of a text, with an ellipsis where some are missing.
#[must_use]
pub fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A piece of a document as a message repeats it: on one line, safe, and not long.
#[must_use]
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(LONGEST).collect();
    let shown = terminal_text(head.as_bytes()).replace('\n', "\u{240A}");
    if chars.next().is_some() { format!("{shown}…") } else { shown }
}

/// Drops an unfinished character at the end.
fn cut_end(bytes: &[u8]) -> &[u8] {
    match bytes.utf8_chunks().last() {
        Some(last) if is_unfinished(last.invalid()) => &bytes[..bytes.len() - last.invalid().len()],
        Some(_) | None => bytes,
    }
}

fn is_unfinished(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Drops what is left at the start of a character that began before it.
fn cut_start(bytes: &[u8]) -> &[u8] {
    // A character of UTF-8 has at most three bytes after its first. More of them are no rest of one.
    const LONGEST_REST: usize = 3;
    let rest = bytes.iter().take(LONGEST_REST).take_while(|&&byte| byte & 0xC0 == 0x80).count();
    &bytes[rest..]
}

/// Appends a character as it may be shown: itself, its picture, or `\u{202e}`.
pub fn push_visible(c: char, out: &mut String) {
    match c {
        _ if is_plain(c) => out.push(c),
        '\0'..='\u{1F}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
        '\u{7F}' => out.push('\u{2421}'),
        _ => out.extend(c.escape_unicode()),
    }
}

/// Drops the rest of an escape sequence. What turns out to be none is shown: no more of the text is
/// lost than a terminal would have swallowed.
///
/// The letter after ESC decides the kind (ECMA-48): `[` a control sequence, `]` `P` `X` `^` `_` a
/// string (OSC, DCS, SOS, PM, APC), anything else a short one.
fn drop_sequence(chars: &mut Peekable<Chars<'_>>, out: &mut String) {
    let mut taken = String::new();
    let is_whole = match chars.peek() {
        Some('[') => {
            taken.extend(chars.next());
            take_control(chars, &mut taken)
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            taken.extend(chars.next());
            take_string(chars, &mut taken)
        }
        Some(_) | None => take_short(chars, &mut taken),
    };
    if !is_whole {
        push_visible(ESCAPE, out);
        taken.chars().for_each(|c| push_visible(c, out));
    }
}

/// `ESC [` parameters (0x30–0x3F), intermediates (0x20–0x2F), final byte (0x40–0x7E).
fn take_control(chars: &mut Peekable<Chars<'_>>, taken: &mut String) -> bool {
    while let Some(c) = chars.next_if(|c| matches!(c, ' '..='?')) {
        taken.push(c);
    }
    chars.next_if(|c| matches!(c, '@'..='~')).is_some()
}

/// `ESC ]` and its like, up to BEL (xterm's custom for OSC) or the string terminator, on one line:
/// a string that is never terminated must not swallow the rest of the output. It stops at any ESC,
/// which also keeps the time linear: what was taken in vain is never looked at again.
fn take_string(chars: &mut Peekable<Chars<'_>>, taken: &mut String) -> bool {
    while let Some(c) = chars.next_if(|&c| c != '\n' && c != ESCAPE) {
        if c == BELL || c == STRING_TERMINATOR {
            return true;
        }
        taken.push(c);
    }
    let mut ahead = chars.clone();
    let is_terminated = ahead.next() == Some(ESCAPE) && ahead.next() == Some('\\');
    if is_terminated {
        *chars = ahead;
    }
    is_terminated
}

/// `ESC` intermediates (0x20–0x2F), final byte (0x30–0x7E), such as `ESC ( B`.
fn take_short(chars: &mut Peekable<Chars<'_>>, taken: &mut String) -> bool {
    while let Some(c) = chars.next_if(|c| matches!(c, ' '..='/')) {
        taken.push(c);
    }
    chars.next_if(|c| matches!(c, '0'..='~')).is_some()
}

#[cfg(test)]
mod tests {
    use super::{
        EXCERPT, excerpt, excerpt_of_ends, one_line, safe_text, same_length, terminal_text,
    };

    #[test]
    fn escape_sequences_vanish_and_what_is_hidden_becomes_visible() {
        let cases: &[(&[u8], &str)] = &[
            (b"plain\ttext\r\n", "plain\ttext\r\n"),
            ("größer 日本".as_bytes(), "größer 日本"),
            (b"\x1b[1;31mFAILED\x1b[0m x", "FAILED x"),
            (b"\x1b[38;2;1;2;3mx\x1b[2K\x1b[?25l", "x"),
            (b"\x1b]0;title\x07x", "x"),
            (b"\x1b]8;;http://e\x1b\\link\x1b]8;;\x1b\\", "link"),
            (b"\x1b]52;c;aGk=\xc2\x9cx", "x"),
            (b"\x1bP+q544e\x1b\\x\x1b_a\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\y", "xy"),
            (b"\x1bc\x1b(B\x1b7x", "x"),
            (b"a\x1b", "a\u{241b}"),
            (b"a\x1b[31", "a\u{241b}[31"),
            (b"a\x1b[31\x07m", "a\u{241b}[31\u{2407}m"),
            (b"\x1b]0;no end\nnext", "\u{241b}]0;no end\nnext"),
            (b"\x1b]0;a\x1b[31mb", "\u{241b}]0;ab"),
            (b"\x00\x08\x0b\x0c\x7f", "\u{2400}\u{2408}\u{240b}\u{240c}\u{2421}"),
            ("\u{9b}31m\u{85}".as_bytes(), "\\u{9b}31m\\u{85}"),
            ("a\u{202e}b\u{2066}".as_bytes(), "a\\u{202e}b\\u{2066}"),
            ("\u{fffe}\u{ffff}\u{fdd0}".as_bytes(), "\\u{fffe}\\u{ffff}\\u{fdd0}"),
            ("\u{1ffff}".as_bytes(), "\\u{1ffff}"),
            (b"a\xff\xfeb", "a\u{fffd}\u{fffd}b"),
            (
                "\u{200b}\u{ad}\u{2028}\u{3164}\u{feff}\u{61c}".as_bytes(),
                "\\u{200b}\\u{ad}\\u{2028}\\u{3164}\\u{feff}\\u{61c}",
            ),
            ("\u{e0001}x\u{e0061}".as_bytes(), "\\u{e0001}x\\u{e0061}"),
            ("क्\u{200d}ष 🏳\u{fe0f}\u{200d}🌈".as_bytes(), "क्\u{200d}ष 🏳\u{fe0f}\u{200d}🌈"),
        ];
        for &(bytes, expected) in cases {
            let safe = safe_text(bytes);
            assert_eq!(safe, expected, "{bytes:?}");
            assert_eq!(safe_text(safe.as_bytes()), safe, "safe text stays as it is");
        }
    }

    #[test]
    fn a_carriage_return_cannot_overwrite_a_line_of_a_terminal() {
        assert_eq!(terminal_text(b"ok\r\nbad\rgood"), "ok\nbad\u{240d}good");
    }

    #[test]
    fn a_line_stays_one_whatever_ends_lines() {
        assert_eq!(
            one_line(" a\nb\r\nc\rd\u{2028}e\u{85}f\n"),
            "a\u{2424}b\u{2424}c\u{240d}d\\u{2028}e\\u{85}f"
        );
    }

    #[test]
    fn a_quoted_file_keeps_every_byte_where_it_was() {
        let text = "a\u{1b}[1m\u{202e}\u{9b}\u{61c}ü\n\tb\r";
        let shown = same_length(text);
        assert_eq!(shown, "a?[1m???????ü\n\tb?");
        assert_eq!(shown.len(), text.len());
    }

    #[test]
    fn a_long_text_is_cut_in_the_middle_at_whole_characters() {
        let short = vec![b'x'; 2 * EXCERPT];
        assert_eq!(excerpt(&short).len(), short.len());
        let long = format!("a{}", "ü".repeat(2 * EXCERPT));
        let cut = excerpt(long.as_bytes());
        let omitted = long.len() - (EXCERPT - 1) - EXCERPT;
        assert!(cut.contains(&format!("\n… {omitted} bytes omitted …\n")));
        assert!(!cut.contains('\u{fffd}'));
    }

    #[test]
    fn ends_that_were_kept_apart_are_joined_when_nothing_is_missing() {
        let (head, tail) = "aüb".as_bytes().split_at(2);
        assert_eq!(excerpt_of_ends(head, 0, tail), "aüb");
        assert_eq!(excerpt_of_ends(head, 7, tail), "a\n… 9 bytes omitted …\nb");
    }

    #[test]
    fn unfinished_sequences_take_linear_time() {
        let hostile = "\u{1b}]".repeat(500_000);
        assert_eq!(safe_text(hostile.as_bytes()).chars().count(), 1_000_000);
    }
}
