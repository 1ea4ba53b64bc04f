//! `cargo xtask agreement LANG --files DIRECTORY`: a language beside its installed front end, as the table of
//! `ftl-preflight` names both.
//!
//! So a language needs nothing here. The figures go into its folder of cases, from which `cargo xtask docs`
//! makes the table of docs/agreement.md. The disagreements of the tuning part are listed in
//! `target/agreement/disagreements/LANG`; of the hold-out only numbers are shown.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::Language;
use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::cache::Cache;
use crate::checkers::Checkers;
use crate::disagreement::{self, Disagreement};
use crate::engines::{Engine, Engines};
use crate::files;
use crate::rows::{self, FileRow, Sort};
use crate::tally::{Outcome, VerdictTally};
use crate::verdict::{Status, Verdict};

/// Real files of a part, and mutants of them: most front ends cost a process for each.
const REAL: usize = 2_000;
const MUTANTS: usize = 2_000;

/// What the measurement begins with in `agreement.toml`. The lines before it are written by people.
const BEGIN: &str = "\n# Counted by `cargo xtask agreement";

/// Both judges of a language.
struct Judges<'a> {
    language: Language,
    checkers: Checkers,
    engines: Engines<'a>,
}

/// What both said about files.
#[derive(Default)]
struct Judged {
    theirs: Vec<Verdict>,
    /// Of the tuning part and of the hold-out.
    tallies: [VerdictTally; 2],
    disagreements: Vec<Disagreement>,
    /// Files of the tuning part with findings whose places contradict one another.
    misplaced: Vec<PathBuf>,
}

/// Judges the files of a language below a directory, and writes the figures.
///
/// # Errors
///
/// The language is unknown or has no front end, a checker failed, or a file could not be read or written.
pub(crate) fn measure(name: &str, directory: &Path) -> Result {
    let language: Language = name.parse()?;
    let cache = Cache::open()?;
    let engines = Engines::new(&cache);
    let tools = match language {
        // IPython is no part of a Python.
        Language::Notebook => vec![cache.virtual_environment("ipython")?],
        _ => Vec::new(),
    };
    let checkers = Checkers::build(true, cache.directory(), &tools)?;
    let judges = Judges { language, checkers, engines };

    let real_rows = collect(language, directory)?;
    let real = judges.judge(&real_rows)?;
    let valid: Vec<&FileRow> = (real_rows.iter().zip(&real.theirs))
        .filter(|(_, verdict)| verdict.status == Status::Valid)
        .map(|(row, _)| row)
        .collect();
    let scratch = cache.directory().join("mutants").join(name);
    let mutants = judges.judge(&rows::mutants(&valid, MUTANTS, &scratch)?)?;

    let disagreements = [real.disagreements, mutants.disagreements].concat();
    let misplaced = [real.misplaced, mutants.misplaced].concat();
    disagreement::write(&disagreements, &misplaced, name, cache.directory())?;
    let figures = figures(name, &real.tallies, &mutants.tallies)?;
    print!("{figures}");
    let path = ftl_testkit::root()
        .join("crates/ftl-preflight/tests/cases")
        .join(name)
        .join("agreement.toml");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let written = text.split_once(BEGIN).map_or(&*text, |(written, _)| written);
    Ok(fs::write(path, format!("{}\n{figures}", written.trim_end()))?)
}

/// The counts of both parts, as TOML.
fn figures(name: &str, real: &[VerdictTally; 2], mutants: &[VerdictTally; 2]) -> Result<String> {
    let date = Program::new("date", Path::new("/")).args(["-u", "+%Y-%m-%d"]).text()?;
    let mut text = format!("{BEGIN} {name} --files DIRECTORY`.\ndate = \"{}\"\n", date.trim());
    for (part, (real, mutants)) in ["tuning", "hold_out"].iter().zip(real.iter().zip(mutants)) {
        let all = real.merge(*mutants);
        writeln!(
            text,
            "\n[{part}]\nreal = {}\nfalse_rejects = {}\nmutants = {}\ninvalid = {}\nfalse_accepts = {}",
            real.valid,
            all.false_rejects,
            mutants.files(),
            mutants.invalid,
            all.false_accepts,
        )?;
    }
    Ok(text)
}

/// The files of a language, by name or by their `#!` line, each content once, in the order of a hash.
fn collect(language: Language, directory: &Path) -> Result<Vec<FileRow>> {
    let mut found: Vec<(u64, String, PathBuf)> = Vec::new();
    for path in files::all(directory)? {
        if Language::of_file(&path) == Some(language) && fs::metadata(&path)?.len() <= rows::LARGEST
        {
            let relative = path.strip_prefix(directory)?.to_string_lossy().into_owned();
            found.push((files::hash(relative.as_bytes()), relative, path));
        }
    }
    found.sort();
    let (mut seen, mut rows, mut counts) = (HashSet::new(), Vec::new(), [0; 2]);
    for (_, label, path) in found {
        let is_held_out = rows::is_held_out(language.name(), "", rows::source(&label, 1));
        let count = &mut counts[usize::from(is_held_out)];
        if *count < REAL && seen.insert(files::hash(&fs::read(&path)?)) {
            *count += 1;
            rows.push(FileRow { path, label, sort: Sort::Real, is_held_out });
        }
    }
    Ok(rows)
}

impl Judges<'_> {
    /// Counts how the embedded checker agrees with the front end.
    fn judge(&self, rows: &[FileRow]) -> Result<Judged> {
        let paths: Vec<_> = rows.iter().map(|row| row.path.clone()).collect();
        let ours = self.checkers.judge("embedded", None, &paths)?;
        let mut judged = Judged { theirs: self.reference(&paths)?, ..Judged::default() };
        for ((row, ours), theirs) in rows.iter().zip(ours).zip(&judged.theirs) {
            judged.tallies[usize::from(row.is_held_out)].add(&ours.verdict, theirs);
            if row.is_held_out {
                continue;
            }
            if ours.misplaced > 0 {
                judged.misplaced.push(row.path.clone());
            }
            let ours = ours.verdict;
            if ours.status != theirs.status {
                judged.disagreements.push(Disagreement {
                    outcome: Outcome::of(&ours, theirs),
                    label: row.label.clone(),
                    path: row.path.display().to_string(),
                    ours: (ours.line, ours.message),
                    theirs: (theirs.line, theirs.message.clone()),
                });
            }
        }
        Ok(judged)
    }

    /// What the front end says about files: the one that the toolchain checker asks, else one that is fetched.
    fn reference(&self, paths: &[PathBuf]) -> Result<Vec<Verdict>> {
        if self.language.front_end().is_some() {
            let checked = self.checkers.judge("toolchain", None, paths)?;
            return Ok(checked.into_iter().map(|it| it.verdict).collect());
        }
        match self.language {
            Language::GraphQl => self.engines.judge(Engine::NpmGraphQl, paths),
            language => Err(format!("{language} has no front end").into()),
        }
    }
}
