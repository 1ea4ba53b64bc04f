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
use crate::stamp::{self, Identity};
use crate::walk::unchanged::Since;

/// Looks at a clock, a millisecond apart, until it has ticked: more than the slowest tick of Linux takes, and too few
/// for a clock in whole seconds.
const LOOKS: usize = 25;

/// How far the two clocks may be apart by ticks and by slow corrections, in nanoseconds.
const APART: i64 = stamp::SECOND / 10;

/// The clock of a file system, which was read once: what was written before has no later time.
#[derive(Debug)]
pub(crate) struct Clock {
    probe: File,
    /// The file system of the directory. That of a file in an overlay may be another one.
    pub(crate) device: u64,
    /// In the unit of stamps.
    read: i64,
}

impl Clock {
    /// `None` where the file system has no files without names.
    pub(crate) fn of(dir: impl AsFd) -> Option<Self> {
        let probe = unnamed(&dir).ok()?;
        let device = Identity::of(&rustix::fs::fstat(dir).ok()?).device;
        let read = touched(&probe).ok()?;
        Some(Self { probe, device, read })
    }

    /// Whether it has ticked by now. It has at once since Linux 6.13, whose times are finer where they are read.
    pub(crate) fn has_ticked(&self) -> bool {
        touched(&self.probe).is_ok_and(|at| at > self.read)
    }

    /// Waits for the next tick. `None` where the clock is too coarse.
    pub(crate) fn moment(self) -> Option<Moment> {
        let Self { probe, device, read } = self;
        for _ in 0..LOOKS {
            let at = touched(&probe).ok()?;
            if at > read {
                return Some(Moment { probe, device, at, begun: Instant::now() });
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }
}

#[derive(Debug)]
pub(crate) struct Moment {
    probe: File,
    device: u64,
    at: i64,
    begun: Instant,
}

impl Moment {
    /// Which change times a file may have that was written since the moment.
    ///
    /// # Errors
    /// When the clock cannot be read.
    pub(crate) fn since(&self) -> io::Result<Since> {
        let passed = i64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(i64::MAX);
        Ok(since(self.device, self.at, touched(&self.probe)?, passed))
    }
}

/// Nothing was written later than now, unless the clock was put back.
fn since(device: u64, at: i64, now: i64, passed: i64) -> Since {
    let expected = now.saturating_sub(passed);
    match expected.saturating_add(APART) < at {
        true => Since { device, time: expected.saturating_sub(APART), until: i64::MAX },
        false => Since { device, time: at, until: now.saturating_add(APART) },
    }
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
    Ok(stamp::change_time(&rustix::fs::fstat(file)?))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::{APART, Clock, since, touched};

    #[test]
    fn a_write_before_the_moment_is_earlier_and_one_after_it_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("file");
        for round in 0..200 {
            fs::write(&path, "before").unwrap();
            let before = touched(&File::options().write(true).open(&path).unwrap()).unwrap();
            let clock = Clock::of(File::open(temp.path()).unwrap()).unwrap();
            let moment = clock.moment().unwrap();
            fs::write(&path, "after").unwrap();
            let after = touched(&File::options().write(true).open(&path).unwrap()).unwrap();
            let since = moment.since().unwrap();
            let (earliest, latest) = (since.time, since.until);
            assert!(
                before < earliest && earliest <= after && after <= latest,
                "{round}: {before} {earliest} {after}"
            );
        }
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_clock_that_is_put_back_makes_the_moment_earlier() {
        let (at, passed) = (1_000 * APART, 5 * APART);
        for now in [at + passed, at + passed - APART / 2, at + passed + 90 * APART] {
            let since = since(0, at, now, passed);
            assert_eq!((since.time, since.until), (at, now + APART));
        }
        let put_back = 50 * APART;
        let (first_write, last_write) = (at - put_back, at + passed);
        let since = since(0, at, at + passed - put_back, passed);
        assert!(since.time <= first_write && last_write <= since.until);
    }
}
