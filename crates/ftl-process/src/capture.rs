//! What is kept of an output: its beginning, its end, and on request a file.
//!
//! Memory stays bounded whatever a child prints. Errors are at the beginning and at the end, so
//! these are kept and the middle is only counted. Nothing here reads a pipe, and nothing fails:
//! that a file cannot be written any more is reported with the output, for a full disk is no reason
//! to kill a test run.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::filtering::{Filtering, Filters};

const KIB: usize = 1024;
const GIB: u64 = 1 << 30;

/// How much of an output is kept, and where.
#[derive(Debug, Clone)]
pub struct Capture {
    head: usize,
    tail: usize,
    spill: Option<(PathBuf, u64)>,
    filters: Option<Arc<dyn Filters>>,
}

impl Default for Capture {
    /// 32 KiB of head and of tail, no file.
    fn default() -> Self {
        Self::bounded(32 * KIB, 32 * KIB)
    }
}

impl Capture {
    /// Keeps the first `head` bytes and the last `tail` bytes in memory.
    #[must_use]
    pub fn bounded(head: usize, tail: usize) -> Self {
        Self { head, tail, spill: None, filters: None }
    }

    /// Lets every output through a filter first.
    #[must_use]
    pub fn filtered(mut self, filters: Arc<dyn Filters>) -> Self {
        self.filters = Some(filters);
        self
    }

    /// Writes the raw output to a file too, up to 1 GiB. The file is created before the start, and its
    /// owner alone may read it; to sync it and its directory is the caller's business.
    #[must_use]
    pub fn spill(self, path: impl Into<PathBuf>) -> Self {
        self.spill_up_to(path, GIB)
    }

    /// As [`spill`](Self::spill), with a cap in bytes.
    #[must_use]
    pub fn spill_up_to(mut self, path: impl Into<PathBuf>, cap: u64) -> Self {
        self.spill = Some((path.into(), cap));
        self
    }

    pub(crate) fn spill_path(&self) -> Option<&PathBuf> {
        self.spill.as_ref().map(|(path, _)| path)
    }

    pub(crate) fn open(&self) -> io::Result<Sink> {
        let spill = match &self.spill {
            None => None,
            Some((path, cap)) => Some(SpillFile {
                file: private(path)?,
                path: path.clone(),
                room: *cap,
                written: 0,
                error: None,
            }),
        };
        Ok(Sink {
            capture: self.clone(),
            head: Vec::new(),
            tail: VecDeque::new(),
            total: 0,
            spill,
            filter: self.filters.as_ref().map(|filters| Filtering::new(filters.filter())),
            fresh: None,
        })
    }
}

/// What a command printed, as far as it was kept.
#[derive(Debug, Default)]
pub struct Output {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes of what came after the head.
    pub tail: Vec<u8>,
    /// How many bytes were printed in all, after the filter.
    pub total: u64,
    /// The file that took the output, when one was asked for.
    pub spilled: Option<Spilled>,
}

impl Output {
    /// How many bytes between head and tail were not kept in memory.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// All that was printed, unless some was cut.
    #[must_use]
    pub fn whole(&self) -> Option<Vec<u8>> {
        (self.cut() == 0).then(|| [&self.head[..], &self.tail[..]].concat())
    }
}

/// The part of an output that went to a file.
#[derive(Debug)]
pub struct Spilled {
    /// The file.
    pub path: PathBuf,
    /// How many bytes it holds.
    pub written: u64,
    /// How many bytes came after the cap was reached, or after the file failed.
    pub cut: u64,
    /// Why the file could not be written to its end.
    pub error: Option<io::Error>,
}

/// Collects an output as it arrives.
#[derive(Debug)]
pub(crate) struct Sink {
    capture: Capture,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    spill: Option<SpillFile>,
    filter: Option<Filtering>,
    /// What was kept since the last call, where the caller asks for it.
    fresh: Option<Vec<u8>>,
}

impl Sink {
    /// From now on [`fresh`](Self::fresh) gives what is kept.
    pub(crate) fn listened_to(mut self) -> Self {
        self.fresh = Some(Vec::new());
        self
    }

