//! Just enough of the shell's grammar to see how a command ends.
//!
//! It knows quotes, operators, groups and the words that open and close blocks. Expansion, redirection,
//! here-documents and the patterns of `case` are not interpreted: what it cannot split for certain it
//! gives up on, and the caller reports nothing. Depth is bounded, as the command comes from a document.

/// A piece of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, its quotes taken off.
    Word(String),
    /// `;`, a line end, `&`, `&&`, `||` or `|`.
    Operator(&'static str),
    /// What stands in `( )` or `{ }`.
    Group(Vec<Token>),
}

/// Operators, longer ones before their beginnings.
const OPERATORS: [&str; 8] = ["&&", "||", "|&", ";;", ";", "&", "|", "\n"];

/// Words that open what only another word closes.
const OPENING: [&str; 6] = ["if", "for", "while", "until", "case", "select"];
const CLOSING: [&str; 3] = ["fi", "done", "esac"];

/// How deep groups may lie in groups.
const MAX_DEPTH: usize = 100;

/// Splits a command; `None` where it is not understood: an open quote, a here-document, groups
/// without end.
pub(super) fn tokens(command: &str) -> Option<Vec<Token>> {
    let mut reader = Reader { rest: command, depth: 0 };
    let tokens = reader.until(None)?;
    Some(closed(tokens))
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// Tokens up to the end of a group, or of the command.
    fn until(&mut self, end: Option<char>) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            let Some(next) = self.rest.chars().next() else {
                return end.is_none().then_some(tokens);
            };
            if Some(next) == end && (next == ')' || begins_command(&tokens)) {
                self.rest = &self.rest[1..];
                return Some(tokens);
            }
            tokens.extend(self.token(next, begins_command(&tokens))?);
        }
    }

    fn token(&mut self, next: char, begins_command: bool) -> Option<Option<Token>> {
        if next == '#' {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
            return Some(None);
        }
        if let Some(rest) = self.rest.strip_prefix("\\\n") {
            self.rest = rest;
            return Some(None);
        }
        // A parenthesis that closes nothing ends a pattern of `case`, or is a mistake.
        if self.rest.starts_with("<<") || next == ')' {
            return None;
        }
        let is_brace = next == '{' && self.rest[1..].starts_with([' ', '\t', '\n']);
        if next == '(' || begins_command && is_brace {
            self.rest = &self.rest[1..];
            let end = if next == '(' { ')' } else { '}' };
            self.depth += 1;
            let group = (self.depth < MAX_DEPTH).then(|| self.until(Some(end)))??;
            self.depth -= 1;
            return Some(Some(Token::Group(closed(group))));
        }
        if let Some(operator) = OPERATORS.into_iter().find(|one| self.rest.starts_with(one)) {
            self.rest = &self.rest[operator.len()..];
            return Some(Some(Token::Operator(operator)));
        }
        self.word().map(Token::Word).map(Some)
    }

    fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                ' ' | '\t' | '\n' | ';' | '|' | '(' | ')' => {
                    self.rest = &self.rest[at..];
                    return Some(word);
                }
                '&' if !word.ends_with(['>', '<']) && !self.rest[at..].starts_with("&>") => {
                    self.rest = &self.rest[at..];
                    return Some(word);
                }
                '\\' => word.extend(characters.next().map(|(_, escaped)| escaped)),
                '\'' => quoted(&mut characters, '\'', &mut word)?,
                '"' => quoted(&mut characters, '"', &mut word)?,
                '`' => quoted(&mut characters, '`', &mut word)?,
                '$' if self.rest[at + 1..].starts_with('(') => {
                    substitution(&mut characters, &mut word)?;
                }
                other => word.push(other),
            }
        }
        self.rest = "";
        Some(word)
    }
}

/// Whether the next word names a command.
fn begins_command(tokens: &[Token]) -> bool {
    match tokens.last() {
        None | Some(Token::Operator(_)) => true,
        Some(Token::Word(word)) => matches!(word.as_str(), "!" | "then" | "do" | "else"),
        Some(Token::Group(_)) => false,
    }
}

fn quoted(
    characters: &mut std::str::CharIndices<'_>,
    quote: char,
    word: &mut String,
) -> Option<()> {
    while let Some((_, character)) = characters.next() {
        match character {
            end if end == quote => return Some(()),
            '\\' if quote != '\'' => word.extend(characters.next().map(|(_, escaped)| escaped)),
            other => word.push(other),
        }
    }
    None
}

/// `$(…)`, which is part of a word.
fn substitution(characters: &mut std::str::CharIndices<'_>, word: &mut String) -> Option<()> {
    let mut depth = 0_usize;
    word.push('$');
    for (_, character) in characters {
        word.push(character);
        match character {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(()),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Puts `if … fi` and the like into groups, so that operators inside them do not count outside.
fn closed(tokens: Vec<Token>) -> Vec<Token> {
    let mut levels: Vec<Vec<Token>> = vec![Vec::new()];
    for token in tokens {
        let begins = levels.last().is_some_and(|level| begins_command(level));
        let word = match &token {
            Token::Word(word) if begins => word.as_str(),
            Token::Word(_) | Token::Operator(_) | Token::Group(_) => "",
        };
        let opens = OPENING.contains(&word);
        let closes = CLOSING.contains(&word) && levels.len() > 1;
        if opens {
            levels.push(Vec::new());
        }
        if let Some(level) = levels.last_mut() {
            level.push(token);
        }
        if closes {
            let block = levels.pop().unwrap_or_default();
            if let Some(level) = levels.last_mut() {
                level.push(Token::Group(block));
            }
        }
    }
    levels.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn a_parenthesis_that_closes_nothing_ends_the_reading() {
        for command in [")", "a) b", "case $x in a) true;; esac", "(a))", "{ a; })"] {
            assert_eq!(tokens(command), None, "{command}");
        }
        assert!(tokens("(a); { b; }").is_some());
    }
}
