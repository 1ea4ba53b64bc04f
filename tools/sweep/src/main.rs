//! `cargo xtask sweep NAME [--full]`: checks that go through very many cases.
//!
//! Without `--full` a sweep has the size that every change can afford; with it the size whose
//! counts stand in lab/sweeps.md. A sweep fails when a single case does.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod bombs;
mod builders;
mod fleet;
mod fuzz;
mod kill;
mod person;
mod race;
mod record;
mod scenarios;
mod soak;
mod strace;
mod strays;
mod views;

use std::process::ExitCode;

use ftl_testkit::Result;
use ftl_testkit::build::FTL;
use ftl_testkit::sweep::Size;

/// A row of the table of sweeps.
struct Sweep {
    name: &'static str,
    about: &'static str,
    run: fn(Size) -> Result,
}

const SWEEPS: &[Sweep] = &[
    Sweep { name: "bombs", about: "input that is made to use up time or memory", run: bombs::run },
    Sweep {
        name: "builders",
        about: "sixteen builders at the same tasks, some of them killed",
        run: builders::run,
    },
    Sweep {
        name: "kill",
        about: "a fault at every system call of whole builds, then `ftl build` again",
        run: kill::run,
    },
    Sweep {
        name: "person",
        about: "builds that are interrupted, and a person who works on before they go on",
        run: person::run,
    },
    Sweep {
        name: "fuzz",
        about: "every target of fuzz/, for five seconds or five minutes",
        run: fuzz::run,
    },
    Sweep {
        name: "race",
        about: "names that change places while files are read and written: none outside",
        run: race::run,
    },
    Sweep {
        name: "soak",
        about: "builds in one process: no growth in memory, descriptors, files, processes",
        run: soak::run,
    },
    Sweep {
        name: "strays",
        about: "ways to stray or to destroy what protects the work: found, and nothing in the project",
        run: strays::run,
    },
    Sweep {
        name: "views",
        about: "agents that read their views for minutes while others land and a user edits",
        run: views::run,
    },
    Sweep {
        name: "workers",
        about: "tasks built by workers, while workers, server and build are killed, one worker forges results, or values are spoilt",
        run: fleet::run,
    },
];

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Runs the sweeps that `words` name, all of them when it names none.
///
/// # Errors
///
/// A name is unknown, a case failed, or a sweep could not be run.
fn run(words: &[&str]) -> Result {
    if let [views::AGENT, words @ ..] = words {
        return views::agent(words);
    }
    let (options, names): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.starts_with('-'));
    let size = match options.as_slice() {
        [] => Size::Sample,
        ["--full"] => Size::Full,
        _ => return Err(help().into()),
    };
    if names.iter().any(|name| find(name).is_none()) {
        return Err(help().into());
    }
    let named = |sweep: &&Sweep| names.is_empty() || names.contains(&sweep.name);
    for sweep in SWEEPS.iter().filter(named) {
        println!("== {}: {}", sweep.name, sweep.about);
        (sweep.run)(size)?;
    }
    Ok(())
}

fn find(name: &str) -> Option<&'static Sweep> {
    SWEEPS.iter().find(|sweep| sweep.name == name)
}

fn help() -> String {
    let rows = SWEEPS.iter().map(|sweep| format!("\n  {:10} {}", sweep.name, sweep.about));
    format!(
        "usage: cargo xtask sweep [NAME…] [--full]\n{}\n\n\
         `{FTL}` in the environment names the program, else a release is built.",
        rows.collect::<String>()
    )
}
