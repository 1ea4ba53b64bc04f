//! The commit of a complete task, after its seal and under the lock of the tree.
//!
//! That it is to be made is kept before the seal, so that the same command makes it later if ftl is killed in between.
//! What keeps a commit from being made is a warning: the record is sealed. Hooks may change files after the verify
//! passed, whether they then let the commit pass or not, so that the verify is due again.

use std::collections::BTreeMap;
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::path::{Path, PathBuf};

use ftl_machine::{Outcome, Verdict};
use ftl_model::{Digest, Status, WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Lock, Operation, Runs, StoreError, Waiting, read_regular};
use ftl_tree::{Commit, CommitError, Committed, in_submodules};

use super::tree_lock::LockedTree;
use crate::check_ledger::{ChangeSince, Ledger, OwedCommit};
use crate::result::{BuildResult, CommitResult};
use crate::run::commands::secrets::Secrets;
use crate::run::site::{Site, files};
use crate::run::world::Task;
use crate::run::{Fault, NullReporter, Reporter, Settings};
use crate::text::{brief, listed, now_exactly, one_line};

/// Bytes of a file that are compared.
const COMPARED: u64 = 1 << 30;

/// Keeps that a task is to be committed that is about to be sealed, where the settings ask for it.
pub(in crate::run) fn owe(task: &Task<'_>, verdict: &Verdict) -> Result<(), Fault> {
    let site = &task.site;
    let Some(branch) = site.settings.series.commit.clone().filter(|_| is_complete(verdict)) else {
        return Ok(());
    };
    let id = crate::run::id_of(&task.source.path)?;
    let changed = verdict.files.iter().map(|(file, _)| file.path.to_string());
    let paths = changed.chain(verdict.log.allowed.iter().cloned());
    let digest = |path: String| -> Result<_, Fault> {
        let digest = digest(site.root(), &path)?;
        Ok((path, digest))
    };
    let commit = OwedCommit {
        message: site.secrets.hide(&message(task, &id)),
        task: id,
        verify: task.brief().verify.clone(),
        run: site.run.number(),
        branch,
        files: paths.map(digest).collect::<Result<_, _>>()?,
        intended: None,
    };
    Ok(Ledger::owe_commit(site.layout, commit)?)
}

/// The right to change what is kept of commits, and to commit: tasks that landed together are sealed at the same time.
pub(in crate::run) fn turn(
    site: &Site<'_>,
    reporter: &mut dyn Reporter,
) -> Result<Option<Lock>, Fault> {
    if site.settings.series.commit.is_none() {
        return Ok(None);
    }
    let mut wait = |holder| reporter.waiting(holder);
    Ok(Some(Lock::committing(site.layout, Waiting::While(&mut wait))?))
}

fn is_complete(verdict: &Verdict) -> bool {
    matches!(verdict.outcome, Outcome::Complete)
}

/// Commits the files of the task and its record, where that is owed.
pub(in crate::run) fn commit(site: &Site<'_>, result: &mut BuildResult) {
    // Without the lock of the file system there is none to wait for.
    let _turn = turn(site, &mut NullReporter);
    let owed = match Ledger::read(site.layout) {
        Ok(ledger) => ledger.commits.into_iter().find(|owed| owed.task == result.id),
        Err(error) => {
            let warning =
                format!("no commit was made: {error}; `ftl commit {}` makes it", result.id);
            return result.warnings.push(warning);
        }
    };
    let Some(owed) = owed else {
        return;
    };
    let made = make(site, &owed, Path::new(&result.workspace), &[]);
    result.commit = made.commit;
    result.warnings.extend(made.warnings);
}

/// The objective, whose first paragraph is the subject, and the trailers.
fn message(task: &Task<'_>, id: &WorkspaceId) -> String {
    let objective = task.brief().workspace.objective.lines().map(str::trim);
    let objective = objective.collect::<Vec<&str>>().join("\n");
    let subject = if objective.trim().is_empty() { id.as_str() } else { objective.trim() };
    let own = format!("Ftl-Task: {id}");
    let trailers = std::iter::once(&own).chain(&task.site.settings.series.trailers);
    let trailers = trailers.map(|trailer| format!("{trailer}\n")).collect::<String>();
    format!("{subject}\n\n{trailers}")
}

/// A commit that was owed.
#[derive(Debug)]
pub struct LateCommit {
    /// Its task.
    pub task: WorkspaceId,
    /// The commit, if one was made.
    pub commit: Option<CommitResult>,
    /// Why none was made, and what is odd about it.
    pub warnings: Vec<String>,
}

