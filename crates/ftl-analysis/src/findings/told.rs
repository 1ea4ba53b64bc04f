//! What a command prints where its exit code should tell: `pytest || echo FAIL`, `if ! pytest; then echo BROKEN; fi`,
//! `pytest; echo "exit code $?"`. Found in the command, then looked for in the output.

use regex::Regex;

use super::shell::{Token, tokens};

/// How deep commands inside commands are looked at.
const MAX_DEPTH: usize = 8;

/// Commands whose failure is asked about, and is none of the verify's.
const QUESTIONS: [&str; 9] = ["[", "[[", "test", "command", "which", "type", "ls", "cd", "mkdir"];

/// The line of `text` that `command` prints when what it runs fails, and passes nevertheless.
pub(super) fn told_failures(command: &str, text: &str) -> Option<String> {
    let mut sentences = Vec::new();
    let at = Place { is_failure: false, is_last: true, depth: MAX_DEPTH };
    collect(&tokens(command)?, at, &mut sentences);
    sentences.iter().find_map(|sentence| sentence.found_in(text))
}

/// What an `echo` prints.
struct Sentence {
    text: String,
    /// It is printed after a failure alone.
    is_of_failure: bool,
    /// Nothing is printed after it.
    is_last: bool,
}

/// Where in a command something stands.
#[derive(Clone, Copy)]
struct Place {
    is_failure: bool,
    is_last: bool,
    depth: usize,
}

impl Sentence {
    fn found_in(&self, text: &str) -> Option<String> {
        let has_code = self.text.contains("$?");
        if !has_code && !self.is_of_failure {
            return None;
        }
        let pattern = Regex::new(&self.pattern()?).ok()?;
        let mut lines = text.lines().map(str::trim);
        let found = match has_code || self.is_last {
            // What tests print is no sentence of the command's.
            true => lines.rfind(|line| !line.is_empty()).filter(|line| pattern.is_match(line)),
            false => lines.find(|line| pattern.is_match(line)),
        };
        found.map(str::to_owned)
    }

    /// The line that it prints, where `$?` is not 0 and other expansions may be anything.
    fn pattern(&self) -> Option<String> {
        let unescaped = self.text.replace("\\n", "").replace("$?", "\u{1}");
        let line = unescaped.trim();
        let mut pattern = String::from("^");
        let mut rest = line;
        while let Some(at) = rest.find(['$', '`', '\u{1}']) {
            pattern.push_str(&regex::escape(&rest[..at]));
            let is_code = rest[at..].starts_with('\u{1}');
            pattern.push_str(if is_code { "[1-9][0-9]*" } else { ".*" });
            let after = &rest[at + 1..];
            let name = |c: char| c.is_alphanumeric() || "_{}()".contains(c);
            rest = if is_code { after } else { after.trim_start_matches(name) };
        }
        pattern.push_str(&regex::escape(rest));
        pattern.push('$');
        let literal = line.chars().filter(|c| c.is_alphanumeric()).count();
        (literal >= 2 || line.contains('\u{1}')).then_some(pattern)
    }
}

fn collect(tokens: &[Token], at: Place, into: &mut Vec<Sentence>) {
    let Some(depth) = at.depth.checked_sub(1) else {
        return;
    };
    let statements = split(tokens, &[";", "\n", "&", ";;"]);
    for (number, statement) in statements.iter().enumerate() {
        let is_last = at.is_last && number + 1 == statements.len();
        let asks = first_word(statement).is_some_and(|word| QUESTIONS.contains(&word));
        for (place, alternative) in split(statement, &["||"]).iter().enumerate() {
            let is_failure = at.is_failure || (place > 0 && !asks);
            if place > 0 && ends_badly(alternative) {
                continue;
            }
            let steps = split(alternative, &["&&", "|", "|&"]);
            for (step_number, step) in steps.iter().enumerate() {
                let here =
                    Place { is_failure, is_last: is_last && step_number + 1 == steps.len(), depth };
                match step {
                    [Token::Group(group)] => block(group, here, into),
                    _ => into.extend(sentence(step, here)),
                }
            }
        }
    }
}

