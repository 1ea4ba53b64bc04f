//! Counts of trials, and the trials that did not end as they must.

use std::collections::BTreeMap;

use ftl_testkit::Result;

use super::trial::{Found, Trial};

/// So many broken trials are shown, each as soon as it is known.
const SHOWN: usize = 40;

/// What came of the trials of one scenario so far.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    trials: usize,
    killed: usize,
    interrupted: usize,
    asked: usize,
    brought_back: usize,
    most_builds: usize,
    broken: usize,
}

/// What came of all trials so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<(&'static str, &'static str), Counts>,
    /// Broken trials by what the person did.
    by_action: BTreeMap<&'static str, usize>,
    shown: usize,
}

impl Tally {
    /// Counts a trial.
    pub(super) fn take(&mut self, trial: &Trial, found: Found) {
        let key = (trial.scenario.name, trial.isolation.name());
        let counts = self.counts.entry(key).or_default();
        counts.trials += 1;
        counts.killed += usize::from(found.killed);
        counts.interrupted += usize::from(found.interrupted);
        counts.asked += usize::from(found.asked);
        counts.brought_back += usize::from(found.brought_back);
        counts.most_builds = counts.most_builds.max(found.builds);
        if found.broken.is_empty() {
            return;
        }
        counts.broken += 1;
        *self.by_action.entry(trial.action.name).or_default() += 1;
        self.shown += 1;
        if self.shown <= SHOWN {
            println!("{}\n    {}", trial.describe(), found.broken.join("\n    "));
        }
    }

    /// Prints the counts, and fails when a single trial did.
    pub(super) fn verdict(&self) -> Result {
        println!(
            "| build | `--isolate` | trials | killed | interrupted | asked whose | brought back | builds after | not as it must |\n\
             | --- | --- | --: | --: | --: | --: | --: | --: | --: |"
        );
        let mut all = Counts::default();
        for ((name, isolation), counts) in &self.counts {
            row(name, isolation, counts);
            all.trials += counts.trials;
            all.killed += counts.killed;
            all.interrupted += counts.interrupted;
            all.asked += counts.asked;
            all.brought_back += counts.brought_back;
            all.most_builds = all.most_builds.max(counts.most_builds);
            all.broken += counts.broken;
        }
        row("all", "", &all);
        for (action, count) in &self.by_action {
            println!("{action}: {count}");
        }
        match all.broken {
            0 => Ok(()),
            broken => Err(format!("{broken} trials did not end as they must").into()),
        }
    }
}

fn row(name: &str, isolation: &str, counts: &Counts) {
    println!(
        "| {name} | {isolation} | {} | {} | {} | {} | {} | {} | {} |",
        counts.trials,
        counts.killed,
        counts.interrupted,
        counts.asked,
        counts.brought_back,
        counts.most_builds,
        counts.broken
    );
}
