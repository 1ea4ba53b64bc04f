//! Scope and budget for an agent that a person works with, and that has its own tools: each call is judged
//! before it is made, as far as it names the files that it writes.
//!
//! A shell command names none. What it did, the build finds, and [`unfinished`] before that.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use ftl_model::{DeltaPath, Digest};
use ftl_store::Layout;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::{Deserialize, Serialize};

use super::task::Task;
use super::{FileBudget, Toolbox, ToolsError};
use crate::project::{WorkspaceFile, read_workspace_file, walk};
use crate::run::Settings;
use crate::text::listed;

/// Bytes of what is kept of a task.
const MAX_KEPT: u64 = 1 << 20;

/// What was spent on a task, and how it stood when its agent was last sent back.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Spent {
    /// Of the task file: a task that changed starts over.
    task: Option<Digest>,
    files: BTreeSet<DeltaPath>,
    /// Ignored files that were not there before.
    #[serde(default)]
    made: BTreeSet<DeltaPath>,
    /// Of the delta.
    sent_back: Option<Digest>,
}

/// Judges a call that writes these files, absolute paths, in a project with these active tasks: why it must
/// not be made, if so.
///
/// # Errors
///
/// A task cannot be read, or what is spent cannot be kept.
pub fn forbid(
    active: &[WorkspaceFile],
    layout: &Layout,
    settings: &Settings,
    writes: &[PathBuf],
) -> Result<Option<String>, ToolsError> {
    let mut tasks = Vec::new();
    for workspace in active {
        let bytes = read_workspace_file(&workspace.path)?;
        tasks.push((workspace, Task::parse(&bytes)?, Digest::of(&bytes)));
    }
    if tasks.is_empty() {
        return Ok(None);
    }
    let root = real(layout.root());
    let own = tasks.iter().flat_map(|(_, task, _)| task.allow());
    let rules = Rules::of(&root, settings, own);
    let known = made(layout, &tasks)?;
    let (mut written, mut made): (Vec<DeltaPath>, Vec<DeltaPath>) = Default::default();
    for path in writes {
        let path = real(path);
        // Elsewhere nothing is watched.
        let Ok(below) = path.strip_prefix(&root) else {
            continue;
        };
        let below = match DeltaPath::parse(&below.to_string_lossy()) {
            Ok(below) => below,
            Err(problem) => {
                return Ok(Some(format!("not allowed while a task is active: {problem}")));
            }
        };
        let is_own = tasks.iter().any(|(_, task, _)| task.delta.contains(&below));
        if is_own {
            written.push(below);
        } else if !rules.is_free(&below) {
            // A new ignored file is kept by a build, one that was there is put back.
            let is_new = known.contains(&below) || path.symlink_metadata().is_err();
            if !(is_new && rules.is_ignored(&below)) {
                return Ok(Some(outside(&below, &tasks)));
            }
            made.push(below);
        }
    }
    for (workspace, task, digest) in &tasks {
        let own = written.iter().filter(|path| task.delta.contains(path));
        let own: Vec<DeltaPath> = own.cloned().collect();
        let most = task.budget.saturating_sub(2).max(0);
        let refused = keep(layout, workspace, *digest, |spent| {
            spent.made.extend(made.iter().cloned());
            charge(spent, &own, most)
        })?;
        if refused {
            return Ok(Some(format!(
                "the budget of task {} is spent: {most} of {} calls, and two are for the build; stop here and report \
                 the state to the user",
                workspace.id(),
                task.budget
            )));
        }
    }
    Ok(None)
}

/// Charges the files, unless that would exceed the budget; whether it is refused.
fn charge(spent: &mut Spent, own: &[DeltaPath], most: i64) -> bool {
    let mut files = spent.files.clone();
    files.extend(own.iter().cloned());
    let fits = i64::try_from(files.len()).is_ok_and(|count| count <= most);
    let refused = files.len() > spent.files.len() && !fits;
    if !refused {
        spent.files = files;
    }
    refused
}

fn outside(path: &DeltaPath, tasks: &[(&WorkspaceFile, Task, Digest)]) -> String {
    let ids: Vec<String> = tasks.iter().map(|(workspace, ..)| workspace.id().to_string()).collect();
    let files = tasks.iter().flat_map(|(_, task, _)| &task.delta);
    let files: Vec<String> = files.map(|path| format!("`{path}`")).collect();
    format!(
        "`{path}` is not a file of task {}, which may change {}; leave it as it is, or tell the person that it \
         has to change",
        listed(&ids),
        listed(&files)
    )
}

