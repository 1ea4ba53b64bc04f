//! A failure while it is read.

use std::ops::Range;

use ftl_model::RunFailure;

use super::source_line::SourceLine;
use crate::diagnosis::{cut, indent};

/// Bytes of a message and of a detail that are kept; a longer one is cut.
const MAX_TEXT: usize = 8 * 1024;

/// What a reader gathers of a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) test: Option<String>,
    pub(super) place: Option<SourceLine>,
    pub(super) message: String,
    pub(super) detail: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) runner: Option<&'static str>,
    /// Lines that belong to it.
    pub(super) lines: Range<usize>,
}

impl Draft {
    /// A failure of `lines` with nothing known of it.
    pub(super) fn of(lines: Range<usize>) -> Self {
        Self { lines, ..Self::default() }
    }

    /// Whether two failures were read from the same lines.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.lines.start < other.lines.end && other.lines.start < self.lines.end
    }

    /// The failure, with paths below the directory in which the command ran; and the file or package of the test.
    pub(super) fn finish(self, directory: Option<&str>) -> (RunFailure, Option<String>) {
        let below = |path: String| match directory {
            Some(directory) if !path.starts_with('/') => format!("{directory}/{path}"),
            _ => path,
        };
        let (path, line) = match self.place {
            Some(SourceLine { path, line }) => (Some(below(path)), line),
            None => (None, None),
        };
        let failure = RunFailure {
            test: self.test,
            path,
            line,
            message: cut(&self.message, MAX_TEXT),
            detail: self.detail.filter(|it| !it.is_empty()).map(|it| cut(&it, MAX_TEXT)),
        };
        (failure, self.origin)
    }
}

/// From each start to the next one, of the last to `end`.
pub(super) fn spans(starts: &[usize], end: usize) -> impl Iterator<Item = Range<usize>> {
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts.iter().zip(ends).map(|(start, end)| *start..end)
}

/// The lines of a message without their common indentation, blank lines before and after them, and runs of
/// blank lines within.
pub(super) fn dedented<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines: Vec<&str> = lines.into_iter().collect();
    let filled = || lines.iter().filter(|line| !line.trim().is_empty());
    let indent = filled().map(|line| indent(line)).min().unwrap_or(0);
    let kept: Vec<&str> = filled().map(|line| line[indent..].trim_end()).collect();
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::dedented;

    #[test]
    fn a_message_keeps_its_own_indentation_and_loses_blank_lines() {
        assert_eq!(dedented(["", "    a", "", "      b", "    c  ", ""]), "a\n  b\nc");
        assert_eq!(dedented(["", " "]), "");
    }
}
