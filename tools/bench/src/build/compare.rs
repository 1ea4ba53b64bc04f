//! The build beside that of another revision: both programs take turns, and each pair gives a ratio.
//!
//! What disturbs the machine for a moment disturbs both of a pair. The ratios are printed with their spread, so that a
//! reader sees whether a difference is one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ftl_testkit::build::target_directory;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::{Result, root};

use super::{build, count_syncs, project};

/// Pairs of each command.
const PAIRS: usize = 200;

/// Builds `revision` too, measures both and renders a table.
pub(crate) fn with(revision: &str, ftl: &Path, scratch: &Path) -> Result<String> {
    let other = built(revision, scratch)?;
    let memory = Scratch::in_memory("bench")?;
    let mut text =
        format!("{revision} and the working tree, {PAIRS} pairs; times in milliseconds\n\n");
    text.push_str("| command | before | after | after / before, median | 10 % to 90 % |\n|---|---|---|---|---|\n");
    let start = |ftl: &Path, _: usize| Ok(Program::new(ftl, scratch).args(["--version"]));
    row(&mut text, "`ftl --version`", &pairs([&other, ftl], start)?)?;
    let on_disk = |ftl: &Path, number: usize| {
        let mine = project(scratch, &format!("pair-{number}"))?;
        Ok(build(ftl, &mine, scratch))
    };
    row(&mut text, "`ftl build`", &pairs([&other, ftl], on_disk)?)?;
    let in_memory = |ftl: &Path, number: usize| {
        let mine = project(memory.path(), &format!("pair-{number}"))?;
        Ok(build(ftl, &mine, memory.path()))
    };
    row(&mut text, "`ftl build` in memory", &pairs([&other, ftl], in_memory)?)?;
    let counts = [count_syncs(&other, scratch)?, count_syncs(ftl, scratch)?];
    if let [Some(before), Some(after)] = counts {
        writeln!(text, "| syncs | {before} | {after} | | |")?;
    }
    Ok(text)
}

/// Builds a revision in a separate work tree.
fn built(revision: &str, scratch: &Path) -> Result<PathBuf> {
    let (tree, target) = (scratch.join("revision"), target_directory()?.join("compare"));
    let git = || Program::git(&root()).args(["worktree"]);
    git().args(["add", "--quiet", "--detach"]).args([&tree]).args([revision]).run()?;
    let cargo = Program::cargo_in(&tree).args(["build", "--quiet", "--locked", "--release"]);
    let done = cargo.args(["--package", "ftl-task", "--target-dir"]).args([&target]).run();
    git().args(["remove", "--force"]).args([&tree]).run()?;
    done?;
    let program = scratch.join("ftl-before");
    std::fs::copy(target.join("release/ftl"), &program)?;
    Ok(program)
}

/// Times both programs in turn; which of the two goes first changes from pair to pair.
fn pairs(
    programs: [&Path; 2],
    mut made: impl FnMut(&Path, usize) -> Result<Program>,
) -> Result<Vec<[Duration; 2]>> {
    let mut pairs = Vec::new();
    for number in 0..PAIRS {
        let mut pair = [Duration::ZERO; 2];
        for turn in 0..2 {
            let which = (number + turn) % 2;
            let program = made(programs[which], 2 * number + which)?.silent();
            let begun = Instant::now();
            program.run()?;
            pair[which] = begun.elapsed();
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

fn row(text: &mut String, name: &str, pairs: &[[Duration; 2]]) -> Result {
    let of = |which: usize| pairs.iter().map(|pair| pair[which].as_secs_f64() * 1e3).collect();
    let ratios = pairs.iter().map(|[before, after]| after.as_secs_f64() / before.as_secs_f64());
    let (before, after, ratios) = (of(0), of(1), ratios.collect::<Vec<f64>>());
    let (before, after) = (tenth(before, 5), tenth(after, 5));
    let [low, middle, high] = [1, 5, 9].map(|tenths| tenth(ratios.clone(), tenths));
    writeln!(text, "| {name} | {before:.2} | {after:.2} | {middle:.2} | {low:.2} to {high:.2} |")?;
    Ok(())
}

fn tenth(mut values: Vec<f64>, tenths: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() * tenths / 10).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::row;

    #[test]
    fn ratios_are_those_of_pairs_and_not_of_medians() {
        let pair = |before, after| [Duration::from_millis(before), Duration::from_millis(after)];
        let mut text = String::new();
        row(&mut text, "x", &[pair(10, 5), pair(100, 50), pair(20, 10)]).unwrap();
        assert_eq!(text, "| x | 20.00 | 10.00 | 0.50 | 0.50 to 0.50 |\n");
    }
}
