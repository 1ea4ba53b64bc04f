//! `cargo xtask bench [PART…]`: figures of a release build, taken side by side in one run. `bench build --compare REV`
//! prints those of a build beside those of another revision.
//!
//! Nothing here is a test: a slow machine must not fail anybody's work. The page says what was
//! aimed at and what was missed. Its parts are measured and replaced one by one.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod build;
mod events;
mod jobs;
mod machine;
mod matching;
mod page;
mod preflight;
mod redact;
mod rules;
mod sample;
mod showing;
mod workers;
mod workplaces;
mod workspace;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use ftl_testkit::build::named_or_release;
use ftl_testkit::page::with_part;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::{Result, root};

/// A part of the page that is measured by itself.
struct Part {
    /// What the command line and the marks around the part call it.
    name: &'static str,
    /// Measures the release build, given its path and an empty directory, and renders the part.
    measure: fn(&Path, &Path) -> Result<String>,
}

/// In the order of the page.
const PARTS: &[Part] = &[
    Part { name: "build", measure: build::part },
    Part { name: "matching", measure: matching::part },
    Part { name: "rules", measure: rules::part },
    Part { name: "preflight", measure: preflight::part },
    Part { name: "languages", measure: preflight::languages },
    Part { name: "redact", measure: redact::part },
    Part { name: "showing", measure: showing::part },
    Part { name: "workplaces", measure: workplaces::part },
    Part { name: "workers", measure: workers::part },
    Part { name: "jobs", measure: jobs::part },
    Part { name: "together", measure: jobs::together },
    Part { name: "workspace", measure: workspace::part },
];

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Measures the `ftl` that `FTL` names, else a release build, and writes the named parts, or all of
/// them, into lab/benchmarks.md.
///
/// # Errors
///
/// A name is unknown, the build failed, or a measured command did.
fn run(names: &[&str]) -> Result {
    if let ["build", "--compare", revision] = names {
        let scratch = Scratch::new("bench")?;
        print!("{}", build::compare::with(revision, &named_or_release()?, scratch.path())?);
        return Ok(());
    }
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let known: Vec<_> = PARTS.iter().map(|part| part.name).collect();
        return Err(format!("no part `{unknown}`: there are {}", known.join(", ")).into());
    }
    let ftl = named_or_release()?;
    let path = root().join("lab/benchmarks.md");
    for part in PARTS {
        if names.is_empty() || names.contains(&part.name) {
            let scratch = Scratch::new("bench")?;
            let machine = machine::describe(&ftl, scratch.path())?;
            let body = (part.measure)(&ftl, scratch.path())?;
            let measured = page::part(&machine, &body);
            print!("{measured}");
            fs::write(&path, with_part(&fs::read_to_string(&path)?, part.name, &measured))?;
        }
    }
    Ok(())
}

fn known(name: &str) -> bool {
    PARTS.iter().any(|part| part.name == name)
}

#[cfg(test)]
mod tests {
    use super::PARTS;

    #[test]
    fn no_two_parts_have_one_name() {
        for (at, part) in PARTS.iter().enumerate() {
            assert!(PARTS[..at].iter().all(|other| other.name != part.name));
        }
    }
}
