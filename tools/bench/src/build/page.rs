//! The page's part on whole builds: the figures, the aims, and which were missed.
//!
//! It only renders; `build` measures.

use std::fmt::Write as _;

use ftl_testkit::Result;

use crate::build::{Figures, ROUNDS};
use crate::page::reached;
use crate::sample::Sample;

/// More than `sh -c true`, in milliseconds.
const REACH_BUILD: f64 = 5.0;
/// `ftl --version` more than an empty C program, in milliseconds.
const REACH_START: f64 = 1.0;
/// Resident, in MiB.
const REACH_RESIDENT: f64 = 24.0;
/// How many times slower the script is.
const REACH_SCRIPT: f64 = 20.0;

/// Renders the part.
pub(super) fn render(figures: &Figures) -> Result<String> {
    let mut page = String::from("## One whole build\n\n");
    writeln!(
        page,
        "`ftl build 001 --tree` builds a task with one Python file and the verify command `true`, without git. The commands take\n\
         turns, {ROUNDS} times each, and every build has its own directory. Times in milliseconds.\n"
    )?;
    page.push_str("| command | median | 90th percentile |\n|---|---|---|\n");
    let row = |page: &mut String, name: &str, sample: &Sample| {
        let (median, ninth) = (sample.median(), sample.ninth_decile());
        writeln!(page, "| {name} | {median:.2} | {ninth:.2} |")
    };
    row(&mut page, "`sh -c true`", &figures.shell)?;
    if let Some((nothing, start)) = &figures.start {
        row(&mut page, "a C program that does nothing", nothing)?;
        row(&mut page, "`ftl --version`", start)?;
    }
    row(&mut page, "`ftl build`", &figures.build)?;
    row(&mut page, "`ftl build` on a file system in memory", &figures.in_memory)?;
    row(&mut page, "one 4 KiB write with fsync, same directory", &figures.sync)?;
    if let Some(script) = &figures.script {
        row(&mut page, "parse and complete in Python", script)?;
    }
    aims(&mut page, figures)?;
    page.push_str(
        "\nThe Python figure is for a script that uses ElementTree for parse (read, print JSON) and complete (read, set, write,\n\
         remove), in one process each. Memory is the peak that the kernel reports, with what the starting process held at the fork.\n",
    );
    Ok(page)
}

/// The table of targets.
fn aims(page: &mut String, figures: &Figures) -> Result {
    page.push_str("\n| target | measured | met |\n|---|---|---|\n");
    let more = figures.build.median() - figures.shell.median();
    let syncs = figures.syncs.map_or_else(
        || "syncs not counted: needs strace".to_owned(),
        |syncs| {
            let cost = figures.sync.median() * f64::from(u32::try_from(syncs).unwrap_or(u32::MAX));
            format!("of which {syncs} syncs cost about {cost:.2} ms")
        },
    );
    writeln!(
        page,
        "| at most {REACH_BUILD} ms more than `sh -c true` | {more:.2} ms more, {syncs} | {} |",
        reached(more <= REACH_BUILD)
    )?;
    if let Some((nothing, start)) = &figures.start {
        let more = start.median() - nothing.median();
        writeln!(
            page,
            "| `ftl --version` at most {REACH_START} ms more than a C program that does nothing | {more:.2} ms more | {} |",
            reached(more <= REACH_START)
        )?;
    }
    if let Some(kib) = figures.resident {
        let mib = kib as f64 / 1024.0;
        writeln!(
            page,
            "| at most {REACH_RESIDENT} MiB resident | {mib:.1} MiB | {} |",
            reached(mib <= REACH_RESIDENT)
        )?;
    }
    if let Some(script) = &figures.script {
        let ratio = script.median() / figures.build.median();
        writeln!(
            page,
            "| Python at least {REACH_SCRIPT} times slower | {ratio:.1} times | {} |",
            reached(ratio >= REACH_SCRIPT)
        )?;
    }
    Ok(())
}
