//! A recursive-descent parser over the tokens.

use super::lexer::{Lexer, Token};
use super::program;
use super::syntax::{Body, Command, Joint, List, Pipeline, Redirect, Script, Word};

/// Bytes of a command that are parsed.
const MAX_BYTES: usize = 64 << 10;

/// How deep commands may be nested.
const MAX_DEPTH: usize = 40;

/// Keywords that end a part of a compound command.
const CLOSING: [&str; 9] = ["then", "elif", "else", "fi", "do", "done", "esac", "}", "in"];

/// Parses a command; `None` where it is too long, too deep, or outside of the grammar.
pub(crate) fn parse(source: &str) -> Option<Script> {
    parse_within(source, MAX_DEPTH)
}

pub(super) fn parse_within(source: &str, depth: usize) -> Option<Script> {
    if source.len() > MAX_BYTES {
        return None;
    }
    let mut parser = Parser { lexer: Lexer::new(source), peeked: None, end: 0, depth };
    let script = parser.script()?;
    parser.peek()?.is_none().then_some(script)
}

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token, its start and its end.
    peeked: Option<Option<(Token, usize, usize)>>,
    /// Where the last token ended.
    pub(super) end: usize,
    pub(super) depth: usize,
}

impl Parser<'_> {
    pub(super) fn peek(&mut self) -> Option<Option<&(Token, usize, usize)>> {
        if self.peeked.is_none() {
            self.peeked = Some(self.lexer.next()?);
        }
        self.peeked.as_ref().map(Option::as_ref)
    }

    pub(super) fn take(&mut self) -> Option<Token> {
        self.peek()?;
        let (token, _, end) = self.peeked.take().flatten()?;
        self.end = end;
        Some(token)
    }

    /// The next token, which has to be a word, with the scripts in it.
    pub(super) fn word(&mut self) -> Option<Word> {
        let Token::Word(mut word, scripts) = self.take()? else {
            return None;
        };
        let depth = self.depth.checked_sub(1)?;
        word.substitutions =
            scripts.iter().map(|script| parse_within(script, depth)).collect::<Option<Vec<_>>>()?;
        Some(word)
    }

    pub(super) fn operator(&mut self) -> Option<&'static str> {
        match self.peek()? {
            Some((Token::Operator(operator), ..)) => Some(*operator),
            _ => Some(""),
        }
    }

    /// The next word as it could be a keyword; empty for a quoted word or an operator.
    pub(super) fn keyword(&mut self) -> Option<String> {
        match self.peek()? {
            Some((Token::Word(word, _), ..)) if !word.is_quoted => Some(word.text.clone()),
            _ => Some(String::new()),
        }
    }

    pub(super) fn expect(&mut self, keyword: &str) -> Option<()> {
        self.skip_lines()?;
        (self.keyword()? == keyword).then(|| self.take()).flatten().map(|_| ())
    }

    pub(super) fn skip_lines(&mut self) -> Option<()> {
        while self.operator()? == "\n" {
            self.take()?;
        }
        Some(())
    }

    /// Lists up to a closing keyword, `)`, `;;` or the end.
    pub(super) fn script(&mut self) -> Option<Script> {
        self.depth = self.depth.checked_sub(1)?;
        let mut script = Script::default();
        loop {
            while matches!(self.operator()?, "\n" | ";") {
                self.take()?;
            }
            let is_end =
                self.peek()?.is_none() || matches!(self.operator()?, ")" | ";;" | ";&" | ";;&");
            if is_end || CLOSING.contains(&self.keyword()?.as_str()) {
                self.depth += 1;
                return Some(script);
            }
            let mut list = self.list()?;
            if self.operator()? == "&" {
                self.take()?;
                list.in_background = true;
            }
            script.lists.push(list);
            let goes_on =
                matches!(self.operator()?, "\n" | ";") || script.lists.last()?.in_background;
            let is_closed =
                self.peek()?.is_none() || matches!(self.operator()?, ")" | ";;" | ";&" | ";;&");
            if !goes_on && !is_closed && !CLOSING.contains(&self.keyword()?.as_str()) {
                return None;
            }
        }
    }

    fn list(&mut self) -> Option<List> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            let joint = match self.operator()? {
                "&&" => Joint::And,
                "||" => Joint::Or,
                _ => return Some(List { first, rest, in_background: false }),
            };
            self.take()?;
            self.skip_lines()?;
            rest.push((joint, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Option<Pipeline> {
        let mut is_negated = false;
        while self.keyword()? == "!" {
            self.take()?;
            is_negated = !is_negated;
        }
        let mut commands = vec![self.command()?];
        while matches!(self.operator()?, "|" | "|&") {
            self.take()?;
            self.skip_lines()?;
            commands.push(self.command()?);
        }
        Some(Pipeline { is_negated, commands })
    }

    pub(super) fn command(&mut self) -> Option<Command> {
        let start = self.peek()?.map(|(_, start, _)| *start)?;
        let body = match (self.operator()?, self.keyword()?.as_str()) {
            ("(", _) => self.parenthesis()?,
            (_, "{") => {
                self.take()?;
                let script = self.script()?;
                self.expect("}")?;
                Body::Group(script)
            }
            (_, "if") => self.conditional()?,
            (_, word @ ("while" | "until")) => {
                let is_until = word == "until";
                self.take()?;
                let condition = self.script()?;
                Body::While { condition, is_until, body: self.loop_body()? }
            }
            (_, "for" | "select") => self.for_loop()?,
            (_, "case") => self.case()?,
            (_, "[[") => self.skipped("]]")?,
            (_, "function") => {
                self.take()?;
                let name = self.word()?;
                if self.operator()? == "(" {
                    self.take()?;
                    (self.take()? == Token::Operator(")")).then_some(())?;
                }
                self.function(name.text)?
            }
            ("", _)
            | ("<" | ">" | ">>" | "&>" | ">&" | "<<<" | "<&" | ">|" | "&>>" | "<<" | "<<-", _) => {
                return self.simple(start);
            }
            _ => return None,
        };
        let mut redirects = Vec::new();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
        }
        Some(Command { body, redirects, span: start..self.end })
    }

    fn simple(&mut self, start: usize) -> Option<Command> {
        let (mut assignments, mut words, mut redirects) =
            (Vec::new(), Vec::<Word>::new(), Vec::new());
        loop {
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            match self.operator()? {
                "" if self.peek()?.is_some() => {
                    let word = self.word()?;
                    if words.is_empty() && is_assignment(&word) {
                        // An array: `names=(a b)`.
                        if word.text.ends_with('=') && self.operator()? == "(" {
                            self.take()?;
                            while self.take()? != Token::Operator(")") {}
                        }
                        assignments.push(word);
                    } else {
                        words.push(word);
                    }
                }
                "(" if words.len() == 1 && assignments.is_empty() => {
                    self.take()?;
                    (self.take()? == Token::Operator(")")).then_some(())?;
                    let body = self.function(words.remove(0).text)?;
                    return Some(Command { body, redirects, span: start..self.end });
                }
                "(" => return None,
                _ => break,
            }
        }
        let inner =
            program::inner_script(&words, |text| parse_within(text, self.depth.saturating_sub(1)));
        let body = Body::Simple { assignments, words, inner };
        Some(Command { body, redirects, span: start..self.end })
    }

    /// The next redirection; `Some(None)` where there is none.
    fn redirect(&mut self) -> Option<Option<Redirect>> {
        let operator = self.operator()?;
        if !operator.starts_with(['<', '>']) && !operator.starts_with("&>") {
            return Some(None);
        }
        self.take()?;
        let target = self.word()?;
        if let "<<" | "<<-" = operator {
            self.lexer.expect_document(target.text.clone(), operator == "<<-");
        }
        Some(Some(Redirect { operator, target }))
    }
}

