//! `cargo xtask evaluate several`: failed tests of projects with several faults, and the command that runs them again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ftl_analysis::failures::{FoundFailure, failures, locate, rerun};
use ftl_testkit::Result;
use ftl_testkit::page::table;
use ftl_testkit::program::Program;
use serde::Deserialize;

use crate::cache;
use crate::errors::corpus::read_zipped;
use crate::page::{replace, verbatim};
use crate::tally::Share;

#[derive(Debug, Deserialize)]
struct Several {
    cases: BTreeMap<String, Case>,
    skipped: Vec<String>,
}

/// A project, its output, and the tests in it that fail.
#[derive(Debug, Deserialize)]
struct Case {
    runner: String,
    plan: String,
    command: String,
    /// `file` of a runner that takes files only.
    grain: String,
    files: BTreeSet<String>,
    held_out: bool,
    labels: Vec<Label>,
    output: String,
}

#[derive(Debug, Deserialize)]
struct Label {
    /// Its name, or several by which the runner knows it.
    names: Vec<String>,
    places: Vec<String>,
    number: u32,
}

/// What a command ran.
#[derive(Debug, Deserialize)]
struct Ran {
    exit: i32,
    ran: BTreeSet<u32>,
    end: String,
}

#[derive(Debug, Default)]
struct Score {
    projects: usize,
    names: Share,
    places: Share,
    again: Share,
    invented: usize,
    misses: Vec<String>,
}

/// Scores the outputs; with `--reproduce` also runs what reproduces each, for which the runners must be there, and
/// writes the page. `--held-out` prints the misses of that half too.
///
/// # Errors
///
/// The outputs could not be read, or a command of `make` or `--reproduce` could not be run.
pub(crate) fn run(words: &[&str]) -> Result {
    let (runs, shows_held_out) = (words.contains(&"--reproduce"), words.contains(&"--held-out"));
    let several: Several = read_zipped(&crate::ours(), "several.json")?;
    let found: BTreeMap<&String, Vec<FoundFailure>> =
        several.cases.iter().map(|(id, case)| (id, found_in(case))).collect();
    let ran = match runs {
        true => again(&several, &found)?,
        false => BTreeMap::new(),
    };
    let mut halves = [Score::default(), Score::default()];
    let mut runners: BTreeMap<&str, [Score; 2]> = BTreeMap::new();
    for (id, case) in &several.cases {
        let half = usize::from(case.held_out);
        let of_runner = &mut runners.entry(&case.runner).or_default()[half];
        for score in [&mut halves[half], of_runner] {
            score.add(id, case, &found[id], ran.get(id), runs);
        }
    }
    for score in &halves[..1 + usize::from(shows_held_out)] {
        crate::print(&score.misses);
    }
    let rows = rows(&halves, &runners);
    for row in &rows {
        println!("{}", row.join("  "));
    }
    if runs { replace("several", &section(&several, &rows)) } else { Ok(()) }
}

/// Runs every runner that is installed on the projects of the driver.
///
/// # Errors
///
/// A program could not be started.
pub(crate) fn make() -> Result {
    let corpus = crate::ours();
    let driver = cache::driver("several.py");
    Program::new("python3", &corpus).args([driver]).args(["make", "several.json"]).run()?;
    Program::new("gzip", &corpus).args(["-9nf", "several.json"]).run()
}

fn found_in(case: &Case) -> Vec<FoundFailure> {
    let mut found = failures(&case.output, &case.command);
    locate(&mut found, |path| case.files.contains(path));
    found
}

