//! How the work grows with a file: twice the text must not take four times as long.
//!
//! Instructions are counted, not seconds, so that a loaded machine changes nothing.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::hostile::{UNITS, languages};
use crate::page::reached;

const SMALL: usize = 24 << 10;
/// Languages that have their parser and measure from another one.
const SHARED: &[&str] = &["js", "jsx", "ts", "d.ts"];
/// Work for twice the text, as a multiple: 2 is linear, and a step may come in between, where a file
/// has tokens enough for its depth to be measured. What is quadratic comes to 4.
const REACH: f64 = 3.0;

/// The section about growth.
pub(super) fn section(ftl: &Path, scratch: &Path) -> Result<String> {
    let mut text = format!(
        "### Growth\n\ncallgrind counts the instructions of `ftl preflight` on {} and on {} KiB of the same patterns, minus those for an empty\n\
         file. A ratio of 2 is linear growth, 4 is quadratic. ",
        SMALL >> 10,
        SMALL >> 9
    );
    if !Program::new("valgrind", scratch).args(["--version"]).succeeds() {
        text.push_str("Not measured: needs valgrind.\n");
        return Ok(text);
    }
    let mut ratios = Vec::new();
    let languages = languages();
    for (extension, start) in languages.iter().filter(|it| !SHARED.contains(&&*it.0)) {
        let file = scratch.join(format!("growth.{extension}"));
        let count = |body: &str| -> Result<f64> {
            fs::write(&file, format!("{start}{body}"))?;
            instructions(ftl, scratch, &file)
        };
        let empty = count("")?;
        for unit in UNITS {
            let small = count(&unit.repeat(SMALL / unit.len()))? - empty;
            let large = count(&unit.repeat(2 * SMALL / unit.len()))? - empty;
            ratios.push((large / small, format!("`.{extension}` of {unit:?}")));
        }
    }
    ratios.sort_by(|one, other| other.0.total_cmp(&one.0));
    let over = ratios.iter().filter(|ratio| ratio.0 > REACH).count();
    writeln!(
        text,
        "{} files. Target: a ratio of at most {REACH}. Met: {}. The steepest:\n\n| file | ratio |\n|---|---|",
        ratios.len(),
        reached(over == 0)
    )?;
    for (ratio, file) in ratios.iter().take(over.max(4)) {
        writeln!(text, "| {} | {ratio:.2} |", file.replace('|', "\\|"))?;
    }
    Ok(text)
}

fn instructions(ftl: &Path, scratch: &Path, file: &Path) -> Result<f64> {
    let output = Program::new("valgrind", scratch)
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args([ftl])
        .args(["preflight", "--checker", "embedded"])
        .args([file])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let counted = said.lines().find_map(|line| line.split_once("Collected :"));
    let (_, number) = counted.ok_or_else(|| format!("valgrind counted nothing: {said}"))?;
    Ok(number.trim().parse()?)
}