/// Makes a commit that is owed, of the bytes that were sealed where files were `edited` since then. It stays owed where
/// git or a hook refuses, and while the user's index does not have it.
fn make(site: &Site<'_>, owed: &OwedCommit, record: &Path, edited: &[String]) -> LateCommit {
    let root = site.root();
    let before = digests(root, owed);
    let mut made = LateCommit { task: owed.task.clone(), commit: None, warnings: Vec::new() };
    let mut changed = Vec::new();
    let is_settled = match commits(site, owed, record, edited) {
        Ok(Making::NothingToCommit) => true,
        Ok(Making::Lost) => {
            let files = listed(edited);
            made.warnings
                .push(format!("no commit was made: changed since the task was sealed: {files}"));
            true
        }
        Ok(Making::Made(committed)) => {
            changed.extend(committed.differing.iter().cloned());
            changed.extend_from_slice(edited);
            let is_in_index = committed.index_error.is_none();
            report(committed, owed, &mut made);
            is_in_index
        }
        Err(error) => {
            let refusal = refusal(&error, |text| site.secrets.hide(text));
            made.warnings.push(format!("{refusal}; `ftl commit {}` makes it", owed.task));
            changed.extend_from_slice(edited);
            false
        }
    };
    let now = digests(root, owed);
    if let (Ok(before), Ok(now)) = (&before, &now) {
        changed.extend(self::changed(before, now));
    }
    changed.sort();
    changed.dedup();
    if !changed.is_empty() {
        made.warnings.push(verify_is_due(site, owed, &changed, !edited.is_empty()));
    }
    let kept = match now {
        _ if is_settled => Ledger::settle_commit(site.layout, &owed.task).map_err(Fault::from),
        // A hook that formats and fails expects to see its own bytes the next time.
        Ok(files) if !changed.is_empty() => {
            let intended = made.commit.as_ref().map(|commit| commit.id.clone());
            let owed = OwedCommit { files, intended, ..owed.clone() };
            Ledger::owe_commit(site.layout, owed).map_err(Fault::from)
        }
        now => now.map(drop),
    };
    match kept {
        Ok(()) => drop(std::fs::remove_file(sealed(site))),
        // What hooks saw first is needed still: the files may not be as the ledger has them.
        Err(error) => {
            made.warnings.push(format!("what became of the commit can't be kept: {error}"));
        }
    }
    made
}

/// What became of a commit that is owed.
enum Making {
    Made(Committed),
    NothingToCommit,
    /// The bytes that were sealed are nowhere any more.
    Lost,
}

/// The index that hooks saw first.
fn sealed(site: &Site<'_>) -> PathBuf {
    site.run.dir().join("commit.sealed")
}

/// Commits the files, those of submodules in them; the project's own commit.
fn commits(
    site: &Site<'_>,
    owed: &OwedCommit,
    record: &Path,
    edited: &[String],
) -> Result<Making, CommitError> {
    let (root, sealed, is_edited) = (site.root(), sealed(site), !edited.is_empty());
    let commit = Commit {
        root,
        paths: &[],
        message: &owed.message,
        branch: &owed.branch,
        scratch: site.run.dir(),
        limit: site.settings.commands.limit,
        sealed: None,
    };
    if let Some(id) = &owed.intended
        && let Some(committed) = commit.finish(id)?
    {
        return Ok(Making::Made(committed));
    }
    if is_edited && !sealed.is_file() {
        return Ok(Making::Lost);
    }
    let mut paths: Vec<String> = owed.files.keys().cloned().collect();
    for (dir, below) in in_submodules(root, &paths)? {
        let within = root.join(&dir);
        Commit { root: &within, paths: &below, branch: "HEAD", ..commit }.make(&mut |_| Ok(()))?;
        let within = format!("{dir}/");
        paths.retain(|path| !path.starts_with(&within));
        paths.push(dir);
    }
    let names = record.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let names = [Some(format!("{}_active.xml", owed.task)), names].into_iter().flatten();
    paths.extend(names.filter_map(|name| {
        let path = site.layout.workspace_dir().join(name);
        Some(path.strip_prefix(root).ok()?.to_string_lossy().into_owned())
    }));
    let commit = Commit { paths: &paths, sealed: Some((&sealed, is_edited)), ..commit };
    let made = commit.make(&mut |id| {
        Ledger::intend_commit(site.layout, &owed.task, id).map_err(|error| error.to_string())
    })?;
    Ok(made.map_or(Making::NothingToCommit, Making::Made))
}

