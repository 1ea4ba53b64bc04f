//! The history of a task, read from the journals of its runs, and where they are gone, from its record.
//!
//! Nothing is locked and nothing is written, so a run may go on while it is read. The record is what counts
//! and is kept with the project; a journal knows more (times, outputs, diffs) and stays on this machine.

mod logs;

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use ftl_model::WorkspaceId;
use ftl_store::{Layout, OsFiles, RUN_DIFF, Run, Runs, StoreError};
use ftl_xml::{Document, ElementRef, read};

use crate::project::{LookupError, WorkspaceFile, read_regular};
use crate::record;
use crate::result::{AccountSource, OutcomeWord, RunAccount, RunSummary, StateStep, TaskHistory};
use crate::run::Advice;
use crate::run::recovery::replay::{Replay, replay};
use crate::text::to_the_second;

/// Bytes of a diff that are shown.
const MAX_DIFF: u64 = 4 << 20;

/// Which parts of a run to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// The number of the run; the last where none is given.
    pub run: Option<u64>,
    /// What its commands printed, too.
    pub logs: bool,
}

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The task's file can't be read.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The runs can't be listed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such run.
    #[error("`{id}` has no run {run}: {}", known(runs))]
    NoSuchRun {
        /// The task.
        id: WorkspaceId,
        /// The number.
        run: u64,
        /// Those that there are.
        runs: Vec<u64>,
    },
}

fn known(runs: &[u64]) -> String {
    let runs: Vec<String> = runs.iter().map(u64::to_string).collect();
    match runs.as_slice() {
        [] => "it has not been built".to_owned(),
        [only] => format!("there is only run {only}"),
        several => format!("there are {}", several.join(", ")),
    }
}

/// Reads the history of a task.
///
/// # Errors
///
/// [`HistoryError`] where its file or its runs can't be read, or the run that is wanted is none of its.
pub fn of_task(
    task: &WorkspaceFile,
    wanted: Wanted,
    advice: Advice,
) -> Result<TaskHistory, HistoryError> {
    let bytes = crate::project::read(&task.path)?;
    let document = read(&bytes).ok();
    let mut tale = TaskRuns::of(task, document.as_ref(), Some(advice))?;
    let chosen = match wanted.run {
        Some(run) if !tale.accounts.contains_key(&Some(run)) => {
            return Err(HistoryError::NoSuchRun {
                id: task.id().clone(),
                run,
                runs: tale.accounts.keys().filter_map(|number| *number).collect(),
            });
        }
        Some(run) => Some(Some(run)),
        None => tale.last,
    };
    let runs = tale.accounts.values().map(summary).collect();
    let mut run = chosen.and_then(|number| tale.accounts.remove(&number));
    if let Some(account) = &mut run {
        add_files(account, &task.layout, task.id(), wanted.logs);
    }
    Ok(about(task, document.as_ref(), runs, run))
}

/// Every run of a task, with its diff and its logs, without the commands that go on: for a report.
///
/// # Errors
///
/// As [`of_task`].
pub fn all_of_task(task: &WorkspaceFile) -> Result<(TaskHistory, Vec<RunAccount>), HistoryError> {
    let bytes = crate::project::read(&task.path)?;
    let document = read(&bytes).ok();
    let tale = TaskRuns::of(task, document.as_ref(), None)?;
    let runs = tale.accounts.values().map(summary).collect();
    let mut accounts: Vec<RunAccount> = tale.accounts.into_values().collect();
    for account in &mut accounts {
        add_files(account, &task.layout, task.id(), false);
    }
    Ok((about(task, document.as_ref(), runs, None), accounts))
}

/// The runs of a task by their numbers; a manual seal has none, and comes first.
struct TaskRuns {
    accounts: BTreeMap<Option<u64>, RunAccount>,
    last: Option<Option<u64>>,
}

impl TaskRuns {
    fn of(
        task: &WorkspaceFile,
        document: Option<&Document<'_>>,
        advice: Option<Advice>,
    ) -> Result<Self, StoreError> {
        let mut accounts = BTreeMap::new();
        let mut last = None;
        let elements = document.into_iter().flat_map(|document| {
            let runs: Vec<ElementRef<'_, '_>> = document.root().children_named("run").collect();
            runs
        });
        for element in elements {
            let account = record::account(element, task);
            last = Some(account.number);
            accounts.insert(account.number, account);
        }
        let runs = Runs::new(&OsFiles, &task.layout, task.id()).all()?;
        for run in runs.into_iter().rev() {
            let Ok(replay) = replay(&task.layout, &run, task.id(), &task.path, advice) else {
                continue;
            };
            let number = Some(run.number());
            let recorded = accounts.get(&number);
            let account = from_journal(number, replay);
            // An unsealed run is known by its journal alone.
            if recorded.is_none() {
                last = Some(number);
            }
            accounts.insert(number, account);
        }
        Ok(Self { accounts, last })
    }
}

fn from_journal(number: Option<u64>, replay: Replay) -> RunAccount {
    let is_over = replay.result.outcome != OutcomeWord::Unfinished;
    RunAccount {
        number,
        version: replay.version,
        began_at: Some(to_the_second(&replay.began_at)),
        ended_at: is_over.then(|| to_the_second(&replay.last_at)),
        implementer: Some(replay.implementer),
        source: AccountSource::Journal,
        timeline: replay.steps,
        slot: replay.slot,
        diff: None,
        diff_path: None,
        logs: Vec::new(),
        result: replay.result,
    }
}

