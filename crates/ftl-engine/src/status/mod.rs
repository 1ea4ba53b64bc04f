//! Every task of a project: its state, its budget, what it waits for.
//!
//! The cost is one read of every task file, which all cores share, and one look at the runs and locks of
//! active tasks. Nothing is validated: a problem is what keeps a row from being filled, or a status
//! that differs from the name's.

mod progress;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ftl_machine::StateName;
use ftl_model::{Seq, Status, WorkspaceName};
use ftl_store::{FileError, Files, Layout, Lock, OsFiles, Runs, StoreError, lock_name};
use ftl_text::{shortened, terminal_text};
use ftl_xml::{Document, ElementRef, ReadError, read};

use crate::project::read_workspace_file;
use crate::result::{OutcomeWord, RunSummary};
use crate::run::recovery::replay::{Replay, replay};
use crate::text::{one_line, to_the_second};

pub use progress::progress;

/// Characters of an objective that a list shows.
const OBJECTIVE: usize = 200;

/// A task in its current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskEntry {
    /// Its file's name, of which the status counts.
    pub name: WorkspaceName,
    /// Tool calls allowed; `None` where the file cannot be read.
    pub budget: Option<i64>,
    /// When it was written, as the file says.
    pub created_at: Option<String>,
    /// Sequence numbers of the tasks that come first.
    pub depends: Vec<Seq>,
    /// Those of them that are not complete; of a finished task none.
    pub waits_for: Vec<Seq>,
    /// Why the file is of no use, in one line.
    pub problem: Option<String>,
    /// The number of the run that was begun and has not ended.
    pub run: Option<u64>,
    /// The process that works on it, where one is known.
    pub holder: Option<u32>,
    /// What is to be achieved, in its first line.
    pub objective: String,
    /// Of an active task, the paths that it may change.
    pub delta: Vec<String>,
    /// Where its unfinished run is.
    pub stage: Option<Stage>,
    /// The latest run: the one that was begun, else the last of the record.
    pub last: Option<RunSummary>,
    /// How it was sealed, where it is complete and an implementer was asked.
    pub sealed: Option<SealedTask>,
}

/// Where a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The state that it entered last.
    pub state: StateName,
    /// When: RFC 3339, in UTC.
    pub since: Option<String>,
    /// The slot that it works in.
    pub slot: Option<u32>,
}

impl Stage {
    fn is_verify(&self) -> bool {
        self.state == StateName::Verify
    }
}

/// What a record has of the order in which tasks landed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedTask {
    /// When it was sealed: RFC 3339, in UTC, to the millisecond.
    pub at: String,
    /// Whether its verify is to run once more at the end.
    pub is_checked: bool,
    /// The files that it changed.
    pub files: Vec<String>,
    /// Its verify command.
    pub verify: String,
}

/// All tasks of the project, sorted by their names. A file that cannot be read is listed with the
/// reason. Nothing is locked: concurrent changes may or may not show.
///
/// # Errors
///
/// The directory of tasks, that of runs or that of locks cannot be listed.
pub fn status(layout: &Layout) -> Result<Vec<TaskEntry>, StoreError> {
    let names: Vec<WorkspaceName> = listed(&layout.workspace_dir())?;
    let begun: BTreeSet<String> = listed(&layout.runs_dir())?.into_iter().collect();
    let locks: BTreeSet<String> = listed(&layout.locks_dir())?.into_iter().collect();
    let mut entries = read_all(&layout.workspace_dir(), &names);
    let complete = complete(&names);
    for entry in &mut entries {
        if entry.name.status.is_finished() {
            continue;
        }
        if names.iter().any(|name| name.id == entry.name.id && name.status == Status::Complete) {
            let problem = "it is complete: this file came back beside its record; remove it";
            entry.problem.get_or_insert_with(|| problem.to_owned());
        }
        let is_open = |seq: &&Seq| !complete.contains(seq.as_str());
        entry.waits_for = entry.depends.iter().filter(is_open).cloned().collect();
        if begun.contains(entry.name.id.as_str()) {
            let run = Runs::new(&OsFiles, layout, &entry.name.id).unfinished()?;
            if let Some(run) = run {
                entry.run = Some(run.number());
                let replay = replay(layout, &run, &entry.name.id, Path::new(""), None).ok();
                entry.stage = replay.as_ref().and_then(stage);
                entry.last = Some(under_way(run.number(), replay.as_ref()));
            }
        }
        if locks.contains(&lock_name(&entry.name.id)) {
            entry.holder = Lock::holder(layout, &entry.name.id);
        }
    }
    Ok(entries)
}

/// The names in a directory that can be read as `T`, sorted.
fn listed<T: std::str::FromStr>(dir: &Path) -> Result<Vec<T>, FileError> {
    let names = OsFiles.list(dir)?;
    let read = names.iter().filter_map(|name| name.to_str()?.parse().ok());
    Ok(read.collect())
}

