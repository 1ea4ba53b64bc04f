//! What several tasks depend on, and which files they share.
//!
//! A task that is not built along has to be complete before those that depend on it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use ftl_model::{DeltaPath, Seq, Status, Workspace, WorkspaceName};
use ftl_schedule::{Schedule, Task};
use ftl_store::StoreError;
use thiserror::Error;

use super::Job;
use crate::project::{WorkspaceFile, names, read};

/// Why tasks can't be built together.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// A task depends on some that are neither complete nor built along.
    #[error("`{id}` depends on the {}, which {} not complete", noun(missing), verb(missing))]
    Missing {
        /// The task's ID.
        id: String,
        /// The numbers that it depends on.
        missing: Vec<Seq>,
    },
    /// A task depends on one that was dropped.
    #[error("`{id}` is unreachable: it depends on `{dropped}`, which was dropped")]
    Dropped {
        /// The task's ID.
        id: String,
        /// That of the other one.
        dropped: String,
    },
    /// Tasks wait for each other.
    #[error("{} {}", quoted(ids), if ids.len() == 1 { "waits for itself" } else { "wait for each other" })]
    Cyclic {
        /// Their IDs.
        ids: Vec<String>,
    },
    /// The tasks of a project could not be listed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tasks in the order in which they are preferred, each with what its file says of the others.
#[derive(Debug)]
pub struct Graph(Vec<Node>);

#[derive(Debug)]
struct Node {
    workspace: WorkspaceFile,
    depends: Vec<Seq>,
    delta: Vec<String>,
}

impl Graph {
    /// Reads the tasks. A file that can't be read depends on nothing here: its build blocks it with the
    /// reason.
    #[must_use]
    pub fn read(workspaces: Vec<WorkspaceFile>) -> Self {
        Self(workspaces.into_iter().map(Node::read).collect())
    }

    /// The tasks, in order.
    pub fn workspaces(&self) -> impl Iterator<Item = &WorkspaceFile> {
        self.0.iter().map(|node| &node.workspace)
    }

    /// Refuses tasks that depend on some which are neither complete nor among them.
    ///
    /// # Errors
    ///
    /// [`GraphError::Missing`] for the first such task.
    pub fn refuse_missing(&self) -> Result<(), GraphError> {
        self.first_missing()?.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Takes such tasks out, and those that depend on them. Returns them, each with the reason.
    ///
    /// # Errors
    ///
    /// When the tasks of a project can't be listed.
    pub fn leave_out_missing(&mut self) -> Result<Vec<(WorkspaceFile, GraphError)>, GraphError> {
        let mut left_out = Vec::new();
        while let Some((at, error)) = self.first_missing()? {
            left_out.push((self.0.remove(at).workspace, error));
        }
        Ok(left_out)
    }

    fn first_missing(&self) -> Result<Option<(usize, GraphError)>, GraphError> {
        let mut complete: BTreeMap<&Path, BTreeSet<String>> = BTreeMap::new();
        let numbers = self.numbers();
        let depend = |(_, node): &(usize, &Node)| !node.depends.is_empty();
        for (at, node) in self.0.iter().enumerate().filter(depend) {
            let root = node.workspace.layout.root();
            if !complete.contains_key(root) {
                let names = names(&node.workspace.layout).map_err(StoreError::from)?.into_iter();
                let names = names.filter(|name| name.status == Status::Complete);
                complete.insert(root, names.map(|name| name.id.seq().to_owned()).collect());
            }
            let is_missing = |seq: &&Seq| {
                !complete[root].contains(seq.as_str()) && numbers.of(node, seq).is_empty()
            };
            let missing: Vec<Seq> = node.depends.iter().filter(is_missing).cloned().collect();
            if !missing.is_empty() {
                return Ok(Some((at, node.refused(missing))));
            }
        }
        Ok(None)
    }

    /// The schedule of the tasks, built with these settings each, with so many under way at once.
    ///
    /// # Errors
    ///
    /// [`GraphError::Cyclic`].
    pub fn schedule(&self, jobs: &[Job], slots: NonZeroUsize) -> Result<Schedule, GraphError> {
        let numbers = self.numbers();
        let task = |(at, node): (usize, &Node)| Task {
            depends: numbers.before(node),
            delta: node.delta.clone(),
            agents: agents(jobs, at),
            attempts: jobs[at].settings.series.attempts,
        };
        let tasks: Vec<Task> = self.0.iter().enumerate().map(task).collect();
        Schedule::new(&tasks, slots).map_err(|cycle| GraphError::Cyclic {
            ids: cycle.iter().map(|&at| self.0[at].id()).collect(),
        })
    }

    fn numbers(&self) -> Numbers {
        let mut numbers = Numbers::default();
        for (at, node) in self.0.iter().enumerate() {
            let name = &node.workspace.name;
            let key = (node.workspace.layout.root().to_owned(), name.id.seq().to_owned());
            numbers.0.entry(key).or_default().push(at);
        }
        numbers
    }
}

/// Tasks by their roots and numbers.
#[derive(Default)]
struct Numbers(HashMap<(PathBuf, String), Vec<usize>>);

impl Numbers {
    fn of(&self, node: &Node, seq: &Seq) -> &[usize] {
        let found = self.0.get(&(node.workspace.layout.root().to_owned(), seq.as_str().to_owned()));
        found.map_or(&[], Vec::as_slice)
    }