    /// What was kept since this was asked last.
    pub(crate) fn fresh(&mut self) -> Vec<u8> {
        self.fresh.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The output has ended: what the filter held back is kept.
    pub(crate) fn end(&mut self) {
        if let Some(filter) = self.filter.take() {
            filter.finish(&mut |bytes| self.keep(bytes));
        }
    }

    pub(crate) fn take(&mut self, bytes: &[u8]) {
        match self.filter.take() {
            None => self.keep(bytes),
            Some(mut filter) => {
                filter.push(bytes, &mut |bytes| self.keep(bytes));
                self.filter = Some(filter);
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        if let Some(fresh) = &mut self.fresh {
            fresh.extend_from_slice(bytes);
        }
        if let Some(spill) = &mut self.spill {
            spill.take(bytes);
        }
        // Fill the head first; of the rest keep no more than the tail can hold. The slice is cut
        // before it is copied, so a chunk larger than the tail costs no more than one that fits.
        let room = self.capture.head - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(self.capture.tail)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(self.capture.tail);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    pub(crate) fn finish(mut self) -> Output {
        self.end();
        Output {
            head: self.head,
            tail: self.tail.into(),
            total: self.total,
            spilled: self.spill.map(|spill| spill.finish(self.total)),
        }
    }
}

/// A new file, or an old one emptied, for its owner alone.
fn private(path: &std::path::Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path)
}

#[derive(Debug)]
struct SpillFile {
    file: File,
    path: PathBuf,
    room: u64,
    written: u64,
    error: Option<io::Error>,
}

impl SpillFile {
    fn take(&mut self, bytes: &[u8]) {
        let room = usize::try_from(self.room).unwrap_or(usize::MAX);
        let part = &bytes[..room.min(bytes.len())];
        if part.is_empty() {
            return;
        }
        match self.file.write_all(part) {
            Ok(()) => {
                self.room -= part.len() as u64;
                self.written += part.len() as u64;
            }
            // No further attempt: a file with a hole where the disk was full would look whole. What
            // was written in part is not counted either.
            Err(error) => {
                self.room = 0;
                self.error = Some(error);
            }
        }
    }

    fn finish(self, total: u64) -> Spilled {
        Spilled {
            path: self.path,
            written: self.written,
            cut: total - self.written,
            error: self.error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Filter;

    fn keep(head: usize, tail: usize, chunks: &[&str]) -> (String, String, u64) {
        let mut sink = Capture::bounded(head, tail).open().unwrap();
        for chunk in chunks {
            sink.take(chunk.as_bytes());
        }
        let output = sink.finish();
        let cut = output.cut();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.head), text(output.tail), cut)
    }

    #[test]
    fn head_and_tail_are_kept_and_the_rest_is_counted() {
        type Case = (usize, usize, &'static [&'static str], &'static str, &'static str, u64);
        let cases: [Case; 8] = [
            (4, 4, &[], "", "", 0),
            (4, 4, &["abc"], "abc", "", 0),
            (4, 4, &["abcdef"], "abcd", "ef", 0),
            (4, 4, &["ab", "cd", "efgh"], "abcd", "efgh", 0),
            (4, 4, &["abcd", "efgh", "i"], "abcd", "fghi", 1),
            (4, 2, &["abcdefghijkl"], "abcd", "kl", 6),
            (0, 3, &["a", "b", "c", "d", "e"], "", "cde", 2),
            (3, 0, &["abcde", "f"], "abc", "", 3),
        ];
        for (head, tail, chunks, kept_head, kept_tail, cut) in cases {
            let kept = (kept_head.to_owned(), kept_tail.to_owned(), cut);
            assert_eq!(keep(head, tail, chunks), kept, "{chunks:?}");
        }
    }

    /// Doubles letters, and holds the last one back.
    #[derive(Debug, Default)]
    struct Doubling(Option<u8>);

    impl Filter for Doubling {
        fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) {
            for &byte in bytes {
                if let Some(held) = self.0.replace(byte) {
                    out(&[held, held]);
                }
            }
        }

        fn finish(&mut self, out: &mut dyn FnMut(&[u8])) {
            out(b"!");
            out(self.0.as_slice());
        }
    }

    impl Filters for Doubling {
        fn filter(&self) -> Box<dyn Filter> {
            Box::new(Self::default())
        }
    }

    #[test]
    fn a_filter_decides_what_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let capture = Capture::bounded(3, 9).spill(&path);
        let mut sink = capture.filtered(Arc::new(Doubling(None))).open().unwrap();
        sink.take(b"ab");
        sink.take(b"c");
        let output = sink.finish();
        assert_eq!((&output.head[..], &output.tail[..]), (&b"aab"[..], &b"b!c"[..]));
        assert_eq!(output.total, 6);
        assert_eq!(std::fs::read(&path).unwrap(), b"aabb!c");
        let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_spill_file_stops_at_its_cap_and_says_what_it_lacks() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut sink = Capture::bounded(1, 1).spill_up_to(&path, 5).open().unwrap();
        sink.take(b"abc");
        sink.take(b"defg");
        let spilled = sink.finish().spilled.unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"abcde");
        assert_eq!((spilled.written, spilled.cut), (5, 2));
        assert!(spilled.error.is_none());
    }
}