fn summary(account: &RunAccount) -> RunSummary {
    let result = &account.result;
    RunSummary {
        number: account.number,
        outcome: result.outcome,
        kind: result.block.as_ref().map(|block| block.kind.to_string()),
        used: account.number.map(|_| result.budget.used),
        began_at: account.began_at.clone(),
        ended_at: account.ended_at.clone(),
    }
}

/// What the document says of the task itself.
fn about(
    task: &WorkspaceFile,
    document: Option<&Document<'_>>,
    runs: Vec<RunSummary>,
    run: Option<RunAccount>,
) -> TaskHistory {
    let workspace = document.and_then(|document| document.workspace().ok());
    let workspace = workspace.unwrap_or_default();
    let root = document.map(Document::root);
    let attribute = |name: &str| {
        let value = root.and_then(|root| root.attribute(name));
        value.map(std::borrow::Cow::into_owned)
    };
    TaskHistory {
        v: 1,
        id: task.id().clone(),
        workspace: task.path.display().to_string(),
        status: task.name.status,
        objective: workspace.objective,
        delta: workspace.delta.into_iter().flatten().collect(),
        verify: workspace.verify,
        depends: attribute("depends")
            .unwrap_or_default()
            .split_whitespace()
            .map(ftl_model::Seq::new)
            .collect(),
        created_at: attribute("created_at"),
        runs,
        run,
    }
}

/// Adds what the run's directory holds.
fn add_files(account: &mut RunAccount, layout: &Layout, id: &WorkspaceId, with_texts: bool) {
    let Some(number) = account.number else {
        return;
    };
    let dir = layout.run_dir(id).join(number.to_string());
    let shown = |path: &Path| {
        let below = path.strip_prefix(layout.root()).unwrap_or(path);
        below.display().to_string()
    };
    if let Some((path, text)) = diff(&dir) {
        account.diff = Some(text);
        account.diff_path = Some(shown(&path));
    }
    account.logs = logs::of(&dir, &shown, with_texts);
}

/// The diff of the whole run, else those of its requests, one after another.
fn diff(dir: &Path) -> Option<(PathBuf, String)> {
    let dir = dir.join("diffs");
    let text = |path: &Path| {
        // A link is none of ftl's.
        std::fs::symlink_metadata(path).ok().filter(Metadata::is_file)?;
        let bytes = read_regular(path, MAX_DIFF).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let whole = dir.join(RUN_DIFF);
    if let Some(text) = text(&whole) {
        return Some((whole, text));
    }
    let of_requests = (1_u32..).map(|number| dir.join(format!("{number}.diff")));
    let texts: Vec<String> = of_requests.map_while(|path| text(&path)).collect();
    (!texts.is_empty()).then(|| (dir, texts.concat()))
}

/// The task that was built last; without any run, the last one there is.
///
/// # Errors
///
/// [`LookupError`] where the tasks can't be listed, or there is none.
pub fn latest(layout: &Layout) -> Result<Option<WorkspaceFile>, LookupError> {
    let all = WorkspaceFile::all(layout)?;
    let last_run = |task: &WorkspaceFile| {
        let runs = Runs::new(&OsFiles, layout, task.id()).all().ok()?;
        let journal = runs.first()?.dir().join(ftl_store::JOURNAL);
        std::fs::metadata(journal).ok()?.modified().ok()
    };
    let by_run = all.into_iter().enumerate();
    let last = by_run.max_by_key(|(index, task)| (last_run(task), *index));
    Ok(last.map(|(_, task)| task))
}

/// How long the states of an earlier run took, and its verify: of this task's last run that verified by the
/// same command, else of another task's, the newest first.
#[must_use]
pub fn last_time(layout: &Layout, id: &WorkspaceId, verify: &str) -> LastTime {
    const OTHERS: usize = 4;
    let mut last = LastTime::default();
    let mut others: Vec<String> = std::fs::read_dir(layout.runs_dir())
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name != id.as_str())
        .collect();
    others.sort_unstable_by(|a, b| b.cmp(a));
    others.truncate(OTHERS);
    let names = std::iter::once(id.as_str().to_owned()).chain(others);
    for (index, name) in names.enumerate() {
        let Some((seq, slug)) = name.split_once('_') else {
            continue;
        };
        let task = WorkspaceId::new(seq, slug);
        let runs = Runs::new(&OsFiles, layout, &task).all().unwrap_or_default();
        for run in runs.iter().take(3) {
            last.learn(layout, run, &task, verify, index == 0);
        }
    }
    last
}

/// Milliseconds that something took when it was done last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastTime {
    /// The implementer's work on this task.
    pub implement: Option<u64>,
    /// The verify command, on this task or another.
    pub verify: Option<u64>,
}

impl LastTime {
    fn learn(&mut self, layout: &Layout, run: &Run, id: &WorkspaceId, verify: &str, is_same: bool) {
        let is_known = self.verify.is_some() && (self.implement.is_some() || !is_same);
        let size = std::fs::metadata(run.dir().join(ftl_store::JOURNAL));
        // A guess is not worth much reading.
        if is_known || size.is_ok_and(|size| size.len() > 1 << 20) {
            return;
        }
        let Ok(replay) = replay(layout, run, id, Path::new(""), None) else {
            return;
        };
        let same = replay.result.verify.iter().rev();
        let same = same.filter(|ran| ran.command.trim() == verify.trim() && !ran.timed_out);
        let took = same.map(|ran| ran.duration_ms).next();
        self.verify = self.verify.or(took);
        if is_same {
            let is_work = |step: &&StateStep| step.state == ftl_machine::StateName::Implement;
            let work = replay.steps.iter().rev().find(is_work);
            self.implement = self.implement.or(work.and_then(|step| step.duration_ms));
        }
    }
}
