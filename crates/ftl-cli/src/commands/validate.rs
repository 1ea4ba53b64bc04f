//! `ftl workspace validate`: every problem of task files, each at its place.
//!
//! What is a problem, `ftl_engine::validate` decides.

use std::fmt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ftl_engine::project::{WorkspaceFile, find, read};
use ftl_engine::result::{ValidatedFile, Validation};
use ftl_engine::validate::validate;
use ftl_text::terminal_text;
use ftl_xml::{Problem, Severity};
use miette::{Diagnostic, LabeledSpan, SourceCode};

use crate::args::{FindingFormat, ValidateArgs};
use crate::config::Config;
use crate::exit::FAILED;
use crate::failure::{Failure, Snippet};
use crate::render::findings::{Findings, github, gitlab, junit, sarif};
use crate::{CommandResult, globals, output, workspace_file};

/// Problems of one file that are shown; the rest are only counted. A hostile file can have thousands.
const DRAWN: usize = 100;

/// Lists what is wrong.
pub(crate) fn run(args: &ValidateArgs) -> CommandResult {
    let paths = paths(args)?;
    let sources = sources(&paths)?;
    let mut files = Vec::new();
    for (path, source) in &sources {
        let layout = find(globals::root(), Some(path))?;
        // A configuration that can't be read is for a build to refuse.
        let config = Config::load(globals::config(), layout.root()).unwrap_or_default();
        let rules = config.rules(layout.root()).unwrap_or_default();
        let problems = validate(source, path, layout.root(), &config.verify.env, &rules);
        if args.format == FindingFormat::Human {
            draw(path, source, &problems);
        }
        files.push(ValidatedFile { path: path.to_string_lossy().into_owned(), problems });
    }
    let validation = Validation { files };
    match args.format {
        FindingFormat::Json => output::json(&validation)?,
        FindingFormat::Human => output::result(&counts(&validation))?,
        FindingFormat::Sarif => output::json(&sarif::log(&Findings::of_files(&validation.files)))?,
        FindingFormat::Gitlab => {
            output::json(&gitlab::report(&Findings::of_files(&validation.files)))?;
        }
        FindingFormat::Junit => {
            let findings = Findings::of_files(&validation.files);
            output::result(&junit::of_files("ftl workspace validate", &findings))?;
        }
        FindingFormat::Github => {
            output::result(&github::commands(&Findings::of_files(&validation.files)))?;
        }
    }
    let is_clean = validation.files.iter().all(|file| file.problems.is_empty());
    Ok(if is_clean { 0 } else { FAILED })
}

/// The task files that are meant.
fn paths(args: &ValidateArgs) -> Result<Vec<PathBuf>, Failure> {
    let root = globals::root();
    if args.paths.is_empty() {
        let active = WorkspaceFile::all_active(&find(root, None)?)?;
        return Ok(active.into_iter().map(|task| task.path).collect());
    }
    args.paths.iter().map(|path| workspace_file::path_of(path, root)).collect()
}

/// All files. They are read first, so that a mistyped path fails before anything is printed.
fn sources(paths: &[PathBuf]) -> Result<Vec<(&Path, Vec<u8>)>, Failure> {
    let mut sources = Vec::new();
    let mut failures: Vec<Failure> = Vec::new();
    for path in paths {
        match read(path) {
            Ok(bytes) => sources.push((path.as_path(), bytes)),
            Err(error) => failures.push(error.into()),
        }
    }
    Failure::of_all(failures).map_or(Ok(sources), Err)
}

/// A line for each file and, for several, one with totals.
fn counts(validation: &Validation) -> String {
    let mut text = String::new();
    let mut all = ProblemTally::default();
    for file in &validation.files {
        let tally = ProblemTally::of(&file.problems);
        let path = terminal_text(file.path.as_bytes());
        let _ = writeln!(text, "{path}: {tally}");
        all.errors += tally.errors;
        all.warnings += tally.warnings;
    }
    match validation.files.len() {
        1 => text,
        count => format!("{text}{count} files: {all}\n"),
    }
}

/// How many problems there are of which kind.
#[derive(Clone, Copy, Debug, Default)]
struct ProblemTally {
    errors: usize,
    warnings: usize,
}

impl ProblemTally {
    fn of(problems: &[Problem]) -> Self {
        let is_error = |problem: &&Problem| problem.severity == Severity::Error;
        let errors = problems.iter().filter(is_error).count();
        Self { errors, warnings: problems.len() - errors }
    }
}

impl fmt::Display for ProblemTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        match (self.errors, self.warnings) {
            (0, 0) => f.write_str("no problems"),
            (errors, 0) => f.write_str(&counted(errors, "error")),
            (0, warnings) => f.write_str(&counted(warnings, "warning")),
            (errors, warnings) => {
                let warnings = counted(warnings, "warning");
                write!(f, "{}, {warnings}", counted(errors, "error"))
            }
        }
    }
}

/// Shows the problems of a file on its text.
pub(super) fn draw(path: &Path, source: &[u8], problems: &[Problem]) {
    let name = terminal_text(path.as_os_str().as_encoded_bytes());
    // Offsets would point elsewhere in a text that had to be decoded first.
    let text = std::str::from_utf8(source).ok();
    for problem in problems.iter().take(DRAWN) {
        let snippet = text.map(|text| Snippet::new(&name, text, problem.place));
        let name = &name;
        output::diagnose(&Drawn { problem, name, snippet });
    }
    if let Some(more) = problems.len().checked_sub(DRAWN).filter(|&more| more > 0) {
        output::message(&format!("{name}: {more} more, which `--format json` lists"));
    }
}

/// A problem on its source.
#[derive(Debug)]
struct Drawn<'a> {
    problem: &'a Problem,
    name: &'a str,
    snippet: Option<Snippet>,
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)?;
        match self.snippet {
            Some(_) => Ok(()),
            None => {
                let place = self.problem.place;
                write!(f, " ({}:{}:{})", self.name, place.line, place.column)
            }
        }
    }
}

impl std::error::Error for Drawn<'_> {}

impl Diagnostic for Drawn<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.problem.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.problem.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.problem.help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.snippet.as_ref()?)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.snippet.as_ref()?.label();
        let label = match self.problem.severity {
            Severity::Error => "must be fixed",
            Severity::Warning => "check this",
        };
        let label = LabeledSpan::new_with_span(Some(label.to_owned()), span);
        Some(Box::new(std::iter::once(label)))
    }
}
