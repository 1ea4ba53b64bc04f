//! Room on the disk that takes what a command writes: how much it may use, whether it did, and a reserve for what has
//! to be written once the command has filled the disk.
//!
//! To add up all that is below a directory takes long, so that is done only where the disk has lost as much room as the
//! command may use.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Ended, Overfull};

/// Bytes that are kept free for the end: a report, and the files of the work.
const RESERVE: u64 = 1 << 20;

/// A disk with less room than this is full: a small file does not fit any more.
const FULL: u64 = 64 << 10;

/// Shortest time between two looks.
const PAUSE: Duration = Duration::from_millis(250);

/// A sum may take this share of the time.
const SHARE: u32 = 20;

/// Room for what a command writes below a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteRoom {
    /// The directory.
    pub dir: PathBuf,
    /// Bytes that may be written there; `None` for half of what is free when the command starts.
    pub bytes: Option<u64>,
    /// A file that takes some room while the command runs, on the disk where the results are written.
    pub reserve: PathBuf,
}

/// Measures what is written, every now and then.
#[derive(Debug)]
pub(crate) struct Meter {
    dir: PathBuf,
    bytes: u64,
    free: u64,
    before: u64,
    pub(crate) next: Instant,
}

impl Meter {
    /// Whether more was written than may be. Looks only when it is time to.
    pub(crate) fn is_exceeded(&mut self) -> bool {
        let begun = Instant::now();
        if begun < self.next {
            return false;
        }
        let lost = free(&self.dir).map_or(0, |now| self.free.saturating_sub(now));
        let is_exceeded =
            lost > self.bytes && bytes_below(&self.dir).saturating_sub(self.before) > self.bytes;
        let end = Instant::now();
        self.next = end + PAUSE.max((end - begun) * SHARE);
        is_exceeded
    }

    pub(crate) fn overfull(&self) -> Overfull {
        Overfull::Bound { bytes: self.bytes, place: self.dir.clone() }
    }
}

impl WriteRoom {
    /// Starts to measure.
    pub(crate) fn meter(&self) -> Option<Meter> {
        let free = free(&self.dir)?;
        let bytes = self.bytes.unwrap_or(free / 2);
        // Where the disk has no such room, it is full first.
        let before = if bytes < free { bytes_below(&self.dir) } else { 0 };
        Some(Meter { dir: self.dir.clone(), bytes, free, before, next: Instant::now() + PAUSE })
    }

    /// Takes room for what is written at the end. Where there is none, it cannot be helped.
    pub(crate) fn reserve(&self) {
        let _ = fill(&self.reserve, RESERVE);
    }

    /// Gives the reserve back, and says whether the disk was full.
    pub(crate) fn settle(&self, mut ended: Ended) -> Ended {
        let is_full = free(&self.dir).is_some_and(|free| free < FULL);
        let _ = fs::remove_file(&self.reserve);
        if is_full && ended.overfull.is_none() && !ended.how.success() {
            ended.overfull = Some(Overfull::Disk { place: self.dir.clone() });
        }
        ended
    }
}

/// Zeros that are written by one call.
const AT_ONCE: usize = 1 << 20;

/// Makes a file of zeros, whose blocks are its own from then on.
pub(crate) fn fill(path: &Path, bytes: u64) -> io::Result<()> {
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
