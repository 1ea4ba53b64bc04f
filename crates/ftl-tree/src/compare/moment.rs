//! A moment by the clock of the tree's file system, from which on all that is written has a later change time.
//!
//! That clock may be another machine's, and ticks every few milliseconds at best. So it is read where files are: from a
//! file without a name, which nothing has to remove after a crash. A system clock that is put back would hide what
//! is written until it has caught up. It shows beside a clock that only goes forward, and then the moment is as
//! much earlier: files that were written shortly before it count too, rather than none of those after it.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};

use crate::openat::modified;
use crate::stamp::{self, Stamp};

/// Looks at a clock, a millisecond apart, until it has ticked: more than the slowest tick of Linux takes, and too few
/// for a clock in whole seconds.
const LOOKS: usize = 25;

/// How far the two clocks may be apart by ticks and by slow corrections, in nanoseconds.
const APART: i64 = stamp::SECOND / 10;

#[derive(Debug)]
pub(crate) struct Moment {
    probe: File,
    /// In the unit of stamps.
    at: i64,
    begun: Instant,
}

impl Moment {
    /// `None` where the file system has no files without names, or too coarse a clock.
    pub(crate) fn now(dir: impl AsFd) -> Option<Self> {
        let probe = unnamed(dir).ok()?;
        let first = touched(&probe).ok()?;
        for _ in 0..LOOKS {
            let at = touched(&probe).ok()?;
            if at > first {
                return Some(Self { probe, at, begun: Instant::now() });
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }

    /// From which change time on a file may have been written since the moment.
    ///
    /// # Errors
    /// When the clock cannot be read.
    pub(crate) fn earliest(&self) -> io::Result<i64> {
        let passed = i64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(i64::MAX);
        Ok(earliest(self.at, touched(&self.probe)?, passed))
    }
}

fn earliest(at: i64, now: i64, passed: i64) -> i64 {
    let expected = now.saturating_sub(passed);
    if expected.saturating_add(APART) < at { expected.saturating_sub(APART) } else { at }
}

#[cfg(target_os = "linux")]
fn unnamed(dir: impl AsFd) -> io::Result<File> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::openat(dir, ".", flags, Mode::RUSR | Mode::WUSR)?))
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: impl AsFd) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The change time of a file that is touched now.
fn touched(file: &File) -> io::Result<i64> {
    rustix::fs::futimens(file, &modified(stamp::now()))?;
    Ok(Stamp::of(&rustix::fs::fstat(file)?).changed)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::{APART, Moment, earliest, touched};

    #[test]
    fn a_write_before_the_moment_is_earlier_and_one_after_it_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("file");
        for round in 0..200 {
            fs::write(&path, "before").unwrap();
            let before = touched(&File::options().write(true).open(&path).unwrap()).unwrap();
            let moment = Moment::now(File::open(temp.path()).unwrap()).unwrap();
            fs::write(&path, "after").unwrap();
            let after = touched(&File::options().write(true).open(&path).unwrap()).unwrap();
            let earliest = moment.earliest().unwrap();
            assert!(before < earliest && earliest <= after, "{round}: {before} {earliest} {after}");
        }
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_clock_that_is_put_back_makes_the_moment_earlier() {
        let (at, passed) = (1_000 * APART, 5 * APART);
        for now in [at + passed, at + passed - APART / 2, at + passed + 90 * APART] {
            assert_eq!(earliest(at, now, passed), at);
        }
        let put_back = 50 * APART;
        let first_write = at - put_back;
        assert!(earliest(at, at + passed - put_back, passed) <= first_write);
    }
}