/// Numbers of which a task is complete.
fn complete(names: &[WorkspaceName]) -> BTreeSet<&str> {
    names.iter().filter(|name| name.status == Status::Complete).map(|name| name.id.seq()).collect()
}

/// Files that one thread takes at a time: few enough to keep all cores busy to the end, enough that a
/// small project starts no thread.
const SHARE: usize = 64;

/// Reads every file, on all cores.
fn read_all(dir: &Path, names: &[WorkspaceName]) -> Vec<TaskEntry> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = BTreeMap::new();
        loop {
            let start = next.fetch_add(SHARE, Ordering::Relaxed);
            let Some(share) = names.get(start..names.len().min(start + SHARE)) else {
                return done;
            };
            if share.is_empty() {
                return done;
            }
            let entries: Vec<TaskEntry> = share.iter().map(|name| entry(dir, name)).collect();
            done.insert(start, entries);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(names.len().div_ceil(SHARE));
    let shares: BTreeMap<usize, Vec<TaskEntry>> = thread::scope(|scope| {
        // This thread works too. Where no other can be started, it reads everything.
        let start = |_| thread::Builder::new().spawn_scoped(scope, take).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut shares = take();
        for other in others {
            shares.extend(other.join().expect("because reading a file does not panic"));
        }
        shares
    });
    shares.into_values().flatten().collect()
}

fn entry(dir: &Path, name: &WorkspaceName) -> TaskEntry {
    let mut entry = TaskEntry {
        name: name.clone(),
        budget: None,
        created_at: None,
        depends: Vec::new(),
        waits_for: Vec::new(),
        problem: None,
        run: None,
        holder: None,
        objective: String::new(),
        delta: Vec::new(),
        stage: None,
        last: None,
        sealed: None,
    };
    match read_workspace_file(&dir.join(name.to_string())) {
        Ok(bytes) => say(&bytes, &mut entry),
        Err(error) => {
            let why = format!("{error}: {}", error.source);
            entry.problem = Some(terminal_text(why.as_bytes()));
        }
    }
    entry
}

/// Fills in what the document says.
fn say(bytes: &[u8], entry: &mut TaskEntry) {
    let placed = |error: &ReadError| {
        let place = error.place;
        format!("line {}, column {}: {error}", place.line, place.column)
    };
    let document = match read(bytes) {
        Ok(document) => document,
        Err(error) => {
            entry.problem = Some(placed(&error));
            return;
        }
    };
    let root = document.root();
    let attribute = |name: &str| root.attribute(name).map(|value| terminal_text(value.as_bytes()));
    entry.created_at = attribute("created_at");
    let objective = root.child("objective").and_then(ElementRef::text);
    entry.objective = first_line(&objective.unwrap_or_default());
    let run = root.children_named("run").last();
    entry.last = run.map(recorded);
    if entry.name.status == Status::Complete {
        entry.sealed = run.and_then(|run| sealed(run, &document));
    }
    let depends = attribute("depends").unwrap_or_default();
    entry.depends = depends.split_whitespace().map(Seq::new).collect();
    if entry.name.status == Status::Active
        && let Ok(workspace) = document.workspace()
    {
        entry.delta = workspace.delta.into_iter().flatten().collect();
    }
    match document.budget() {
        Ok(budget) => entry.budget = Some(budget),
        Err(errors) => entry.problem = errors.first().map(placed),
    }
    let status = attribute("status").unwrap_or_default();
    if entry.problem.is_none() && status != entry.name.status.as_str() {
        entry.problem = Some(format!(
            "the document's status is `{status}`, but the file name says `{}`",
            entry.name.status
        ));
    }
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty()).unwrap_or_default();
    one_line(&shortened(line, OBJECTIVE))
}

/// How a complete task was sealed.
fn sealed(run: ElementRef<'_, '_>, document: &Document<'_>) -> Option<SealedTask> {
    Some(SealedTask {
        at: run.attribute("sealed_at")?.into_owned(),
        is_checked: run.attribute("check").is_some(),
        files: run
            .children_named("file")
            .chain(run.children_named("allowed"))
            .filter_map(|file| Some(file.attribute("path")?.into_owned()))
            .collect(),
        verify: document.workspace().ok()?.verify.trim().to_owned(),
    })
}

