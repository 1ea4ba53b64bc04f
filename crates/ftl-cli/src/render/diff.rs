//! A unified diff as its files and lines: for counts, and for pages that show it.

/// What a diff says of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FileDiff<'d> {
    /// Its path.
    pub(crate) path: &'d str,
    /// Lines that came.
    pub(crate) added: usize,
    /// Lines that went.
    pub(crate) removed: usize,
    /// Every line after the two of the header.
    pub(crate) lines: Vec<Line<'d>>,
}

/// A line of a diff.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'d> {
    /// `@@ -1,2 +1,3 @@`.
    Hunk(&'d str),
    /// It came, as this line from 1.
    Added(u64, &'d str),
    /// It went; it was this line from 1.
    Removed(u64, &'d str),
    /// It stayed, as these lines.
    Kept(u64, u64, &'d str),
    /// What else a diff says.
    Note(&'d str),
}

/// The files of a diff, in its order.
pub(crate) fn files(diff: &str) -> Vec<FileDiff<'_>> {
    let mut files: Vec<FileDiff<'_>> = Vec::new();
    let mut left = Left::default();
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        if !left.is_done() {
            if let Some(file) = files.last_mut() {
                left.take(line, file);
            }
            continue;
        }
        if let Some(old) = line.strip_prefix("--- ") {
            let new = lines.next_if(|line| line.starts_with("+++ "));
            let path = path(old, new.and_then(|line| line.strip_prefix("+++ ")));
            files.push(FileDiff { path, ..FileDiff::default() });
        } else if let Some((old, new)) = unreadable(line) {
            files.push(FileDiff {
                path: path(old, Some(new)),
                lines: vec![Line::Note(line)],
                ..FileDiff::default()
            });
        } else if let Some(file) = files.last_mut() {
            match Left::of(line) {
                Some(hunk) => {
                    left = hunk;
                    file.lines.push(Line::Hunk(line));
                }
                None => file.lines.push(Line::Note(line)),
            }
        }
    }
    files
}

/// `Files a/x and b/x differ`.
fn unreadable(line: &str) -> Option<(&str, &str)> {
    let (old, new) = line.strip_prefix("Files ")?.split_once(" and ")?;
    Some((old, new.strip_suffix(" differ")?))
}

/// The new path, of a file that is gone the old one.
fn path<'d>(old: &'d str, new: Option<&'d str>) -> &'d str {
    match new {
        Some(new) if new != "/dev/null" => new.strip_prefix("b/").unwrap_or(new),
        Some(_) | None => old.strip_prefix("a/").unwrap_or(old),
    }
}

/// What is left of a hunk: a line of it may look like a header.
#[derive(Debug, Default)]
struct Left {
    old: u64,
    new: u64,
    old_at: u64,
    new_at: u64,
}

impl Left {
    fn of(line: &str) -> Option<Self> {
        let ranges = line.strip_prefix("@@ -")?;
        let (old, rest) = ranges.split_once(" +")?;
        let (new, _) = rest.split_once(" @@")?;
        let (old_at, old) = range(old)?;
        let (new_at, new) = range(new)?;
        Some(Self { old, new, old_at, new_at })
    }

    const fn is_done(&self) -> bool {
        self.old == 0 && self.new == 0
    }

    fn take<'d>(&mut self, line: &'d str, file: &mut FileDiff<'d>) {
        let text = line.get(1..).unwrap_or_default();
        match line.as_bytes().first() {
            Some(b'+') => {
                file.added += 1;
                file.lines.push(Line::Added(self.new_at, text));
                self.step(false, true);
            }
            Some(b'-') => {
                file.removed += 1;
                file.lines.push(Line::Removed(self.old_at, text));
                self.step(true, false);
            }
            Some(b'\\') => file.lines.push(Line::Note(line)),
            Some(_) | None => {
                file.lines.push(Line::Kept(self.old_at, self.new_at, text));
                self.step(true, true);
            }
        }
    }

    const fn step(&mut self, old: bool, new: bool) {
        if old {
            self.old = self.old.saturating_sub(1);
            self.old_at += 1;
        }
        if new {
            self.new = self.new.saturating_sub(1);
            self.new_at += 1;
        }
    }
}

/// `3,7`, or `3` for `3,1`.
fn range(text: &str) -> Option<(u64, u64)> {
    match text.split_once(',') {
        Some((at, length)) => Some((at.parse().ok()?, length.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, files};

    #[test]
    fn files_and_lines_are_recognised_even_where_lines_look_like_headers() {
        let diff = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n one\n--- two\n+++ deux\n three\n\
                    --- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n\
                    Files a/x.bin and b/x.bin differ\n";
        let files = files(diff);
        let counts: Vec<(&str, usize, usize)> =
            files.iter().map(|file| (file.path, file.added, file.removed)).collect();
        assert_eq!(counts, [("x.py", 1, 1), ("new", 1, 0), ("x.bin", 0, 0)]);
        assert_eq!(files[0].lines[2], Line::Removed(2, "-- two"));
        assert_eq!(files[0].lines[3], Line::Added(2, "++ deux"));
        assert_eq!(files[0].lines[4], Line::Kept(3, 3, "three"));
    }

    #[test]
    fn a_diff_that_is_none_has_no_files() {
        assert_eq!(files(""), []);
        assert_eq!(files("what\never\n"), []);
    }
}