    /// The tasks that this one depends on.
    fn before(&self, node: &Node) -> Vec<usize> {
        let all = node.depends.iter().flat_map(|seq| self.of(node, seq));
        all.copied().collect::<BTreeSet<usize>>().into_iter().collect()
    }
}

/// The agents of a task's runs, each as its first place among those of all tasks: where it is the same, outages are.
fn agents(jobs: &[Job], at: usize) -> Vec<usize> {
    let all = jobs.iter().flat_map(|job| {
        let stronger = job.settings.series.stronger.iter();
        std::iter::once(&*job.settings).chain(stronger).map(|settings| &settings.implementer)
    });
    let rungs = jobs[at].rung..=u32::try_from(jobs[at].settings.series.stronger.len()).unwrap_or(0);
    let of = |rung: u32| &jobs[at].settings_of(rung - jobs[at].rung).implementer;
    rungs.filter_map(|rung| all.clone().position(|other| other == of(rung))).collect()
}

impl Node {
    fn read(workspace: WorkspaceFile) -> Self {
        let read: Option<Workspace> = read(&workspace.path).ok().and_then(|bytes| {
            ftl_xml::read(&bytes).ok().and_then(|document| document.workspace().ok())
        });
        let Some(read) = read else {
            return Self { workspace, depends: Vec::new(), delta: Vec::new() };
        };
        let path = |text: &String| {
            DeltaPath::parse(text).map_or_else(|_| text.clone(), |it| it.to_string())
        };
        let delta = read.delta.iter().flatten().map(path).collect();
        Self { workspace, depends: read.depends, delta }
    }

    /// Why it is refused: numbers that it depends on are neither complete nor built along.
    fn refused(&self, missing: Vec<Seq>) -> GraphError {
        let names = match names(&self.workspace.layout) {
            Ok(names) => names,
            Err(error) => return StoreError::from(error).into(),
        };
        let is_dropped = |name: &&WorkspaceName| {
            name.status == Status::Dropped && missing.iter().any(|seq| *seq == *name.id.seq())
        };
        match names.iter().find(is_dropped) {
            Some(name) => GraphError::Dropped { id: self.id(), dropped: name.id.to_string() },
            None => GraphError::Missing { id: self.id(), missing },
        }
    }

    fn id(&self) -> String {
        self.workspace.id().to_string()
    }
}

fn noun(missing: &[Seq]) -> String {
    let listed: Vec<String> = missing.iter().map(|seq| format!("`{seq}`")).collect();
    let noun = if missing.len() == 1 { "task" } else { "tasks" };
    format!("{noun} {}", listed.join(", "))
}

fn verb(missing: &[Seq]) -> &'static str {
    if missing.len() == 1 { "is" } else { "are" }
}

fn quoted(ids: &[String]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    quoted.join(", ")
}
