//! Words and operators of a command. Scripts inside of words are cut out, and not read.

use super::syntax::Word;

/// A piece of a command and the byte at which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, and the texts of the scripts in it.
    Word(Word, Vec<String>),
    /// `;`, `&&`, `|`, a line end, `(`, `)` and redirections.
    Operator(&'static str),
}

/// Operators, longer ones before their beginnings.
const OPERATORS: [&str; 25] = [
    "&&", "||", "|&", ";;&", ";;", ";&", "&>>", "&>", "<<<", "<<-", "<<", ">>", ">&", "<&", "<>",
    ">|", "\n", ";", "&", "|", "(", ")", "<", ">", "",
];

pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
    /// Scripts of the word that is being read.
    scripts: Vec<String>,
    /// Ends of here-documents whose text begins at the next line end, and whether tabs are stripped.
    pending: Vec<(String, bool)>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, at: 0, scripts: Vec::new(), pending: Vec::new() }
    }

    /// The next token with its bytes; `Some(None)` at the end, `None` where the source is not understood.
    pub(super) fn next(&mut self) -> Option<Option<(Token, usize, usize)>> {
        self.skip_blanks();
        let start = self.at;
        let rest = &self.source[start..];
        if rest.is_empty() {
            return self.pending.is_empty().then_some(None);
        }
        let is_process = rest.starts_with("<(") || rest.starts_with(">(");
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if (1..3).contains(&digits) && rest[digits..].starts_with(['<', '>']) {
            self.at += digits;
        }
        let rest = &self.source[self.at..];
        let operator =
            OPERATORS.into_iter().find(|one| rest.starts_with(one)).filter(|_| !is_process);
        match operator {
            Some("") | None => {
                let word = self.word()?;
                let scripts = std::mem::take(&mut self.scripts);
                Some(Some((Token::Word(word, scripts), start, self.at)))
            }
            Some(operator) => {
                self.at += operator.len();
                if operator == "\n" {
                    self.skip_documents()?;
                }
                Some(Some((Token::Operator(operator), start, self.at)))
            }
        }
    }

    /// Registers the end of a here-document.
    pub(super) fn expect_document(&mut self, end: String, strips_tabs: bool) {
        self.pending.push((end, strips_tabs));
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.source[self.at..];
            let trimmed = rest.trim_start_matches([' ', '\t', '\r']);
            self.at += rest.len() - trimmed.len();
            if let Some(after) = trimmed.strip_prefix("\\\n") {
                self.at = self.source.len() - after.len();
            } else if trimmed.starts_with('#') {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else {
                return;
            }
        }
    }

    fn skip_documents(&mut self) -> Option<()> {
        for (end, strips_tabs) in std::mem::take(&mut self.pending) {
            loop {
                let rest = &self.source[self.at..];
                if rest.is_empty() {
                    return None;
                }
                let length = rest.find('\n').unwrap_or(rest.len());
                let line = if strips_tabs {
                    rest[..length].trim_start_matches('\t')
                } else {
                    &rest[..length]
                };
                self.at = (self.at + length + 1).min(self.source.len());
                if line == end {
                    break;
                }
            }
        }
        Some(())
    }

    fn word(&mut self) -> Option<Word> {
        let mut word = Word::default();
        while let Some(next) = self.source[self.at..].chars().next() {
            let rest = &self.source[self.at..];
            let is_process =
                word.text.is_empty() && (rest.starts_with("<(") || rest.starts_with(">("));
            match next {
                _ if is_process => {
                    word.is_process = true;
                    self.substitution(&mut word, 1)?;
                }
                ' ' | '\t' | '\n' | '\r' | ';' | '|' | '&' | '(' | ')' | '<' | '>' => break,
                '\\' => {
                    word.is_quoted = true;
                    let escaped = rest[1..].chars().next();
                    self.at += 1 + escaped.map_or(0, char::len_utf8);
                    word.text.extend(escaped.filter(|it| *it != '\n'));
                }
                '\'' => {
                    let length = rest[1..].find('\'')?;
                    word.is_quoted = true;
                    word.text.push_str(&rest[1..=length]);
                    self.at += length + 2;
                }
                '"' => self.double_quoted(&mut word)?,
                '`' => self.backquoted(&mut word)?,
                '$' => self.dollar(&mut word)?,
                other => {
                    word.text.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
        Some(word)
    }

    fn double_quoted(&mut self, word: &mut Word) -> Option<()> {
        word.is_quoted = true;
        self.at += 1;
        loop {
            let rest = &self.source[self.at..];
            match rest.chars().next()? {
                '"' => {
                    self.at += 1;
                    return Some(());
                }
                '\\' => {
                    let escaped = rest[1..].chars().next()?;
                    if !matches!(escaped, '"' | '\\' | '$' | '`' | '\n') {
                        word.text.push('\\');
                    }
                    word.text.extend((escaped != '\n').then_some(escaped));
                    self.at += 1 + escaped.len_utf8();
                }
                '`' => self.backquoted(word)?,
                '$' => self.dollar(word)?,
                other => {
                    word.text.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
    }

    fn backquoted(&mut self, word: &mut Word) -> Option<()> {
        let rest = &self.source[self.at + 1..];
        let mut escaped = false;
        let length = rest.find(|c| {
            let ends = c == '`' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        self.scripts.push(rest[..length].replace("\\`", "`"));
        word.text.push_str(&self.source[self.at..self.at + length + 2]);
        self.at += length + 2;
        Some(())
    }

    /// `$name`, `${…}`, `$(…)` or `$((…))`.
    fn dollar(&mut self, word: &mut Word) -> Option<()> {
        let rest = &self.source[self.at..];
        if rest.starts_with("$((") || rest.starts_with("${") {
            let length = closed(rest, 1)?;
            word.text.push_str(&rest[..length]);
            self.at += length;
            return Some(());
        }
        if rest.starts_with("$(") {
            return self.substitution(word, 1);
        }
        word.text.push('$');
        self.at += 1;
        Some(())
    }

    /// A script in parentheses that begins `offset` bytes further on.
    fn substitution(&mut self, word: &mut Word, offset: usize) -> Option<()> {
        let rest = &self.source[self.at..];
        let length = closed(rest, offset)?;
        self.scripts.push(rest[offset + 1..length - 1].to_owned());
        word.text.push_str(&rest[..length]);
        self.at += length;
        Some(())
    }
}

/// The length of `text` up to the bracket that closes the one at `open`. Quotes are respected.
fn closed(text: &str, open: usize) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match (quote, character) {
            _ if escaped => escaped = false,
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None | Some('"'), '\\') => escaped = true,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            (None, _) => {}
        }
    }
    None
}
