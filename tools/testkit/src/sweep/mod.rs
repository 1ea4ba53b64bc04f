//! Sweeps: very many trials, each in a sandbox, and what must hold after each.
//!
//! A sweep is a table of builds ([`build::Build`]), what goes wrong in them, and what must hold afterwards
//! ([`Trial`]). The choice of trials, their workers and the table of counts are here.
//!
//! Environment variables choose: [`ONLY`] and [`TRIALS`] the trials of any sweep, `FTL` the program
//! ([`crate::build::FTL`]), `FTL_ISOLATE` a level ([`isolation::available`]), and `FTL_SEED` what is random
//! ([`crate::random::seed`]).

pub mod build;
pub mod isolation;
pub mod listing;
pub mod sandbox;
pub mod scenario;
pub mod tally;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use crate::Result;
use crate::program::Program;
use crate::random::{Rng, seed};
use sandbox::Sandbox;
use tally::{Column, TrialTally};

/// Names texts, separated by `;`, that the description of a trial must hold.
pub const ONLY: &str = "FTL_ONLY";

/// Names the number of trials that are taken, with `--full` too.
pub const TRIALS: &str = "FTL_TRIALS";

/// Six for each of two cores, since a trial waits a lot: for views that the kernel takes down, most of all.
const WORKERS: usize = 12;

/// Trials after which a sweep says how far it is: a few minutes.
const SHOWN: usize = 2500;

/// How much of a sweep is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// About a minute.
    Sample,
    /// The documented size.
    Full,
}

impl Size {
    /// One of two numbers.
    #[must_use]
    pub fn pick<T>(self, sample: T, full: T) -> T {
        match self {
            Self::Sample => sample,
            Self::Full => full,
        }
    }
}

/// One case: what goes wrong, and what must hold after it.
pub trait Trial: Sync {
    /// The row of the table in which it counts.
    fn row(&self) -> Vec<&'static str>;

    /// A sample takes as many trials of each group of a row.
    fn group(&self) -> &'static str {
        ""
    }

    /// What it is, unlike all others, in one line.
    fn describe(&self) -> String;

    /// Does it.
    ///
    /// # Errors
    ///
    /// It could not be tried.
    fn run(&self, sandbox: &mut Sandbox) -> Result<TrialOutcome>;
}

impl<T: Trial + ?Sized> Trial for Box<T> {
    fn row(&self) -> Vec<&'static str> {
        (**self).row()
    }

    fn group(&self) -> &'static str {
        (**self).group()
    }

    fn describe(&self) -> String {
        (**self).describe()
    }

    fn run(&self, sandbox: &mut Sandbox) -> Result<TrialOutcome> {
        (**self).run(sandbox)
    }
}

/// How a trial went.
#[derive(Debug, Default)]
pub struct TrialOutcome {
    /// In the order of the columns.
    pub counts: Vec<usize>,
    /// What does not hold.
    pub broken: Vec<String>,
}

/// What all trials of a sweep have in common.
#[derive(Debug)]
pub struct Sweep {
    /// Also names the sandboxes.
    pub name: &'static str,
    /// The heads of the table's rows.
    pub rows: &'static [&'static str],
    /// What is counted.
    pub columns: &'static [Column],
    /// So many trials are a sample.
    pub sample: usize,
}

impl Sweep {
    /// Goes through the trials that the size and the environment choose, and prints the table.
    ///
    /// # Errors
    ///
    /// A trial could not be run, or did not end as it must.
    pub fn run<T: Trial>(&self, size: Size, trials: Vec<T>) -> Result {
        let trials = self.chosen(size, trials)?;
        let all = trials.len();
        println!("{all} trials");
        let state = Mutex::new((0, TrialTally::new(self.rows, self.columns)));
        each(self.name, &trials, |sandbox, trial| {
            let TrialOutcome { counts, broken } = trial.run(sandbox)?;
            sandbox.end_processes()?;
            let mut state = state.lock().map_err(|error| error.to_string())?;
            let (done, tally) = &mut *state;
            *done += 1;
            if *done % SHOWN == 0 && *done < all {
                println!("{done} of {all} done");
            }
            tally.take(&trial.row(), &counts, &trial.describe(), &broken);
            Ok(())
        })?;
        state.into_inner()?.1.verdict()
    }

    /// The trials in random order, a few of each group of each row where not all are wanted.
    fn chosen<T: Trial>(&self, size: Size, mut trials: Vec<T>) -> Result<Vec<T>> {
        let only = std::env::var(ONLY).unwrap_or_default();
        trials.retain(|trial| {
            let described = trial.describe();
            only.split(';').all(|text| described.contains(text))
        });
        let wanted = match std::env::var(TRIALS) {
            Ok(number) => number.parse()?,
            Err(_) => size.pick(self.sample, trials.len()),
        };
        Rng::with_seed(seed()?).shuffle(&mut trials);
        let mut groups: BTreeMap<_, usize> = BTreeMap::new();
        let mut ranked: Vec<(usize, T)> = Vec::new();
        for trial in trials {
            let rank = groups.entry((trial.row(), trial.group())).or_default();
            ranked.push((*rank, trial));
            *rank += 1;
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        Ok(ranked.into_iter().take(wanted).map(|(_, trial)| trial).collect())
    }
}

/// Gives every item to a free worker, which has a sandbox. `purpose` names the sandboxes.
///
/// # Errors
///
/// A sandbox could not be made, or an item failed.
pub fn each<T: Sync, R: Send>(
    purpose: &str,
    items: &[T],
    run: impl Fn(&mut Sandbox, &T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    crate::parallel::map(WORKERS, items, || Sandbox::new(purpose), run)
}

/// Whether all of these programs run here; otherwise prints which one is missing.
#[must_use]
pub fn has_tools(names: &[&str]) -> bool {
    let missing = names
        .iter()
        .find(|name| !Program::new(name, Path::new(".")).args(["--version"]).succeeds());
    missing.inspect(|name| println!("skipped: needs {name}")).is_none()
}

#[cfg(test)]
mod tests {
    use super::sandbox::Sandbox;
    use super::{Size, Sweep, Trial, TrialOutcome};
    use crate::Result;

    struct Numbered(usize);

    impl Trial for Numbered {
        fn row(&self) -> Vec<&'static str> {
            vec![["even", "odd"][self.0 % 2]]
        }
        fn group(&self) -> &'static str {
            if self.0 < 4 { "small" } else { "" }
        }
        fn describe(&self) -> String {
            self.0.to_string()
        }
        fn run(&self, _: &mut Sandbox) -> Result<TrialOutcome> {
            Ok(TrialOutcome::default())
        }
    }

    #[test]
    fn a_sample_holds_as_many_of_each_group_and_the_whole_holds_all() {
        let sweep = Sweep { name: "test", rows: &["row"], columns: &[], sample: 8 };
        let numbers = |size| -> Vec<usize> {
            let chosen = sweep.chosen(size, (0..100).map(Numbered).collect()).unwrap();
            chosen.into_iter().map(|trial| trial.0).collect()
        };
        let (sample, again) = (numbers(Size::Sample), numbers(Size::Sample));
        assert_eq!(sample, again);
        assert_eq!(sample.iter().filter(|number| **number < 4).count(), 4, "{sample:?}");
        assert_eq!(sample.iter().filter(|number| **number % 2 == 0).count(), 4, "{sample:?}");
        let mut all = numbers(Size::Full);
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }
}
