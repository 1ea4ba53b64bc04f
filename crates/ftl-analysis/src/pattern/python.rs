//! Python's regular expressions, in the syntax of the engines that we have.
//!
//! The pattern is rewritten in one pass, token by token, without a syntax tree: most of it passes
//! unchanged. The rules are those of Python's `re` (its library reference and `re/_parser.py`), and
//! `tests/cases/patterns.jsonl` holds what Python itself answers for each difference.
//!
//! Rewriting errs towards refusing: an escape that Python does not know is an error there and here,
//! since an engine might give it another meaning.

use std::iter::Peekable;
use std::str::CharIndices;

/// Rewrites `pattern` from the syntax of Python's `re` (for text, not bytes): what it accepts and
/// finds stays, where the syntaxes differ.
///
/// Differences that are bridged: `$` and `\Z`, literal braces and open brackets, `{,n}`, octal
/// escapes, the flags `a` and `u`, named conditionals, comments, blanks in classes under `x`.
///
/// # Errors
///
/// What Python refuses, or what no engine here can do: an unknown escape, the flag `L`, `\N{…}`.
pub(super) fn translate(pattern: &str) -> Result<Translated, String> {
    let mut translator = Translator {
        rest: pattern.char_indices().peekable(),
        pattern,
        out: String::with_capacity(pattern.len() + 16),
        flags: vec![Flags::default()],
        is_possessive: false,
    };
    let mut after_repetition = false;
    while let Some((_, character)) = translator.rest.next() {
        translator.is_possessive |= after_repetition && character == '+';
        after_repetition = matches!(character, '*' | '+' | '?')
            || character == '{' && repetition(translator.ahead()).is_some();
        translator.item(character)?;
    }
    Ok(Translated { pattern: translator.out, is_possessive: translator.is_possessive })
}

/// A pattern for our engines.
pub(super) struct Translated {
    /// The pattern.
    pub(super) pattern: String,
    /// Whether it holds a possessive repetition, which linear engines read as a nested one.
    pub(super) is_possessive: bool,
}

/// The flags in force that change how a pattern is to be read.
#[derive(Clone, Copy, Default)]
struct Flags {
    multi_line: bool,
    verbose: bool,
}

struct Translator<'a> {
    rest: Peekable<CharIndices<'a>>,
    pattern: &'a str,
    out: String,
    /// One entry a group that is open, and one for the whole.
    flags: Vec<Flags>,
    is_possessive: bool,
}

