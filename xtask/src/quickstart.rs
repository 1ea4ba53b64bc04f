//! `cargo xtask quickstart`: ftl built, then shown at work on a real crate.
//!
//! It shows two ends of a build; the examples' tables hold all the others, and tests run them.

use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::{Scratch, copy};
use ftl_testkit::{Result, build};

/// A build of the example that ends as the tour says.
struct QuickstartStep {
    heading: &'static str,
    arguments: &'static [&'static str],
    code: i32,
    record: &'static str,
}

const TOUR: &[QuickstartStep] = &[
    QuickstartStep {
        heading: "shell-words 1.1.0 quotes `~root` wrongly; the patch is what its 1.1.1 changed",
        arguments: &["build", "001", "--patch", "patches/fix.patch"],
        code: 0,
        record: ".ftl/workspace/001_quote-tilde_complete.xml",
    },
    QuickstartStep {
        heading: "the next task gets a patch with a test and no repair; its record is for the one who continues",
        arguments: &["build", "002", "--patch", "patches/braces-test-only.patch"],
        code: 3,
        record: ".ftl/workspace/002_quote-braces_blocked.xml",
    },
];

/// Builds ftl, copies the example to a fresh directory and takes the tour there.
///
/// # Errors
///
/// The build failed, or a task did not end as the tour says.
pub(crate) fn run() -> Result {
    println!("Building ftl: minutes the first time, then seconds.");
    let ftl = build::ftl("dev")?;
    let scratch = Scratch::new("quickstart")?;
    let project = scratch.path().join("shell-words");
    copy(&ftl_testkit::root().join("examples/rust"), &project)?;
    commit(&project)?;
    for step in TOUR {
        take(step, &ftl, &project)?;
    }
    println!("\nBoth ended as they should. The example's other tasks: examples/rust/EXAMPLE.md");
    Ok(())
}

/// Makes `project` a git repository whose first commit holds everything.
fn commit(project: &Path) -> Result {
    Program::git(project).args(["init", "--quiet"]).run()?;
    Program::git(project).args(["add", "--all"]).run()?;
    Program::git(project).args(["commit", "--quiet", "-m", "shell-words 1.1.0"]).run()
}

fn take(step: &QuickstartStep, ftl: &Path, project: &Path) -> Result {
    println!("\n# {}", step.heading);
    println!("$ ftl {}", step.arguments.join(" "));
    let code = Program::new(ftl, project).without_cargo().args(step.arguments).code()?;
    if code != step.code {
        return Err(format!("it ended with {code}, not {}", step.code).into());
    }
    if !project.join(step.record).is_file() {
        return Err(format!("there is no `{}`", step.record).into());
    }
    println!("\n$ ftl show {}", step.arguments[1]);
    Program::new(ftl, project).without_cargo().args(["show", step.arguments[1]]).run()
}
