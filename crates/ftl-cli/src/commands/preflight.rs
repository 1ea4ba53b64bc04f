//! `ftl preflight`: the syntax of files, without a task.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_preflight::{Checker, Language, Options, Report, Source, Status};
use ftl_xml::terminal_text;
use ignore::WalkBuilder;
use serde_json::json;

use crate::args::{Format, PreflightArgs};
use crate::config::Config;
use crate::failure::{FAILED, Failure};
use crate::{Done, output, task};

/// Checks what was named and prints the verdicts.
pub(crate) fn run(args: &PreflightArgs) -> Done {
    let config = Config::load(None, task::layout(None, None)?.root())?;
    let checker = args.checker.map(Into::into).or(config.checker);
    let checker = Checker::new(Options::default().with_checker(checker.unwrap_or_default()));
    let reports = if args.stdin {
        vec![standard_input(args, &checker)?]
    } else {
        let paths = files(&args.paths)?;
        match args.language {
            None => checker.check_many(&paths),
            Some(language) => as_language(&paths, language, &checker)?,
        }
    };
    let tally = Tally::of(&reports);
    output::result(&match args.format {
        Format::Json => json_text(&reports, &tally),
        Format::Human => human_text(&reports, &tally),
    })?;
    let found = tally.invalid > 0 || args.strict && tally.unchecked > 0;
    Ok(if found { FAILED } else { 0 })
}

/// Files as they were named, and those of known languages below directories, sorted.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let missing = named.iter().filter(|path| !path.exists());
    let missing = missing.map(|path| {
        let message = format!("`{}` does not exist", path.display());
        Failure::usage("usage::missing_file", message)
    });
    if let Some(failure) = Failure::of_all(missing) {
        return Err(failure);
    }
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            walk(path, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let walk = WalkBuilder::new(directory)
        .require_git(false)
        .sort_by_file_name(Ord::cmp)
        .build();
    for entry in walk {
        let entry = entry.map_err(|error| Failure::failed("preflight::walk", error.to_string()))?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && Language::of_path(entry.path()).is_some() {
            files.push(entry.into_path());
        }
    }
    Ok(())
}

fn as_language(
    paths: &[PathBuf],
    language: Language,
    checker: &Checker,
) -> Result<Vec<Report>, Failure> {
    let check = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            Failure::failed("preflight::unreadable", message)
        })?;
        Ok(checker.check_source(Source::new(path, &bytes).with_language(language)))
    };
    paths.iter().map(check).collect()
}

fn standard_input(args: &PreflightArgs, checker: &Checker) -> Result<Report, Failure> {
    let path = match args.paths.as_slice() {
        [] if args.language.is_none() => {
            let message = "standard input has no name that tells its language";
            return Err(Failure::usage("usage::language", message)
                .help("add `--language NAME`, or the name of the file that it stands for"));
        }
        [] => Path::new("-"),
        [path] => path,
        [..] => {
            let message = "standard input is one file, and several were named";
            return Err(Failure::usage("usage::stdin", message));
        }
    };
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| {
            let message = format!("cannot read standard input: {error}");
            Failure::failed("preflight::unreadable", message)
        })?;
    let source = Source::new(path, &bytes);
    Ok(checker.check_source(match args.language {
        Some(language) => source.with_language(language),
        None => source,
    }))
}

/// How many files got which verdict.
#[derive(Default)]
struct Tally {
    valid: usize,
    invalid: usize,
    unchecked: usize,
}

impl Tally {
    fn of(reports: &[Report]) -> Self {
        let count = |status| {
            let alike = |report: &&Report| report.status.as_str() == status;
            reports.iter().filter(alike).count()
        };
        Self {
            valid: count("valid"),
            invalid: count("invalid"),
            unchecked: count("unchecked"),
        }
    }
}

fn json_text(reports: &[Report], tally: &Tally) -> String {
    let summary = json!({
        "valid": tally.valid,
        "invalid": tally.invalid,
        "unchecked": tally.unchecked,
    });
    format!("{:#}\n", json!({"files": reports, "summary": summary}))
}

/// A line for each finding and each unchecked file, and one that counts.
fn human_text(reports: &[Report], tally: &Tally) -> String {
    let mut text = String::new();
    for report in reports {
        let path = report.path.display();
        for found in report.diagnostics() {
            let _ = writeln!(
                text,
                "{path}:{}:{}: {}",
                found.line, found.column, found.message
            );
        }
        if let Status::Unchecked { reason } = &report.status {
            let _ = writeln!(text, "{path}: unchecked: {reason}");
        }
    }
    let text = terminal_text(text.as_bytes());
    let Tally {
        valid,
        invalid,
        unchecked,
    } = tally;
    format!("{text}{valid} valid, {invalid} invalid, {unchecked} unchecked\n")
}
