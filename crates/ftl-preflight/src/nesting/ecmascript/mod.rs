//! The depth of JavaScript and TypeScript.
//!
//! Where a regular expression, a template or the text of an element ends depends on the grammar
//! (ECMA-262 has four goal symbols for its lexer alone), which is not followed here: rules of thumb
//! decide, and a file may be written to deceive them. The maximum number of [`tokens`] is certain.

mod tokens;
mod words;

pub(crate) use self::tokens::tokens;
use self::words::{HEADS, INFIXES, PREFIXES};
use super::Depth;

/// What the last token was, as far as it decides how the next is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A name, number, string or closing bracket: something that has a value.
    Value,
    CloseBrace,
    Operator,
}

/// What an open bracket began.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Plain,
    /// The `${` of a template literal.
    Template,
    /// The header of a statement, after which that statement's body comes.
    Header,
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    jsx: bool,
    depth: Depth,
    last: Last,
    line_ended: bool,
    /// A semicolon has come, and perhaps an `else` will.
    may_be_over: bool,
    /// The last word begins a statement that has a header.
    heads: bool,
    brackets: Vec<Bracket>,
    /// JSX elements that are open; what separates statements does not separate these.
    elements: usize,
    deepest_elements: usize,
    /// For each kind of quote, how far none has been found that ends what one of them began.
    unended: [usize; 128],
}

