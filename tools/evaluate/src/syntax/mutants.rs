//! Mutation of source text, in ways in which generated patches go wrong; a seed gives the same
//! mutant again.
//!
//! Most mutants are invalid, but not all: the front ends decide, not the mutation.

use ftl_testkit::random::Rng;

/// The kinds of damage, by name.
pub(crate) const KINDS: &[(&str, Damage)] = &[
    ("truncate", truncate),
    ("delete-bracket", delete_bracket),
    ("insert-bracket", insert_bracket),
    ("delete-token", delete_token),
    ("replace-token", replace_token),
    ("duplicate-line", duplicate_line),
    ("delete-line", delete_line),
    ("dedent", dedent),
    ("delete-quote", delete_quote),
    ("conflict-markers", conflict_markers),
    ("markdown-fence", markdown_fence),
];

/// Damages a text in one place; `None` where there is nothing of the kind to damage.
type Damage = fn(&str, &mut Rng) -> Option<String>;

fn pick<T: Copy>(random: &mut Rng, all: &[T]) -> Option<T> {
    (!all.is_empty()).then(|| all[random.usize(..all.len())])
}

fn truncate(text: &str, random: &mut Rng) -> Option<String> {
    let end = text.floor_char_boundary(random.usize(..text.len().max(1)));
    (end > 0).then(|| text[..end].to_owned())
}

fn delete_bracket(text: &str, random: &mut Rng) -> Option<String> {
    let at = pick(random, &places(text, "()[]{}"))?;
    Some(without(text, at, 1))
}

fn insert_bracket(text: &str, random: &mut Rng) -> Option<String> {
    let bracket = pick(random, &["(", ")", "[", "]", "{", "}"])?;
    let (at, _) = pick(random, &tokens(text))?;
    Some(format!("{}{bracket}{}", &text[..at], &text[at..]))
}

fn delete_token(text: &str, random: &mut Rng) -> Option<String> {
    let (at, length) = pick(random, &tokens(text))?;
    Some(without(text, at, length))
}

fn replace_token(text: &str, random: &mut Rng) -> Option<String> {
    let tokens = tokens(text);
    let (at, length) = pick(random, &tokens)?;
    let (other, size) = pick(random, &tokens)?;
    let new = &text[other..other + size];
    Some(format!("{}{new}{}", &text[..at], &text[at + length..]))
}

fn duplicate_line(text: &str, random: &mut Rng) -> Option<String> {
    let (at, line) = pick(random, &lines(text))?;
    Some(format!("{}{line}{}", &text[..at], &text[at..]))
}

fn delete_line(text: &str, random: &mut Rng) -> Option<String> {
    let (at, line) = pick(random, &lines(text))?;
    Some(without(text, at, line.len()))
}

fn dedent(text: &str, random: &mut Rng) -> Option<String> {
    let indented = |(_, line): &(usize, &str)| line.starts_with([' ', '\t']);
    let indented: Vec<_> = lines(text).into_iter().filter(indented).collect();
    let (at, line) = pick(random, &indented)?;
    Some(without(text, at, line.len() - line.trim_start_matches([' ', '\t']).len()))
}

fn delete_quote(text: &str, random: &mut Rng) -> Option<String> {
    let at = pick(random, &places(text, "\"'`"))?;
    Some(without(text, at, 1))
}

fn conflict_markers(text: &str, random: &mut Rng) -> Option<String> {
    let (at, line) = pick(random, &lines(text))?;
    let rest = &text[at + line.len()..];
    let head = &text[..at];
    Some(format!("{head}<<<<<<< HEAD\n{line}=======\n{line}>>>>>>> theirs\n{rest}"))
}

fn markdown_fence(text: &str, random: &mut Rng) -> Option<String> {
    Some(match random.usize(..3) {
        0 => format!("```\n{text}```\n"),
        1 => format!("Here is the file:\n\n{text}"),
        _ => format!("{text}```\n"),
    })
}

fn without(text: &str, at: usize, length: usize) -> String {
    format!("{}{}", &text[..at], &text[at + length..])
}

/// Offsets of ASCII characters.
fn places(text: &str, wanted: &str) -> Vec<usize> {
    let is_wanted = |byte: u8| wanted.as_bytes().contains(&byte);
    (0..text.len()).filter(|&at| is_wanted(text.as_bytes()[at])).collect()
}

/// Words, numbers and single signs, roughly: offset and length.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    let mut in_word = false;
    for (at, character) in text.char_indices() {
        match tokens.last_mut() {
            Some((_, length)) if in_word && is_word(character) => *length += character.len_utf8(),
            _ if character.is_whitespace() => {}
            _ => tokens.push((at, character.len_utf8())),
        }
        in_word = is_word(character);
    }
    tokens
}

/// Lines that are not blank, with their ends: offset and text.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            lines.push((at, line));
        }
        at += line.len();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{KINDS, Rng, lines, tokens};

    const TEXT: &str = "def f(x):\n    return ['\u{e9}', x]\n\nf(1)\n";

    #[test]
    fn every_kind_of_damage_changes_a_text_and_the_same_seed_does_the_same() {
        for (name, damage) in KINDS {
            let damaged = damage(TEXT, &mut Rng::with_seed(7)).unwrap();
            assert_ne!(damaged, TEXT, "{name}");
            assert_eq!(damage(TEXT, &mut Rng::with_seed(7)), Some(damaged), "{name}");
        }
    }

    #[test]
    fn where_there_is_nothing_of_a_kind_nothing_is_made() {
        for (name, damage) in KINDS {
            if !["markdown-fence"].contains(name) {
                assert_eq!(damage("", &mut Rng::with_seed(7)), None, "{name}");
            }
        }
    }

    #[test]
    fn tokens_are_words_and_signs_and_lines_keep_their_ends() {
        let words: Vec<_> =
            tokens("a_1 +\u{e9}()").iter().map(|&(at, length)| (at, length)).collect();
        assert_eq!(words, [(0, 3), (4, 1), (5, 2), (7, 1), (8, 1)]);
        assert_eq!(lines("a\n \nb"), [(0, "a\n"), (4, "b")]);
    }
}
