//! The encoding that a Python file declares (PEP 263), UTF-8 otherwise (PEP 3120).
//!
//! CPython takes any of its codecs, of which there are about a hundred. Those that browsers know
//! too are read by `encoding_rs`, whose decoders follow the WHATWG's Encoding Standard; of the rest
//! it is only known that they exist, and such a file is unchecked rather than invalid.

use encoding_rs::Encoding;

use crate::decode::{self, DecodeError, NotText, Text};

/// Beginnings of the names of codecs that Python has and that are not read here.
const OTHER_CODECS: &[&str] = &[
    "big5", "cp", "euc", "gb", "hp", "hz", "ibm", "iso", "johab", "koi8", "kz", "mac", "ms",
    "ptcp", "rk", "shift", "sjis", "tis", "utf",
];

/// The text of a Python file: UTF-8 unless a comment in one of the first two lines says
/// otherwise.
pub(crate) fn decode(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    let marked = bytes.starts_with(b"\xEF\xBB\xBF");
    let Some(cookie) = cookie(bytes) else {
        return decode::utf8(bytes);
    };
    let name = normal(cookie.name);
    // `get_normal_name` of CPython's tokenizer turns `UTF_8` and `utf-8-sig` into `utf-8`, but
    // leaves `utf8` alone; and after a byte order mark it takes `utf-8` only, so `utf8` is refused
    // there.
    if name == "utf-8" || name.starts_with("utf-8-") || (name == "utf8" && !marked) {
        return decode::utf8(bytes);
    }
    if marked {
        let message = format!("the byte order mark says UTF-8, the comment `{}`", cookie.name);
        return Err(DecodeError::Invalid(NotText { at: cookie.at, message }));
    }
    match name.as_str() {
        // Not through `encoding_rs`: the WHATWG decodes this label as windows-1252, which gives
        // other characters for the bytes 0x80 to 0x9F.
        "latin-1" | "latin1" | "l1" | "iso-8859-1" | "iso8859-1" | "8859" | "cp819" => {
            Ok(decode::latin1(bytes))
        }
        name if name.starts_with("latin-1-") || name.starts_with("iso-latin-1") => {
            Ok(decode::latin1(bytes))
        }
        "ascii" | "us-ascii" | "646" => ascii(bytes),
        name => match Encoding::for_label(whatwg_label(name).as_bytes()) {
            Some(encoding) => decode::encoded(bytes, encoding),
            None if OTHER_CODECS.iter().any(|start| name.starts_with(start)) => {
                Err(DecodeError::Unknown(cookie.name.to_owned()))
            }
            None => {
                let message = format!("unknown encoding: {}", cookie.name);
                Err(DecodeError::Invalid(NotText { at: cookie.at, message }))
            }
        },
    }
}

fn ascii(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    match bytes.iter().position(|byte| !byte.is_ascii()) {
        None => decode::utf8(bytes),
        Some(at) => {
            let message = format!("not ASCII: byte 0x{:02x} is out of place", bytes[at]);
            Err(DecodeError::Invalid(NotText { at, message }))
        }
    }
}

/// Python's name for an encoding in the WHATWG's words.
fn whatwg_label(name: &str) -> String {
    match name {
        "cp936" | "ms936" => "gbk".to_owned(),
        "cp932" | "ms932" => "shift_jis".to_owned(),
        "cp949" | "uhc" => "euc-kr".to_owned(),
        "cp950" => "big5".to_owned(),
        "latin-9" | "latin9" => "iso-8859-15".to_owned(),
        name => name.to_owned(),
    }
}

/// A name as Python compares it.
fn normal(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

struct Cookie<'a> {
    name: &'a str,
    /// Byte offset of the name.
    at: usize,
}

/// The declaration, if one of the first two lines is a comment that has one, and the second
/// only if the first is blank or a comment: the tokenizer stops looking at the first line of code.
fn cookie(bytes: &[u8]) -> Option<Cookie<'_>> {
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n').take(2) {
        let line_start = start;
        start += line.len();
        let body = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\x0C');
        let indent = body.iter().take_while(|byte| blank(byte)).count();
        let code = body[indent..].trim_ascii_end();
        if let Some((at, name)) = code.strip_prefix(b"#").and_then(declaration) {
            let at = line_start + (line.len() - body.len()) + indent + 1 + at;
            return Some(Cookie { name, at });
        }
        if !code.is_empty() && code[0] != b'#' {
            return None;
        }
    }
    None
}

/// `coding[:=]\s*([-\w.]+)` in a comment: where the name begins, and the name.
fn declaration(comment: &[u8]) -> Option<(usize, &str)> {
    let mut searched = 0;
    loop {
        let found = comment[searched..].windows(6).position(|window| window == b"coding")?;
        searched += found + 6;
        // Searched on: the expression is not anchored, so `coding coding: latin-1` declares one.
        let Some(b':' | b'=') = comment.get(searched) else {
            continue;
        };
        let rest = &comment[searched + 1..];
        let blanks = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        let name = &rest[blanks..];
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let length = name.iter().take_while(is_part).count();
        if length > 0 {
            return Some((searched + 1 + blanks, std::str::from_utf8(&name[..length]).ok()?));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cookie;

    #[test]
    fn a_declaration_is_found_where_python_looks_for_it() {
        let cases: &[(&[u8], Option<&str>)] = &[
            (b"# -*- coding: latin-1 -*-\n", Some("latin-1")),
            (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n", Some("cp1252")),
            (b"\xEF\xBB\xBF# coding:utf-8", Some("utf-8")),
            (b"x = 1\n# coding: latin-1\n", None),
            (b"\n\n# coding: latin-1\n", None),
            (b"'coding: latin-1'\n", None),
            (b"# coding latin-1, encoding=ascii\n", Some("ascii")),
        ];
        for (text, expected) in cases {
            assert_eq!(cookie(text).map(|it| it.name), *expected, "{text:?}");
        }
    }
}
