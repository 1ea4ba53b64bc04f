//! `cargo xtask agreement LANG --files DIRECTORY`: a language beside its installed front end, as the table of
//! `ftl-preflight` names both.
//!
//! So a language needs nothing here. The figures go into its folder of cases, from which `cargo xtask docs`
//! makes the table of docs/agreement.md. The disagreements of the tuning part are listed in
//! `target/agreement/disagreements/LANG`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::Language;
use ftl_testkit::Result;

use crate::cache::Cache;
use crate::checkers::{Checked, Checkers};
use crate::disagreement::{self, Disagreement};
use crate::files;
use crate::rows::{self, FileRow, Sort};
use crate::tally::{Outcome, VerdictTally};
use crate::verdict::{Status, Verdict};

/// Real files, and mutants of them: the front end costs a process for each.
const REAL: usize = 2_500;
const MUTANTS_OF_A_PART: usize = 1_000;

/// Judges the files of a language below a directory, and writes the figures.
///
/// # Errors
///
/// The language is unknown or has no front end, a checker failed, or a file could not be read or written.
pub(crate) fn measure(name: &str, directory: &Path) -> Result {
    let language: Language = name.parse()?;
    let front_end = language.front_end().ok_or_else(|| format!("{name} has no front end"))?;
    let cache = Cache::open()?;
    let checkers = Checkers::build(true, cache.directory(), &[])?;
    let (mut disagreements, mut judged) = (Vec::new(), Vec::new());
    let real = collect(language, directory)?;
    let real_tally = judge(&real, &checkers, &mut disagreements, &mut judged)?;
    let valid: Vec<&FileRow> = (real.iter().zip(&judged))
        .filter(|(_, verdict)| verdict.status == Status::Valid)
        .map(|(row, _)| row)
        .collect();
    let mutants =
        rows::mutants(&valid, MUTANTS_OF_A_PART, &cache.directory().join("mutants").join(name))?;
    let mutant_tally = judge(&mutants, &checkers, &mut disagreements, &mut judged)?;
    disagreement::write(&disagreements, &[], name, cache.directory())?;
    println!("{name}, real: {real_tally:?}\nmutants: {mutant_tally:?}");
    let sources: HashSet<&str> = real.iter().map(|row| rows::source(&row.label, 1)).collect();
    let figures = format!(
        "# Real files, and seeded mutants of them, judged by the embedded checker and by the front end.\n\
         front_end = \"`{front_end}`\"\nfiles = \"{} source packages or repositories\"\nreal = {}\nfalse_rejects = {}\n\
         mutants = {}\ninvalid = {}\nfalse_accepts = {}\n",
        sources.len(),
        real_tally.valid,
        real_tally.false_rejects + mutant_tally.false_rejects,
        mutant_tally.files(),
        mutant_tally.invalid,
        real_tally.false_accepts + mutant_tally.false_accepts,
    );
    let cases = ftl_testkit::root().join("crates/ftl-preflight/tests/cases").join(name);
    Ok(fs::write(cases.join("agreement.toml"), figures)?)
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
    let (mut seen, mut rows) = (HashSet::new(), Vec::new());
    for (_, label, path) in found {
        if rows.len() < REAL && seen.insert(files::hash(&fs::read(&path)?)) {
            let is_held_out = rows::is_held_out(language.name(), "", rows::source(&label, 1));
            rows.push(FileRow { path, label, sort: Sort::Real, is_held_out });
        }
    }
    Ok(rows)
}

/// Counts how the embedded checker agrees with the front end, and keeps what the front end said.
fn judge(
    rows: &[FileRow],
    checkers: &Checkers,
    disagreements: &mut Vec<Disagreement>,
    judged: &mut Vec<Verdict>,
) -> Result<VerdictTally> {
    let paths: Vec<_> = rows.iter().map(|row| row.path.clone()).collect();
    let ours = checkers.judge("embedded", None, &paths)?;
    let theirs = checkers.judge("toolchain", None, &paths)?;
    let mut tally = VerdictTally::default();
    for ((row, Checked { verdict: ours, .. }), Checked { verdict: theirs, .. }) in
        rows.iter().zip(&ours).zip(theirs)
    {
        tally.add(ours, &theirs);
        let outcome = Outcome::of(ours, &theirs);
        let is_worth_a_look = matches!(outcome, Outcome::FalseAccept | Outcome::FalseReject)
            || ours.status != theirs.status;
        if is_worth_a_look && !row.is_held_out {
            disagreements.push(Disagreement {
                outcome,
                label: row.label.clone(),
                path: row.path.display().to_string(),
                ours: (ours.line, ours.message.clone()),
                theirs: (theirs.line, theirs.message.clone()),
            });
        }
        judged.push(theirs);
    }
    Ok(tally)
}
