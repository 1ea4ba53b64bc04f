//! What must be known of a patch before git reads it: whether its paths have prefixes, where files come
//! from that are renamed or copied, and how objects are named. Which files it is about, git says itself.
//!
//! Lines are read one at a time and cut: a patch may be larger than memory, and a line as large as it.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

/// Bytes of a line that are looked at: no path is longer, each byte of it quoted.
const KEPT: usize = 32 << 10;

/// What the headers of a patch say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// Where renamed and copied files come from. Git strips nothing from these.
    pub(super) sources: BTreeSet<Vec<u8>>,
    /// Whether objects are named by SHA-256.
    pub(super) sha256: bool,
    /// The first pair of `---` and `+++`.
    first: Option<(Vec<u8>, Vec<u8>)>,
}

impl Outline {
    pub(super) fn read(patch: &mut dyn BufRead) -> io::Result<Self> {
        let mut outline = Self::default();
        let mut old: Option<Vec<u8>> = None;
        let mut line = Vec::new();
        while next_line(patch, &mut line)? {
            let before = old.take();
            if let Some(path) = line.strip_prefix(b"+++ ")
                && outline.first.is_none()
                && let Some(old) = before
            {
                outline.first = Some((old, path_of(path)));
            } else if let Some(path) = line.strip_prefix(b"--- ") {
                old = Some(path_of(path));
            }
            let source = [&b"rename from "[..], b"copy from "];
            let source = source.iter().find_map(|word| line.strip_prefix(*word));
            outline.sources.extend(source.map(path_of));
            outline.sha256 |= line.strip_prefix(b"index ").is_some_and(is_sha256);
        }
        Ok(outline)
    }

    /// Whether the diff's paths carry a first component that is none of theirs, as git's `a/` and `b/`.
    pub(super) fn has_prefixes(&self, is_there: &dyn Fn(&[u8]) -> bool) -> bool {
        let Some((old, new)) = &self.first else {
            return true;
        };
        match (old.as_slice(), new.as_slice()) {
            (b"/dev/null", only) | (only, b"/dev/null") => is_prefixed(only),
            (old, new) if old == new => is_prefixed(old) && !is_there(old),
            (old, new) => rest(old) == rest(new),
        }
    }
}

/// The paths that `git apply --numstat -z` lists: lines that came, lines that went, a path and a NUL.
pub(super) fn listed(output: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let records = output.split(|byte| *byte == 0);
    records.filter_map(|record| record.splitn(3, |byte| *byte == b'\t').nth(2).map(Vec::from))
}

/// The next line without its end, cut where it is very long; false at the end.
fn next_line(patch: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let buffer = patch.fill_buf()?;
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        let room = KEPT.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        patch.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// The path of a header line. What follows a tab is a time, which `diff -u` writes and git ignores.
fn path_of(rest: &[u8]) -> Vec<u8> {
    let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
    if let Some(quoted) = rest.strip_prefix(b"\"") {
        return unquoted(quoted);
    }
    let path = rest.split(|byte| *byte == b'\t').next().unwrap_or(rest);
    path.trim_ascii().to_vec()
}

/// As C writes text, up to the closing quotation mark.
fn unquoted(quoted: &[u8]) -> Vec<u8> {
    let mut path = Vec::new();
    let mut bytes = quoted.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => {
                let Some(escaped) = bytes.next() else { break };
                path.push(match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'0'..=b'3' => {
                        let digit =
                            |byte: Option<u8>| byte.map_or(0, |byte| byte.wrapping_sub(b'0') & 7);
                        let (middle, last) = (digit(bytes.next()), digit(bytes.next()));
                        (escaped - b'0') << 6 | middle << 3 | last
                    }
                    other => other,
                });
            }
            byte => path.push(byte),
        }
    }
    path
}

fn is_sha256(index: &[u8]) -> bool {
    let digits = index.iter().take_while(|byte| byte.is_ascii_hexdigit());
    digits.count() == 64
}

fn rest(path: &[u8]) -> Option<&[u8]> {
    let slash = path.iter().position(|byte| *byte == b'/')?;
    Some(&path[slash + 1..])
}

/// Git's prefixes, with those of `diff.mnemonicPrefix`: index, work tree, commit, object.
fn is_prefixed(path: &[u8]) -> bool {
    let first = path.first_chunk::<2>();
    first.is_some_and(|[kind, slash]| b"abiwco".contains(kind) && *slash == b'/')
}

#[cfg(test)]
mod tests {
    use super::{Outline, listed};

    fn outline(text: &str) -> Outline {
        Outline::read(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn prefixes_are_distinguished_from_directories() {
        let cases = [
            ("--- a/src/x.py\n+++ b/src/x.py\n", true),
            ("--- src/x.py\n+++ src/x.py\n", false),
            ("--- /dev/null\n+++ b/new.py\n", true),
            ("--- /dev/null\n+++ src/new.py\n", false),
            ("--- old/src/x.py\t2026-01-01\n+++ new/src/x.py\t2026-01-02\n", true),
            ("--- x.py\n+++ x.py\n", false),
            ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", true),
        ];
        for (diff, expected) in cases {
            let found = outline(diff).has_prefixes(&|_| false);
            assert_eq!(found, expected, "{diff}");
        }
        let same = outline("--- a/x\n+++ a/x\n");
        assert!(!same.has_prefixes(&|path| path == b"a/x"));
    }

    #[test]
    fn sources_are_read_as_git_quotes_them() {
        let text = "rename from a b\nrename to c\ncopy from \"\\303\\251\\t\\\"\\056\"\n";
        let sources = outline(text).sources;
        assert!(sources.contains(&b"a b"[..]), "{sources:?}");
        assert!(sources.contains("é\t\".".as_bytes()), "{sources:?}");
        assert_eq!(sources.len(), 2);
    }

    #[test]
    fn a_line_without_end_is_cut_and_the_next_one_read() {
        let long = "x".repeat(100_000);
        let text = format!("rename from {long}\nrename from y\n");
        let sources = outline(&text).sources;
        assert!(sources.contains(&b"y"[..]));
        assert!(sources.iter().all(|path| path.len() < 40_000));
    }

    #[test]
    fn names_are_listed_with_whatever_is_in_them() {
        let names: Vec<_> = listed(b"1\t0\ta\tb\nc\0-\t-\td\0").collect();
        assert_eq!(names, [b"a\tb\nc".to_vec(), b"d".to_vec()]);
    }
}
