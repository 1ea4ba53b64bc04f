//! From raw text, known to be well-formed, to the characters it means.
//!
//! XML 1.0, sections 2.11 (line ends) and 3.3.3 (attribute values). Nothing is checked again: the
//! reader has accounted for every byte, and what it let through can be decoded. Text without
//! anything special is borrowed.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

use crate::reader::reference::resolve;

const SEEN: &str = "because the reader has seen where it ends";

/// The character data in `raw`, a stretch of element content without elements: references
/// resolved, line ends made LF, CDATA sections opened, comments and instructions dropped.
pub(crate) fn text(raw: &str) -> Cow<'_, str> {
    let Some(first) = memchr3(b'<', b'&', b'\r', raw.as_bytes()) else {
        return Cow::Borrowed(raw);
    };
    let mut decoded = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut next = Some(first);
    while let Some(at) = next {
        decoded.push_str(&rest[..at]);
        rest = special(&rest[at..], &mut decoded);
        next = memchr3(b'<', b'&', b'\r', rest.as_bytes());
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

/// Decodes the `<`, `&` or CR that `rest` starts with; gives what follows it.
fn special<'a>(rest: &'a str, decoded: &mut String) -> &'a str {
    if let Some(section) = rest.strip_prefix("<![CDATA[") {
        let (content, behind) = split(section, "]]>");
        push_lines(content, decoded);
        behind
    } else if let Some(comment) = rest.strip_prefix("<!--") {
        split(comment, "-->").1
    } else if rest.starts_with('<') {
        split(rest, "?>").1
    } else if let Some(reference) = rest.strip_prefix('&') {
        let end = reference.bytes().position(|byte| byte == b';');
        let end = end.expect(SEEN);
        decoded.extend(resolve(&reference[..end]));
        &reference[end + 1..]
    } else {
        decoded.push('\n');
        let behind = &rest[1..];
        behind.strip_prefix('\n').unwrap_or(behind)
    }
}

fn split<'a>(text: &'a str, end: &str) -> (&'a str, &'a str) {
    text.split_once(end).expect(SEEN)
}

fn push_lines(content: &str, decoded: &mut String) {
    let mut rest = content;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        decoded.push_str(&rest[..at]);
        rest = special(&rest[at..], decoded);
    }
    decoded.push_str(rest);
}

/// The value of an attribute: references resolved, line ends and tabs made spaces.
pub(crate) fn attribute(raw: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| !matches!(byte, b'&' | b'\t' | b'\n' | b'\r');
    if raw.bytes().all(is_plain) {
        return Cow::Borrowed(raw);
    }
    let mut decoded = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        match c {
            // CR LF is one line end, so one blank. An escaped CR came by a reference, and stays.
            '&' | '\r' => {
                let start = decoded.len();
                rest = special(rest, &mut decoded);
                if c == '\r' {
                    decoded.truncate(start);
                    decoded.push(' ');
                }
                continue;
            }
            '\t' | '\n' => decoded.push(' '),
            _ => decoded.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::{attribute, text};

    #[test]
    fn character_data_is_what_xml_says_it_is() {
        for (raw, decoded) in [
            ("plain ü", "plain ü"),
            ("a&lt;b&#x41;&#10;", "a<bA\n"),
            ("a\r\nb\rc\nd", "a\nb\nc\nd"),
            ("a&#13;\nb", "a\r\nb"),
            ("a<!-- <b> & -->c", "ac"),
            ("a<?t <b> & ?>c", "ac"),
            ("a<![CDATA[<b>&amp;\r\n]] >]]>c", "a<b>&amp;\n]] >c"),
            ("<![CDATA[]]>", ""),
            ("<!---->", ""),
        ] {
            assert_eq!(text(raw), decoded, "{raw}");
        }
    }

    #[test]
    fn attribute_values_hold_no_line_ends_but_escaped_ones() {
        for (raw, decoded) in [
            ("plain ü", "plain ü"),
            ("a\tb\nc\r\nd\re", "a b c d e"),
            ("a&#9;b&#10;c&#13;d", "a\tb\nc\rd"),
            ("&lt;&amp;&quot;", "<&\""),
        ] {
            assert_eq!(attribute(raw), decoded, "{raw}");
        }
    }
}
