//! The words of the project are those of its field.
//!
//! `words.txt` lists the words that are not used here, each with what to write instead. They are
//! matched in prose and as parts of names: `TwiceTold`, `twice_told` and "twice told" are all found.

use std::fs;

use ftl_testkit::root;

use super::sources::{foreign, tracked};

/// Type names that say nothing without their domain.
const UNQUALIFIED: [&str; 7] = ["Place", "Found", "Tally", "Row", "Entry", "Step", "Kind"];

/// First words of test names that do not say which subject is tested.
const SUBJECTLESS: [&str; 6] = ["what", "whoever", "whatever", "nothing", "only", "nobody"];

/// The files of this rule, which hold the words themselves, and the drawings of the machine's own names.
fn is_list(name: &str) -> bool {
    name.starts_with("tests/house/words")
        || name.contains("/LICENSE")
        || name.starts_with("crates/ftl-machine/src/graph/states.")
        || name == "docs/transitions.md"
}

/// The forbidden words, each with what to write instead.
fn forbidden() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" = ").unwrap()).collect()
}

/// The line as lower-case words between single spaces, names split at `_` and at capital letters.
fn spaced(line: &str) -> String {
    let mut words = String::from(" ");
    let mut previous = ' ';
    for char in line.chars() {
        let starts_word = char.is_uppercase() && previous.is_lowercase();
        if (!char.is_alphanumeric() || starts_word) && !words.ends_with(' ') {
            words.push(' ');
        }
        if char.is_alphanumeric() {
            words.extend(char.to_lowercase());
        }
        previous = char;
    }
    words + " "
}

/// What is wrong with the words of one line, as a message.
///
/// The machine's state in which a file is repaired is called `Mend`, and journals hold that name: the
/// word is forbidden in prose only, that is in Rust's comments, and elsewhere outside of quotes.
fn complaint(line: &str, forbidden: &[(&str, &str)], is_rust: bool) -> Option<String> {
    let all = spaced(line);
    let prose = match is_rust {
        true => line.find("//").map(|at| line[at..].to_owned()).unwrap_or_default(),
        false => line.split(['`', '"']).step_by(2).collect(),
    };
    let prose = spaced(&prose);
    let text = |word: &str| if word.starts_with("mend") { &prose } else { &all };
    let word = forbidden.iter().find(|(word, _)| text(word).contains(&format!(" {word} ")));
    word.map(|(word, instead)| format!("`{word}` (instead: {instead})"))
}

/// A type whose name says nothing without its domain, or a test that does not name its subject.
fn poor_name(line: &str) -> Option<String> {
    let line = line.trim_start().trim_start_matches("pub").trim_start();
    let line = line.strip_prefix("(").and_then(|it| Some(it.split_once(") ")?.1)).unwrap_or(line);
    let (keyword, rest) = line.split_once(' ')?;
    let name = rest.split(|char: char| !char.is_alphanumeric() && char != '_').next()?;
    let vague_type =
        matches!(keyword, "struct" | "enum" | "type" | "trait") && UNQUALIFIED.contains(&name);
    let vague_test = keyword == "fn"
        && name.matches('_').count() > 2
        && SUBJECTLESS.contains(&name.split('_').next()?);
    (vague_type || vague_test).then(|| format!("`{name}` names no subject"))
}

#[test]
fn the_words_of_the_project_are_those_of_its_field() {
    let forbidden = forbidden();
    let mut broken = Vec::new();
    for name in tracked().iter().filter(|name| !foreign(name) && !is_list(name)) {
        let Ok(text) = fs::read_to_string(root().join(name)) else {
            continue;
        };
        let is_rust = name.ends_with(".rs");
        broken.extend((1..).zip(text.lines()).filter_map(|(number, line)| {
            let poor = if is_rust { poor_name(line) } else { None };
            let complaint = complaint(line, &forbidden, is_rust).or(poor)?;
            Some(format!("{name}:{number}: {complaint}"))
        }));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_forbidden_word_is_found_in_prose_and_in_names() {
    let forbidden = [("told", "reported"), ("by hand", "manually"), ("mend", "fix")];
    for line in ["twice told", "TwiceTold", "fn twice_told()", "sealed *by hand*.", "// to mend"] {
        assert!(complaint(line, &forbidden, true).is_some(), "{line}");
    }
    for line in ["untold", "by handing it over", "State::Mend(mend)"] {
        assert!(complaint(line, &forbidden, true).is_none(), "{line}");
    }
    assert!(complaint("the `mend` event", &forbidden, false).is_none());
    assert!(complaint("they mend it", &forbidden, false).is_some());
    for line in ["pub(crate) struct Row {", "    fn what_is_left_is_kept() {"] {
        assert!(poor_name(line).is_some(), "{line}");
    }
    for line in ["struct LanguageRow;", "fn only(self)", "let row = Row::new();"] {
        assert!(poor_name(line).is_none(), "{line}");
    }
}