/// Whether text is nested more deeply than `limit`; one of too few bytes or tokens is not scanned.
pub(crate) fn is_too_deep(text: &str, jsx: bool, limit: usize) -> bool {
    // A token has at least one byte, and an element a `<`.
    if text.len() <= limit
        || tokens(text) <= limit && (!jsx || text.matches('<').count() <= limit / 4)
    {
        return false;
    }
    let mut scan = Scan::new(text, jsx);
    while scan.at < scan.bytes.len() {
        scan.step();
    }
    // An element is two tags, of at least two tokens each, on oxc's way down: a quarter as many.
    scan.depth.deepest() > limit || scan.deepest_elements > limit / 4
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, jsx: bool) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            jsx,
            depth: Depth::new(),
            last: Last::Operator,
            line_ended: false,
            may_be_over: false,
            heads: false,
            brackets: Vec::new(),
            elements: 0,
            deepest_elements: 0,
            unended: [0; 128],
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
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
            byte => self.significant(byte),
        }
    }

    fn significant(&mut self, byte: u8) {
        // `if (a) b; else if (c) d; …`: the semicolon before `else` ends nothing, and the chain is
        // recursion.
        if std::mem::take(&mut self.may_be_over) && !self.bytes[self.at..].starts_with(b"else") {
            self.depth.end();
        }
        match byte {
            // After a value `/` divides, after an operator it begins a regular expression. After
            // `)` of a header and after `}` either may follow; both count as what they mostly are.
            b'/' if self.last == Last::Operator => self.regex(),
            quote @ (b'"' | b'\'') => self.string(quote),
            b'`' => {
                self.value();
                self.at += 1;
                self.template();
            }
            b'(' => self.open(if self.heads { Bracket::Header } else { Bracket::Plain }),
            b'[' | b'{' => self.open(Bracket::Plain),
            b')' | b']' | b'}' => self.close(),
            b',' => {
                self.depth.separator();
                self.operator();
            }
            b';' => {
                self.may_be_over = true;
                self.operator();
            }
            b'<' => self.angle(),
            b'>' => self.close_angle(),
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
        self.heads = false;
        self.at += 1;
    }

    fn value(&mut self) {
        self.depth.token();
        self.last = Last::Value;
        self.line_ended = false;
        self.heads = false;
    }

    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let is_part =
            |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let word = &rest[..length];
        // A word after a block begins a statement, one after a value does so on a new line, and one
        // after an operator never does.
        let ended = match self.last {
            Last::CloseBrace => true,
            Last::Value => self.line_ended,
            Last::Operator => false,
        };
        if ended && !INFIXES.contains(&word) {
            self.depth.end();
        }
        let heads = HEADS.contains(&word) || self.heads && word == b"await";
        self.value();
        self.heads = heads;
        // After these an operand follows, so that `/` begins a regular expression.
        if PREFIXES.contains(&word) || matches!(word, b"return" | b"case" | b"throw") {
            self.last = Last::Operator;
        }
        self.at += length;
    }

    fn open(&mut self, bracket: Bracket) {
        self.brackets.push(bracket);
        self.depth.open();
        self.operator();
    }

    fn close(&mut self) {
        let brace = self.peek(0) == b'}';
        self.depth.close();
        self.operator();
        let bracket = self.brackets.pop();
        if brace {
            self.last = Last::CloseBrace;
        } else if bracket != Some(Bracket::Header) {
            self.last = Last::Value;
        }
        // Back in the text of the template: its quotes and brackets are no tokens.
        if bracket == Some(Bracket::Template) && brace {
            self.template();
        }
    }

    /// An opening or closing JSX tag, type arguments, or a comparison.
    fn angle(&mut self) {
        self.depth.open_softly();
        if self.jsx {
            match self.peek(1) {
                b'/' => self.elements = self.elements.saturating_sub(1),
                byte if byte.is_ascii_alphabetic() || byte == b'>' => self.elements += 1,
                _ => {}
            }
            self.deepest_elements = self.deepest_elements.max(self.elements);
        }
        self.operator();
    }

    /// The end of what an angle began, unless it is an arrow's.
    fn close_angle(&mut self) {
        let before = self.bytes[..self.at].last();
        if before == Some(&b'=') {
            self.depth.token();
        } else {
            self.depth.close_softly();
        }
        if self.jsx && before == Some(&b'/') {
            self.elements = self.elements.saturating_sub(1);
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

    /// Just after the `end` of what begins here, if there is one on this line.
    fn end_on_line(&mut self, end: u8, classes: bool) -> Option<usize> {
        // A line whose rest has been looked through in vain is not looked through again: many stray
        // quotes on one long line would take quadratic time.
        let unended = &mut self.unended[usize::from(end)];
        if self.at < *unended {
            return None;
        }
        let (mut at, mut in_class) = (self.at + 1, false);
        loop {
            match self.bytes.get(at) {
                None | Some(b'\n') => break,
                Some(b'\\') => at += 1,
                Some(b'[') if classes => in_class = true,
                Some(b']') => in_class = false,
                Some(&byte) if byte == end && !in_class => return Some(at + 1),
                Some(_) => {}
            }
            at += 1;
        }
        *unended = at;
        None
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
                    self.open(Bracket::Template);
                    return;
                }
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scan, is_too_deep, tokens};
    use crate::nesting::LIMIT;

    #[test]
    fn anything_that_a_parser_recurses_on_is_deep_when_repeated() {
        let cases = [
            (false, "("),
            (false, "{["),
            (false, "else if (a) {} "),
            (false, "if (a) b; else "),
            (false, "if (a)\n"),
            (false, "for await (a of b)\n"),
            (false, "1+"),
            (false, "typeof\n"),
            (false, "a.b"),
            (false, "`${"),
            (false, "(\")\""),
            (false, "a => "),
            (false, "A<B, "),
            (false, "<A, B>(a) => "),
            (true, "<a>;"),
        ];
        for (jsx, unit) in cases {
            assert!(is_too_deep(&unit.repeat(LIMIT + 1), jsx, LIMIT), "{unit:?}");
        }
    }

    #[test]
    fn a_long_file_is_not_a_deep_one() {
        let cases = [
            (false, "function f(a, b) { return a + b }\n"),
            (false, "const a = b.c(d)\n"),
            (false, "if (a) { b() } else { c() }\n"),
            (false, "if (a < b) c; else d;\n"),
            (false, "let a: A<B, C> = d\n"),
            (false, "x = '((((((';\n"),
            (false, "y = /[/(]'(/;\n"),
            (false, "if (a) /'/.test(b);\n"),
            (false, "z = `(${a})((`;\n"),
            (false, "// don't (\n/* ( */\n"),
            (true, "<a><b c={d}/></a>;\n"),
        ];
        for (jsx, unit) in cases {
            assert!(!is_too_deep(&unit.repeat(LIMIT), jsx, LIMIT), "{unit:?}");
        }
    }

    #[test]
    fn a_text_is_no_deeper_than_it_has_tokens() {
        let units = [
            "a.b",
            "`\\`${'\\'",
            "/[/]/g ",
            "'\n\"",
            "\u{e9}a ",
            "\u{c}",
            "\u{b}",
            "<a b/>",
            "</a",
            "=>",
        ];
        for (unit, jsx) in units.iter().flat_map(|unit| [(unit, false), (unit, true)]) {
            let text = unit.repeat(50);
            let mut scan = Scan::new(&text, jsx);
            while scan.at < scan.bytes.len() {
                scan.step();
            }
            assert!(scan.depth.deepest() <= tokens(&text), "{unit:?}");
            assert!(scan.deepest_elements <= text.matches('<').count(), "{unit:?}");
        }
    }
}
