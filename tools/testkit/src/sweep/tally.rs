//! Counts of a sweep's trials, as a table, and the trials that did not end as they must.

use std::collections::BTreeMap;

use crate::Result;

/// So many broken trials are shown, each as soon as it is known.
const SHOWN: usize = 40;

/// A column of numbers.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    /// Of several trials, the sum.
    Sum(&'static str),
    /// Of several trials, the largest.
    Most(&'static str),
}

impl Column {
    fn join(self, a: usize, b: usize) -> usize {
        match self {
            Self::Sum(_) => a + b,
            Self::Most(_) => a.max(b),
        }
    }
}

/// The counts of one row, and how many of its trials were broken.
type Counts = (Vec<usize>, usize);

/// The counts of all trials so far, a row for each name.
#[derive(Debug)]
pub struct TrialTally {
    names: &'static [&'static str],
    columns: &'static [Column],
    rows: BTreeMap<Vec<&'static str>, Counts>,
    shown: usize,
}

impl TrialTally {
    /// No trial yet. A row begins with `names`, and ends with the number of broken trials.
    pub const fn new(names: &'static [&'static str], columns: &'static [Column]) -> Self {
        Self { names, columns, rows: BTreeMap::new(), shown: 0 }
    }

    /// Adds to the row of this name, in the order of the columns.
    pub fn add(&mut self, name: &[&'static str], counts: &[usize], is_broken: bool) {
        let none = || (vec![0; self.columns.len()], 0);
        let (row, broken) = self.rows.entry(name.to_vec()).or_insert_with(none);
        join(self.columns, row, counts);
        *broken += usize::from(is_broken);
    }

    /// Adds a trial, and prints it if something is `broken`.
    pub fn take(
        &mut self,
        name: &[&'static str],
        counts: &[usize],
        described: &str,
        broken: &[String],
    ) {
        self.add(name, counts, !broken.is_empty());
        if !broken.is_empty() {
            self.shown += 1;
            if self.shown <= SHOWN {
                println!("{described}\n    {}", broken.join("\n    "));
            }
        }
    }

    /// Prints the table, with a last row for all. Returns how many trials were broken.
    pub fn print(&self) -> usize {
        let numbers = self.columns.iter().map(|column| match column {
            Column::Sum(name) | Column::Most(name) => *name,
        });
        let heads: Vec<&str> =
            self.names.iter().copied().chain(numbers).chain(["not as it must"]).collect();
        println!("| {} |", heads.join(" | "));
        println!(
            "|{}{}",
            " --- |".repeat(self.names.len()),
            " --: |".repeat(self.columns.len() + 1)
        );
        let mut all = (vec![0; self.columns.len()], 0);
        for (name, counts) in &self.rows {
            print_row(name, counts);
            join(self.columns, &mut all.0, &counts.0);
            all.1 += counts.1;
        }
        let mut name = vec![""; self.names.len()];
        name[0] = "all";
        print_row(&name, &all);
        all.1
    }

    /// Prints the table, and fails if a trial was broken.
    pub fn verdict(&self) -> Result {
        match self.print() {
            0 => Ok(()),
            broken => Err(format!("{broken} trials did not end as they must").into()),
        }
    }
}

fn join(columns: &[Column], row: &mut [usize], counts: &[usize]) {
    for ((column, into), count) in columns.iter().zip(row).zip(counts) {
        *into = column.join(*into, *count);
    }
}

fn print_row(name: &[&str], (counts, broken): &Counts) {
    let counts = counts.iter().chain([broken]).map(ToString::to_string);
    let cells: Vec<String> = name.iter().map(ToString::to_string).chain(counts).collect();
    println!("| {} |", cells.join(" | "));
}
