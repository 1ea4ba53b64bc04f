//! Differences between two runs, as unified diffs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::seen::Seen;
use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Lines of one diff that are shown; the others are counted.
const SHOWN: usize = 60;

/// A diff of every artefact that differs, made by `diff` in `directory`.
///
/// # Errors
///
/// `diff` could not be run.
pub(super) fn differences(first: &Seen, second: &Seen, directory: &Path) -> Result<Vec<String>> {
    let names: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
    let differing = names.into_iter().filter(|name| first.get(*name) != second.get(*name));
    differing
        .map(|name| {
            let text = |seen: &Seen| seen.get(name).map_or_else(String::new, |bytes| lines(bytes));
            diff(name, &text(first), &text(second), directory)
        })
        .collect()
}

/// Lines short enough to be compared: an object in one line gets a line for each member.
fn lines(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split_inclusive('\n').map(|line| match line.starts_with('{') {
        true => line.replace(",\"", ",\n  \""),
        false => line.to_owned(),
    });
    lines.collect()
}

fn diff(name: &str, first: &str, second: &str, directory: &Path) -> Result<String> {
    fs::write(directory.join("first"), first)?;
    fs::write(directory.join("second"), second)?;
    let labels = [format!("--label=FTL: {name}"), format!("--label=PROGRAM: {name}")];
    let program = Program::new("diff", directory).args(["-a", "-U2"]);
    let output = program.args(labels).args(["first", "second"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(match text.lines().count() {
        0 => format!("{name}: bytes that are no text differ\n"),
        count if count <= SHOWN => text,
        count => {
            let shown: Vec<&str> = text.lines().take(SHOWN).collect();
            format!("{}\n… {} more lines\n", shown.join("\n"), count - SHOWN)
        }
    })
}
