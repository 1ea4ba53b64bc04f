//! The words of an error that similarity compares, and what each weighs.
//!
//! Words are identifiers and their parts, cut to a stem: `ImportError` shares `import` with `cannot
//! import name`. Stemming is crude and its results need not be words (`statu`): it only has to cut alike
//! on both sides, which the list of common words follows.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

/// Words of so many errors that they tell little, by their stems.
const COMMON: [&str; 70] = [
    "app",
    "argument",
    "assert",
    "assertion",
    "attribute",
    "call",
    "cannot",
    "code",
    "column",
    "data",
    "declar",
    "deep",
    "defin",
    "equal",
    "error",
    "exception",
    "expect",
    "fail",
    "failur",
    "failure",
    "file",
    "find",
    "found",
    "function",
    "got",
    "identical",
    "import",
    "index",
    "int",
    "invalid",
    "key",
    "line",
    "main",
    "many",
    "match",
    "method",
    "miss",
    "module",
    "name",
    "none",
    "null",
    "object",
    "out",
    "python",
    "range",
    "reach",
    "read",
    "request",
    "response",
    "result",
    "return",
    "run",
    "runn",
    "runtime",
    "same",
    "self",
    "statu",
    "str",
    "strict",
    "strictly",
    "string",
    "test",
    "too",
    "true",
    "type",
    "undefin",
    "unexpect",
    "valu",
    "value",
    "want",
];
/// What they weigh.
const COMMON_WEIGHT: f64 = 0.3;

/// Marks what is only a part of a word, or the name of an exception.
const PART: char = '~';

/// Words with which any comparison of values is told: a text of these alone fits every such error.
const COMPARING: [&str; 54] = [
    "actual",
    "assert",
    "asserted",
    "asserting",
    "assertion",
    "be",
    "but",
    "code",
    "comparison",
    "deep",
    "deeply",
    "equal",
    "equality",
    "equals",
    "error",
    "errors",
    "exact",
    "exception",
    "expect",
    "expected",
    "expects",
    "exit",
    "fail",
    "failed",
    "fails",
    "failure",
    "false",
    "got",
    "identical",
    "left",
    "loosely",
    "match",
    "must",
    "nil",
    "none",
    "null",
    "ok",
    "panic",
    "received",
    "returned",
    "right",
    "same",
    "should",
    "status",
    "strict",
    "strictly",
    "test",
    "these",
    "true",
    "undefined",
    "unexpected",
    "value",
    "values",
    "want",
];

/// Words that tell nothing.
const STOP: [&str; 42] = [
    "the", "a", "an", "of", "in", "to", "is", "are", "was", "be", "been", "by", "for", "from",
    "with", "and", "or", "not", "on", "at", "as", "it", "this", "that", "we", "you", "i", "no",
    "has", "have", "had", "so", "when", "which", "while", "did", "does", "do", "e", "n", "s", "t",
];

/// Endings that are dropped when more than three letters stay.
const ENDINGS: [&str; 5] = ["ing", "edly", "ed", "es", "s"];

/// The name of an exception, with its module; masked lines hold it in lower case.
static CLASS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:[a-z_]\w*\.)*\w*[a-z](?:Error|Exception|Warning|Failure)\b")
        .expect("because the pattern is a constant")
});
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"'[^']*[^'\s\x02][^']*'").expect("because the pattern is a constant")
});
/// Times, addresses and numbers.
pub(super) static VOLATILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.Z]*|\b0x[0-9a-fA-F]+|\b\d+")
        .expect("because the pattern is a constant")
});
static DIRECTORY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:[\w.~-]*/)+").expect("because the pattern is a constant"));
static IDENTIFIER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[A-Za-z_]\w*").expect("because the pattern is a constant"));

/// Whether a masked text has a word of its own, beside the name of an exception and the words of any
/// comparison.
pub(super) fn has_own(text: &str) -> bool {
    let rest = CLASS.replace_all(text, " ");
    let own = |word: &str| {
        !STOP.contains(&word) && !COMPARING.contains(&word) && word.chars().any(char::is_alphabetic)
    };
    QUOTED.is_match(text)
        || IDENTIFIER
            .find_iter(&rest)
            .any(|hit| own(&hit.as_str().to_lowercase()))
}

/// The words of `text`: its identifiers and their parts, stemmed, in lower case, without what
/// differs from run to run: times, addresses, numbers, directories. The name of an exception is one
/// word, and parts are marked, since they tell less than a word that stands alone.
pub(super) fn tokens(text: &str) -> BTreeSet<String> {
    let text = VOLATILE.replace_all(text, " ");
    let text = DIRECTORY.replace_all(&text, "");
    let mut words = BTreeSet::new();
    for class in CLASS.find_iter(&text).map(|hit| hit.as_str()) {
        let name = class.rsplit('.').next().unwrap_or(class);
        words.insert(format!("{PART}{}", name.to_lowercase()));
    }
    let text = CLASS.replace_all(&text, " ");
    for identifier in IDENTIFIER.find_iter(&text).map(|hit| hit.as_str()) {
        let word = identifier.to_lowercase();
        let parts = parts(identifier);
        if parts.len() > 1 {
            let parts = parts.iter().filter(|part| part.len() > 1);
            words.extend(parts.map(|part| format!("{PART}{}", stem(part.clone()))));
        }
        if !STOP.contains(&word.as_str()) {
            words.insert(stem(word));
        }
    }
    words
}

/// The words that an identifier is made of: `HTTPServer_error` gives `http`, `server`, `error`.
fn parts(identifier: &str) -> Vec<String> {
    let characters: Vec<char> = identifier.chars().collect();
    let mut parts = vec![String::new()];
    for (at, &character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| characters[at]);
        let after = characters.get(at + 1);
        let begins = character.is_uppercase()
            && (before.is_some_and(|c| !c.is_uppercase())
                || after.is_some_and(|c| c.is_lowercase()));
        if begins || !character.is_alphabetic() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| character.is_alphabetic()) {
            part.extend(character.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What a word weighs in a comparison.
pub(super) fn weight(word: &str) -> f64 {
    match word.starts_with(PART) || COMMON.contains(&word) {
        true => COMMON_WEIGHT,
        false => 1.0,
    }
}

fn stem(word: String) -> String {
    let stems = |ending: &&str| {
        word.strip_suffix(ending)
            .filter(|stem| stem.chars().count() > 3)
    };
    match ENDINGS.iter().find_map(stems) {
        Some(stem) => stem.to_owned(),
        None => word,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{parts, tokens, weight};

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
        let expected = [
            "~ioerror",
            "cannot",
            "open",
            "file",
            "user_model",
            "~user",
            "~model",
            "py",
            "fail",
        ];
        let expected: BTreeSet<String> = expected.map(str::to_owned).into();
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn common_words_weigh_little() {
        assert!(weight("import") < weight("fasthtml"));
    }
}
