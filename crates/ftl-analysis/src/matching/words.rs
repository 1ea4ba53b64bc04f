//! The words of an error that similarity compares, and what each weighs.
//!
//! Words are identifiers and their parts, cut to a stem: `ImportError` shares `import` with `cannot
//! import name`. Stemming is crude and its results need not be words (`statu`): it only has to cut alike
//! on both sides, which the list of common words follows.

use crate::constants::{ConstPattern, listed_words};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Words of so many errors that they tell little, by their stems.
static COMMON: LazyLock<Vec<&str>> = LazyLock::new(|| words_of("common"));
/// What they weigh.
const COMMON_WEIGHT: f64 = 0.3;

/// Marks what is only a part of a word, or the name of an exception.
const PART: char = '~';

/// Words of any comparison of values: a text of these alone fits every such error.
static COMPARING: LazyLock<Vec<&str>> = LazyLock::new(|| words_of("comparing"));

/// Words that tell nothing.
static STOP: LazyLock<Vec<&str>> = LazyLock::new(|| words_of("stop"));

/// Endings that are dropped when more than three letters stay.
const ENDINGS: [&str; 5] = ["ing", "edly", "ed", "es", "s"];

/// The name of an exception, with its module; masked lines hold it in lower case.
static CLASS: ConstPattern =
    ConstPattern::new(r"(?i)\b(?:[a-z_]\w*\.)*\w*[a-z](?:Error|Exception|Warning|Failure)\b");
static QUOTED: ConstPattern = ConstPattern::new(r"'[^']*[^'\s\x02][^']*'");
/// Times, addresses and numbers.
pub(super) static VOLATILE: ConstPattern =
    ConstPattern::new(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.Z]*|\b0x[0-9a-fA-F]+|\b\d+");
static DIRECTORY: ConstPattern = ConstPattern::new(r"(?:[\w.~-]*/)+");
static IDENTIFIER: ConstPattern = ConstPattern::new(r"[A-Za-z_]\w*");

/// Whether a masked text has a distinctive word, beside the name of an exception and the words of any
/// comparison.
pub(super) fn has_own(text: &str) -> bool {
    let rest = CLASS.replace_all(text, " ");
    let own = |word: &str| {
        !is_in(word, &STOP) && !is_in(word, &COMPARING) && word.chars().any(char::is_alphabetic)
    };
    QUOTED.is_match(text)
        || IDENTIFIER.find_iter(&rest).any(|hit| own(&hit.as_str().to_lowercase()))
}

/// The words of `text`: its identifiers and their parts, stemmed, in lower case, without what
/// differs from run to run: times, addresses, numbers, directories. The name of an exception is one
/// word, and parts are marked, since they say less than a separate word.
pub(super) fn tokens(text: &str) -> BTreeSet<String> {
    let text = VOLATILE.replace_all(text, " ");
    let text = match text.contains('/') {
        true => DIRECTORY.replace_all(&text, ""),
        false => text,
    };
    let mut words = BTreeSet::new();
    let mut end = 0;
    for class in CLASS.find_iter(&text) {
        insert_words(&text[end..class.start()], &mut words);
        end = class.end();
        let name = class.as_str().rsplit('.').next().unwrap_or_default();
        words.insert(format!("{PART}{}", name.to_lowercase()));
    }
    insert_words(&text[end..], &mut words);
    words
}

/// Adds the identifiers of `text` and their parts.
fn insert_words(text: &str, words: &mut BTreeSet<String>) {
    for identifier in IDENTIFIER.find_iter(text).map(|hit| hit.as_str()) {
        let parts = parts(identifier);
        if parts.len() > 1 {
            let parts = parts.into_iter().filter(|part| part.len() > 1);
            words.extend(parts.map(|part| format!("{PART}{}", stem(part))));
        }
        let word = identifier.to_lowercase();
        if !is_in(&word, &STOP) {
            words.insert(stem(word));
        }
    }
}

/// The words that an identifier is made of: `HTTPServer_error` gives `http`, `server`, `error`.
fn parts(identifier: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = None;
    let mut characters = identifier.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek();
        let begins = character.is_uppercase()
            && (before.is_some_and(|c: char| !c.is_uppercase())
                || after.is_some_and(|c| c.is_lowercase()));
        if begins || !character.is_alphabetic() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| character.is_alphabetic()) {
            part.extend(character.to_lowercase());
        }
        before = Some(character);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What a word weighs in a comparison.
pub(super) fn weight(word: &str) -> f64 {
    match word.starts_with(PART) || is_in(word, &COMMON) {
        true => COMMON_WEIGHT,
        false => 1.0,
    }
}

/// A list of `words.txt`.
fn words_of(list: &'static str) -> Vec<&'static str> {
    listed_words(include_str!("words.txt"), list).collect()
}

/// Whether a sorted list has `word`.
fn is_in(word: &str, list: &[&str]) -> bool {
    list.binary_search(&word).is_ok()
}

fn stem(word: String) -> String {
    let stems = |ending: &&str| word.strip_suffix(ending).filter(|stem| stem.chars().count() > 3);
    match ENDINGS.iter().find_map(stems) {
        Some(stem) => stem.to_owned(),
        None => word,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{COMMON, COMPARING, STOP, parts, tokens, weight};

    #[test]
    fn lists_of_words_are_sorted() {
        for list in [&**COMMON, &COMPARING, &STOP] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }

    #[test]
    fn identifiers_fall_apart_where_people_see_words() {
        for (identifier, expected) in [
            ("HTTPServer_error", "http server error"),
            ("getUserById", "get user by id"),
            ("__init__", "init"),
            ("ImportError", "import error"),
            ("sha256sum", "sha sum"),
            ("E0432", "e"),
        ] {
            assert_eq!(parts(identifier).join(" "), expected);
        }
    }

    #[test]
    fn a_text_is_its_telling_words() {
        let text = "2026-01-02 03:04:05.6Z: os.IOError: cannot open the files in /srv/app/user_models.py at 0xff, 12 failed";
        let expected =
            ["~ioerror", "cannot", "open", "file", "user_model", "~user", "~model", "py", "fail"];
        let expected: BTreeSet<String> = expected.map(str::to_owned).into();
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn common_words_weigh_little() {
        assert!(weight("import") < weight("fasthtml"));
    }
}
