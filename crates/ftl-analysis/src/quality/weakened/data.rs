//! Files without code that a change added to its tests: cases that a test reads.

use std::collections::HashSet;

use super::super::structure::Language;
use super::dialect::unquoted;
use super::source_test::SourceTest;
use crate::quality::changed_file::ChangedFile;

/// Characters of a value that is its test's own.
const LONG: usize = 4;

/// The lines that were added to data files of tests.
pub(super) struct Data<'t> {
    added: Vec<&'t str>,
}

impl<'t> Data<'t> {
    pub(super) fn of(changed: &[ChangedFile<'t>]) -> Self {
        let is_data = |file: &&ChangedFile<'t>| {
            let path = file.path.to_ascii_lowercase();
            Language::of_path(file.path).is_none()
                && ["test", "spec", "fixture"].iter().any(|word| path.contains(word))
        };
        let added = |file: &ChangedFile<'t>| {
            let known: HashSet<&str> = file.before.unwrap_or_default().lines().collect();
            let lines = file.after.unwrap_or_default().lines();
            lines.filter(|line| !known.contains(line)).collect::<Vec<&str>>()
        };
        Self { added: changed.iter().filter(is_data).flat_map(added).collect() }
    }

    /// Whether half of what a test says, by length, is in them.
    pub(super) fn has_values(&self, test: &SourceTest) -> bool {
        if self.added.is_empty() {
            return false;
        }
        let plain = |text: &str| {
            unquoted(text.trim_end_matches('#')).replace("\\n", "\n").replace("\\\"", "\"")
        };
        let values = test.tokens.iter().filter(|token| token.is_literal);
        let texts: Vec<String> = values.map(|token| plain(&token.text)).collect();
        let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim);
        let lines: HashSet<&str> =
            lines.filter(|line| line.chars().count() >= LONG && *line != test.title).collect();
        let is_found = |line: &&&str| self.added.iter().any(|it| it.contains(**line));
        let length = |found: usize, line: &&str| found + line.len();
        let found = lines.iter().filter(is_found).fold(0, length);
        found > 0 && found * 2 >= lines.iter().fold(0, length)
    }
}
