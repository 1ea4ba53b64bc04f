//! The results of tasks as findings and tests: a task that is not complete is a failure in every format, and so is all that
//! failed in it.

use std::path::PathBuf;

use ftl_engine::result::OutcomeWord;
use ftl_engine::result::{BuildResult, CheckResult, WorkspaceResult};
use ftl_model::{
    CheckStatus, ExportStatus, IdiomStatus, RunFailure, Status, WorkspaceId, WorkspaceName,
};

use super::junit::{self, Case, Ended, Suite};
use super::{Finding, Findings, Region};
use crate::paths::Here;

/// What a command built and checked.
#[derive(Debug)]
pub(crate) struct TaskResults<'r> {
    pub(crate) results: &'r [WorkspaceResult],
    pub(crate) checks: &'r [CheckResult],
}

/// What is known of a task in a word and a line.
pub(super) struct TaskEnd<'r> {
    pub(super) id: &'r WorkspaceId,
    /// Its file.
    pub(super) file: &'r str,
    /// Why it is not complete: the kind of its block or its outcome, and the error.
    pub(super) failure: Option<(String, String)>,
    pub(super) built: Option<&'r BuildResult>,
}

impl<'r> TaskEnd<'r> {
    pub(super) fn of(result: &'r WorkspaceResult) -> Self {
        match result {
            WorkspaceResult::Built(built) => Self {
                id: &built.id,
                file: &built.workspace,
                failure: match (&built.block, built.outcome) {
                    (_, OutcomeWord::Complete) => None,
                    (Some(block), _) => Some((block.kind.to_string(), block.error.clone())),
                    (None, outcome) => {
                        Some((outcome.to_string(), format!("the task is {outcome}")))
                    }
                },
                built: Some(built),
            },
            WorkspaceResult::Skipped(skipped) => {
                let name = skipped.workspace.rsplit('/').next().unwrap_or_default();
                let name: Option<WorkspaceName> = name.parse().ok();
                let is_complete = name.is_some_and(|name| name.status == Status::Complete);
                let why = (skipped.outcome.to_string(), skipped.cause.clone());
                Self {
                    id: &skipped.id,
                    file: &skipped.workspace,
                    failure: (!is_complete).then_some(why),
                    built: None,
                }
            }
            WorkspaceResult::Failed(failed) => {
                let error = &failed.failed.error;
                Self {
                    id: &failed.id,
                    file: &failed.workspace,
                    failure: Some((error.code.clone(), error.message.clone())),
                    built: None,
                }
            }
        }
    }

    /// That it is not complete, at the first place that is known of it.
    fn finding(&self, details: &[Finding]) -> Option<Finding> {
        let (kind, error) = self.failure.as_ref()?;
        let place = details.iter().find(|found| found.is_error);
        let next = self.built.and_then(|built| built.next.first());
        Some(Finding {
            path: place.map_or_else(|| PathBuf::from(self.file), |found| found.path.clone()),
            test: Some(self.id.to_string()),
            rule: kind.clone(),
            is_error: true,
            message: error.clone(),
            help: next.map(|next| format!("next: {next}")),
            region: place.map_or(Region::START, |found| found.region),
        })
    }
}

impl Findings {
    /// What failed in tasks and checks; a task that is not complete comes before its details.
    pub(crate) fn of_tasks(all: &TaskResults<'_>) -> Self {
        let of_task = |result| {
            let end = TaskEnd::of(result);
            let details = end.built.map(details).unwrap_or_default();
            end.finding(&details).into_iter().chain(details).collect::<Vec<_>>()
        };
        let tasks = all.results.iter().flat_map(of_task);
        let checks = all.checks.iter().filter(|check| !check.passed).flat_map(of_check);
        Self { found: tasks.chain(checks).collect(), ..Self::default() }
    }
}

/// A suite for each task: the task itself is the first test, and what failed in it the others.
pub(crate) fn suites(all: &TaskResults<'_>) -> String {
    let of_task = |result: &WorkspaceResult| {
        let end = TaskEnd::of(result);
        let details = end.built.map(details).unwrap_or_default();
        let finding = end.finding(&details);
        let milliseconds = end.built.map(BuildResult::duration_of_all);
        let own = Case {
            name: end.id.to_string(),
            file: end.file.to_owned(),
            milliseconds,
            ended: finding.as_ref().map_or(Ended::Passed, |found| junit::failed(&[found])),
        };
        let others = details.iter().filter(|found| found.is_error).map(case);
        let cases = std::iter::once(own).chain(others).collect();
        Suite { name: end.id.to_string(), milliseconds, cases }
    };
    let of_checks = all.checks.iter().map(|check| {
        let found = match check.passed {
            true => Vec::new(),
            false => of_check(check),
        };
        let own = Case {
            name: check.command.clone(),
            file: found.first().map(|found| found.path.display().to_string()).unwrap_or_default(),
            milliseconds: Some(check.duration_ms),
            ended: found.first().map_or(Ended::Passed, |found| junit::failed(&[found])),
        };
        let cases = std::iter::once(own).chain(found.iter().skip(1).map(case)).collect();
        Suite { name: "check".to_owned(), milliseconds: Some(check.duration_ms), cases }
    });
    let suites: Vec<Suite> = all.results.iter().map(of_task).chain(of_checks).collect();
    junit::document("ftl build", &suites)
}

