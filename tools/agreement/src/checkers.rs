//! This project's checkers, which are the subject of the comparison.
//!
//! They run in the program `verdicts` of this package, which is optimised unless `--check` is given,
//! and which finds the fetched front ends on a separate `PATH`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::build::directory_of;
use ftl_testkit::program::Program;

use crate::files;
use crate::verdict::{Status, Verdict};

/// The built program.
pub(crate) struct Checkers {
    program: PathBuf,
    scratch: PathBuf,
    path: OsString,
}

/// A verdict, and the findings whose places contradict one another or the file.
pub(crate) struct Checked {
    pub(crate) verdict: Verdict,
    pub(crate) misplaced: usize,
}

impl Checkers {
    /// Builds the program, optimised unless `quick`. It finds front ends in the directories `tools`
    /// before others.
    ///
    /// # Errors
    ///
    /// The build failed.
    pub(crate) fn build(quick: bool, scratch: &Path, tools: &[PathBuf]) -> Result<Self> {
        let profile = if quick { "dev" } else { "release" };
        Program::cargo()
            .args(["build", "--quiet", "--locked", "--profile", profile])
            .args(["--package", "ftl-agreement", "--bin", "verdicts"])
            .run()?;
        let name = format!("verdicts{}", std::env::consts::EXE_SUFFIX);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = tools.iter().cloned().chain(std::env::split_paths(&path));
        Ok(Self {
            program: directory_of(profile)?.join(name),
            scratch: scratch.to_owned(),
            path: std::env::join_paths(path)?,
        })
    }

    /// The verdicts of a checker on files, in their order; `python` is the version aimed at.
    ///
    /// # Errors
    ///
    /// The program failed, or said something else.
    pub(crate) fn judge(
        &self,
        checker: &str,
        python: Option<&str>,
        paths: &[PathBuf],
    ) -> Result<Vec<Checked>> {
        let output = Program::new(&self.program, &self.scratch)
            .args([checker])
            .args(python)
            .env("PATH", &self.path)
            .input(&files::listed(paths), &self.scratch)?
            .text()?;
        let mut checked: Vec<Checked> = Vec::with_capacity(paths.len());
        let mut text = None;
        for line in output.lines() {
            if let Some(finding) = line.strip_prefix('\t') {
                let at = checked.len().checked_sub(1).ok_or("a finding before any file")?;
                let text = text.get_or_insert_with(|| utf8_text(&paths[at]));
                checked[at].add(finding, text.as_deref()).ok_or("a finding without its places")?;
            } else {
                text = None;
                checked.push(Checked::begin(line));
            }
        }
        if checked.len() == paths.len() {
            Ok(checked)
        } else {
            Err(format!("{} verdicts on {} files", checked.len(), paths.len()).into())
        }
    }
}

impl Checked {
    fn begin(line: &str) -> Self {
        let verdict = match line.split_once('\t') {
            None if line == "valid" => Verdict::VALID,
            None => Verdict::invalid(0, ""),
            Some((_, reason)) => Verdict::unknown(reason),
        };
        Self { verdict, misplaced: 0 }
    }

    /// Adds a finding; `None` when the line holds none.
    fn add(&mut self, finding: &str, text: Option<&str>) -> Option<()> {
        let mut parts = finding.splitn(8, '\t');
        let mut places = [0; 6];
        for place in &mut places {
            *place = parts.next()?.parse().ok()?;
        }
        let message = parts.nth(1)?;
        if self.verdict.status == Status::Invalid && self.verdict.line == 0 {
            self.verdict = Verdict::invalid(places[0], message);
        }
        // Offsets of files in other encodings cannot be computed from their text.
        let is_placed = text.is_none_or(|text| are_consistent(places, text));
        self.misplaced += usize::from(!is_placed);
        Some(())
    }
}

/// The text of a file, unless it is in another encoding.
fn utf8_text(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let is_python = path.extension().is_some_and(|it| it == "py" || it == "pyi");
    (!is_python || !declares_other_encoding(&text)).then_some(text)
}

/// Whether a comment in one of the first two lines names an encoding that is not UTF-8.
fn declares_other_encoding(text: &str) -> bool {
    let comments = text.lines().take(2).filter(|line| line.starts_with('#'));
    let names = comments.filter_map(|comment| {
        let (_, rest) = comment.split_once("coding")?;
        rest.strip_prefix([':', '='])
    });
    let mut names = names.map(|name| name.trim().to_ascii_lowercase());
    names.any(|name| !(name.starts_with("utf-8") || name.starts_with("utf8")))
}

/// Whether line, column, end line, end column, start and end say the same, and lie in the text.
fn are_consistent(
    [line, column, end_line, end_column, start, end]: [usize; 6],
    text: &str,
) -> bool {
    start <= end
        && place(text, start) == Some((line, column))
        && place(text, end) == Some((end_line, end_column))
}

/// Line and column of an offset, counted the slow way; `None` inside a character or beyond the end.
fn place(text: &str, offset: usize) -> Option<(usize, usize)> {
    let before = text.get(..offset)?;
    let before = before.strip_prefix('\u{FEFF}').unwrap_or(before);
    let is_split = before.ends_with('\r') && text[offset..].starts_with('\n');
    let whole = if is_split { &before[..before.len() - 1] } else { before };
    let lines = whole.replace("\r\n", "\n").replace('\r', "\n");
    let last = lines.rsplit('\n').next().unwrap_or_default();
    let column = last.chars().count() + 1 + usize::from(is_split);
    Some((lines.matches('\n').count() + 1, column))
}

#[cfg(test)]
mod tests {
    use super::{are_consistent, declares_other_encoding};

    #[test]
    fn a_declared_encoding_is_seen_though_the_bytes_would_be_utf8() {
        assert!(declares_other_encoding("# coding=latin-1\n\u{c6} = 1\n"));
        assert!(declares_other_encoding("#!/x\n# -*- coding: iso8859-15 -*-\n"));
        assert!(!declares_other_encoding("# -*- coding: UTF-8 -*-\n"));
        assert!(!declares_other_encoding("# decoding is hard\nx = 1\n"));
        assert!(!declares_other_encoding("a\nb\n# coding=latin-1\n"));
    }

    #[test]
    fn places_must_agree_with_each_other_and_with_the_text() {
        let text = "\u{FEFF}a\r\n\u{e9}b\rc";
        let cases = [
            ([1, 1, 1, 2, 3, 4], true),
            ([2, 1, 2, 2, 6, 8], true),
            ([3, 1, 3, 2, 10, 11], true),
            ([2, 1, 2, 2, 6, 7], false),
            ([2, 2, 2, 2, 6, 8], false),
            ([3, 1, 3, 3, 10, 12], false),
            ([2, 2, 2, 1, 8, 6], false),
        ];
        for (places, expected) in cases {
            assert_eq!(are_consistent(places, text), expected, "{places:?}");
        }
    }
}