impl Translator<'_> {
    fn item(&mut self, character: char) -> Result<(), String> {
        match character {
            '\\' => return self.escape(false),
            '[' => return self.class(),
            '(' => return self.group(),
            ')' => {
                if self.flags.len() > 1 {
                    self.flags.pop();
                }
                self.out.push(')');
            }
            '$' if !self.flags().multi_line => self.out.push_str(r"(?:\n?\z)"),
            '{' => self.braces(),
            '}' => self.out.push_str(r"\}"),
            '#' if self.flags().verbose => {
                while self.rest.next_if(|&(_, c)| c != '\n').is_some() {}
            }
            other => self.out.push(other),
        }
        Ok(())
    }

    fn flags(&self) -> Flags {
        self.flags.last().copied().unwrap_or_default()
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let found = self.ahead().starts_with(prefix);
        if found {
            self.pass_over(prefix.len());
        }
        found
    }

    fn pass_over(&mut self, characters: usize) {
        for _ in 0..characters {
            self.rest.next();
        }
    }

    fn ahead(&mut self) -> &str {
        match self.rest.peek() {
            Some(&(at, _)) => &self.pattern[at..],
            None => "",
        }
    }

    /// What follows up to `end`, which is passed over too.
    fn until(&mut self, end: char) -> Result<String, String> {
        let mut text = String::new();
        for (_, character) in self.rest.by_ref() {
            if character == end {
                return Ok(text);
            }
            text.push(character);
        }
        Err(format!("`{end}` is missing"))
    }

    /// An open parenthesis was read.
    fn group(&mut self) -> Result<(), String> {
        if self.skip("?#") {
            return self.until(')').map(drop);
        }
        if self.skip("?(") {
            let reference = self.until(')')?;
            let is_number = reference.chars().all(|c| c.is_ascii_digit());
            match is_number {
                true => self.out.push_str(&format!("(?({reference})")),
                false => self.out.push_str(&format!("(?(<{reference}>)")),
            }
        } else if self.flags_ahead() {
            return self.flag_group();
        } else {
            self.out.push('(');
            if self.skip("?") {
                self.out.push('?');
            }
        }
        self.flags.push(self.flags());
        Ok(())
    }

    fn flags_ahead(&mut self) -> bool {
        let mut ahead = self.ahead().chars();
        ahead.next() == Some('?') && ahead.next().is_some_and(|c| "aiLmsux-".contains(c))
    }

    /// `?flags)` or `?flags-flags:` follows.
    fn flag_group(&mut self) -> Result<(), String> {
        self.rest.next();
        let mut letters = String::new();
        let mut flags = self.flags();
        let mut on = true;
        let end = loop {
            match self.rest.next().map(|(_, character)| character) {
                Some(end @ (')' | ':')) => break end,
                Some('-') => {
                    on = false;
                    letters.push('-');
                }
                Some('a' | 'u') => {}
                Some(letter @ ('i' | 'm' | 's' | 'x')) => {
                    letters.push(letter);
                    flags.multi_line = if letter == 'm' { on } else { flags.multi_line };
                    flags.verbose = if letter == 'x' { on } else { flags.verbose };
                }
                _ => return Err("a flag that is not one of `aimsux`".to_owned()),
            }
        };
        let letters = letters.trim_end_matches('-');
        if end == ':' {
            self.flags.push(flags);
            self.out.push_str(&format!("(?{letters}:"));
        } else {
            if let Some(current) = self.flags.last_mut() {
                *current = flags;
            }
            if !letters.is_empty() {
                self.out.push_str(&format!("(?{letters})"));
            }
        }
        Ok(())
    }

    /// An open brace was read: a repetition, or itself.
    fn braces(&mut self) {
        match repetition(self.ahead()) {
            Some((length, minimum, maximum)) => {
                self.pass_over(length);
                self.out.push_str(&format!("{{{minimum}{maximum}}}"));
            }
            None => self.out.push_str(r"\{"),
        }
    }

    /// An open bracket was read.
    fn class(&mut self) -> Result<(), String> {
        self.out.push('[');
        if self.skip("^") {
            self.out.push('^');
        }
        if self.skip("]") {
            self.out.push_str(r"\]");
        }
        let mut previous = None;
        while let Some((_, character)) = self.rest.next() {
            match character {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '\\' => self.escape(true)?,
                '-' if previous != Some('-') => self.out.push('-'),
                '[' | '&' | '~' | '-' | '#' => self.literal(character),
                blank if blank.is_whitespace() => self.code_point(u32::from(blank)),
                other => self.out.push(other),
            }
            previous = Some(character);
        }
        Err("a `[` is not closed".to_owned())
    }

    /// In a class, `[`, `&&`, `--` and `~~` are set operations to our engines, and themselves to Python.
    fn literal(&mut self, character: char) {
        self.out.push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
    }

    fn code_point(&mut self, value: u32) {
        self.out.push_str(&format!("\\x{{{value:X}}}"));
    }

    /// A backslash was read.
    fn escape(&mut self, in_class: bool) -> Result<(), String> {
        let Some((_, character)) = self.rest.next() else {
            return Err("it ends in a backslash".to_owned());
        };
        match character {
            'Z' if !in_class => self.out.push_str(r"\z"),
            'b' if in_class => self.code_point(8),
            'A' | 'b' | 'B' if !in_class => self.pass(character),
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => self.pass(character),
            'a' | 'f' | 'n' | 'r' | 't' | 'v' | 'x' | 'u' | 'U' => self.pass(character),
            digit @ ('8' | '9') if in_class => return Err(format!("`\\{digit}` is no escape")),
            digit @ '0'..='9' => self.number(digit, in_class),
            letter if letter.is_ascii_alphabetic() => {
                return Err(format!("`\\{letter}` is no escape"));
            }
            blank if blank.is_whitespace() => self.code_point(u32::from(blank)),
            '&' | '~' | '-' if in_class => {
                self.out.push('\\');
                self.out.push(character);
            }
            other => self.literal(other),
        }
        Ok(())
    }

    fn pass(&mut self, letter: char) {
        self.out.push('\\');
        self.out.push(letter);
    }

    /// An octal escape or a reference to a group, whose first digit was read. As in Python: three octal
    /// digits, or a leading zero, are a character; any other number refers to a group. A reference
    /// is put into a separate group, so that a digit behind it is not read as a part of its number.
    fn number(&mut self, first: char, in_class: bool) {
        let more: String = self.ahead().chars().take(2).collect();
        let octal: String = std::iter::once(first)
            .chain(more.chars())
            .take_while(|digit| ('0'..='7').contains(digit))
            .collect();
        if first == '0' || in_class || (octal.len() == 3 && first <= '3') {
            self.pass_over(octal.len() - 1);
            self.code_point(u32::from_str_radix(&octal, 8).unwrap_or(0));
            return;
        }
        let second = self.rest.next_if(|(_, c)| c.is_ascii_digit());
        let second = second.map(|(_, c)| c.to_string()).unwrap_or_default();
        self.out.push_str(&format!("(?:\\{first}{second})"));
    }
}

/// The repetition that `text` begins with behind its brace: characters it takes, its minimum, and
/// its maximum with the comma.
fn repetition(text: &str) -> Option<(usize, String, String)> {
    let (inside, _) = text.split_once('}')?;
    let (minimum, maximum) = inside.split_once(',').unwrap_or((inside, ""));
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if inside.is_empty() || !is_number(minimum) || !is_number(maximum) {
        return None;
    }
    let minimum = if minimum.is_empty() { "0" } else { minimum };
    let comma = if inside.contains(',') { "," } else { "" };
    Some((inside.len() + 1, minimum.to_owned(), format!("{comma}{maximum}")))
}
