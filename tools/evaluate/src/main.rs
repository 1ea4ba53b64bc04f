//! `cargo xtask evaluate`: error lines, families of errors and matches, judged on labelled outputs.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod corpus;
mod quote;
mod score;

use std::path::Path;
use std::process::ExitCode;

use ftl_testkit::Result;

use crate::corpus::Corpus;
use crate::score::{Score, score};

const HELP: &str = "usage: cargo xtask evaluate --corpus DIR [--misses]";

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// # Errors
///
/// The corpus could not be read.
fn run(words: &[&str]) -> Result {
    match words {
        ["--corpus", directory] => print(&score(&Corpus::read(Path::new(directory))?), false),
        ["--corpus", directory, "--misses"] => {
            print(&score(&Corpus::read(Path::new(directory))?), true);
        }
        _ => return Err(HELP.into()),
    }
    Ok(())
}

fn print(score: &Score, with_misses: bool) {
    if with_misses {
        for miss in &score.misses {
            println!("{miss}");
        }
    }
    for (runner, share) in &score.lines {
        println!("{runner:16} {}", share.words());
    }
    let all = score
        .lines
        .values()
        .fold(score::Share::default(), |sum, share| score::Share {
            right: sum.right + share.right,
            all: sum.all + share.all,
        });
    println!("all runners      {}", all.words());
    println!("chains           {}", score.chains.words());
    println!("transient        {}", score.transient.words());
    println!("deterministic    {}", score.deterministic.words());
    for (style, matches) in &score.matches {
        println!(
            "{style:16} precision {:.3} recall {:.3} {matches:?}",
            matches.precision(),
            matches.recall()
        );
    }
}
