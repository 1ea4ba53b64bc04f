//! The command that runs only the tests that failed.
//!
//! It is the command itself with names put in place of the paths or filters that it has. Where that is not known to
//! run just these tests (a script, `make test`, several commands) there is none.

use super::FoundFailure;
use super::locate::directory_of;
use crate::shell;
use crate::shell::program::{Program, program_in};

/// Tests that a command names at most: more are run as a whole.
const MAX_TESTS: usize = 30;

/// Options of pytest whose value is a word that follows.
const PYTEST_VALUED: [&str; 18] = [
    "-k",
    "-m",
    "-p",
    "-c",
    "-o",
    "-n",
    "-W",
    "-r",
    "--rootdir",
    "--confcutdir",
    "--maxfail",
    "--tb",
    "--cov",
    "--cov-config",
    "--cov-report",
    "--junitxml",
    "--timeout",
    "--color",
];

/// `command` changed so that it runs only the tests of `failures`; `None` where that can't be said, or where a
/// failure is of no test.
#[must_use]
pub fn rerun(command: &str, failures: &[FoundFailure]) -> Option<String> {
    let named = |it: &FoundFailure| it.failure.test.is_some();
    if failures.is_empty() || failures.len() > MAX_TESTS || !failures.iter().all(named) {
        return None;
    }
    let words = only_command(command)?;
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let program = program_in(&texts)?;
    let before = &texts[..program.words];
    let arguments = arguments(&program, failures)?;
    let quoted =
        before.iter().map(|word| (*word).to_owned()).chain(arguments).map(|word| quoted(&word));
    let line = quoted.collect::<Vec<String>>().join(" ");
    Some(match directory_of(command) {
        Some(directory) => format!("cd {} && {line}", self::quoted(&directory)),
        None => line,
    })
}

/// The words of the only command, which may change the directory first.
fn only_command(command: &str) -> Option<Vec<String>> {
    let script = shell::parse(command)?;
    let mut pipelines = Vec::new();
    for list in &script.lists {
        pipelines.push(&list.first);
        pipelines.extend(
            list.rest
                .iter()
                .filter(|(joint, _)| *joint == shell::syntax::Joint::And)
                .map(|(_, it)| it),
        );
        let has_or = list.rest.iter().any(|(joint, _)| *joint == shell::syntax::Joint::Or);
        if has_or || list.in_background {
            return None;
        }
    }
    if directory_of(command).is_some() {
        pipelines.remove(0);
    }
    let [pipeline] = pipelines.as_slice() else { return None };
    let [only] = pipeline.commands.as_slice() else { return None };
    // What the shell replaces (`$x`, `*`) is not known here, and an assignment is no word.
    let text = command.get(only.span.clone())?;
    let shell::syntax::Body::Simple { assignments, .. } = &only.body else { return None };
    let is_plain = assignments.is_empty()
        && only.redirects.is_empty()
        && !text.contains(['$', '`', '*', '?', '~', '{']);
    is_plain.then(|| only.words().iter().map(|word| word.text.clone()).collect())
}

fn arguments(program: &Program<'_>, failures: &[FoundFailure]) -> Option<Vec<String>> {
    let arguments = program.arguments.as_slice();
    match (program.name, arguments) {
        ("pytest" | "py.test", _) => pytest(arguments, failures),
        ("cargo", ["test" | "t", rest @ ..]) => cargo_test(arguments[0], rest, failures),
        ("cargo", ["nextest", "run" | "r", rest @ ..]) => nextest(rest, failures),
        ("go", ["test", rest @ ..]) => go_test(rest, failures),
        ("jest", _) => by_pattern(arguments, failures),
        ("vitest", ["run", ..]) => by_pattern(arguments, failures),
        _ => None,
    }
}

fn names(failures: &[FoundFailure]) -> impl Iterator<Item = &str> {
    let mut seen = Vec::new();
    failures.iter().filter_map(move |it| {
        let name = it.failure.test.as_deref()?;
        (!seen.contains(&name)).then(|| seen.push(name)).map(|()| name)
    })
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The options of the command, and the tests in place of its paths.
fn pytest(arguments: &[&str], failures: &[FoundFailure]) -> Option<Vec<String>> {
    if !names(failures).all(|name| name.contains(".py") || name.contains("::")) {
        return None;
    }
    let mut kept = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let selects = matches!(*argument, "-k" | "-m" | "--lf" | "--ff" | "--deselect");
        let is_valued = PYTEST_VALUED.contains(argument);
        let value = is_valued.then(|| rest.next()).flatten();
        if argument.starts_with('-') && !selects {
            kept.push((*argument).to_owned());
            kept.extend(value.map(|value| (*value).to_owned()));
        }
    }
    kept.extend(names(failures).map(str::to_owned));
    Some(kept)
}

/// Doctests are run by `--doc`, and their names can't be given whole.
fn cargo_test(subcommand: &str, rest: &[&str], failures: &[FoundFailure]) -> Option<Vec<String>> {
    if rest.contains(&"--") || names(failures).any(|name| name.contains(' ')) {
        return None;
    }
    let mut all = vec![subcommand.to_owned()];
    all.extend(strings(&cargo_options(rest)));
    all.extend(["--".to_owned(), "--exact".to_owned()]);
    all.extend(names(failures).map(str::to_owned));
    Some(all)
}

