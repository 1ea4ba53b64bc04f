//! Commands that pass whatever happens: `pytest || true`, `pytest; echo done`, `pytest | tee log`.
//!
//! Only what certainly hides the exit code is reported, since policy may block on it: a command that
//! the small grammar of `shell` does not understand counts as honest. Nothing is run or expanded.

use super::shell::{Token, tokens};

/// Commands that pass on what they read, and succeed whatever that was.
const FILTERS: [&str; 14] = [
    "tee", "cat", "tail", "head", "less", "more", "sed", "awk", "sort", "uniq", "cut", "tr", "wc",
    "ts",
];

/// Shells that take a command as an argument.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];

/// How deep commands inside commands are looked at.
const MAX_DEPTH: usize = 8;

/// How `command` hides the exit code of what it runs, in one line; `None` when it does not, or is
/// not understood.
pub fn masked_exit(command: &str) -> Option<String> {
    let what = masked(&tokens(command)?, MAX_DEPTH)?;
    Some(format!("`{what}` hides the exit code"))
}

fn masked(tokens: &[Token], depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let statements: Vec<Statement<'_>> = statements(tokens);
    let last = statements.last()?;
    if last.end == "&" {
        return Some(format!("{} &", last.name()));
    }
    let alternatives = parts(last.tokens, &["||"]);
    let (final_part, earlier) = alternatives.split_last()?;
    if !earlier.is_empty() && always_succeeds(final_part) {
        return Some(format!("|| {}", words(final_part).join(" ")));
    }
    let has_errexit = statements.iter().any(|statement| sets_errexit(statement.tokens));
    if statements.len() > 1 && !has_errexit && always_succeeds(last.tokens) {
        return Some(format!("; {}", words(last.tokens).join(" ")));
    }
    let steps = parts(final_part, &["&&"]);
    let pipeline = parts(steps.last()?, &["|", "|&"]);
    let (command, feeding) = pipeline.split_last()?;
    let is_filter = words(command).first().is_some_and(|word| FILTERS.contains(&base(word)));
    if !feeding.is_empty() && is_filter && !sets_pipefail(tokens) {
        return Some(format!("| {}", words(command).join(" ")));
    }
    inside(command, depth)
}

/// What a group, or a shell that is given a command, hides.
fn inside(command: &[Token], depth: usize) -> Option<String> {
    if let [Token::Group(group)] = command {
        return masked(group, depth);
    }
    let words = words(command);
    let shell = words.iter().position(|word| SHELLS.contains(&base(word)))?;
    let flag = words[shell..].iter().position(|word| is_command_flag(word))?;
    if words[shell..].contains(&"pipefail") {
        return None;
    }
    let script = tokens(words.get(shell + flag + 1)?)?;
    masked(&script, depth)
}

/// `-c`, alone or among other letters.
fn is_command_flag(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

/// A part of a command that ends at `;`, a line end or `&`.
struct Statement<'a> {
    tokens: &'a [Token],
    end: &'static str,
}

impl Statement<'_> {
    fn name(&self) -> &str {
        words(self.tokens).first().copied().unwrap_or("…")
    }
}

fn statements(tokens: &[Token]) -> Vec<Statement<'_>> {
    let mut statements = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        if let Token::Operator(end @ (";" | "&" | "\n" | ";;")) = token {
            statements.push(Statement { tokens: &tokens[start..at], end });
            start = at + 1;
        }
    }
    statements.push(Statement { tokens: &tokens[start..], end: "" });
    statements.retain(|statement| !statement.tokens.is_empty());
    statements
}

fn parts<'a>(tokens: &'a [Token], operators: &[&str]) -> Vec<&'a [Token]> {
    tokens.split(|token| matches!(token, Token::Operator(one) if operators.contains(one))).collect()
}

/// The words of a command without assignments before it.
fn words(tokens: &[Token]) -> Vec<&str> {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        Token::Operator(_) | Token::Group(_) => None,
    });
    words.skip_while(|word| is_assignment(word)).collect()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Whether a part is one command that cannot fail.
fn always_succeeds(tokens: &[Token]) -> bool {
    if tokens.iter().any(|token| !matches!(token, Token::Word(_))) {
        return false;
    }
    match words(tokens).as_slice() {
        [command, ..] if matches!(base(command), "true" | ":" | "echo" | "printf") => true,
        ["exit", "0"] => true,
        _ => false,
    }
}

fn sets_errexit(tokens: &[Token]) -> bool {
    let words = words(tokens);
    let is_flag = |word: &&str| word.starts_with('-') && word.contains('e') || *word == "errexit";
    words.first() == Some(&"set") && words.iter().skip(1).any(is_flag)
}

fn sets_pipefail(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| matches!(token, Token::Word(word) if word == "pipefail"))
}

#[cfg(test)]
mod tests {
    use super::masked_exit;

    #[test]
    fn a_command_that_cannot_fail_is_seen_through() {
        for (command, expected) in [
            ("pytest -q || true", "|| true"),
            ("pytest -q||true", "|| true"),
            ("pytest || :", "|| :"),
            ("pytest || exit 0", "|| exit 0"),
            ("pytest || echo failed", "|| echo failed"),
            ("cd app && pytest || true", "|| true"),
            ("pytest || /bin/true", "|| /bin/true"),
            ("pytest; true", "; true"),
            ("pytest ; exit 0", "; exit 0"),
            ("pytest\necho done", "; echo done"),
            ("pytest; echo $?", "; echo $?"),
            ("cd app; pytest; exit 0;", "; exit 0"),
            ("pytest | tee log.txt", "| tee log.txt"),
            ("pytest 2>&1 | tail -5", "| tail -5"),
            ("pytest |& cat", "| cat"),
            ("cd app && pytest | tee log", "| tee log"),
            ("set -e; pytest | tee log", "| tee log"),
            ("pytest &", "pytest &"),
            ("(pytest || true)", "|| true"),
            ("{ pytest; true; }", "; true"),
            ("bash -c 'pytest || true'", "|| true"),
            ("timeout 60 sh -lc \"cd a && pytest | tee x\"", "| tee x"),
            ("A=1 pytest || B=2 true", "|| true"),
            ("pytest || true # never mind", "|| true"),
            ("if a; then b; fi; true", "; true"),
        ] {
            let expected = format!("`{expected}` hides the exit code");
            assert_eq!(masked_exit(command), Some(expected), "{command}");
        }
    }

    #[test]
    fn an_honest_command_is_left_alone() {
        for command in [
            "pytest -q",
            "true",
            "echo ok",
            "cd app && pytest && echo ok",
            "cd app; pytest",
            "pytest # || true",
            "pytest -k 'a || true'",
            "pytest -k \"; true\"",
            "pytest || exit 1",
            "pytest || (cat log; exit 1)",
            "pytest || { cat log; exit 1; }",
            "set -e; pytest; echo done",
            "set -euo pipefail\npytest | tee log\necho done",
            "set -o pipefail; pytest | tee log",
            "bash -o pipefail -c 'pytest | tee log'",
            "pytest | grep -q passed",
            "pytest; exit $?",
            "pytest 2>&1",
            "pytest > log 2>&1",
            "server & pytest",
            "test \"$(cat x || true)\" = 1",
            "for f in *; do echo $f || true; done",
            "if ! pytest; then echo bad; exit 1; fi",
            "pytest || true && pytest again",
            &"(".repeat(1 << 20),
            "python - <<'X'\nprint(1)\nX\ntrue",
            "pytest 'open",
            "",
            " ; ",
        ] {
            assert_eq!(masked_exit(command), None, "{command}");
        }
    }
}