fn report(committed: Committed, owed: &OwedCommit, made: &mut LateCommit) {
    if let Some(error) = committed.index_error {
        made.warnings.push(format!(
            "`{}` is committed, but git's index still has the files from before: {}; `ftl commit {}` updates it",
            committed.id,
            one_line(&error),
            owed.task
        ));
    }
    let branch = owed.branch.strip_prefix("refs/heads/").unwrap_or(&owed.branch);
    made.commit = Some(CommitResult { id: committed.id, branch: branch.to_owned() });
}

fn refusal(error: &CommitError, hide: impl Fn(&str) -> String) -> String {
    let why = brief(&one_line(&hide(&error.to_string())));
    format!("no commit was made: {why}")
}

type Digests = BTreeMap<String, Option<Digest>>;

/// Of a file's bytes; `None` where there is no file.
fn digest(root: &Path, path: &str) -> Result<Option<Digest>, Fault> {
    let path = root.join(path);
    match read_regular(&path, COMPARED) {
        Ok(bytes) => Ok(Some(Digest::of(&bytes))),
        // Something else may be in its place.
        Err(error) if error.raw_os_error().is_none() => Ok(None),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        Err(error) => Err(Operation::Read.failed(&path, error).into()),
    }
}

/// The bytes of each file, as it is now.
fn digests(root: &Path, owed: &OwedCommit) -> Result<Digests, Fault> {
    owed.files.keys().map(|path| Ok((path.clone(), digest(root, path)?))).collect()
}

fn changed(before: &Digests, after: &Digests) -> Vec<String> {
    before.keys().filter(|file| before.get(*file) != after.get(*file)).cloned().collect()
}

/// Keeps that the verify is due again; the warning that says so.
fn verify_is_due(
    site: &Site<'_>,
    owed: &OwedCommit,
    changed: &[String],
    is_edited: bool,
) -> String {
    let kept = Ledger::keep_change(
        site.layout,
        ChangeSince {
            task: owed.task.to_string(),
            run: owed.run,
            at: now_exactly(),
            verify: owed.verify.clone(),
        },
    );
    let files = listed(changed);
    let kept =
        kept.err().map_or_else(String::new, |error| format!(" (which can't be kept: {error})"));
    let who = if is_edited { "a hook of the commit, or a user," } else { "a hook of the commit" };
    format!("{who} changed {files} after the verify, which is due again{kept}")
}

/// Whether commits are owed that this command can make.
#[must_use]
pub fn owes_commits(settings: &Settings) -> bool {
    let layout = &settings.layout;
    settings.series.commit.is_some() && due(layout, settings).map_or(true, |owed| !owed.is_empty())
}

/// The commits of complete tasks that are to be made on this branch.
fn due(layout: &Layout, settings: &Settings) -> Result<Vec<OwedCommit>, StoreError> {
    let mut owed = Ledger::read(layout)?.commits;
    owed.retain(|owed| Some(&owed.branch) == settings.series.commit.as_ref());
    Ok(owed)
}

/// Makes the commits that a kill or a hook prevented, of these tasks, or of all where none are named.
///
/// # Errors
/// When the tree can't be locked or opened.
pub fn commit_owed(
    settings: &Settings,
    tasks: &[WorkspaceId],
    reporter: &mut dyn Reporter,
) -> Result<Vec<LateCommit>, Fault> {
    let layout = &settings.layout;
    let mut all = Vec::new();
    for owed in due(layout, settings)? {
        if !tasks.is_empty() && !tasks.contains(&owed.task) {
            continue;
        }
        let record = WorkspaceName { id: owed.task.clone(), status: Status::Complete };
        let record = layout.workspace_dir().join(record.to_string());
        if !record.is_file() {
            // It is not sealed: the run that goes on owes it again.
            continue;
        }
        let runs = Runs::new(files(), layout, &owed.task).all()?;
        let Some(run) = runs.into_iter().find(|run| run.number() == owed.run) else {
            Ledger::settle_commit(layout, &owed.task)?;
            continue;
        };
        let secrets = Secrets::new(&settings.redactor);
        let site = Site { settings, layout, run, secrets };
        let _locked = LockedTree::enter(&site, &[], None, reporter)?;
        let now = digests(site.root(), &owed)?;
        let edited = changed(&owed.files, &now);
        all.push(make(&site, &owed, &record, &edited));
    }
    Ok(all)
}
