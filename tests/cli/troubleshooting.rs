//! The transcripts in docs/troubleshooting.md are what the program prints today.

use std::fs;

use ftl_testkit::program::Program;
use ftl_testkit::root;

use crate::support::{FTL, Finished, Project, has_tool};

/// The line of the page below which the script prints everything.
const MARK: &str = "<!-- Below: `sh docs/troubleshooting.sh` -->\n";

/// Whether agents are isolated here, as in the page.
pub(super) fn is_isolated() -> bool {
    let project = Project::empty();
    let report = project.ftl(["doctor", "--format", "json"]).json();
    let checks = report["checks"].as_array().unwrap();
    let isolation = checks.iter().find(|check| check["topic"] == "isolation");
    isolation.is_some_and(|check| check["state"] == "good")
}

#[test]
fn the_transcripts_are_what_their_script_prints() {
    if !has_tool("python3", "python3", &["--version"]) {
        return;
    }
    let script = root().join("docs/troubleshooting.sh");
    let program = Program::new("sh", &root()).without_cargo();
    let finished = Finished::of(program.args([script]).env("FTL", FTL)).ends(0);
    if !is_isolated() {
        return;
    }
    let path = root().join("docs/troubleshooting.md");
    let page = fs::read_to_string(&path).unwrap();
    let (written, printed) = page.split_once(MARK).expect(MARK);
    if printed != finished.stdout {
        let differing =
            printed.lines().zip(finished.stdout.lines()).find(|(page, now)| page != now);
        fs::write(&path, format!("{written}{MARK}{}", finished.stdout)).unwrap();
        panic!(
            "the transcripts in docs/troubleshooting.md were stale, and are rewritten: {differing:#?}"
        );
    }
}
