//! `cargo xtask CHORE`: a table of the chores and nothing else.

#![expect(clippy::print_stderr, reason = "chores talk to the terminal")]

use std::process::ExitCode;

use xtask::{Result, agreement, bench, fixtures, generated, quickstart, suite, sweep};

const HELP: &str = "\
usage: cargo xtask CHORE

  quickstart          build ftl and take an example task to complete, another to blocked
  test [ARGS…]        run every test; ARGS go to the test runner
  fixtures [--check]  write tests/fixtures, or compare it with what would be written
  docs [--check]      write the generated pages of docs/, or compare them
  bench [PART…]       measure a release build and write the parts of docs/benchmarks.md: build
  sweep [NAME…] [--full]
                      go through very many cases; `sweep --help` lists them
  agreement [LANG…] [--full | --check]
                      compare the syntax checkers with the languages' own front ends; all languages
                      together write docs/agreement.md";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match chore(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn chore(words: &[&str]) -> Result {
    match words {
        ["quickstart"] => quickstart::run(),
        ["test", arguments @ ..] => suite::run(arguments),
        ["fixtures"] => fixtures::tree().write(),
        ["fixtures", "--check"] => fixtures::tree().check("cargo xtask fixtures"),
        ["docs"] => generated::tree_of_this_code()?.write(),
        ["docs", "--check"] => generated::tree_of_this_code()?.check("cargo xtask docs"),
        ["bench", parts @ ..] => bench::run(parts),
        ["sweep", words @ ..] => sweep::run(words),
        ["agreement", words @ ..] => agreement::run(words),
        _ => Err(HELP.into()),
    }
}
