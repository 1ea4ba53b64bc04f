//! Counts of trials, and the trials that did not end as they must, as a table.
//!
//! What must hold after a trial, `trial` says.

use std::collections::BTreeMap;

use ftl_testkit::Result;

use super::fault::Fault;
use super::trial::Found;

/// So many broken trials of a scenario are shown, each as soon as it is known.
const SHOWN: usize = 12;

/// What came of the trials so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    points: usize,
    struck: BTreeMap<Fault, usize>,
    not_struck: usize,
    said: usize,
    restarted: usize,
    most_builds: usize,
    broken: usize,
    /// Records by what they belong to, for a second reader.
    pub(super) records: Vec<(String, Vec<u8>)>,
}

impl Tally {
    /// The heads of [`row`](Self::row)'s columns.
    pub(super) const HEADING: &str = "\
| build | calls | kill | once | from then on | all from then on | not reached | said in the record | `--restart` | builds after | not as it must |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |";

    /// No trial yet of a scenario with so many points.
    pub(super) fn of(points: usize) -> Self {
        Self { points, ..Self::default() }
    }

    /// Counts a trial.
    pub(super) fn take(&mut self, described: &str, fault: Fault, found: Found) {
        if found.struck {
            *self.struck.entry(fault).or_default() += 1;
        } else {
            self.not_struck += 1;
        }
        self.said += usize::from(found.said);
        self.restarted += usize::from(found.restarted);
        self.most_builds = self.most_builds.max(found.builds);
        if !found.broken.is_empty() {
            self.fail(&format!("{described}\n    {}", found.broken.join("\n    ")));
        }
        self.records.push((described.to_owned(), found.record));
    }

    /// Counts a trial as broken.
    pub(super) fn fail(&mut self, what: &str) {
        self.broken += 1;
        if self.broken <= SHOWN {
            println!("{what}");
        }
    }

    /// Adds the counts of another scenario.
    pub(super) fn add(&mut self, other: Self) {
        self.points += other.points;
        for (fault, count) in other.struck {
            *self.struck.entry(fault).or_default() += count;
        }
        self.not_struck += other.not_struck;
        self.said += other.said;
        self.restarted += other.restarted;
        self.most_builds = self.most_builds.max(other.most_builds);
        self.broken += other.broken;
    }

    /// A row of a table.
    pub(super) fn row(&self, name: &str) -> String {
        let count = |meant: fn(&Fault) -> bool| -> usize {
            let struck = self.struck.iter();
            struck.filter(|(fault, _)| meant(fault)).map(|(_, count)| count).sum()
        };
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            self.points,
            count(|fault| matches!(fault, Fault::Kill)),
            count(|fault| matches!(fault, Fault::Once(_))),
            count(|fault| matches!(fault, Fault::Always(_))),
            count(|fault| matches!(fault, Fault::Dead)),
            self.not_struck,
            self.said,
            self.restarted,
            self.most_builds,
            self.broken,
        )
    }

    /// Fails when a single trial did.
    pub(super) fn verdict(&self) -> Result {
        for (fault, count) in &self.struck {
            println!("{:24} {count}", fault.name());
        }
        match self.broken {
            0 => Ok(()),
            broken => Err(format!("{broken} trials did not end as they must").into()),
        }
    }
}
