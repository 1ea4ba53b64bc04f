//! Findings in the forms that code hosts read: SARIF, JUnit's XML, the workflow commands of GitHub, GitLab's code quality,
//! Markdown, and in-toto's statements.
//!
//! A finding of preflight, a problem of a task file, a failed test and a task that is not complete look the same here.

pub(crate) mod github;
pub(crate) mod gitlab;
mod in_toto;
pub(crate) mod junit;
mod markdown;
pub(crate) mod sarif;
mod tasks;

use std::path::{Component, Path, PathBuf};

use ftl_engine::result::ValidatedFile;
use ftl_preflight::{Report, Status};
use ftl_text::terminal_text;
use ftl_xml::Severity;

pub(crate) use self::tasks::TaskResults;
use crate::args::ReportFormat;
use crate::output;

/// What is wrong at a place of a file.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) path: PathBuf,
    /// The failed test, as its runner names it.
    pub(crate) test: Option<String>,
    /// `syntax`, `TS1005`, `xml::tag` and the like.
    pub(crate) rule: String,
    pub(crate) is_error: bool,
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
    pub(crate) region: Region,
}

impl Finding {
    /// What is wrong, and below it what to do or what belongs to it.
    fn text(&self) -> String {
        let test = self.test.iter().map(|test| format!("{test}: "));
        let help = self.help.iter().map(|help| format!("\n{help}"));
        test.chain([self.message.clone()]).chain(help).collect()
    }
}

/// The place of a finding. Lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// Line and column just behind it, where they are known.
    pub(crate) end: Option<(usize, usize)>,
    /// Bytes from the start of the file, where they are known.
    pub(crate) bytes: Option<(usize, usize)>,
}

impl Region {
    /// The start of a file.
    const START: Self = Self { line: 1, column: 1, end: None, bytes: None };
}

/// A file that nothing was found in, because nothing looked at it.
#[derive(Debug)]
pub(crate) struct Unchecked {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

/// All of a run.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Every file that was looked at, in order.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) found: Vec<Finding>,
    pub(crate) unchecked: Vec<Unchecked>,
}

impl Findings {
    /// Verdicts on syntax.
    pub(crate) fn of_reports(reports: &[Report]) -> Self {
        let found = reports.iter().flat_map(|report| {
            let found = report.diagnostics().iter();
            found.map(|found| of_diagnostic(&report.path, found))
        });
        let unchecked = reports.iter().filter_map(|report| match &report.status {
            Status::Unchecked { reason } => {
                Some(Unchecked { path: report.path.clone(), reason: reason.to_string() })
            }
            _ => None,
        });
        Self {
            files: reports.iter().map(|report| report.path.clone()).collect(),
            found: found.collect(),
            unchecked: unchecked.collect(),
        }
    }

    /// Problems of task files.
    pub(crate) fn of_files(files: &[ValidatedFile]) -> Self {
        let found = files.iter().flat_map(|file| {
            let problems = file.problems.iter();
            problems.map(|problem| Finding {
                path: PathBuf::from(&file.path),
                test: None,
                rule: problem.code.to_owned(),
                is_error: problem.severity == Severity::Error,
                message: problem.message.clone(),
                help: Some(problem.help.clone()).filter(|help| !help.is_empty()),
                region: Region {
                    line: problem.place.line,
                    column: problem.place.column,
                    end: None,
                    bytes: Some((problem.place.start, problem.place.end)),
                },
            })
        });
        Self {
            files: files.iter().map(|file| PathBuf::from(&file.path)).collect(),
            found: found.collect(),
            unchecked: Vec::new(),
        }
    }
}

/// The results of tasks in a form, as it is printed.
pub(crate) fn of_tasks(format: ReportFormat, all: &TaskResults<'_>) -> String {
    let findings = || Findings::of_tasks(all);
    match format {
        ReportFormat::Junit => output::redactor().text(&tasks::suites(all)),
        ReportFormat::Github => output::redactor().text(&github::commands(&findings())),
        ReportFormat::Markdown => output::redactor().text(&markdown::summary(all)),
        ReportFormat::Sarif => output::json_text(&sarif::log(&findings())),
        ReportFormat::Gitlab => output::json_text(&gitlab::report(&findings())),
        ReportFormat::InToto => output::json_text(&in_toto::statement(all)),
    }
}

/// A path as code hosts compare it with those of a change: without `.`.
fn plain(path: &Path) -> PathBuf {
    let parts = path.components();
    parts.filter(|part| *part != Component::CurDir).collect()
}

/// The same as text.
fn path_text(path: &Path) -> String {
    terminal_text(plain(path).as_os_str().as_encoded_bytes())
}

fn of_diagnostic(path: &Path, found: &ftl_preflight::Diagnostic) -> Finding {
    Finding {
        path: path.to_owned(),
        test: None,
        rule: found.code.clone().unwrap_or_else(|| "syntax".to_owned()),
        is_error: found.severity == ftl_preflight::Severity::Error,
        message: found.message.clone(),
        help: None,
        region: Region {
            line: found.line,
            column: found.column,
            end: Some((found.end_line, found.end_column)),
            bytes: Some((found.start, found.end)),
        },
    }
}
