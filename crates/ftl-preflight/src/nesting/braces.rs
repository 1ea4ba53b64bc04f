//! The depth of text in a language with braces, told token by token.

use super::{Depth, Dialect, LIMIT};

/// Words after which a line's end does not end the statement.
const PREFIXES: &[&[u8]] = &[
    b"abstract",
    b"as",
    b"asserts",
    b"async",
    b"await",
    b"delete",
    b"do",
    b"else",
    b"extends",
    b"implements",
    b"in",
    b"infer",
    b"instanceof",
    b"is",
    b"keyof",
    b"new",
    b"of",
    b"readonly",
    b"satisfies",
    b"typeof",
    b"unique",
    b"void",
    b"yield",
];
/// Words that go on with the statement before them.
const INFIXES: &[&[u8]] = &[
    b"as",
    b"catch",
    b"else",
    b"extends",
    b"finally",
    b"implements",
    b"in",
    b"instanceof",
    b"is",
    b"of",
    b"satisfies",
    b"while",
];

/// What the last token was, as far as it decides how the next is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A name, number, string or closing bracket: something that has a value.
    Value,
    CloseBrace,
    Operator,
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    dialect: Dialect,
    depth: Depth,
    last: Last,
    line_ended: bool,
    /// For each open bracket, whether it is the `${` of a template literal.
    templates: Vec<bool>,
    /// JSX elements that are open; what separates statements does not separate these.
    elements: usize,
    deepest_elements: usize,
}

pub(super) fn measure(bytes: &[u8], dialect: Dialect) -> bool {
    let mut scan = Scan {
        bytes,
        at: 0,
        dialect,
        depth: Depth::new(),
        last: Last::Operator,
        line_ended: false,
        templates: Vec::new(),
        elements: 0,
        deepest_elements: 0,
    };
    while scan.at < bytes.len() {
        scan.step();
    }
    scan.depth.is_too_deep() || scan.deepest_elements > LIMIT / 4
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn is_script(&self) -> bool {
        match self.dialect {
            #[cfg(feature = "go")]
            Dialect::Go => false,
            #[cfg(feature = "oxc")]
            Dialect::EcmaScript { .. } => true,
        }
    }

    fn step(&mut self) {
        match self.peek(0) {
            b'\n' => {
                self.line_ended = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'/' if self.peek(1) == b'/' => self.skip_to(b"\n"),
            b'/' if self.peek(1) == b'*' => {
                self.at += 2;
                self.skip_to(b"*/");
                self.at += 2;
            }
            b'/' if self.is_script() && self.last == Last::Operator => self.regex(),
            quote @ (b'"' | b'\'') => self.string(quote),
            b'`' if self.is_script() => {
                self.value();
                self.at += 1;
                self.template();
            }
            b'`' => {
                self.value();
                self.at += 1;
                self.skip_to(b"`");
                self.at += 1;
            }
            b'(' | b'[' | b'{' => self.open(false),
            b')' | b']' | b'}' => self.close(),
            b',' | b';' => {
                self.depth.separator();
                self.operator();
            }
            b'<' => self.angle(),
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..) => {
                self.word();
            }
            _ => {
                self.depth.token();
                self.operator();
            }
        }
    }

    fn operator(&mut self) {
        self.last = Last::Operator;
        self.line_ended = false;
        self.at += 1;
    }

    fn value(&mut self) {
        self.depth.token();
        self.last = Last::Value;
        self.line_ended = false;
    }

    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let is_part =
            |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        let length = rest
            .iter()
            .position(|byte| !is_part(byte))
            .unwrap_or(rest.len());
        let word = &rest[..length];
        let ended = match self.last {
            Last::CloseBrace => true,
            Last::Value => self.line_ended,
            Last::Operator => false,
        };
        if ended && !INFIXES.contains(&word) {
            self.depth.separator();
        }
        self.value();
        if PREFIXES.contains(&word) || matches!(word, b"return" | b"case" | b"throw") {
            self.last = Last::Operator;
        }
        self.at += length;
    }

    fn open(&mut self, template: bool) {
        self.templates.push(template);
        self.depth.open();
        self.operator();
    }

    fn close(&mut self) {
        let brace = self.peek(0) == b'}';
        self.depth.close();
        self.operator();
        self.last = if brace { Last::CloseBrace } else { Last::Value };
        if self.templates.pop() == Some(true) && brace {
            self.template();
        }
    }

    /// An opening or closing JSX tag, or a comparison.
    fn angle(&mut self) {
        self.depth.token();
        #[cfg(feature = "oxc")]
        if self.dialect == (Dialect::EcmaScript { jsx: true }) {
            match self.peek(1) {
                b'/' => self.elements = self.elements.saturating_sub(1),
                byte if byte.is_ascii_alphabetic() || byte == b'>' => self.elements += 1,
                _ => {}
            }
            self.deepest_elements = self.deepest_elements.max(self.elements);
        }
        self.operator();
    }

    fn skip_to(&mut self, end: &[u8]) {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let found = rest.windows(end.len()).position(|window| window == end);
        self.at = found.map_or(self.bytes.len(), |found| self.at + found);
    }

    /// A string that ends on its line; else the quote is taken for a stray one.
    fn string(&mut self, quote: u8) {
        self.value();
        self.at = self.end_on_line(quote, false).unwrap_or(self.at + 1);
    }

    fn regex(&mut self) {
        self.value();
        self.at = self.end_on_line(b'/', true).unwrap_or(self.at + 1);
    }

    fn end_on_line(&self, end: u8, classes: bool) -> Option<usize> {
        let (mut at, mut in_class) = (self.at + 1, false);
        loop {
            match *self.bytes.get(at)? {
                b'\n' => return None,
                b'\\' => at += 1,
                b'[' if classes => in_class = true,
                b']' => in_class = false,
                byte if byte == end && !in_class => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
    }

    /// The text of a template literal up to its end or its next `${`.
    fn template(&mut self) {
        loop {
            match self.peek(0) {
                _ if self.at >= self.bytes.len() => return,
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    self.last = Last::Value;
                    return;
                }
                b'$' if self.peek(1) == b'{' => {
                    self.at += 1;
                    self.open(true);
                    return;
                }
                _ => self.at += 1,
            }
        }
    }
}
