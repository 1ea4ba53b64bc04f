//! `ftl preflight`: the syntax of files, without a task.
//!
//! Which files are checked is decided here, whether their syntax is valid in `ftl-preflight`.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_engine::project::find;
use ftl_engine::result::{CheckedFile, PreflightReport, Summary};
use ftl_preflight::{Checker, Language, Options, Report, Source, Status};
use ignore::WalkBuilder;

use super::scout;
use crate::args::{Format, PreflightArgs};
use crate::config::Config;
use crate::exit::FAILED;
use crate::failure::Failure;
use crate::render::diagnostics;
use crate::render::progress::Progress;
use crate::{CommandResult, output};

/// Checks the files and prints the verdicts.
pub(crate) fn run(args: &PreflightArgs) -> CommandResult {
    let config = Config::load(None, find(None, None)?.root())?;
    let checker = args.checker.map(Into::into).or(config.checker);
    let options = Options::default().with_checker(checker.unwrap_or_default());
    let checker = Checker::new(match scout::program() {
        Some(program) => options.with_scout(program, ["scout"]),
        None => options,
    });
    let input = if args.stdin {
        Some(standard_input(args)?)
    } else {
        None
    };
    let reports = match &input {
        Some((path, bytes)) => {
            let source = Source::new(*path, bytes);
            vec![checker.check_source(match args.language {
                Some(language) => source.with_language(language),
                None => source,
            })]
        }
        None => check_files(args, &checker)?,
    };
    let summary = summary(&reports);
    match args.format {
        Format::Json => output::json(&PreflightReport {
            files: reports.iter().map(CheckedFile::from).collect(),
            summary,
        })?,
        Format::Human => {
            // Read again only where there is something to show. A file that was removed meanwhile is
            // shown without its lines.
            let read = |path: &Path| match &input {
                Some((_, bytes)) => bytes.clone(),
                None => fs::read(path).unwrap_or_default(),
            };
            let shown = diagnostics::human(&reports, &read);
            output::result(&format!("{shown}{}", count(summary)))?;
        }
    }
    let found = summary.invalid > 0 || args.strict && summary.unchecked > 0;
    Ok(if found { FAILED } else { 0 })
}

fn check_files(args: &PreflightArgs, checker: &Checker) -> Result<Vec<Report>, Failure> {
    let mut progress = Progress::default();
    progress.begin("looking for files");
    let paths = files(&args.paths)?;
    progress.begin("checking files");
    let reports = match args.language {
        None => checker.check_many(&paths),
        Some(language) => as_language(&paths, language, checker)?,
    };
    progress.finish();
    Ok(reports)
}

/// Files as they were named, and those of known languages below directories, sorted. A file that is
/// named is checked even if no language is known for it: it is unchecked then, and `--strict` fails.
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

/// Files of known languages below a directory, without hidden ones and those that a `.gitignore` names,
/// in a repository or not.
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

/// Standard input, and the path that it stands for.
fn standard_input(args: &PreflightArgs) -> Result<(&Path, Vec<u8>), Failure> {
    let path = match args.paths.as_slice() {
        [] if args.language.is_none() => {
            let message = "the language of standard input is unknown";
            return Err(Failure::usage("usage::language", message)
                .help("add `--language NAME`, or the name of the file that it stands for"));
        }
        [] => Path::new("-"),
        [path] => path,
        [..] => {
            let message = "`--stdin` checks one file, but several are named";
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
    Ok((path, bytes))
}

/// How many files have which verdict.
fn summary(reports: &[Report]) -> Summary {
    let mut summary = Summary::default();
    for report in reports {
        match report.status {
            Status::Valid => summary.valid += 1,
            Status::Invalid { .. } => summary.invalid += 1,
            // A file that no checker looked at must never count as valid.
            _ => summary.unchecked += 1,
        }
    }
    summary
}

/// `2 valid, 1 invalid, 0 unchecked`, as a line.
fn count(summary: Summary) -> String {
    let Summary {
        valid,
        invalid,
        unchecked,
    } = summary;
    format!("{valid} valid, {invalid} invalid, {unchecked} unchecked\n")
}
