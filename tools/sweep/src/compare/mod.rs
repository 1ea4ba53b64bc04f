//! `cargo xtask sweep compare --with PROGRAM [WORD…]`: the same builds by two ftl programs, and
//! everything that can be seen of them side by side.
//!
//! It needs two programs, so neither `cargo xtask sweep` without a name nor CI runs it.

mod build;
mod builds;
mod difference;
mod mask;
mod run;
mod seen;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use self::build::{Build, Format};
use self::builds::{Ending, TABLES};
use self::seen::Seen;
use ftl_testkit::Result;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

const USAGE: &str = "usage: cargo xtask sweep compare --with PROGRAM [WORD…]\n\n\
    Compares the `ftl` of `FTL` (else a release build) with PROGRAM, in all builds or in those whose\n\
    names hold a WORD.";

/// More builds at once than this would only wait for each other's commands.
const AT_ONCE: usize = 4;

/// Both programs, and when the sweep began.
struct Comparison {
    first: PathBuf,
    second: PathBuf,
    since: String,
}

/// A build and the ending of its table.
type BuildRow = (&'static Ending, &'static Build);

/// The result of one build.
struct Compared {
    place: usize,
    build: &'static Build,
    ending: &'static Ending,
    /// Printed verbatim; empty where nothing differs.
    report: String,
}

/// Compares all builds that `words` ask for.
///
/// # Errors
///
/// The words are none of [`USAGE`], a build differs, or one could not be run.
pub(super) fn run(words: &[&str]) -> Result {
    let ["--with", program, names @ ..] = words else {
        return Err(USAGE.into());
    };
    let second = Path::new(program).canonicalize();
    let second = second.map_err(|error| format!("`{program}`: {error}"))?;
    let links = Scratch::new("compare-programs")?;
    let comparison = Comparison {
        first: named_ftl(&links, "first", &ftl_testkit::build::named_or_release()?)?,
        second: named_ftl(&links, "second", &second)?,
        since: now()?,
    };
    let chosen: Vec<_> = all().filter(|(_, build)| is_named(build, names)).collect();
    if chosen.is_empty() {
        return Err("no build has a name like that".into());
    }
    let compared = comparison.all(&chosen)?;
    report(&compared)
}

fn all() -> impl Iterator<Item = BuildRow> {
    let rows = |(ending, builds): &'static (Ending, &'static [Build])| {
        builds.iter().map(move |build| (ending, build))
    };
    TABLES.iter().flat_map(rows)
}

fn is_named(build: &Build, names: &[&str]) -> bool {
    names.is_empty() || names.iter().any(|name| build.name.contains(name))
}

/// The program under the name that its help says.
fn named_ftl(links: &Scratch, directory: &str, program: &Path) -> Result<PathBuf> {
    let directory = links.path().join(directory);
    fs::create_dir(&directory)?;
    let link = directory.join("ftl");
    symlink(program, &link)?;
    Ok(link)
}

/// The time as ftl writes it, so that times can be compared as texts.
fn now() -> Result<String> {
    let date = Program::new("date", &ftl_testkit::root()).args(["-u", "+%Y-%m-%dT%H:%M:%S"]);
    Ok(date.text()?.trim().to_owned())
}

impl Comparison {
    /// All of them, in their order.
    fn all(&self, chosen: &[BuildRow]) -> Result<Vec<Compared>> {
        let next = AtomicUsize::new(0);
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
        let mut compared = std::thread::scope(|scope| -> Result<Vec<Compared>> {
            let work = || self.some(chosen, &next).map_err(|error| error.to_string());
            let workers: Vec<_> = (0..cores.min(AT_ONCE)).map(|_| scope.spawn(work)).collect();
            let mut compared = Vec::new();
            for worker in workers {
                let done = worker.join().map_err(|_| "a comparison panicked")?;
                compared.extend(done?);
            }
            Ok(compared)
        })?;
        compared.sort_by_key(|one| one.place);
        Ok(compared)
    }

    /// Those that one worker comes to, all in one place.
    fn some(&self, chosen: &[BuildRow], next: &AtomicUsize) -> Result<Vec<Compared>> {
        let ground = Scratch::in_memory("compare")?;
        let mut compared = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some((ending, build)) = chosen.get(place) else {
                return Ok(compared);
            };
            let report = self
                .one(ending, build, &ground)
                .map_err(|error| format!("`{}`: {error}", build.name))?;
            compared.push(Compared { place, build, ending, report });
        }
    }

    fn one(&self, ending: &Ending, build: &Build, ground: &Scratch) -> Result<String> {
        let diffs = Scratch::new("compare-diffs")?;
        let mut report = String::new();
        for format in build.formats() {
            let first = self.see(&self.first, build, ground, *format)?;
            let second = self.see(&self.second, build, ground, *format)?;
            if *format == Format::Human && !ending.is_of(&first) {
                report += &other_ending(ending, &first);
            }
            for diff in difference::differences(&first, &second, diffs.path())? {
                report += &format!("[{format:?}] {diff}");
            }
        }
        Ok(report)
    }

    fn see(&self, ftl: &Path, build: &Build, ground: &Scratch, format: Format) -> Result<Seen> {
        let output = build.run(ftl, ground, format)?;
        seen::seen(ground.path(), &output, &self.since)
    }
}

/// A build that no longer has its ending fails the sweep, on either side.
fn other_ending(ending: &Ending, seen: &Seen) -> String {
    let text = |name: &str| String::from_utf8_lossy(&seen[name]).into_owned();
    format!(
        "the build does not end as its table says ({}), but with exit code {}{}{}",
        ending.name,
        text("exit code"),
        text("standard output"),
        text("standard error")
    )
}

fn report(compared: &[Compared]) -> Result {
    let mut endings = BTreeMap::new();
    for Compared { build, ending, report, .. } in compared {
        let (builds, differing) = endings.entry(ending.name).or_insert((0, 0));
        *builds += 1;
        if !report.is_empty() {
            *differing += 1;
            println!("== {}, {}\n{report}", ending.name, build.name);
        }
    }
    println!("| ending | builds | not equal |\n| --- | --: | --: |");
    for (ending, (builds, differing)) in &endings {
        println!("| {ending} | {builds} | {differing} |");
    }
    let differing: usize = endings.values().map(|(_, differing)| differing).sum();
    println!("{} builds, {differing} not equal", compared.len());
    match differing {
        0 => Ok(()),
        _ => Err(format!("{differing} of {} builds are not equal", compared.len()).into()),
    }
}
