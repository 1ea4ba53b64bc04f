//! The words of an error that similarity compares, and what each weighs.
//!
//! Words are identifiers and their parts, cut to a stem: `ImportError` shares `import` with `cannot
//! import name`. Stemming is crude and its results need not be words (`statu`): it only has to cut alike
//! on both sides, which the list of common words follows.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

/// Words of so many errors that they tell little, by their stems.
const COMMON: [&str; 50] = [
    "app",
    "argument",
    "assert",
    "assertion",
    "attribute",
    "call",
    "cannot",
    "code",
    "data",
    "error",
    "exception",
    "expect",
    "fail",
    "failur",
    "failure",
    "file",
    "found",
    "function",
    "got",
    "import",
    "index",
    "int",
    "invalid",
    "key",
    "line",
    "main",
    "method",
    "miss",
    "module",
    "name",
    "none",
    "null",
    "object",
    "python",
    "request",
    "response",
    "result",
    "return",
    "run",
    "runn",
    "runtime",
    "self",
    "statu",
    "str",
    "string",
    "test",
    "type",
    "undefin",
    "unexpect",
    "value",
];
/// What they weigh.
const COMMON_WEIGHT: f64 = 0.3;

/// Words that tell nothing.
const STOP: [&str; 42] = [
    "the", "a", "an", "of", "in", "to", "is", "are", "was", "be", "been", "by", "for", "from",
    "with", "and", "or", "not", "on", "at", "as", "it", "this", "that", "we", "you", "i", "no",
    "has", "have", "had", "so", "when", "which", "while", "did", "does", "do", "e", "n", "s", "t",
];

/// Endings that are dropped when more than three letters stay.
const ENDINGS: [&str; 5] = ["ing", "edly", "ed", "es", "s"];

static VOLATILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.Z]*|\b0x[0-9a-fA-F]+|\b\d+")
        .expect("because the pattern is a constant")
});
static DIRECTORY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:[\w.~-]*/)+").expect("because the pattern is a constant"));
static IDENTIFIER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[A-Za-z_]\w*").expect("because the pattern is a constant"));
/// The words of `text`: its identifiers and their parts, stemmed, in lower case, without what
/// differs from run to run: times, addresses, numbers, directories.
pub(super) fn tokens(text: &str) -> BTreeSet<String> {
    let text = VOLATILE.replace_all(text, " ");
    let text = DIRECTORY.replace_all(&text, "");
    let mut words = BTreeSet::new();
    for identifier in IDENTIFIER.find_iter(&text).map(|hit| hit.as_str()) {
        words.insert(identifier.to_lowercase());
        words.extend(parts(identifier).into_iter().filter(|part| part.len() > 1));
    }
    let telling = words
        .into_iter()
        .filter(|word| !STOP.contains(&word.as_str()));
    telling.map(stem).collect()
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
    match COMMON.contains(&word) {
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
        let text = "2026-01-02 03:04:05.6Z: cannot open the files in /srv/app/models.py at 0xff, 12 failed";
        let expected = ["cannot", "open", "file", "model", "py", "fail"];
        let expected: BTreeSet<String> = expected.map(str::to_owned).into();
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn common_words_weigh_little() {
        assert!(weight("import") < weight("fasthtml"));
    }
}
