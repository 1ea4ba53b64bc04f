//! `cargo xtask evaluate syntax LANG --files DIRECTORY`: a language beside the programs that read its files in
//! projects: its installed front end, as the table of `ftl-preflight` names it, or others.
//!
//! So a language needs nothing here unless its front end is not what reads its files. The figures go into its folder of cases, from which `cargo xtask docs`
//! makes the table of lab/agreement.md. The disagreements of the tuning part are listed in
//! `target/evaluate/disagreements/LANG`; of the hold-out only numbers are shown.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::{CheckerName, Language};
use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::disagreement::{self, Compared};
use super::engines::{Engine, Engines};
use super::languages::{Corpus, real};
use super::measure::{paths, tally, valid};
use super::origins::Origin;
use super::tally::VerdictTally;
use super::verdict::{Status, Verdict};
use super::{checkers, rows};

/// Real files of a part, and mutants of them: most front ends cost a process for each.
const REAL: usize = 2_000;
const MUTANTS: usize = 2_000;

/// What the measurement begins with in `agreement.toml`. The lines before it are written by people.
const BEGIN: &str = "\n# Counted by `cargo xtask evaluate syntax";

const CORPUS: Corpus = real("", Origin::Named, 1);

/// Judges the files of a language below a directory, and writes the figures.
pub(crate) fn measure(language: Language, directory: &Path, engines: &Engines<'_>) -> Result {
    let name = language.name();
    let real = rows::of_corpus(language, &CORPUS, directory, REAL, &mut HashSet::new())?;
    let reference = reference(language, engines, &paths(&real))?;
    let damaged = rows::mutants(&valid(&real, &reference), MUTANTS, &engines.cache.mutants(name))?;
    let mutants = (&damaged, &self::reference(language, engines, &paths(&damaged))?);
    let mut compared = Compared::default();
    let mut tallies = Vec::new();
    for (rows, theirs) in [(&real, &reference), mutants] {
        let ours = checkers::judge(CheckerName::Embedded, None, &paths(rows));
        compared.add(rows, &ours, theirs);
        tallies.push([false, true].map(|held_out| tally((None, held_out), rows, &ours, theirs)));
    }
    disagreement::write(&compared, name, engines.cache.directory())?;
    let figures = figures(name, &tallies[0], &tallies[1])?;
    print!("{figures}");
    let cases = ftl_testkit::root().join("crates/ftl-preflight/tests/cases").join(name);
    let path = cases.join("agreement.toml");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let written = text.split_once(BEGIN).map_or(&*text, |(written, _)| written);
    Ok(fs::write(path, format!("{}\n{figures}", written.trim_end()))?)
}

/// Directories with front ends of a language that are fetched.
pub(crate) fn tools(language: Language, engines: &Engines<'_>) -> Result<Vec<PathBuf>> {
    Ok(match language {
        // IPython is no part of a Python.
        Language::Notebook => vec![engines.cache.virtual_environment("ipython")?],
        _ => Vec::new(),
    })
}

/// The programs that read such files in projects; one that accepts a file is enough. None where that is the
/// front end that the toolchain checker asks.
fn readers(language: Language) -> &'static [Engine] {
    match language {
        Language::Astro => &[Engine::ASTRO],
        // What is on the machine may be older than the syntax of the files.
        Language::Go => &[Engine::GO_PARSER],
        Language::GraphQl => &[Engine::NPM_GRAPHQL],
        // A bundler reads most of them, and node the rest.
        Language::JavaScript => &[Engine::BABEL_PROJECT],
        Language::Json => &[Engine::PYTHON_JSON],
        Language::Json5 => &[Engine::NPM_JSON5],
        Language::Jsx => &[Engine::BABEL_JSX],
        Language::Python => &[Engine::NEWER_CPYTHON],
        Language::Ruby => &[Engine::PRISM],
        Language::Svelte => &[Engine::SVELTE],
        Language::Toml => &[Engine::NPM_TOML, Engine::PYTHON_TOML],
        Language::Tsx | Language::TypeScript => &[Engine::TYPESCRIPT_GRAMMAR],
        Language::Vue => &[Engine::VUE],
        Language::Yaml => &[Engine::NPM_YAML, Engine::PYTHON_YAML, Engine::NPM_JS_YAML],
        _ => &[],
    }
}

/// The verdicts of the programs that read such files; of two that refuse one, the first one's.
fn reference(language: Language, engines: &Engines<'_>, paths: &[PathBuf]) -> Result<Vec<Verdict>> {
    let Some((first, others)) = readers(language).split_first() else {
        if language.front_end().is_none() {
            return Err(format!("{language} has no front end").into());
        }
        let checked = checkers::judge(CheckerName::Toolchain, None, paths).into_iter();
        return Ok(checked.map(|it| it.verdict).collect());
    };
    let mut verdicts = engines.judge(*first, paths)?;
    for reader in others {
        let theirs = engines.judge(*reader, paths)?;
        for (verdict, other) in verdicts.iter_mut().zip(theirs) {
            if other.status == Status::Valid {
                *verdict = other;
            }
        }
    }
    Ok(verdicts)
}

/// The counts of both parts, as TOML.
fn figures(name: &str, real: &[VerdictTally; 2], mutants: &[VerdictTally; 2]) -> Result<String> {
    let date = Program::new("date", Path::new("/")).args(["-u", "+%Y-%m-%d"]).text()?;
    let mut text = format!("{BEGIN} {name} --files DIRECTORY`.\ndate = \"{}\"\n", date.trim());
    for (part, (real, mutants)) in ["tuning", "hold_out"].iter().zip(real.iter().zip(mutants)) {
        writeln!(
            text,
            "\n[{part}]\nreal = {}\nfalse_rejects = {}\nmutants = {}\ninvalid = {}\nfalse_accepts = {}\n\
             rejected_mutants = {}",
            real.valid,
            real.false_rejects,
            mutants.files(),
            mutants.invalid,
            real.false_accepts + mutants.false_accepts,
            mutants.false_rejects,
        )?;
    }
    Ok(text)
}
