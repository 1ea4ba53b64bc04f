//! Every diagnostic that a user can provoke is in the table of messages, and nothing else is.

use std::collections::BTreeSet;
use std::fs;

use ftl_testkit::root;

use super::sources::rust_files;

/// Codes that the sources name, tests aside: literals of the form `family::name`.
fn named() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for path in rust_files("crates") {
        let shown = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        if !shown.contains("/src/") || shown.contains("tests") || shown.contains("race.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        codes.extend(code.split('"').filter(|word| is_code(word)).map(str::to_owned));
    }
    codes
}

fn is_code(word: &str) -> bool {
    let is_word = |part: &str| {
        let fits = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
        !part.is_empty() && part.chars().all(fits)
    };
    match word.split_once("::") {
        // A path into one of our crates, as in `#[serde(with)]`, is no code.
        Some((family, name)) => !family.starts_with("ftl_") && is_word(family) && is_word(name),
        None => false,
    }
}

#[test]
fn every_code_of_a_diagnostic_has_an_entry_that_says_when_and_what_to_do() {
    let path = root().join("crates/ftl-cli/src/failure/messages.toml");
    let table: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let documented: BTreeSet<String> = table.keys().cloned().collect();
    let named = named();
    assert!(named.len() > 120, "{named:?}");
    let undocumented: Vec<_> = named.difference(&documented).collect();
    assert!(undocumented.is_empty(), "without an entry: {undocumented:?}");
    let gone: Vec<_> = documented.difference(&named).collect();
    assert!(gone.is_empty(), "no code uses these any more: {gone:?}");
    for (code, message) in &table {
        let text = |key: &str| message[key].as_str().unwrap();
        let (when, advice) = (text("when"), text("do"));
        assert!(
            when.ends_with('.')
                && when.starts_with(|c: char| c.is_uppercase() || c == '`' || c == 'f'),
            "{code}: {when}"
        );
        assert!(advice.len() > 10 && !advice.ends_with('.'), "{code}: {advice}");
    }
}