/// A group: `if … then … else … fi`, whose branches tell, or any other.
fn block(group: &[Token], here: Place, into: &mut Vec<Sentence>) {
    if first_word(group) != Some("if") {
        return collect(group, here, into);
    }
    let at =
        |word: &str| group.iter().position(|token| matches!(token, Token::Word(it) if it == word));
    let Some(then) = at("then") else {
        return;
    };
    let is_word = |token: &Token, words: &[&str]| matches!(token, Token::Word(word) if words.contains(&word.as_str()));
    let negated = group.get(1).is_some_and(|token| is_word(token, &["!"]));
    let condition = group.get(1 + usize::from(negated));
    let asks = condition.is_some_and(|token| is_word(token, &QUESTIONS));
    let (otherwise, end) = (at("else"), group.len() - 1);
    let branches = [
        (then + 1..otherwise.unwrap_or(end), negated),
        (otherwise.map_or(end, |at| at + 1)..end, !negated),
    ];
    for (range, is_failure) in branches {
        let branch = group.get(range).unwrap_or_default();
        if !ends_badly(branch) {
            let is_failure = is_failure && !asks;
            collect(branch, Place { is_failure, ..here }, into);
        }
    }
}

/// Whether a branch ends with a code that is not 0, so that a run that passed never went through it.
fn ends_badly(tokens: &[Token]) -> bool {
    if let [Token::Group(group)] = tokens {
        return ends_badly(group);
    }
    let last = split(tokens, &[";", "\n", "&&"]).pop().unwrap_or_default();
    match last {
        [Token::Word(word)] => matches!(word.as_str(), "false" | "exit" | "return"),
        [Token::Word(word), Token::Word(code)] => {
            matches!(word.as_str(), "exit" | "return") && code != "0"
        }
        _ => false,
    }
}

fn sentence(step: &[Token], at: Place) -> Option<Sentence> {
    let words: Vec<&str> = step
        .iter()
        .filter_map(|token| match token {
            Token::Word(word) => Some(word.as_str()),
            Token::Operator(_) | Token::Group(_) => None,
        })
        .filter(|word| !word.trim_start_matches(['1', '2', '&']).starts_with('>'))
        .collect();
    let (program, rest) = words.split_first()?;
    let text = match *program {
        "echo" => {
            let flags = rest.iter().take_while(|word| matches!(**word, "-e" | "-n" | "-E"));
            let skipped = flags.count();
            rest[skipped..].join(" ")
        }
        "printf" if !rest.first()?.contains('%') => rest.first()?.to_string(),
        _ => return None,
    };
    Some(Sentence { text, is_of_failure: at.is_failure, is_last: at.is_last })
}

fn first_word(tokens: &[Token]) -> Option<&str> {
    match tokens.first()? {
        Token::Word(word) => Some(word),
        Token::Operator(_) | Token::Group(_) => None,
    }
}

fn split<'a>(tokens: &'a [Token], operators: &[&str]) -> Vec<&'a [Token]> {
    let parts =
        tokens.split(|token| matches!(token, Token::Operator(one) if operators.contains(one)));
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::told_failures;

    #[test]
    fn what_stands_for_a_failure_is_found_where_it_was_printed() {
        for (command, text, expected) in [
            ("check || echo FAIL", "FAIL\n", Some("FAIL")),
            ("check || echo \"tests FAILED\" >&2", "a\ntests FAILED\n", Some("tests FAILED")),
            ("check && echo OK || echo KO", "KO\n", Some("KO")),
            ("check && echo OK || echo KO", "OK\n", None),
            ("if ! go test -A --no-x; then echo BROKEN; fi", "BROKEN\n", Some("BROKEN")),
            ("if ! check; then echo BROKEN; fi", "BROKEN\n", Some("BROKEN")),
            ("if check; then echo fine; else echo bad; fi", "bad\n", Some("bad")),
            ("if check; then echo fine; else echo bad; fi", "fine\n", None),
            ("check; echo $?", "1\n", Some("1")),
            ("check; echo $?", "0\n", None),
            ("check; echo \"exit code $?\"", "exit code 2\n", Some("exit code 2")),
            ("check || { echo FAIL; exit 1; }", "FAIL\n", None),
            ("check || printf 'FAIL\\n'", "FAIL\n", Some("FAIL")),
            ("(check || echo FAIL $NAME)", "FAIL shop\n", Some("FAIL shop")),
            ("[ -d lib ] || echo FAIL; check", "FAIL\n", None),
            ("check", "FAIL\n", None),
            ("check || echo FAIL", "no FAIL here\n", None),
            ("check || echo FAIL", "FAIL\n1 passed\n", None),
            ("check || echo FAIL; date", "FAIL\nMon Nov 23\n", Some("FAIL")),
            ("check || echo '", "'\n", None),
        ] {
            assert_eq!(told_failures(command, text).as_deref(), expected, "{command}");
        }
    }
}
