//! Places in a command's output: `a.kt:3:5: message` and what else compilers print.
//!
//! | form | of |
//! |---|---|
//! | `PATH:LINE:COLUMN: MESSAGE`, `PATH:LINE: MESSAGE` | GNU, clang, kotlinc, javac |
//! | `PATH(LINE,COLUMN): MESSAGE`, `PATH(LINE): MESSAGE` | MSBuild, tsc, nasm |
//! | `PATH: line LINE: MESSAGE` | shells |
//! | `MESSAGE in PATH on line LINE` | PHP |
//! | `MESSAGE` and then `--> PATH:LINE:COLUMN` | rustc, Zig's and Gleam's |
//!
//! A word before the path or the message may say that it is an error; warnings and notes are left out, for
//! they are not why the command failed. Places in other files are not places in this one.

use std::path::Path;

use super::front_end::offset;
use crate::finding::{Finding, MOST_FINDINGS};

/// What the output says about a file, whose content is `text`.
pub(super) fn findings(output: &str, path: &Path, text: &str) -> Vec<Finding> {
    let mut previous = "";
    let mut found = Vec::new();
    for line in output.lines() {
        let line = line.trim();
        if let Some(place) = NamedPlace::in_line(line, path) {
            found.extend(place.finding(previous, text));
        }
        if !line.is_empty() {
            previous = line;
        }
    }
    found.truncate(MOST_FINDINGS);
    found
}

/// A line of output that names a place in the file.
struct NamedPlace<'a> {
    before: &'a str,
    line: usize,
    column: Option<usize>,
    after: &'a str,
}

impl<'a> NamedPlace<'a> {
    fn in_line(output: &'a str, path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (at, _) = output.match_indices(name).find(|&(at, _)| {
            let start = start_of_path(output, at);
            names(&output[start..at + name.len()], path)
        })?;
        let before = output[..start_of_path(output, at)].trim_end_matches(['"', '\'', '`']).trim();
        let rest = output[at + name.len()..].trim_start_matches(['"', '\'', '`']);
        let (line, column, after) = numbers(rest)?;
        Some(Self { before, line, column, after: after.trim_start_matches([':', '-', ' ', ']']) })
    }

    /// `None` for what is no error.
    fn finding(&self, previous: &str, text: &str) -> Option<Finding> {
        let is_arrow = self.before.ends_with("-->") || self.before.ends_with("──");
        let said = match self.after.trim() {
            "" if is_arrow => previous,
            "" => self.before.trim_end_matches(" in").trim_end_matches([':', ' ']),
            after => after,
        };
        if is_remark(self.before) || is_remark(said) {
            return None;
        }
        let said = said.strip_prefix("error:").unwrap_or(said).trim();
        let message = if said.is_empty() { "error" } else { said };
        let start = offset(text, self.line, self.column.unwrap_or(1), |_| 1);
        Some(Finding::at(text, start, message))
    }
}

/// Where the word begins that ends in a file's name.
fn start_of_path(output: &str, name: usize) -> usize {
    let ends = |it: char| it.is_whitespace() || "\"'`([".contains(it);
    output[..name]
        .rfind(ends)
        .map_or(0, |at| at + output[at..].chars().next().map_or(1, char::len_utf8))
}

/// Whether a path in the output is the file's: the whole of it, or its end.
fn names(said: &str, path: &Path) -> bool {
    let said = Path::new(said.strip_prefix("file://").unwrap_or(said));
    let said = said.strip_prefix(".").unwrap_or(said);
    path.ends_with(said) || said.ends_with(path.strip_prefix(".").unwrap_or(path))
}

/// Line, column and the rest, of what follows a path.
fn numbers(rest: &str) -> Option<(usize, Option<usize>, &str)> {
    if let Some(rest) = rest.strip_prefix('(') {
        let (places, after) = rest.split_once(')')?;
        let mut places = places.split([',', ':']).map(|it| it.trim().parse().ok());
        let line = places.next()??;
        return Some((line, places.next().flatten(), after));
    }
    let words = [": line ", ", line ", " on line ", ":line "];
    let (is_word, rest) = match words.iter().find_map(|word| rest.strip_prefix(word)) {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix(':')?),
    };
    let (line, rest) = number(rest)?;
    let column = rest.strip_prefix(':').filter(|_| !is_word).and_then(number);
    Some(match column {
        Some((column, after)) => (line, Some(column), after),
        None => (line, None, rest),
    })
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Whether a text begins as what is no error.
fn is_remark(text: &str) -> bool {
    let word =
        text.trim_start_matches(['[', '(']).split(|it: char| !it.is_ascii_alphabetic()).next();
    let word = word.unwrap_or_default().to_ascii_lowercase();
    let is_letter = text.starts_with("w:") || text.starts_with("i:");
    is_letter || ["warning", "warn", "note", "info", "hint", "help"].contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::findings;

    const TEXT: &str = "one\ntwo two\nthree\n";

    fn found(output: &str) -> Vec<(usize, String)> {
        let all = findings(output, Path::new("/srv/src/a.kt"), TEXT);
        all.into_iter().map(|it| (it.range.start, it.message)).collect()
    }

    #[test]
    fn the_forms_that_compilers_print_are_read() {
        let cases = [
            "/srv/src/a.kt:2:5: no such thing",
            "a.kt:2:5: error: no such thing",
            "./src/a.kt:2:5: no such thing",
            "e: file:///srv/src/a.kt:2:5 no such thing",
            "src/a.kt(2,5): no such thing",
            "error: no such thing\n --> a.kt:2:5",
            "[error] src/a.kt:2:5: no such thing",
        ];
        for output in cases {
            assert_eq!(found(output), [(8, "no such thing".to_owned())], "{output}");
        }
        let of_lines = [
            "/srv/src/a.kt:2: no such thing",
            "a.kt: line 2: no such thing",
            "no such thing in /srv/src/a.kt on line 2",
        ];
        for output in of_lines {
            assert_eq!(found(output), [(4, "no such thing".to_owned())], "{output}");
        }
    }

    #[test]
    fn warnings_other_files_and_lines_without_a_place_are_no_errors() {
        let cases = [
            "a.kt:2:5: warning: unused",
            "warning: a.kt:2:5: unused",
            "w: file:///srv/src/a.kt:2:5 unused",
            "b.kt:2:5: no such thing",
            "/srv/other/a.kt:2:5: no such thing",
            "aa.kt:2:5: no such thing",
            "1 error in a.kt",
            "a.kt: not found",
        ];
        for output in cases {
            assert_eq!(found(output), [], "{output}");
        }
    }

    #[test]
    fn a_place_beyond_the_text_is_its_end() {
        assert_eq!(found("a.kt:99:1: lost"), [(TEXT.len(), "lost".to_owned())]);
    }
}
