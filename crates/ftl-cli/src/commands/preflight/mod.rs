//! `ftl preflight`: the syntax of files, without a task.
//!
//! Which files are checked is decided here, whether their syntax is valid in `ftl-preflight`.

mod changed;
mod languages;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_engine::project::{distrust, find, walk};
use ftl_engine::result::{CheckedFile, PreflightReport, Summary};
use ftl_preflight::{Checker, CheckerName, Language, Options, Report, Source, Status, read_source};

use super::scout;
use crate::args::{FindingFormat, PreflightArgs};
use crate::config::{Config, Preflight};
use crate::exit::FAILED;
use crate::failure::Failure;
use crate::render::diagnostics;
use crate::render::findings::{Findings, github, gitlab, junit, sarif};
use crate::render::progress::Progress;
use crate::{CommandResult, globals, output};

/// Bytes of standard input that are read; a checker says that so many are too many.
const MOST_OF_INPUT: u64 = 1 << 27;

/// Said where a project's configuration asks for what only the command line may ask for.
const LITERAL: &str = "the checker `literal` of `ftl.toml` is not used, since it runs what is beside \
    the files: add `--checker literal` if you trust this project";

const COMMANDS: &str = "the commands of `[preflight.commands]` in `ftl.toml` are not run: add `--commands` if \
    you trust this project";

/// Checks the files and prints the verdicts.
pub(crate) fn run(args: &PreflightArgs) -> CommandResult {
    if args.languages {
        return languages::run(args.format);
    }
    let root = find(None, None)?.root().to_owned();
    let config = Config::load(globals::config(), &root)?;
    args.paths.iter().for_each(|path| distrust(path));
    let commands = commands(&config.preflight, &root);
    let options = options(args, config.preflight, &commands);
    let checker = Checker::new(match scout::program() {
        Some(program) => options.with_scout(program, ["scout"]),
        None => options,
    });
    let input = if args.stdin { Some(standard_input(args)?) } else { None };
    let reports = match &input {
        Some((path, bytes)) => {
            let source = Source::new(*path, bytes);
            vec![checker.check_source(match args.language {
                Some(language) => source.with_language(language),
                None => source,
            })]
        }
        None => check_files(args, &checker, &commands)?,
    };
    if !runs_commands(args) && reports.iter().any(|report| commands.has_command(&report.path)) {
        output::warn(&COMMANDS);
    }
    let summary = summary(&reports);
    match args.format {
        FindingFormat::Json => output::json(&PreflightReport {
            files: reports.iter().map(CheckedFile::from).collect(),
            summary,
        })?,
        FindingFormat::Sarif => output::json(&sarif::log(&Findings::of_reports(&reports)))?,
        FindingFormat::Gitlab => output::json(&gitlab::report(&Findings::of_reports(&reports)))?,
        FindingFormat::Github => {
            let shown = github::commands(&Findings::of_reports(&reports));
            output::result(&shown)?;
        }
        FindingFormat::Junit => {
            let findings = Findings::of_reports(&reports);
            output::result(&junit::of_files("ftl preflight", &findings))?;
        }
        FindingFormat::Human => {
            // Read again only where there is something to show. A file that was removed since is
            // shown without its lines.
            let read = |path: &Path| match &input {
                Some((_, bytes)) => bytes.clone(),
                None => read_source(path).unwrap_or_default(),
            };
            let shown = diagnostics::human(&reports, &read);
            output::result(&format!("{shown}{}", count(summary)))?;
        }
    }
    let found = summary.invalid > 0 || args.strict && summary.unchecked > 0;
    Ok(if found { FAILED } else { 0 })
}

/// Options that hold the project's commands, and nothing else: what they know of names is asked even where
/// the commands do not run.
fn commands(config: &Preflight, root: &Path) -> Options {
    let add = |options: Options, (suffix, words): (&String, &Vec<String>)| {
        options.with_command(suffix, words.iter().cloned())
    };
    let none = trusted().with_command_directory(root);
    config.commands.iter().fold(none, add)
}

