//! Every fuzz target for a while, two at a time.
//!
//! What a target checks is written in fuzz/, a package outside the workspace. The target `languages` is run once
//! for each language of the table that has no separate one.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::Language;
use ftl_testkit::Result;
use ftl_testkit::build::target_directory;
use ftl_testkit::parallel;
use ftl_testkit::program::Program;
use ftl_testkit::sweep::{ONLY, Size};

/// Seconds for one target.
const SAMPLE: usize = 5;
const FULL: usize = 300;

/// The program in `fuzz/targets` that checks the language which the variable `FTL_LANGUAGE` names.
const LANGUAGES: &str = "languages";

/// A program in `fuzz/targets`, or a language for the one that takes any.
struct Target {
    name: &'static str,
    /// A directory with examples, from the repository's top.
    seeds: Cow<'static, str>,
    /// A file in `fuzz/dictionaries`.
    words: Option<&'static str>,
}

/// A target for a language: its name, the folder of its cases, its dictionary.
macro_rules! language {
    ($name:literal, $cases:literal, $words:literal) => {
        Target {
            name: $name,
            seeds: Cow::Borrowed(concat!("crates/ftl-preflight/tests/cases/", $cases)),
            words: Some($words),
        }
    };
}

/// A target for what is parsed beside languages and task files: its name and its seeds.
macro_rules! other {
    ($name:literal, $seeds:literal) => {
        Target { name: $name, seeds: Cow::Borrowed($seeds), words: None }
    };
}

const TARGETS: &[Target] = &[
    other!("configuration", "fuzz/seeds/configuration"),
    language!("declarations", "typescript", "ecmascript"),
    other!("git", "fuzz/seeds/git"),
    language!("go", "go", "go"),
    language!("javascript", "javascript", "ecmascript"),
    other!("journal", "fuzz/seeds/journal"),
    language!("json", "json", "data"),
    language!("jsonc", "jsonc", "data"),
    language!("jsx", "jsx", "ecmascript"),
    other!("output", "crates/ftl-analysis/tests/cases/errors"),
    other!("patch", "tests/fixtures/patches/applied"),
    other!("pattern", "fuzz/seeds/pattern"),
    language!("python", "python", "python"),
    other!("redaction", "fuzz/seeds/redaction"),
    other!("reply", "fuzz/seeds/reply"),
    language!("rust", "rust", "rust"),
    language!("toml", "toml", "data"),
    language!("tsx", "tsx", "ecmascript"),
    language!("typescript", "typescript", "ecmascript"),
    Target {
        name: "workspace",
        seeds: Cow::Borrowed("crates/ftl-xml/tests/cases/parse"),
        words: Some("xml"),
    },
    language!("yaml", "yaml", "data"),
];

/// Builds the targets and runs each.
pub(super) fn run(size: Size) -> Result {
    let target = target_directory()?.join("fuzz");
    let named = std::env::var(ONLY).unwrap_or_default();
    let named: Vec<&str> = named.split(';').filter(|name| !name.is_empty()).collect();
    let chosen = |row: &&Target| named.is_empty() || named.contains(&row.name);
    let others = languages();
    let rows: Vec<&Target> = TARGETS.iter().chain(&others).filter(chosen).collect();
    let programs: BTreeSet<&str> = rows.iter().map(|row| row.program()).collect();
    let bins = programs.iter().flat_map(|name| ["--bin", name]);
    let words: Vec<&str> = std::iter::once("build").chain(bins).collect();
    cargo(&target, &words).run()?;
    let seconds = match std::env::var("FTL_SECONDS") {
        Ok(seconds) => seconds.parse()?,
        Err(_) => size.pick(SAMPLE, FULL),
    };
    let failed = parallel::map(
        2,
        &rows,
        || Ok(()),
        |(), row| {
            Ok(match fuzz(row, &target, seconds) {
                Ok(runs) => {
                    println!("{:14} {runs:>10} inputs, nothing found", row.name);
                    None
                }
                Err(error) => Some(format!("{}: {error}", row.name)),
            })
        },
    )?;
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

/// The languages of the table without a separate program.
fn languages() -> Vec<Target> {
    let others = Language::all().filter(|it| TARGETS.iter().all(|row| row.name != it.name()));
    let target = |language: Language| Target {
        name: language.name(),
        seeds: Cow::Owned(format!("crates/ftl-preflight/tests/cases/{language}")),
        words: None,
    };
    others.map(target).collect()
}

impl Target {
    fn program(&self) -> &'static str {
        if TARGETS.iter().any(|row| row.name == self.name) { self.name } else { LANGUAGES }
    }
}

fn cargo(target: &Path, command: &[&str]) -> Program {
    Program::new("cargo", &ftl_testkit::root().join("fuzz"))
        .without_cargo()
        .args(command)
        .args(["--release", "--quiet", "--target-dir"])
        .args([target])
}

/// Runs a target and gives the number of inputs that it tried.
fn fuzz(row: &Target, target: &Path, seconds: usize) -> Result<usize> {
    let kept = |kind: &str| -> Result<PathBuf> {
        let directory = ftl_testkit::root().join("fuzz").join(kind).join(row.name);
        fs::create_dir_all(&directory)?;
        Ok(directory)
    };
    let mut program = cargo(target, &["run", "--bin", row.program()])
        .env("FTL_LANGUAGE", row.name)
        .args(["--"])
        .args([kept("corpus")?, ftl_testkit::root().join(&*row.seeds)])
        .args([format!("-artifact_prefix={}/", kept("artifacts")?.display())])
        .args([format!("-max_total_time={seconds}")])
        .args(["-timeout=10", "-rss_limit_mb=4096", "-print_final_stats=1"]);
    if let Some(words) = row.words {
        let words = ftl_testkit::root().join(format!("fuzz/dictionaries/{words}.dict"));
        program = program.args([format!("-dict={}", words.display())]);
    }
    let output = program.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let runs = said
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .and_then(|number| number.trim().parse().ok());
    match runs {
        Some(runs) if output.status.success() => Ok(runs),
        _ => {
            let lines: Vec<_> = said.lines().collect();
            let last = lines.len().saturating_sub(40);
            Err(lines[last..].join("\n").into())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{LANGUAGES, TARGETS, languages};

    #[test]
    fn every_target_is_in_the_table_and_has_its_seeds() {
        let fuzz = ftl_testkit::root().join("fuzz");
        let mut names: Vec<_> = fs::read_dir(fuzz.join("targets"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        let listed = TARGETS.iter().map(|row| row.name.to_owned());
        let mut listed: Vec<String> = listed.chain([LANGUAGES.to_owned()]).collect();
        listed.sort();
        assert_eq!(names, listed);
        for row in TARGETS.iter().chain(&languages()) {
            assert!(ftl_testkit::root().join(&*row.seeds).is_dir(), "{}", row.seeds);
            if let Some(words) = row.words {
                assert!(fuzz.join(format!("dictionaries/{words}.dict")).is_file());
            }
        }
    }
}