/// What the commands ran that are to reproduce the failures.
fn again(
    several: &Several,
    found: &BTreeMap<&String, Vec<FoundFailure>>,
) -> Result<BTreeMap<String, Ran>> {
    let commands: BTreeMap<&String, [String; 3]> = several
        .cases
        .iter()
        .filter_map(|(id, case)| {
            let command = rerun(&case.command, &found[id])?;
            Some((id, [case.runner.clone(), case.plan.clone(), command]))
        })
        .collect();
    let directory = std::env::temp_dir().join(format!("ftl-several-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    fs::write(directory.join("commands.json"), serde_json::to_string(&commands)?)?;
    let driver = cache::driver("several.py");
    let arguments = ["reproduce", "commands.json", "ran.json"];
    Program::new("python3", &directory).args([driver]).args(arguments).run()?;
    let ran = serde_json::from_str(&fs::read_to_string(directory.join("ran.json"))?)?;
    fs::remove_dir_all(directory)?;
    Ok(ran)
}

impl Score {
    fn add(
        &mut self,
        id: &str,
        case: &Case,
        found: &[FoundFailure],
        ran: Option<&Ran>,
        runs: bool,
    ) {
        self.projects += 1;
        let mut used = BTreeSet::new();
        for label in &case.labels {
            let is_named = |at: &usize| {
                let name = found[*at].failure.test.as_ref();
                !used.contains(at) && name.is_some_and(|name| label.names.contains(name))
            };
            let is_placed = |at: &usize| is_placed(label, &found[*at]);
            let named: Vec<usize> = (0..found.len()).filter(is_named).collect();
            let hit = named.iter().find(|at| is_placed(at)).or(named.first()).copied();
            used.extend(hit);
            self.names.count(hit.is_some());
            let is_right = hit.is_some_and(|at| label.places.is_empty() || is_placed(&at));
            if !label.places.is_empty() {
                self.places.count(is_right);
            }
            if !is_right {
                let found = hit.map(|at| (&found[at].failure.path, found[at].failure.line));
                self.misses.push(format!(
                    "{id}: missed {:?} at {:?}: {found:?}",
                    label.names[0], label.places
                ));
            }
        }
        for at in (0..found.len()).filter(|at| !used.contains(at)) {
            let other = &found[at];
            // A message without a name, where a test failed, is no invention.
            if other.failure.test.is_none()
                && case.labels.iter().any(|label| is_placed(label, other))
            {
                continue;
            }
            self.invented += 1;
            self.misses.push(format!(
                "{id}: invented {:?}: {:?}",
                other.failure.test, other.failure.message
            ));
        }
        if runs && case.grain == "test" {
            let wanted: BTreeSet<u32> = case.labels.iter().map(|label| label.number).collect();
            let is_exact = ran.is_some_and(|ran| ran.exit != 0 && ran.ran == wanted);
            self.again.count(is_exact);
            if !is_exact {
                let command = rerun(&case.command, found);
                self.misses.push(format!(
                    "{id}: not reproduced by {command:?}: {:?}",
                    ran.map(|it| (&it.ran, &it.end))
                ));
            }
        }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let all = [self.names, self.places].map(Share::words);
        let again = if self.again.all == 0 { "–".to_owned() } else { self.again.words() };
        let [names, places] = all;
        vec![
            name.to_owned(),
            self.projects.to_string(),
            names,
            places,
            self.invented.to_string(),
            again,
        ]
    }
}

fn is_placed(label: &Label, found: &FoundFailure) -> bool {
    let place = found.failure.path.as_ref().zip(found.failure.line);
    place.is_some_and(|(path, line)| label.places.contains(&format!("{path}:{line}")))
}

fn rows(halves: &[Score; 2], runners: &BTreeMap<&str, [Score; 2]>) -> Vec<Vec<String>> {
    let mut rows = vec![halves[0].row("all, known"), halves[1].row("all, held out")];
    for (runner, [seen, held_out]) in runners {
        rows.push(seen.row(runner));
        rows.push(held_out.row(&format!("{runner}, held out")));
    }
    rows
}

fn section(several: &Several, rows: &[Vec<String>]) -> String {
    let skipped: Vec<&str> =
        several.skipped.iter().filter_map(|line| line.lines().next()).map(|it| it.trim()).collect();
    format!(
        "{METHOD}{}\nNot made:\n\n{}",
        table(&["runner", "projects", "names", "places", "invented", "reproduced"], rows),
        verbatim(skipped)
    )
}

const METHOD: &str = "\
## Several failed tests

`tools/evaluate/drivers/several.py` writes projects with two to ten faults each, in one to three files and with equal names, some of which print what looks
like a failure, and runs every installed runner on them (`cargo xtask evaluate several make`). Names, places and numbers follow from the plan of the project,
not from an output. Two plans are held out: their outputs were made after the rules were written, and were not looked at. (Before, every other plan of a runner
was held out, with 96.6 % of the names, 92.9 % of the places, 24 failures invented and 92.4 % reproduced. What was invented was then looked at, so these plans
count as known.) `reproduced`: the command that `reproduce` prints fails and runs exactly the tests that failed, as the tests themselves note
(`cargo xtask evaluate several --reproduce`). node 20 takes no names with their suites.

";
