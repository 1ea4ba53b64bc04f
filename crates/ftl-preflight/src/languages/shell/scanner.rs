//! The text of a script and a place in it: blanks, comments, newlines with the here-documents behind them.

use crate::finding::Finding;

pub(super) type Read<T = ()> = Result<T, Finding>;

/// A here-document whose body begins behind the next newline.
struct Heredoc {
    delimiter: String,
    is_quoted: bool,
    strips_tabs: bool,
}

pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pending: Vec<Heredoc>,
    /// How many `$(` are open.
    pub(super) substitutions: usize,
    depth: usize,
    limit: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, limit: usize) -> Self {
        Self { text, at: 0, pending: Vec::new(), substitutions: 0, depth: 0, limit }
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > self.limit
    }

    /// Goes down a level, which `up` leaves.
    pub(super) fn down(&mut self) -> Read {
        self.depth += 1;
        if self.is_too_deep() { Err(self.error("nested too deeply")) } else { Ok(()) }
    }

    pub(super) fn up(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The next byte; 0 at the end.
    pub(super) fn byte(&self) -> u8 {
        self.byte_after(0)
    }

    pub(super) fn byte_after(&self, count: usize) -> u8 {
        self.text.as_bytes().get(self.at + count).copied().unwrap_or(0)
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Past a text, if it is next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Past spaces, tabs, continued lines, and a comment.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.byte() {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.byte_after(1) == b'\n' => self.at += 2,
                b'#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => return,
            }
        }
    }

    /// Past blanks and newlines.
    pub(super) fn newlines(&mut self) {
        self.blanks();
        while self.newline() {
            self.blanks();
        }
    }

    /// Past one newline, and the here-documents that begin behind it.
    pub(super) fn newline(&mut self) -> bool {
        if self.byte() != b'\n' {
            return false;
        }
        self.at += 1;
        for heredoc in std::mem::take(&mut self.pending) {
            self.body(&heredoc);
        }
        true
    }

    /// Past the body of a here-document. The end of the file ends it too.
    fn body(&mut self, heredoc: &Heredoc) {
        let mut is_continued = false;
        while !self.is_end() {
            let (start, line) =
                (self.at, self.rest().split_inclusive('\n').next().unwrap_or_default());
            self.at += line.len();
            let line = line.strip_suffix('\n').unwrap_or(line);
            let compared = if heredoc.strips_tabs { line.trim_start_matches('\t') } else { line };
            if !is_continued && compared == heredoc.delimiter {
                return;
            }
            // In `$(…)` bash takes a delimiter before the bracket, with a warning.
            let behind = compared.strip_prefix(&heredoc.delimiter).filter(|it| it.starts_with(')'));
            if let Some(behind) = behind.filter(|_| self.substitutions > 0 && !is_continued) {
                self.at = start + line.len() - behind.len();
                return;
            }
            let slashes = line.len() - line.trim_end_matches('\\').len();
            is_continued = !heredoc.is_quoted && slashes % 2 == 1;
        }
    }

    /// Remembers a here-document, by the word that is its delimiter.
    pub(super) fn expect_body(&mut self, word: &str, strips_tabs: bool) {
        let is_quoted = word.contains(['\\', '\'', '"']);
        let delimiter = if is_quoted { unquoted(word) } else { word.to_owned() };
        self.pending.push(Heredoc { delimiter, is_quoted, strips_tabs });
    }

    pub(super) fn error(&self, message: impl Into<String>) -> Finding {
        Finding::at(self.text, self.at.min(self.text.len()), message)
    }

    /// What is next is not what may be here.
    pub(super) fn unexpected(&self, wanted: &str) -> Finding {
        let rest = self.rest();
        let end = rest.find(|it: char| it.is_whitespace()).unwrap_or(rest.len()).min(20);
        let found = match &rest[..rest.floor_char_boundary(end)] {
            _ if self.is_end() => "the end of the file".to_owned(),
            "" => "the end of the line".to_owned(),
            text => format!("`{text}`"),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }
}

/// A word without its quotes.
fn unquoted(word: &str) -> String {
    let mut text = String::new();
    let (mut quote, mut characters) = (None, word.chars().peekable());
    while let Some(it) = characters.next() {
        match it {
            '\\' if quote.is_none() => text.extend(characters.next()),
            '\\' if quote == Some('"')
                && characters.peek().is_some_and(|it| "\\\"$`".contains(*it)) =>
            {
                text.extend(characters.next());
            }
            '"' | '\'' if quote.is_none() => quote = Some(it),
            it if Some(it) == quote => quote = None,
            it => text.push(it),
        }
    }
    text
}