/// Why the agent of a task must not end yet: its checks fail. Of one that was sent back and changed nothing
/// since, there is nothing more to be had.
///
/// # Errors
///
/// As [`forbid`].
pub fn unfinished(
    workspace: &WorkspaceFile,
    again: bool,
    settings: Settings,
) -> Result<Option<String>, ToolsError> {
    let digest = Digest::of(&read_workspace_file(&workspace.path)?);
    let mut toolbox = Toolbox::open(workspace, None, settings)?;
    toolbox.budget = FileBudget::Unlimited;
    let state = format!("{:?}", toolbox.tree.delta()?);
    let state = Digest::of(state.as_bytes());
    let failed = [Toolbox::preflight, Toolbox::verify].into_iter().find_map(|check| {
        let answer = check(&mut toolbox);
        answer.map_or_else(|refusal| Some(refusal.0), |answer| answer.failed.then_some(answer.text))
    });
    let layout = &workspace.layout;
    let idle = keep(layout, workspace, digest, |spent| {
        let idle = again && spent.sent_back == Some(state);
        spent.sent_back = failed.is_some().then_some(state);
        idle
    })?;
    Ok(failed
        .filter(|_| !idle)
        .map(|text| format!("the task {} would not complete yet:\n{text}", workspace.id())))
}

/// The ignored files that these tasks made.
fn made(
    layout: &Layout,
    tasks: &[(&WorkspaceFile, Task, Digest)],
) -> Result<BTreeSet<DeltaPath>, ToolsError> {
    let mut made = BTreeSet::new();
    for (workspace, _, digest) in tasks {
        made.extend(keep(layout, workspace, *digest, |spent| spent.made.clone())?);
    }
    Ok(made)
}

/// Files that no task has to own.
struct Rules {
    /// What `[scope]` allows, and scratch.
    free: Gitignore,
    /// Caches, if git ignores them.
    caches: Gitignore,
    ignored: Gitignore,
}

impl Rules {
    fn of<'t>(root: &Path, settings: &'t Settings, own: impl Iterator<Item = &'t String>) -> Self {
        let rules = |globs: &mut dyn Iterator<Item = &str>| {
            let mut rules = GitignoreBuilder::new(root);
            for glob in globs {
                // A build refuses a glob that is none.
                let _ = rules.add_line(None, glob);
            }
            rules.build().unwrap_or_else(|_| Gitignore::empty())
        };
        let configured = settings.tree.allow.iter().chain(&settings.tree.scratch).chain(own);
        Self {
            free: rules(&mut configured.map(String::as_str).chain(ftl_tree::SCRATCH_NAMES)),
            caches: rules(&mut ftl_tree::IGNORED_CACHES.into_iter()),
            ignored: walk::git_ignored(root),
        }
    }

    fn is_free(&self, path: &DeltaPath) -> bool {
        has(&self.free, path) || (self.is_ignored(path) && has(&self.caches, path))
    }

    fn is_ignored(&self, path: &DeltaPath) -> bool {
        has(&self.ignored, path)
    }
}

fn has(rules: &Gitignore, path: &DeltaPath) -> bool {
    rules.matched_path_or_any_parents(path, false).is_ignore()
}

/// The path without links, as far as it exists, and without `.` and `..`.
fn real(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => plain.push(part),
        }
        if let Ok(real) = plain.canonicalize() {
            plain = real;
        }
    }
    plain
}

/// Changes what is kept of a task, under a lock.
fn keep<T>(
    layout: &Layout,
    workspace: &WorkspaceFile,
    task: Digest,
    change: impl FnOnce(&mut Spent) -> T,
) -> Result<T, ToolsError> {
    let dir = layout.private_dir().map(|private| private.join(layout.key()).join("hooks"));
    let dir = dir.ok_or_else(|| ToolsError::Keeping {
        path: PathBuf::from("~/.local/state"),
        source: io::ErrorKind::NotFound.into(),
    })?;
    let path = dir.join(format!("{}.json", workspace.id()));
    let failed = |source| ToolsError::Keeping { path: path.clone(), source };
    let mut file = open(&dir, &path).map_err(failed)?;
    let mut spent = read(&mut file).map_err(failed)?;
    if spent.task != Some(task) {
        spent = Spent { task: Some(task), ..Spent::default() };
    }
    let done = change(&mut spent);
    write(&mut file, &spent).map_err(failed)?;
    Ok(done)
}

fn open(dir: &Path, path: &Path) -> io::Result<File> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    let mut options = OpenOptions::new();
    let file =
        options.read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    file.lock()?;
    Ok(file)
}

fn read(file: &mut File) -> io::Result<Spent> {
    let mut text = Vec::new();
    file.take(MAX_KEPT).read_to_end(&mut text)?;
    // After a write that was cut off the count starts over.
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}

fn write(file: &mut File, spent: &Spent) -> io::Result<()> {
    let text = serde_json::to_vec(spent)?;
    file.rewind()?;
    file.set_len(0)?;
    file.write_all(&text)
}