/// How a run ended, as the record says.
fn recorded(run: ElementRef<'_, '_>) -> RunSummary {
    let attribute = |name: &str| run.attribute(name).map(|value| one_line(&value));
    let of_child = |child: &str, name: &str| {
        let value = run.child(child)?.attribute(name)?;
        Some(one_line(&value))
    };
    let outcome = attribute("outcome").and_then(|word| OutcomeWord::named(&word));
    RunSummary {
        number: attribute("number").and_then(|number| number.parse().ok()),
        outcome: outcome.unwrap_or(OutcomeWord::Unfinished),
        kind: of_child("block", "kind"),
        used: of_child("calls", "used").and_then(|used| used.parse().ok()),
        began_at: attribute("began_at"),
        ended_at: attribute("ended_at"),
    }
}

/// How far a run has come that has not ended.
fn under_way(number: u64, replay: Option<&Replay>) -> RunSummary {
    RunSummary {
        number: Some(number),
        outcome: OutcomeWord::Unfinished,
        kind: None,
        used: replay.map(|replay| replay.result.budget.used),
        began_at: replay.map(|replay| to_the_second(&replay.began_at)),
        ended_at: None,
    }
}

fn stage(replay: &Replay) -> Option<Stage> {
    let step = replay.steps.last()?;
    let since = step.at.as_deref().map(to_the_second);
    Some(Stage { state: step.state, since, slot: replay.slot })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ftl_model::Seq;

    use super::status;
    use ftl_store::{Journal, Layout, Lock, OsFiles, Runs, Waiting};

    fn task(attributes: &str) -> String {
        format!(
            "<workspace {attributes}><implementation><budget>7</budget></implementation></workspace>"
        )
    }

    #[test]
    fn every_task_is_listed_with_what_it_waits_for() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        assert_eq!(status(&layout).unwrap(), []);
        fs::create_dir_all(layout.workspace_dir()).unwrap();
        for (name, text) in [
            ("001_a_complete.xml", task("status='complete' created_at='2026'")),
            ("002_b_blocked.xml", task("status='blocked' depends='009'")),
            ("003_c_active.xml", task("status='active' depends='001 002 004'")),
            ("004_d_active.xml", "<workspace".to_owned()),
            ("005_e_active.xml", task("status='done'")),
            ("006_f_active.xml", task("status='active'").replace('7', "many")),
            ("notes.txt", String::new()),
        ] {
            fs::write(layout.workspace_dir().join(name), text).unwrap();
        }
        fs::create_dir(layout.workspace_dir().join("007_g_active.xml")).unwrap();
        let entries = status(&layout).unwrap();
        let line = |entry: &super::TaskEntry| {
            format!(
                "{} {:?} {} | {}",
                entry.name.id,
                entry.budget,
                entry.waits_for.iter().map(Seq::as_str).collect::<Vec<_>>().join(" "),
                entry.problem.as_deref().unwrap_or("fine")
            )
        };
        let lines: Vec<String> = entries.iter().map(line).collect();
        assert_eq!(
            lines[..3],
            ["001_a Some(7)  | fine", "002_b Some(7)  | fine", "003_c Some(7) 002 004 | fine",]
        );
        assert!(lines[3].starts_with("004_d None  | line 1, column 1:"), "{lines:?}");
        assert_eq!(
            lines[4],
            "005_e Some(7)  | the document's status is `done`, but the file name says `active`"
        );
        assert!(lines[5].starts_with("006_f None  | line 1, column"), "{lines:?}");
        assert!(lines[6].starts_with("007_g None  | cannot read"), "{lines:?}");
        assert_eq!(lines.len(), 7);
    }

    #[test]
    fn status_shows_which_tasks_were_begun_and_who_holds_them() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        layout.prepare(&OsFiles).unwrap();
        fs::create_dir(layout.workspace_dir()).unwrap();
        let path = layout.workspace_dir().join("001_a_active.xml");
        fs::write(path, task("status='active'")).unwrap();
        let id = status(&layout).unwrap()[0].name.id.clone();
        let lock = Lock::workspace(&layout, &id, Waiting::Refuse).unwrap();
        let runs = Runs::new(&OsFiles, &layout, &id);
        let run = runs.next().unwrap();
        runs.begin(&run).unwrap();
        drop(Journal::create(&OsFiles, run.dir(), "2026", &()).unwrap());
        let entry = status(&layout).unwrap().remove(0);
        assert_eq!((entry.run, entry.holder), (Some(1), Some(std::process::id())));
        drop(lock);
        assert_eq!(status(&layout).unwrap()[0].holder, None);
    }

    #[test]
    fn many_files_keep_their_order() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        fs::create_dir_all(layout.workspace_dir()).unwrap();
        for number in 0..300 {
            let path = layout.workspace_dir().join(format!("{number:03}_a_active.xml"));
            fs::write(path, task("status='active'")).unwrap();
        }
        let names: Vec<String> =
            status(&layout).unwrap().iter().map(|entry| entry.name.id.seq().to_owned()).collect();
        let expected: Vec<String> = (0..300).map(|number| format!("{number:03}")).collect();
        assert_eq!(names, expected);
    }
}
