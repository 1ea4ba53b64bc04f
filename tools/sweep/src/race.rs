//! Directories, files and links that change places while files are read and written beneath a root:
//! nothing may be read or written outside.
//!
//! One thread swaps names as fast as it can, each swap a single exchange: a directory with a link to
//! another one outside, a file with a link to one outside, and the file's directory with a link. Beside it
//! runs what ftl does with a patch (copy out, change, bring back) and with a test that it reads. Both go
//! by the calls that builds use, without the processes of a build, which would leave room for a few swaps
//! in a second.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use ftl_testkit::Result;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::sweep::Size;
use ftl_tree::{Workbench, read_beneath};
use rustix::fs::{CWD, RenameFlags, renameat_with};

const INSIDE: &str = "inside\n";
const OUTSIDE: &str = "outside\n";

/// What was counted.
#[derive(Debug, Default)]
struct RaceTally {
    read: usize,
    refused: usize,
    brought: usize,
    not_brought: usize,
    escapes: usize,
}

/// Goes on until there were so many swaps.
pub(super) fn run(size: Size) -> Result {
    let wanted = size.pick(300_000, 5_000_000);
    let scratch = Scratch::in_memory("race")?;
    let (root, outside) = (scratch.path().join("root"), scratch.path().join("outside"));
    lay_out(&root, &outside)?;
    let mut tally = RaceTally::default();
    let swaps = AtomicUsize::new(0);
    let done = AtomicBool::new(false);
    let worked = thread::scope(|scope| {
        let swapper = scope.spawn(|| {
            let swapped = swap(&root, &swaps, &done).map_err(|error| error.to_string());
            done.store(true, Ordering::Relaxed);
            swapped
        });
        let enough = || swaps.load(Ordering::Relaxed) >= wanted || done.load(Ordering::Relaxed);
        let worked = work(&root, scratch.path(), enough, &mut tally);
        done.store(true, Ordering::Relaxed);
        let swapped = swapper.join();
        swapped.map_err(|_| "the thread that swaps panicked")??;
        worked
    });
    worked?;
    tally.escapes += changed(&outside)?;
    tally.judge(swaps.into_inner())
}

impl RaceTally {
    fn judge(&self, swaps: usize) -> Result {
        println!("| swaps | reads | refused | brought into the tree | refused | escapes |");
        println!("| --: | --: | --: | --: | --: | --: |");
        let outcomes = [self.read, self.refused, self.brought, self.not_brought];
        let [read, refused, brought, not_brought] = outcomes;
        let escapes = self.escapes;
        println!("| {swaps} | {read} | {refused} | {brought} | {not_brought} | {escapes} |");
        match (escapes, outcomes.contains(&0)) {
            (0, false) => Ok(()),
            (0, true) => Err("one of the outcomes never came about: nothing is shown".into()),
            (escapes, _) => Err(format!("{escapes} escapes").into()),
        }
    }
}

/// `d/in/f` and `f` are the project's; each of `d-link`, `in-link` and `f-link` leads outside.
fn lay_out(root: &Path, outside: &Path) -> Result {
    fs::create_dir_all(root.join("d/in"))?;
    fs::create_dir_all(outside.join("in"))?;
    for (path, text) in [
        (root.join("d/in/f"), INSIDE),
        (root.join("f"), INSIDE),
        (outside.join("in/f"), OUTSIDE),
        (outside.join("f"), OUTSIDE),
    ] {
        fs::write(path, text)?;
    }
    symlink(outside, root.join("d-link"))?;
    symlink(outside.join("in"), root.join("in-link"))?;
    symlink(outside.join("f"), root.join("f-link"))?;
    Ok(())
}

fn swap(root: &Path, swaps: &AtomicUsize, done: &AtomicBool) -> Result {
    let pairs = [("d", "d-link"), ("f", "f-link"), ("d/in", "in-link")];
    let pairs = pairs.map(|(a, b)| (root.join(a), root.join(b)));
    while !done.load(Ordering::Relaxed) {
        for (a, b) in &pairs {
            // Twice, so that what belongs together comes back before the next pair.
            for _ in 0..2 {
                match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
                    Ok(()) => swaps.fetch_add(1, Ordering::Relaxed),
                    // What is being brought back has this name at the moment.
                    Err(rustix::io::Errno::NOENT) => 0,
                    Err(error) => return Err(error.into()),
                };
            }
        }
    }
    Ok(())
}

fn work(root: &Path, scratch: &Path, enough: impl Fn() -> bool, tally: &mut RaceTally) -> Result {
    let bench = scratch.join("bench");
    while !enough() {
        for path in ["d/in/f", "f"] {
            match read_beneath(root, Path::new(path), 100) {
                Ok(bytes) => {
                    tally.read += 1;
                    tally.escapes += usize::from(bytes == OUTSIDE.as_bytes());
                }
                Err(_) => tally.refused += 1,
            }
        }
        if patch(root, &bench, tally)? {
            tally.brought += 1;
        } else {
            tally.not_brought += 1;
        }
    }
    Ok(())
}

/// As a patch does that changes two files and makes a third; whether it arrived.
fn patch(root: &Path, bench: &Path, tally: &mut RaceTally) -> Result<bool> {
    let mut bench = Workbench::open(root, bench)?;
    for path in ["d/in/f", "f", "d/new"] {
        if bench.copy(path.as_bytes()).is_err() {
            bench.close()?;
            return Ok(false);
        }
    }
    for path in ["d/in/f", "f", "d/new"] {
        let copy = bench.dir().join(path);
        if fs::symlink_metadata(&copy).is_ok_and(|found| found.is_file()) {
            tally.escapes += usize::from(fs::read_to_string(&copy)? == OUTSIDE);
            fs::remove_file(&copy)?;
        }
        if fs::symlink_metadata(&copy).is_err() {
            fs::create_dir_all(copy.parent().unwrap_or(bench.dir()))?;
            fs::write(&copy, INSIDE)?;
        }
    }
    let made = bench.made(b".git")?;
    let brought = bench.bring_back(&made).is_ok();
    bench.close()?;
    Ok(brought)
}

/// How many things outside are not as they were.
fn changed(outside: &Path) -> Result<usize> {
    let mut found = 0;
    for (dir, names) in [(outside.to_owned(), 2), (outside.join("in"), 1)] {
        let there = fs::read_dir(&dir)?.count();
        found += there.abs_diff(names);
        found += usize::from(fs::read_to_string(dir.join("f"))? != OUTSIDE);
    }
    Ok(found)
}
