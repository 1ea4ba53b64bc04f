//! The page's part on secrets: throughputs, their ratio, memory.

use std::fmt::Write as _;

use ftl_testkit::Result;

use super::{MEBIBYTES, ROUNDS, RedactRow};
use crate::page::reached;
use crate::sample::Sample;

/// Throughput with everything searched for over that with nothing.
const REACH_RATIO: f64 = 0.7;
/// Peak memory in MiB.
const REACH_MEMORY: u64 = 37;

/// Renders the part.
pub(super) fn render(rows: &[RedactRow]) -> Result<String> {
    let mut page = String::from("## Keeping secrets out of logs\n\n");
    writeln!(
        page,
        "`ftl build 001 --tree`, with a verify command that prints 1 GiB, once with every secret searched for that `ftl` knows and\n\
         three variables, and once with `[redact] off` for all of it. The builds take turns, {ROUNDS} times each; medians of the\n\
         whole build. The log is written and synced in both.\n"
    )?;
    page.push_str("| output | `[redact] off`, MB/s | redacted, MB/s | ratio | peak memory, MiB |\n|---|---:|---:|---:|---:|\n");
    for row in rows {
        let memory = row.resident.map_or("not measured".to_owned(), |kib| (kib >> 10).to_string());
        writeln!(
            page,
            "| {} | {:.0} | {:.0} | {:.2} | {memory} |",
            row.what,
            rate(&row.off),
            rate(&row.on),
            ratio(row)
        )?;
    }
    let least = rows.iter().map(ratio).fold(f64::INFINITY, f64::min);
    let most = rows.iter().filter_map(|row| row.resident).max();
    page.push_str("\n| target | measured | met |\n|---|---|---|\n");
    writeln!(
        page,
        "| at least {REACH_RATIO} of the throughput without redaction | {least:.2}, the least | {} |",
        reached(least >= REACH_RATIO)
    )?;
    if let Some(most) = most {
        writeln!(
            page,
            "| at most {REACH_MEMORY} MiB | {} MiB, the most | {} |",
            most >> 10,
            reached(most <= REACH_MEMORY << 10)
        )?;
    }
    Ok(page)
}

fn ratio(row: &RedactRow) -> f64 {
    row.off.median() / row.on.median()
}

/// In megabytes a second.
fn rate(sample: &Sample) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a gigabyte is exact")]
    let megabytes = (MEBIBYTES << 20) as f64 / 1e6;
    megabytes / (sample.median() / 1e3)
}