fn case(found: &Finding) -> Case {
    let file = found.path.display().to_string();
    let place = || format!("{file}:{}: {}", found.region.line, found.rule);
    Case {
        name: found.test.clone().unwrap_or_else(place),
        file: file.clone(),
        milliseconds: None,
        ended: junit::failed(&[found]),
    }
}

/// Everything in a run that failed at a place.
fn details(result: &BuildResult) -> Vec<Finding> {
    let here = Here::of(result);
    let path = |path: &str| PathBuf::from(here.path(path));
    let mut found = Vec::new();
    if let Some(verify) = result.verify.last().filter(|_| result.outcome != OutcomeWord::Complete) {
        found.extend(
            placed(&verify.failures).map(|failure| of_failure(failure, &result.workspace, &here)),
        );
    }
    for check in result.preflight.iter().filter(|check| check.status == CheckStatus::Invalid) {
        found.extend(check.diagnostics.iter().map(|diagnostic| Finding {
            path: path(&check.path),
            test: None,
            rule: diagnostic.code.clone().unwrap_or_else(|| "syntax".to_owned()),
            is_error: true,
            message: diagnostic.message.clone(),
            help: None,
            region: Region {
                line: usize::try_from(diagnostic.line).unwrap_or(1),
                column: usize::try_from(diagnostic.column).unwrap_or(1),
                ..Region::START
            },
        }));
    }
    let lost = result.quality.exports.iter();
    found.extend(lost.filter(|export| export.verdict == ExportStatus::Lost).map(|export| {
        Finding {
            path: path(&export.path),
            test: None,
            rule: "exports_lost".to_owned(),
            is_error: true,
            message: format!("the export `{}` is lost", export.name),
            help: None,
            region: Region::START,
        }
    }));
    let idioms = result.quality.idioms.iter();
    for idiom in idioms.filter(|idiom| idiom.verdict == IdiomStatus::Violated) {
        found.extend(idiom.places.iter().filter(|place| place.new).map(|place| Finding {
            path: path(&place.path),
            test: None,
            rule: "idiom_violation".to_owned(),
            is_error: idiom.severity.is_none() && result.quality.enforced,
            message: idiom.text.clone(),
            help: idiom.note.clone(),
            region: Region {
                line: usize::try_from(place.line).unwrap_or(1),
                column: usize::try_from(place.column).unwrap_or(1),
                ..Region::START
            },
        }));
    }
    found
}

/// Failures with a name or a place: of another, the error of the task says the same.
fn placed(failures: &[RunFailure]) -> impl Iterator<Item = &RunFailure> {
    failures.iter().filter(|failure| failure.test.is_some() || failure.path.is_some())
}

fn of_failure(failure: &RunFailure, record: &str, here: &Here) -> Finding {
    let path = failure.path.as_ref().map(|path| here.path(path));
    Finding {
        path: PathBuf::from(path.unwrap_or_else(|| record.to_owned())),
        test: failure.test.clone(),
        rule: "verify".to_owned(),
        is_error: true,
        message: failure.message.clone(),
        help: failure.detail.clone(),
        region: Region { line: failure.line.map_or(1, |line| line as usize), ..Region::START },
    }
}

/// A check that failed, and its failures.
fn of_check(check: &CheckResult) -> Vec<Finding> {
    let task = check.tasks.first().map(ToString::to_string).unwrap_or_default();
    let record = format!(".ftl/workspace/{task}_complete.xml");
    let here = Here::at(&record, []);
    let failures: Vec<Finding> =
        placed(&check.failures).map(|failure| of_failure(failure, &record, &here)).collect();
    let place = failures.first();
    let error = check.error.clone().unwrap_or_else(|| "it failed".to_owned());
    let own = Finding {
        path: place.map_or_else(|| PathBuf::from(&record), |found| found.path.clone()),
        test: None,
        rule: OutcomeWord::Broken.to_string(),
        is_error: true,
        message: format!("`{}` of {task}: {error}", check.command),
        help: check.next.first().map(|next| format!("next: {next}")),
        region: place.map_or(Region::START, |found| found.region),
    };
    std::iter::once(own).chain(failures).collect()
}
