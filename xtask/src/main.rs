//! `cargo xtask CHORE`: a table of the chores and nothing else.

#![expect(clippy::print_stdout, reason = "chores talk to the terminal")]

mod book;
mod quickstart;
mod suite;
mod tool;

use std::process::ExitCode;

use ftl_testkit::Result;

const HELP: &str = "\
usage: cargo xtask CHORE

  quickstart          build ftl and take an example task to complete, another to blocked
  test [ARGS…]        run every test; ARGS go to the test runner
  fixtures [--check]  write tests/fixtures, or compare it with what would be written
  docs [--check]      write the generated pages of docs/, or compare them
  book                build docs/ as a book in target/book; a link or an anchor that leads nowhere fails
  bench [PART…]       measure a release build and write the parts of lab/benchmarks.md: build, matching
  bench build --compare REV
                      build REV too, time both in pairs, and print the ratios
  sweep [NAME…] [--full]
                      go through very many cases; `sweep --help` lists them
  evaluate [PART…]    judge what ftl reads beside labels and the languages' own front ends: errors, findings, idioms,
                      syntax, exports, comments, hits, seeded; `evaluate --help` lists the options
  agents [AGENT…] [--case CASE] [--way WAY]
                      run real agents through builds against a scripted model server, and write
                      lab/agents.md
  dist [--check] [--dev]
                      make what people install; try each package in an empty place
  release VERSION [--dry-run]
                      set the version, date the changelog, commit and tag";

fn main() -> ExitCode {
    ftl_testkit::main(chore)
}

fn chore(words: &[&str]) -> Result {
    match words {
        ["quickstart"] => quickstart::run(),
        ["test", arguments @ ..] => suite::run(arguments),
        ["fixtures"] => ftl_fixtures::tree().write(),
        ["fixtures", "--check"] => ftl_fixtures::tree().check("cargo xtask fixtures"),
        ["docs"] | ["docs", "--check"] => tool::run("ftl-docs", &words[1..]),
        ["book"] => book::run(),
        ["bench", parts @ ..] => tool::run("ftl-bench", parts),
        ["sweep", words @ ..] => tool::run("ftl-sweep", words),
        ["evaluate", words @ ..] => tool::run("ftl-evaluate", words),
        ["dist" | "release", ..] => tool::run("ftl-dist", words),
        ["agents", words @ ..] => tool::run("ftl-agent-cases", words),
        _ => Err(HELP.into()),
    }
}
