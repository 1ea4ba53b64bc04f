//! `cargo xtask evaluate`: what ftl reads in sources and outputs, beside what the languages' own front ends and labels say.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod apt;
mod cache;
mod commit_files;
mod errors;
mod evidence;
mod exports;
mod files;
mod findings;
mod idioms;
mod page;
mod seeded;
mod several;
mod syntax;
mod tally;

use std::path::PathBuf;
use std::process::ExitCode;

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

use errors::corpus::Corpus;
use idioms::snippets;

const HELP: &str = "\
usage: cargo xtask evaluate                          judge all labelled outputs and snippets, write lab/evaluation.md
       cargo xtask evaluate make                     make the labelled outputs again with the tools that are here
       cargo xtask evaluate errors [--corpus DIR [--misses]]
                                                     error lines, families and matches, of ours or of another corpus
       cargo xtask evaluate findings                 the findings of runs that passed
       cargo xtask evaluate idioms                   idioms of labelled snippets
       cargo xtask evaluate syntax [LANG…] [--full | --check]
                                                     syntax checkers beside the languages' own front ends; all
                                                     languages together write lab/agreement.md
       cargo xtask evaluate syntax LANG --files DIRECTORY
                                                     a checker beside the installed front end, on a directory's files
       cargo xtask evaluate exports [LANG…] [--check]
                                                     exports beside the languages' own front ends
       cargo xtask evaluate exports commits DIRECTORY
                                                     exports in real commits, of clones in DIRECTORY/OWNER/NAME
       cargo xtask evaluate comments [--check]       whether a rule finds comments or strings in real code
       cargo xtask evaluate hits DIR…                what the rules of forbidden idioms find in real code
       cargo xtask evaluate several [--reproduce] [--held-out] | several make
                                                     failed tests of projects with several faults, and what
                                                     reproduces them
       cargo xtask evaluate evidence commits|sly|costs DIRECTORY [OWNER/NAME]
                                                     experiments on real commits, sly edits, and what they cost, of
                                                     clones in DIRECTORY/OWNER/NAME
       cargo xtask evaluate evidence commands DIRECTORY
                                                     what is said of the test commands of real workflows
       cargo xtask evaluate seeded DIR…              whether an agent finds bugs in these projects by the request of
                                                     its second attempt";

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Evaluates one part, or all that are labelled.
///
/// # Errors
///
/// What is judged could not be read or made, or a part misses its aim.
fn run(words: &[&str]) -> Result {
    match words {
        [] => {
            let corpus = Corpus::read(&ours())?;
            errors::run(&[])?;
            let findings = findings::score(&ours(), &corpus)?;
            let snippets = snippets::score(&ours())?;
            print(&[findings.lines(), snippets.lines()].concat());
            page::write(&(errors::section(&corpus) + &findings.section() + &snippets.section()))?;
        }
        ["make"] => make()?,
        ["errors", words @ ..] => errors::run(words)?,
        ["findings"] => print(&findings::score(&ours(), &Corpus::read(&ours())?)?.lines()),
        ["idioms"] => print(&snippets::score(&ours())?.lines()),
        ["syntax", words @ ..] => syntax::run(words)?,
        ["exports", words @ ..] => exports::run(words)?,
        ["comments", words @ ..] => idioms::texts::run(words)?,
        ["hits", directories @ ..] => idioms::print_hits(directories)?,
        ["several", "make"] => several::make()?,
        ["several", words @ ..] => several::run(words)?,
        ["evidence", words @ ..] => evidence::run(words)?,
        ["seeded", directories @ ..] => seeded::run(directories)?,
        _ => return Err(HELP.into()),
    }
    Ok(())
}

fn print(lines: &[String]) {
    for line in lines {
        println!("{line}");
    }
}

fn ours() -> PathBuf {
    root().join("tools/evaluate/corpus")
}

/// Runs every tool that is installed on the projects of the driver.
fn make() -> Result {
    let python = |driver: &str, into: &str| {
        Program::new("python3", &ours()).args([cache::driver(driver)]).args([into]).run()
    };
    python("make.py", "outputs.json")?;
    Program::new("gzip", &ours()).args(["-9nf", "outputs.json"]).run()?;
    python("findings.py", "findings.json.gz")
}
