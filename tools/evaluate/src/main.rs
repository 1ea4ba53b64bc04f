//! `cargo xtask evaluate`: error lines, families of errors, matches and findings, judged on labelled outputs.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod corpus;
mod exports;
mod files;
mod findings;
mod page;
mod quote;
mod real;
mod score;
mod snippets;
mod texts;
mod weakened;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

use crate::corpus::Corpus;
use crate::score::{Score, Share, score};

const HELP: &str = "\
usage: cargo xtask evaluate                          judge our own corpus, write docs/evaluation.md
       cargo xtask evaluate make                     make that corpus again with the tools that are here
       cargo xtask evaluate --corpus DIR [--misses]  judge another
       cargo xtask evaluate exports [LANG…] [--check]
                                                     exports beside the languages' own front ends
       cargo xtask evaluate comments [--check]       whether a rule finds comments or strings in real code
       cargo xtask evaluate hits DIR…                what the rules of forbidden idioms find in real code
       cargo xtask evaluate weakened REPOSITORY…     which tests real commits weakened, one finding a line";

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Judges a corpus, or makes ours.
///
/// # Errors
///
/// The corpus could not be read or made.
fn run(words: &[&str]) -> Result {
    match words {
        [] => {
            let corpus = Corpus::read(&ours())?;
            let score = score(&corpus);
            print(&score, true);
            let findings = findings::score(&ours(), &corpus)?;
            for line in findings.lines() {
                println!("{line}");
            }
            let snippets = snippets::score(&ours())?;
            for line in snippets.lines() {
                println!("{line}");
            }
            page::write(
                &(page::render(&corpus, &score) + &findings.section() + &snippets.section()),
            )?;
        }
        ["make"] => make()?,
        ["exports", words @ ..] => exports::run(words)?,
        ["comments", words @ ..] => texts::run(words)?,
        ["hits", directories @ ..] => real::print_hits(directories)?,
        ["weakened", repositories @ ..] => weakened::print(repositories)?,
        ["--corpus", directory] => print(&score(&Corpus::read(Path::new(directory))?), false),
        ["--corpus", directory, "--misses"] => {
            print(&score(&Corpus::read(Path::new(directory))?), true);
        }
        _ => return Err(HELP.into()),
    }
    Ok(())
}

fn ours() -> PathBuf {
    root().join("tools/evaluate/corpus")
}

/// Runs every tool that is installed on the projects of the driver.
fn make() -> Result {
    Program::new("python3", &root())
        .args(["tools/evaluate/drivers/make.py", "tools/evaluate/corpus/outputs.json"])
        .run()?;
    Program::new("gzip", &ours()).args(["-9nf", "outputs.json"]).run()?;
    Program::new("python3", &root())
        .args(["tools/evaluate/drivers/findings.py", "tools/evaluate/corpus/findings.json.gz"])
        .run()
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
    for (runner, share) in &score.held_out {
        println!("{runner:16} {} (held out)", share.words());
    }
    println!("all runners      {}", Share::sum(score.lines.values()).words());
    println!("held out         {}", Share::sum(score.held_out.values()).words());
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