fn is_assignment(word: &Word) -> bool {
    word.text.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        starts_well && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::shell::syntax::{Body, Joint};

    #[test]
    fn commands_outside_of_the_grammar_give_no_tree() {
        let deep = "(".repeat(1 << 14);
        let long = "a ".repeat(1 << 16);
        for source in [
            ")",
            "a) b",
            "(a))",
            "{ a; })",
            "a 'open",
            "a \"open",
            "if a; then b",
            "cat <<X\nno end",
            &deep,
            &long,
        ] {
            assert_eq!(parse(source), None, "{:.40}", source);
        }
    }

    #[test]
    fn lists_pipelines_and_compound_commands_are_distinguished() {
        let script =
            parse("a && b | c || d &\nfor x in 1 2; do e; done; f() { g; }; (h)\n").unwrap();
        assert_eq!(script.lists.len(), 4);
        let first = &script.lists[0];
        assert!(first.in_background);
        assert_eq!(
            first.rest.iter().map(|(joint, _)| *joint).collect::<Vec<_>>(),
            [Joint::And, Joint::Or]
        );
        assert_eq!(first.rest[0].1.commands.len(), 2);
        assert!(matches!(script.lists[1].first.commands[0].body, Body::For { .. }));
        assert!(matches!(script.lists[2].first.commands[0].body, Body::Function { .. }));
        assert!(matches!(script.lists[3].first.commands[0].body, Body::Subshell(_)));
    }

    #[test]
    fn text_of_quotes_documents_comments_and_patterns_is_no_command() {
        for (source, words) in [
            ("pytest -k 'a || true' # || true", vec!["pytest", "-k", "a || true"]),
            ("python - <<'X'\nprint(1) || true\nX\n", vec!["python", "-"]),
            ("case $x in a|b) run one;; *) run;; esac", vec!["run", "one"]),
            ("[[ $a == b && c ]] || run", vec!["run"]),
            ("run $((1 + (2))) ${a:-b} 2>&1 >log", vec!["run", "$((1 + (2)))", "${a:-b}"]),
            ("names=(a b) run", vec!["run"]),
        ] {
            let script = parse(source).unwrap_or_else(|| panic!("{source}"));
            let first =
                script.simple_commands().into_iter().find(|it| !it.words().is_empty()).unwrap();
            let found: Vec<&str> = first.words().iter().map(|word| word.text.as_str()).collect();
            assert_eq!(found, words, "{source}");
        }
    }

    #[test]
    fn commands_in_substitutions_are_found() {
        let script = parse("x=$(a; b `c`) diff <(d) e").unwrap();
        let names: Vec<&str> = script
            .simple_commands()
            .iter()
            .filter_map(|command| command.words().first())
            .map(|word| word.text.as_str())
            .collect();
        assert_eq!(names, ["diff", "a", "b", "c", "d"]);
    }
}
