//! A verify command once more, in the root, after other tasks landed.
//!
//! It runs as the verify of a task does, under the lock of the tree, and its output is kept with the last run of the first
//! task that it verifies. Notes of its processes go to that run's journal, so that a later build can end them.

use ftl_model::WorkspaceId;
use ftl_store::{Journal, Layout, Run, Runs};

use super::verifying::Ran;
use crate::check_ledger::{Checked, Ledger};
use crate::result::{CheckResult, Doing, DueCheck, FailedCheck, RunId, VerifyResult};
use crate::run::commands::output;
use crate::run::commands::secrets::Secrets;
use crate::run::journal::recorder::Recorder;
use crate::run::landing::tree_lock::LockedTree;
use crate::run::session::result;
use crate::run::site::{Site, files};
use crate::run::{Fault, Reporter, Settings};
use crate::text::now_exactly;

/// Makes the checks, and keeps the result of each.
pub(crate) fn check(
    settings: &Settings,
    layout: &Layout,
    due: Vec<DueCheck>,
    reporter: &mut dyn Reporter,
) -> Result<Vec<CheckResult>, Fault> {
    if due.is_empty() {
        return Ok(Vec::new());
    }
    layout.prepare(files())?;
    let mut ground = None;
    let mut made = Vec::new();
    for due in due {
        let (Some(id), command) = (due.tasks.first(), &due.command) else {
            continue;
        };
        let run = run_of(layout, id)?;
        let secrets = Secrets::new(&settings.redactor);
        let site = Site { settings, layout, run, secrets };
        if ground.is_none() {
            ground = Some(LockedTree::enter(&site, &[], None, reporter)?);
        }
        let journal = Journal::open(files(), site.run.dir()).ok().map(|loaded| loaded.journal);
        let mut recorder =
            Recorder::new(journal, reporter, RunId::check(id.clone())).hiding(&settings.redactor);
        let at = now_exactly();
        let check = one(&site, &due, &mut recorder)?;
        let failed = (!check.passed).then(|| FailedCheck {
            at: at.clone(),
            exit: check.exit,
            error: check.error.clone(),
            log: check.log.clone(),
            suspects: check.suspects.clone(),
        });
        let tasks = due.tasks.clone();
        Ledger::keep_check(layout, command, Checked { at, failed, tasks })?;
        recorder.checked(&check);
        made.push(check);
    }
    Ok(made)
}

/// The last run of a task, or a directory for one that was built in another clone.
fn run_of(layout: &Layout, id: &WorkspaceId) -> Result<Run, Fault> {
    let runs = Runs::new(files(), layout, id);
    if let Some(run) = runs.all()?.into_iter().next() {
        return Ok(run);
    }
    let run = runs.next()?;
    runs.begin(&run)?;
    runs.finish(&run)?;
    Ok(run)
}

fn one(site: &Site<'_>, due: &DueCheck, recorder: &mut Recorder<'_>) -> Result<CheckResult, Fault> {
    let command = &due.command;
    let log = output::next_log(site, "check")?;
    recorder.begins(Doing::Check, command);
    let verification = Ran::in_project(site, command, log, recorder)?.verification(site, command);
    let is_trusted = |finding| !site.settings.untrusted.contains(finding);
    let passed = verification.passed && verification.findings.iter().all(is_trusted);
    // Where the exit code is 0, the warnings say why that is no proof.
    let error = verification.error.clone().or_else(|| verification.warnings.first().cloned());
    let verify = result::verified(&verification);
    let is_suspect = |files: &[String]| !passed && names_any(&verify, error.as_deref(), files);
    let (suspects, others): (Vec<_>, Vec<_>) =
        due.landed_since.iter().zip(&due.touched).partition(|(_, files)| is_suspect(files));
    let suspects: Vec<WorkspaceId> = suspects.into_iter().map(|(id, _)| id.clone()).collect();
    let others = others.into_iter().map(|(id, _)| id.clone());
    Ok(CheckResult {
        command: site.secrets.hide(command),
        tasks: due.tasks.clone(),
        exit: verify.exit,
        landed_since: suspects.iter().cloned().chain(others).collect(),
        suspects,
        passed,
        signal: verify.signal,
        timed_out: verify.timed_out,
        duration_ms: verify.duration_ms,
        error: error.filter(|_| !passed),
        failures: verify.failures,
        more_failures: verify.more_failures,
        findings: verify.findings,
        log: verify.log,
        next: Vec::new(),
    })
}

/// Whether what failed names one of these files: as its place, or in what it says.
fn names_any(verify: &VerifyResult, error: Option<&str>, files: &[String]) -> bool {
    let texts = verify.failures.iter().flat_map(|failure| {
        let all = [&failure.path, &failure.test, &failure.detail];
        all.into_iter().flatten().chain([&failure.message]).map(String::as_str)
    });
    let texts: Vec<&str> = texts.chain(error).chain([verify.excerpt.as_str()]).collect();
    files.iter().any(|file| texts.iter().any(|text| text.contains(file.as_str())))
}
