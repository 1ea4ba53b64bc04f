//! Workplaces: the first copy of a tree, beside `cp -a`, and making one ready for its next task.
//!
//! They are timed by the example `workplace_rate` of `ftl-tree`, whose lines are rendered here.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::page::reached;
use crate::sample::Sample;

/// Files of the trees, and milliseconds that a refresh may take.
const TREES: [(usize, f64); 2] = [(5_000, 100.0), (50_000, 800.0)];

/// Measures and renders.
pub(crate) fn part(_ftl: &Path, scratch: &Path) -> Result<String> {
    let mut page = String::from(
        "## Workplaces\n\n\
         A workplace is the copy of the tree in which an agent works. Committed trees, files of 8 KB; 50 of them were\n\
         replaced before each refresh. Milliseconds; of a refresh the median and the fastest. `cp -a` copies\n\
         git's objects too, which workplaces share.\n\n\
         | files | `cp -a` | first copy | refresh | fastest | target | met |\n\
         |---:|---:|---:|---:|---:|---:|---|\n",
    );
    for (files, most) in TREES {
        let dir = scratch.join(files.to_string());
        fs::create_dir_all(&dir)?;
        let printed = Program::cargo()
            .args([
                "run",
                "--quiet",
                "--release",
                "--package",
                "ftl-tree",
                "--example",
                "workplace_rate",
            ])
            .args(["--", &dir.display().to_string(), &files.to_string()])
            .text()?;
        fs::remove_dir_all(&dir)?;
        let mut lines = printed.lines();
        let first = lines.next().and_then(|line| line.split_once(' '));
        let (copied, made) = first.ok_or("no figures of the first copy")?;
        let mut refreshes = Sample::default();
        for line in lines {
            refreshes.add(Duration::from_secs_f64(line.parse::<f64>()? / 1e3));
        }
        let (median, fastest) = (refreshes.median(), refreshes.fastest());
        let met = reached(median <= most);
        writeln!(
            page,
            "| {files} | {copied} | {made} | {median:.1} | {fastest:.1} | {most} | {met} |"
        )?;
    }
    Ok(page)
}
