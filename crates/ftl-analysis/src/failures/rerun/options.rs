//! The words behind a runner's name: options with their values, and what is to be run.

use super::super::FoundFailure;

/// Words of a command by what they are.
#[derive(Debug, Default)]
pub(super) struct Words<'a> {
    /// Options, and the values that follow them.
    pub(super) options: Vec<&'a str>,
    /// Files, directories, names, packages.
    pub(super) targets: Vec<&'a str>,
    /// What is behind `--`.
    pub(super) rest: Option<&'a [&'a str]>,
}

impl<'a> Words<'a> {
    /// Sorts words. `flags` have no value, `replaced` are left out with theirs; of any other option the word that
    /// follows is its value, unless it says where the failed tests are. So the options of plugins keep their values.
    pub(super) fn of(
        all: &'a [&'a str],
        flags: &str,
        replaced: &str,
        failures: &[&FoundFailure],
    ) -> Self {
        let has = |list: &str, option: &str| list.split(' ').any(|it| it == option);
        let mut words = Self::default();
        let mut at = 0;
        while let Some(&word) = all.get(at) {
            at += 1;
            if word == "--" {
                words.rest = all.get(at..);
                break;
            }
            if !word.starts_with(['-', '+']) {
                words.targets.push(word);
                continue;
            }
            let (name, given) = match word.split_once('=') {
                Some((name, _)) => (name, true),
                None => (word, false),
            };
            let is_flag = |it: &str| has(flags, it);
            let is_group = !word.starts_with("--")
                && word.len() > 2
                && word[1..].chars().all(|c| is_flag(&format!("-{c}")));
            let follows = |next: &&&str| {
                let is_target = selects(next, failures) && !has(replaced, name);
                !(given || is_group || is_flag(name) || next.starts_with('-') || is_target)
            };
            let value = all.get(at).filter(follows);
            at += usize::from(value.is_some());
            if !has(replaced, name) {
                words.options.push(word);
                words.options.extend(value);
            }
        }
        words
    }

    /// Options, then `more`.
    pub(super) fn with(&self, more: impl IntoIterator<Item = String>) -> Vec<String> {
        strings(&self.options).into_iter().chain(more).collect()
    }
}

/// Whether a failed test is in the file, directory, module or package that a word names.
fn selects(word: &str, failures: &[&FoundFailure]) -> bool {
    let word = word.trim_start_matches("./").trim_end_matches('/');
    let begins = |text: &Option<String>| {
        let rest =
            text.as_deref().and_then(|text| text.trim_start_matches("./").strip_prefix(word));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    !word.is_empty()
        && failures
            .iter()
            .any(|it| begins(&it.failure.test) || begins(&it.failure.path) || begins(&it.origin))
}

pub(super) fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// What regular expressions of any dialect take for more than itself.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if r"\.+*?()|[]{}^$/".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

pub(super) fn lua_escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| (!c.is_alphanumeric() && c != ' ').then_some('%').into_iter().chain([c]))
        .collect()
}
