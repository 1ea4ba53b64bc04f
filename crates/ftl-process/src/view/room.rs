//! Room on the disk that takes what a view's command writes: how much it may use, whether it did, and a
//! reserve for what has to be written once the command has filled the disk.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::View;

/// Bytes that are kept free for the end: the report, and the plan of what is taken over.
const RESERVE: u64 = 1 << 20;

/// A disk with less room than this is full: a small file does not fit any more.
const FULL: u64 = 64 << 10;

/// Shortest time between two measurements.
const PAUSE: Duration = Duration::from_millis(250);

/// A measurement may take this share of the time.
const SHARE: u32 = 20;

/// What a command in a view had no room for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overfull {
    /// It wrote more than it may, and was ended.
    Bound {
        /// The bytes that it may write.
        bytes: u64,
        /// Where they are written.
        place: PathBuf,
    },
    /// It failed, and the disk is full.
    Disk {
        /// Where it wrote.
        place: PathBuf,
    },
}

/// Measures what is written, every now and then.
#[derive(Debug)]
pub(crate) struct Meter {
    uppers: Vec<PathBuf>,
    bytes: u64,
    pub(crate) next: Instant,
}

impl Meter {
    /// Whether more was written than may be. Looks only when it is time to.
    pub(crate) fn is_exceeded(&mut self) -> bool {
        let begun = Instant::now();
        if begun < self.next {
            return false;
        }
        let written: u64 = self.uppers.iter().map(|upper| bytes_below(upper)).sum();
        let end = Instant::now();
        self.next = end + PAUSE.max((end - begun) * SHARE);
        written > self.bytes
    }

    pub(crate) fn overfull(&self) -> Overfull {
        let place = self.uppers.first().cloned().unwrap_or_default();
        Overfull::Bound { bytes: self.bytes, place }
    }
}

impl View {
    /// Starts to measure. Without a bound of the caller's it is half of what is free now.
    pub(crate) fn meter(&self) -> Option<Meter> {
        let free = || Some(free(&self.layers.first()?.upper)? / 2);
        let bytes = self.max_written.or_else(free)?;
        let uppers = self.layers.iter().map(|layer| layer.upper.clone()).collect();
        Some(Meter { uppers, bytes, next: Instant::now() + PAUSE })
    }

    /// Takes room for what is written at the end. Where there is none, it cannot be helped. An older report
    /// goes: it must not be taken for this command's.
    pub(crate) fn reserve(&self) {
        let _ = fill(&self.report, super::report::ROOM);
        let _ = fill(&self.reserve_path(), RESERVE);
    }

    pub(crate) fn release(&self) {
        let _ = fs::remove_file(self.reserve_path());
    }

    /// The directory on a disk that has no room, if it has none.
    pub(crate) fn full_disk(&self) -> Option<PathBuf> {
        let mut uppers = self.layers.iter().map(|layer| &layer.upper);
        uppers.find(|upper| free(upper).is_some_and(|free| free < FULL)).cloned()
    }

    fn reserve_path(&self) -> PathBuf {
        self.report.with_extension("reserve")
    }
}

/// Zeros that are written by one call.
const AT_ONCE: usize = 1 << 20;

/// Makes a file of zeros, whose blocks are its own from then on.
fn fill(path: &Path, bytes: u64) -> io::Result<()> {
    use io::{Read, Write};
    let mut file = io::BufWriter::with_capacity(AT_ONCE, File::create(path)?);
    io::copy(&mut io::repeat(0).take(bytes), &mut file)?;
    file.flush()
}

fn free(dir: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(dir).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// The bytes that everything below a directory takes on the disk. A directory that cannot be read counts as
/// empty.
pub fn bytes_below(dir: &Path) -> u64 {
    let (mut open, mut sum) = (vec![dir.to_owned()], 0);
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else {
                continue;
            };
            sum += found.blocks() * 512;
            if found.is_dir() {
                open.push(entry.path());
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_below_a_directory_are_summed_up() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/b")).unwrap();
        let empty = bytes_below(dir.path());
        for name in ["x", "a/y", "a/b/z"] {
            fill(&dir.path().join(name), 1 << 20).unwrap();
        }
        File::create(dir.path().join("sparse")).unwrap().set_len(1 << 30).unwrap();
        let written = bytes_below(dir.path()) - empty;
        assert!((3 << 20..4 << 20).contains(&written), "{written}");
    }
}
