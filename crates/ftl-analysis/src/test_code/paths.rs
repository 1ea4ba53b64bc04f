//! Which files are about tests, by the conventions of the languages' own runners.

use crate::constants::listed_words;

/// A list of `paths.txt`: names of files that say how tests are run, their beginnings and the endings of their paths;
/// directories with tests, their data and their snapshots; endings of snapshots; endings of code in whose names the
/// first or last word says that it is a test.
fn names(list: &'static str) -> impl Iterator<Item = &'static str> {
    listed_words(include_str!("paths.txt"), list)
}

/// Whether a path names a test file: pytest's, jest's and vitest's, go test's, cargo's. No other file imports from it.
#[must_use]
pub fn is_test_file(path: &str) -> bool {
    let (directory, stem, ending) = parts(path);
    let is_in = |wanted: &str| directory.split('/').any(|part| part == wanted);
    match ending {
        "py" | "pyi" => stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest",
        "go" => stem.ends_with("_test"),
        "rs" => is_in("tests") || matches!(stem, "tests" | "test"),
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => {
            stem.ends_with(".test") || stem.ends_with(".spec") || is_in("__tests__")
        }
        _ => false,
    }
}

/// Whether a file is about tests alone: a test, its data, its helpers, or how tests are run.
#[must_use]
pub fn is_about_tests(path: &str) -> bool {
    let (directory, stem, ending) = parts(path);
    is_test_file(path)
        || names("directories").any(|it| directory.split('/').any(|part| part == it))
        || is_test_configuration(path)
        || names("snapshots").any(|it| it == ending)
        || says_test(stem, ending)
}

/// Whether a file says how tests are run, and a runner finds it by its name.
#[must_use]
pub fn is_test_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    names("configurations").any(|it| it == name)
        || names("beginnings").any(|it| name.starts_with(it))
        || names("endings").any(|end| {
            path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
}

fn says_test(stem: &str, ending: &str) -> bool {
    let is_word = |word: &str| matches!(word, "test" | "tests");
    match ending {
        "py" | "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => {
            let last = stem.rsplit(['-', '_', '.']).next().unwrap_or(stem);
            is_word(last) || stem.starts_with("test-")
        }
        "rs" => stem.ends_with("_test") || stem.ends_with("_tests"),
        "bats" | "t" => true,
        _ if names("code").any(|it| it == ending) => {
            let is_test = |word: &str| is_word(word) || word == "spec";
            let words = words(stem);
            [words.first(), words.last()].into_iter().flatten().any(|word| is_test(word))
        }
        _ => false,
    }
}

/// The words of `HTTPServerTest`, `http_server-test`, in lower case.
fn words(stem: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for at in stem.chars() {
        if !at.is_alphanumeric() || (at.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = at.is_lowercase() || at.is_numeric();
        if let Some(last) = words.last_mut().filter(|_| at.is_alphanumeric()) {
            last.extend(at.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn parts(path: &str) -> (&str, &str, &str) {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    (directory, stem, ending)
}
