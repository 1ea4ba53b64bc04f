//! The program that a simple command starts, seen through what only starts another: `env`, `timeout`, `npx`,
//! `poetry run`, `python -m`.

use super::syntax::{Inner, Options, Script, Word};

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program<'a> {
    /// Without directories, extension and version: `pytest` for `.venv/bin/pytest`.
    pub(crate) name: &'a str,
    pub(crate) arguments: Vec<&'a str>,
    /// The number of words up to and including the name.
    pub(crate) words: usize,
}

const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];

/// Programs that start the command behind them, with the options of theirs that take a value, and tools that start one
/// by a subcommand: what `kind` of `programs.tsv` says of `name`.
fn starting(kind: &str, name: &str) -> Option<Vec<&'static str>> {
    let row = include_str!("programs.tsv").lines().find_map(|row| {
        row.strip_prefix(kind)?.strip_prefix('\t')?.strip_prefix(name)?.strip_prefix('\t')
    })?;
    Some(row.split(' ').filter(|word| !word.is_empty()).collect())
}

/// The program of a command's words; `None` where it is not known before it runs.
pub(crate) fn program(words: &[Word]) -> Option<Program<'_>> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    program_in(&texts)
}

/// The program of words that are plain texts.
pub(crate) fn program_in<'a>(all: &[&'a str]) -> Option<Program<'a>> {
    let mut at = 0;
    for _ in 0..8 {
        let name = base(all.get(at)?);
        match behind(name, &all[at + 1..]) {
            Some(skipped) if at + 1 + skipped < all.len() => at += 1 + skipped,
            _ => return Some(Program { name, arguments: all[at + 1..].to_vec(), words: at + 1 }),
        }
    }
    None
}

/// How many arguments of `name` come before the program that it starts; `None` where it starts none.
fn behind(name: &str, arguments: &[&str]) -> Option<usize> {
    if let Some(valued) = starting("wrapper", name)
        && !(name == "command" && arguments.first().is_some_and(|it| it.starts_with('-')))
    {
        let skipped = options(arguments, &valued);
        let is_duration = name == "timeout";
        return Some(skipped + usize::from(is_duration));
    }
    if let Some(subcommands) = starting("subcommand", name) {
        let at = options(
            arguments,
            &["-C", "--directory", "--project", "--prefix", "-e", "-n", "--env"],
        );
        if subcommands.contains(arguments.get(at)?) {
            let rest = &arguments[at + 1..];
            return Some(
                at + 1
                    + options(
                        rest,
                        &["--with", "--extra", "--group", "-p", "--python", "-m", "-n", "-e"],
                    ),
            );
        }
        return None;
    }
    let is_python = name == "python" || name == "pypy";
    if is_python || name == "coverage" && arguments.first() == Some(&"run") {
        return module(arguments);
    }
    let runs_file = matches!(name, "node" | "php" | "ruby");
    let script = arguments.first()?;
    (runs_file && (script.contains("/.bin/") || script.contains("vendor/bin/"))).then_some(0)
}

/// The arguments before the module of `python -m MODULE`.
fn module(arguments: &[&str]) -> Option<usize> {
    let mut at = 0;
    loop {
        match *arguments.get(at)? {
            "-m" => return Some(at + 1),
            "-X" | "-W" => at += 2,
            option if option.starts_with('-') || option == "run" => at += 1,
            _ => return None,
        }
    }
}

/// The number of options and assignments that `arguments` begin with.
fn options(arguments: &[&str], valued: &[&str]) -> usize {
    let mut at = 0;
    while let Some(argument) = arguments.get(at) {
        let is_assignment =
            argument.split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_name(name));
        if *argument == "--" {
            return at + 1;
        }
        if !argument.starts_with('-') && !is_assignment {
            return at;
        }
        at += 1 + usize::from(valued.contains(argument));
    }
    at
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name of a program without directories, and without the version that Python's names carry.
fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    match name.strip_prefix("python") {
        Some(version) if version.chars().all(|c| c.is_ascii_digit() || c == '.') => "python",
        _ => name,
    }
}

/// The script that a command gives to a shell or to `eval`.
pub(super) fn inner_script(
    words: &[Word],
    parse: impl Fn(&str) -> Option<Script>,
) -> Option<Inner> {
    let program = program(words)?;
    if program.name == "eval" {
        let script = parse(&program.arguments.join(" "))?;
        return Some(Inner { script, options: Options::default(), is_same_shell: true });
    }
    let shell = match program.name {
        "xargs" | "find" | "watch" | "parallel" => {
            let at = program.arguments.iter().position(|it| SHELLS.contains(&base(it)))?;
            &program.arguments[at + 1..]
        }
        name if SHELLS.contains(&name) => &program.arguments[..],
        _ => return None,
    };
    let flag = shell.iter().position(|it| is_flag(it, 'c'))?;
    let before = &shell[..=flag];
    let named =
        |name: &str| before.windows(2).any(|pair| pair[0].ends_with('o') && pair[1] == name);
    let has_pipefail = named("pipefail");
    let text =
        shell[flag + 1..].iter().find(|it| !matches!(**it, "pipefail" | "errexit" | "--"))?;
    let options = Options {
        errexit: before.iter().any(|it| is_flag(it, 'e')) || named("errexit"),
        pipefail: has_pipefail || shell.get(flag + 1) == Some(&"pipefail"),
    };
    Some(Inner { script: parse(text)?, options, is_same_shell: false })
}

/// Whether `word` is a group of single-letter options with `letter` among them.
pub(super) fn is_flag(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::shell::parse;

    #[test]
    fn a_program_is_seen_through_what_starts_it() {
        for (command, name, first) in [
            ("pytest -q", "pytest", "-q"),
            (".venv/bin/pytest -q", "pytest", "-q"),
            ("A=1 env -u B C=2 pytest x", "pytest", "x"),
            ("timeout -k 5 60 npx --yes jest x", "jest", "x"),
            ("python3.12 -X dev -m pytest x", "pytest", "x"),
            ("python manage.py test", "python", "manage.py"),
            ("coverage run -m pytest x", "pytest", "x"),
            ("poetry run pytest x", "pytest", "x"),
            ("uv run --with a python -m unittest x", "unittest", "x"),
            ("bundle exec rspec x", "rspec", "x"),
            ("pnpm --prefix web exec vitest run", "vitest", "run"),
            ("npm run test", "npm", "run"),
            ("php vendor/bin/phpunit x", "phpunit", "x"),
            ("command -v pytest", "command", "-v"),
        ] {
            let script = parse(command).unwrap();
            let found = program(script.lists[0].first.commands[0].words()).unwrap();
            assert_eq!((found.name, found.arguments[0]), (name, first), "{command}");
        }
    }
}