/// Options with their values, without the filter.
fn cargo_options<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    const VALUED: [&str; 12] = [
        "-p",
        "--package",
        "--test",
        "--bin",
        "--example",
        "-F",
        "--features",
        "--manifest-path",
        "--target",
        "--profile",
        "-j",
        "-P",
    ];
    let mut kept = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next().filter(|word| **word != "--") {
        let is_filter = !word.starts_with('-') && !word.starts_with('+');
        if !is_filter && !matches!(*word, "-E" | "--filter-expr") {
            kept.push(*word);
        }
        if VALUED.contains(word) {
            kept.extend(words.next().copied());
        } else if matches!(*word, "-E" | "--filter-expr") {
            words.next();
        }
    }
    kept
}

fn nextest(rest: &[&str], failures: &[FoundFailure]) -> Option<Vec<String>> {
    let mut all = strings(&["nextest", "run"]);
    all.extend(strings(&cargo_options(rest)));
    let tests: Vec<String> = names(failures).map(|name| format!("test(={name})")).collect();
    all.extend(["-E".to_owned(), tests.join(" | ")]);
    Some(all)
}

/// A pattern of top-level tests; of one test within another both.
fn go_test(rest: &[&str], failures: &[FoundFailure]) -> Option<Vec<String>> {
    if rest
        .iter()
        .any(|word| word.starts_with("-run") || word.starts_with("--run") || *word == "-args")
    {
        return None;
    }
    let all: Vec<&str> = names(failures).collect();
    let pattern = match all.as_slice() {
        [only] => only
            .split('/')
            .map(|part| format!("^{}$", regex::escape(part)))
            .collect::<Vec<_>>()
            .join("/"),
        _ => {
            let mut tops: Vec<String> =
                all.iter().filter_map(|name| name.split('/').next()).map(regex::escape).collect();
            tops.dedup();
            format!("^({})$", tops.join("|"))
        }
    };
    let mut words = strings(&["test", "-run"]);
    words.push(pattern);
    words.extend(strings(rest));
    Some(words)
}

/// Jest and Vitest: the files, and a pattern of whole names, in which suites are parted by blanks.
fn by_pattern(arguments: &[&str], failures: &[FoundFailure]) -> Option<Vec<String>> {
    let takes_values = |word: &&str| {
        matches!(
            *word,
            "-t" | "--testNamePattern" | "-c" | "--config" | "--root" | "--project" | "--reporter"
        )
    };
    if arguments.iter().any(takes_values) {
        return None;
    }
    let options = arguments.iter().enumerate();
    let kept = options.filter(|(at, word)| word.starts_with('-') || *at == 0 && **word == "run");
    let mut all: Vec<String> = kept.map(|(_, word)| (*word).to_owned()).collect();
    for found in failures {
        let file = found.origin.as_ref()?;
        if !all.contains(file) {
            all.push(file.clone());
        }
    }
    let is_case = |found: &&FoundFailure| found.failure.test != found.origin;
    let cases: Vec<&FoundFailure> = failures.iter().filter(is_case).collect();
    // A file that could not be run is run as a whole, with what else is in the others.
    if cases.len() == failures.len() {
        let patterns: Vec<String> =
            names(failures).map(|name| regex::escape(&name.replace(" > ", " "))).collect();
        all.extend(["-t".to_owned(), format!("^({})$", patterns.join("|"))]);
    }
    Some(all)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use ftl_model::RunFailure;

    use super::rerun;
    use crate::failures::FoundFailure;

    fn found(test: &str, origin: Option<&str>) -> FoundFailure {
        let failure = RunFailure { test: Some(test.to_owned()), ..RunFailure::default() };
        FoundFailure { failure, excerpt: 0..0, origin: origin.map(str::to_owned) }
    }

    #[test]
    fn a_runner_is_given_the_names_in_place_of_its_paths() {
        for (command, test, origin, expected) in [
            (
                "pytest -q tests",
                "tests/test_a.py::test_b[1]",
                None,
                "pytest -q 'tests/test_a.py::test_b[1]'",
            ),
            (
                ".venv/bin/python -m pytest -k x",
                "t.py::test_b",
                None,
                ".venv/bin/python -m pytest t.py::test_b",
            ),
            ("cargo test -p shop", "tests::a", None, "cargo test -p shop -- --exact tests::a"),
            ("cargo nextest run", "tests::a", None, "cargo nextest run -E 'test(=tests::a)'"),
            ("go test ./...", "TestX/two", None, "go test -run '^TestX$/^two$' ./..."),
            (
                "cd web && npx jest",
                "queue > drains",
                Some("q.test.js"),
                "cd web && npx jest q.test.js -t '^(queue drains)$'",
            ),
            ("npx vitest run", "adds", Some("a.test.ts"), "npx vitest run a.test.ts -t '^(adds)$'"),
        ] {
            assert_eq!(
                rerun(command, &[found(test, origin)]).as_deref(),
                Some(expected),
                "{command}"
            );
        }
    }

    #[test]
    fn a_command_of_unknown_shape_is_not_narrowed() {
        for command in [
            "make test",
            "npm test",
            "pytest; pytest",
            "pytest $T",
            "pytest | tail",
            "A=1 pytest",
            "cargo test -- --nocapture",
        ] {
            assert_eq!(rerun(command, &[found("t.py::test_b", None)]), None, "{command}");
        }
        let without_name =
            FoundFailure { failure: RunFailure::default(), excerpt: 0..0, origin: None };
        assert_eq!(rerun("pytest", &[without_name]), None);
        assert_eq!(rerun("pytest", &[]), None);
    }
}
