//! `cargo xtask evaluate syntax [LANG…] [--full | --check]`: every checker against the languages' own
//! front ends, over real code, over mutants of it, and over conformance suites. With `--files DIRECTORY`, one
//! language against its installed front end.
//!
//! Sources (packages, directories of a suite) are split into a tuning part and a hold-out by a hash
//! of their names. Of the hold-out only numbers are ever shown.

mod checkers;
mod disagreement;
mod engines;
mod installed;
mod languages;
mod limits;
mod measure;
mod mutants;
mod origins;
mod page;
mod rows;
mod tally;
mod verdict;

use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::Language;
use ftl_testkit::program::Program;
use ftl_testkit::{Result, build};

use crate::cache::Cache;
use engines::Engines;
use languages::{LANGUAGES, MeasuredLanguage};
use measure::Measured;

/// How much is looked at.
#[derive(Debug, Clone, Copy)]
struct Size {
    /// Files of one corpus and one part.
    files: usize,
    /// Damaged files of one language and one part.
    mutants: usize,
    /// Files that the checkers with a toolchain see: each costs them a process.
    sample: usize,
    /// Whether only the nearest corpora, the reference and the embedded checker take part.
    is_check: bool,
}

const CHECK: Size = Size { files: 100, mutants: 150, sample: 0, is_check: true };

const USUAL: Size = Size { files: 700, mutants: 500, sample: 60, is_check: false };

const FULL: Size = Size { files: usize::MAX, mutants: 2000, sample: 200, is_check: false };

/// Set for the optimised program, which has the fetched front ends on its `PATH`.
const OPTIMISED: &str = "FTL_EVALUATE_OPTIMISED";

/// Measures the named languages, or all of them; all of them make lab/agreement.md.
///
/// With `--check`, a few files of what the machine has are judged, nothing is written, and a rate
/// beyond its aim is an error. With `--files`, a language is measured on a directory's files.
pub(crate) fn run(words: &[&str]) -> Result {
    let cache = Cache::open()?;
    let engines = Engines { cache: &cache };
    let is_optimised = std::env::var_os(OPTIMISED).is_some();
    if let [language, "--files", directory] = *words {
        let language: Language = language.parse()?;
        return match is_optimised {
            true => installed::measure(language, Path::new(directory), &engines),
            false => optimised(words, installed::tools(language, &engines)?),
        };
    }
    let is_flag = |word: &&str| word.starts_with("--");
    let (flags, names): (Vec<&str>, Vec<&str>) = words.iter().copied().partition(is_flag);
    let size = match flags[..] {
        [] => USUAL,
        ["--full"] => FULL,
        ["--check"] => CHECK,
        _ => return Err(crate::HELP.into()),
    };
    if !size.is_check && !is_optimised {
        return optimised(words, engines.tools()?);
    }
    let mut chosen = chosen(&names)?;
    if size.is_check {
        chosen.retain(|language| language.corpora.iter().any(|it| it.is_near));
    }
    let mut measured = Vec::new();
    for language in chosen {
        let found = measure::language(language, size, &engines)?;
        println!("{}\n{}", page::section(&found, &engines)?, page::disagreements(&found));
        disagreement::write(&found.compared, language.language.name(), cache.directory())?;
        measured.push(found);
    }
    if size.is_check {
        return within_aims(&measured);
    }
    if names.is_empty() {
        let page = page::whole(flags == ["--full"], &engines, &measured)?;
        fs::write(ftl_testkit::root().join("lab/agreement.md"), page)?;
    }
    Ok(())
}

/// Runs the same with an optimised program, which finds front ends in the directories `tools` before others.
fn optimised(words: &[&str], tools: Vec<PathBuf>) -> Result {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(tools.into_iter().chain(std::env::split_paths(&path)))?;
    let program = Program::new(build::program("ftl-evaluate", "release")?, Path::new("."));
    program.env(OPTIMISED, "1").env("PATH", path).args(["syntax"]).args(words).run()
}

/// An error that names every language whose rates on real code and its mutants miss their aims.
fn within_aims(measured: &[Measured]) -> Result {
    let missed = measured.iter().filter(|it| !it.is_within_aims());
    let names: Vec<_> = missed.map(|it| it.language.language.name()).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(format!("more wrong verdicts than are aimed at: {}", names.join(", ")).into())
}

fn chosen(names: &[&str]) -> Result<Vec<&'static MeasuredLanguage>> {
    let find = |name: &&str| {
        let language = LANGUAGES.iter().find(|language| language.language.name() == *name);
        language.ok_or_else(|| format!("`{name}` is measured with `--files DIRECTORY` only").into())
    };
    if names.is_empty() { Ok(LANGUAGES.iter().collect()) } else { names.iter().map(find).collect() }
}