/// Options with which no program of a project is found by its name.
fn trusted() -> Options {
    Options::default()
        .with_programs(|name| ftl_process::find_program(name), ftl_process::trusted_path)
        .with_interrupt(|| ftl_process::interrupted().is_some())
}

/// The literal checker and the commands run what the project names. A user who only reads a project asks
/// for that on the command line; the project itself has no say in it.
fn options(args: &PreflightArgs, config: Preflight, commands: &Options) -> Options {
    let configured = config.checker.filter(|name| *name != CheckerName::Literal);
    if config.checker != configured && args.checker.is_none() {
        output::warn(&LITERAL);
    }
    let checker = args.checker.map(Into::into).or(configured);
    let options = if runs_commands(args) { commands.clone() } else { trusted() };
    let options = options.with_checker(checker.unwrap_or_default());
    match config.timeout {
        Some(limit) => options.with_timeout(limit),
        None => options,
    }
}

fn runs_commands(args: &PreflightArgs) -> bool {
    args.commands || args.checker.map(CheckerName::from) == Some(CheckerName::Literal)
}

fn check_files(
    args: &PreflightArgs,
    checker: &Checker,
    commands: &Options,
) -> Result<Vec<Report>, Failure> {
    let mut progress = Progress::default();
    // A thread costs as much as the check of a file: none for files that were named.
    if args.changed.is_some() || args.paths.iter().any(|path| path.is_dir()) {
        progress.begin(None, "looking for files");
    }
    let is_known = |path: &Path| commands.has_command(path) || Language::of_file(path).is_some();
    let paths = match &args.changed {
        Some(revision) => changed::files(&args.paths, revision.as_deref(), &is_known)?,
        None => files(&args.paths, &is_known)?,
    };
    if paths.len() > 1 {
        progress.begin(None, "checking files");
    }
    let reports = match args.language {
        None => checker.check_many(&paths),
        Some(language) => as_language(&paths, language, checker)?,
    };
    progress.finish(None);
    Ok(reports)
}

/// Files as they were named, and the known ones below directories, sorted. A file that is
/// named is checked even if no language is known for it: it is unchecked then, and `--strict` fails.
fn files(named: &[PathBuf], is_known: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Failure> {
    refuse_missing(named)?;
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let found = walk::walk(path, is_known)?;
            found.warnings.iter().for_each(|warning| output::warn(warning));
            files.extend(found.files);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn refuse_missing(named: &[PathBuf]) -> Result<(), Failure> {
    let missing = named.iter().filter(|path| !path.exists());
    let missing = missing.map(|path| {
        let message = format!("`{}` does not exist", path.display());
        Failure::usage("usage::missing_file", message)
    });
    Failure::of_all(missing).map_or(Ok(()), Err)
}

fn as_language(
    paths: &[PathBuf],
    language: Language,
    checker: &Checker,
) -> Result<Vec<Report>, Failure> {
    let check = |path: &PathBuf| {
        let bytes = read_source(path).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            Failure::failed("preflight::unreadable", message)
        })?;
        Ok(checker.check_source(Source::new(path, &bytes).with_language(language)))
    };
    paths.iter().map(check).collect()
}

/// Standard input, and the path that is checked in its name.
fn standard_input(args: &PreflightArgs) -> Result<(&Path, Vec<u8>), Failure> {
    let path = match args.paths.as_slice() {
        [] if args.language.is_none() => {
            let message = "the language of standard input is unknown";
            return Err(Failure::usage("usage::language", message)
                .help("add `--language NAME`, or the name of the file that it is"));
        }
        [] => Path::new("-"),
        [path] => path,
        [..] => {
            let message = "`--stdin` checks one file, but several are named";
            return Err(Failure::usage("usage::stdin", message));
        }
    };
    let mut bytes = Vec::new();
    io::stdin().lock().take(MOST_OF_INPUT).read_to_end(&mut bytes).map_err(|error| {
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
    let Summary { valid, invalid, unchecked } = summary;
    format!("{valid} valid, {invalid} invalid, {unchecked} unchecked\n")
}
