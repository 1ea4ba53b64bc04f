//! The order in which several workspaces are built: what a task depends on comes first.
//!
//! Of those that are not built along, each has to be complete.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ftl_engine::project::{WorkspaceFile, names, read};
use ftl_model::{Seq, Status, WorkspaceName};

use crate::failure::Failure;

/// Workspaces, each with the numbers that it depends on.
pub(super) struct Tasks(Vec<(WorkspaceFile, Vec<Seq>)>);

impl Tasks {
    /// Reads what each depends on. A file that cannot be read depends on nothing here: its build blocks it
    /// with the reason.
    pub(super) fn read(workspaces: Vec<WorkspaceFile>) -> Self {
        let workspaces = workspaces.into_iter();
        let read = workspaces.map(|workspace| {
            let depends = depends(&workspace.path);
            (workspace, depends)
        });
        Self(read.collect())
    }

    /// Refuses those that depend on tasks which are neither complete nor among them.
    pub(super) fn refuse_missing(&self) -> Result<(), Failure> {
        let mut complete: BTreeMap<&Path, BTreeSet<String>> = BTreeMap::new();
        for (workspace, depends) in &self.0 {
            if depends.is_empty() {
                continue;
            }
            let root = workspace.layout.root();
            if !complete.contains_key(root) {
                let names = names(&workspace.layout)?.into_iter();
                let names = names.filter(|name| name.status == Status::Complete);
                complete.insert(root, names.map(|name| name.id.seq().to_owned()).collect());
            }
            let is_missing = |seq: &&Seq| {
                let is_built = |other: &(WorkspaceFile, _)| is_meant(workspace, seq, &other.0);
                !complete[root].contains(seq.as_str()) && !self.0.iter().any(is_built)
            };
            let missing: Vec<&Seq> = depends.iter().filter(is_missing).collect();
            if !missing.is_empty() {
                return Err(waits(workspace, &missing)?);
            }
        }
        Ok(())
    }

    /// Each after those of them that it depends on, and otherwise as they were named; with the indices, in
    /// the new order, of those that it depends on.
    pub(super) fn sorted(self) -> Result<Vec<(WorkspaceFile, Vec<usize>)>, Failure> {
        // A single one waits for no other.
        if self.0.len() < 2 {
            let alone = self.0.into_iter();
            return Ok(alone.map(|(workspace, _)| (workspace, Vec::new())).collect());
        }
        let indices = |(workspace, depends): &(WorkspaceFile, Vec<Seq>)| -> Vec<usize> {
            let is_before = |at: &usize| {
                let mut depends = depends.iter();
                depends.any(|seq| is_meant(workspace, seq, &self.0[*at].0))
            };
            (0..self.0.len()).filter(is_before).collect()
        };
        let dependencies: Vec<Vec<usize>> = self.0.iter().map(indices).collect();
        let order = order(&dependencies).map_err(|cycle| self.cyclic(&cycle))?;
        let index = |old: &usize| order.iter().position(|at| at == old);
        let after: Vec<Vec<usize>> =
            order.iter().map(|&old| dependencies[old].iter().filter_map(index).collect()).collect();
        let workspaces = self.0.into_iter().map(|(workspace, _)| Some(workspace));
        let mut workspaces: Vec<Option<WorkspaceFile>> = workspaces.collect();
        let sorted = order.iter().filter_map(|&old| workspaces[old].take());
        Ok(sorted.zip(after).collect())
    }

    fn cyclic(&self, cycle: &[usize]) -> Failure {
        let ids: Vec<String> = cycle.iter().map(|&at| format!("`{}`", self.0[at].0.id())).collect();
        let message = format!("{} wait for each other", ids.join(", "));
        Failure::usage("usage::depends", message)
            .help("correct the `depends` attributes of these tasks")
    }
}

/// Whether a number that `workspace` depends on is that of `other`.
fn is_meant(workspace: &WorkspaceFile, seq: &Seq, other: &WorkspaceFile) -> bool {
    other.layout == workspace.layout && seq == other.name.id.seq()
}

fn waits(workspace: &WorkspaceFile, missing: &[&Seq]) -> Result<Failure, Failure> {
    let names = names(&workspace.layout)?;
    let is_dropped = |name: &&WorkspaceName| {
        name.status == Status::Dropped && missing.iter().any(|seq| **seq == *name.id.seq())
    };
    if let Some(dropped) = names.iter().find(is_dropped) {
        let id = &dropped.id;
        let message =
            format!("`{}` is unreachable: it depends on `{id}`, which was dropped", workspace.id());
        return Ok(Failure::usage("usage::depends", message).help(format!(
            "make that task active again with `ftl reopen {id}`, or pass `--ignore-depends`"
        )));
    }
    let listed: Vec<String> = missing.iter().map(|seq| format!("`{seq}`")).collect();
    let (noun, verb) = match missing {
        [_] => ("task", "is"),
        _ => ("tasks", "are"),
    };
    let message = format!(
        "`{}` depends on the {noun} {}, which {verb} not complete",
        workspace.id(),
        listed.join(", ")
    );
    Ok(Failure::usage("usage::depends", message)
        .help("build them first or along with it, or pass `--ignore-depends`"))
}

fn depends(path: &Path) -> Vec<Seq> {
    let bytes = read(path).unwrap_or_default();
    let workspace = ftl_xml::read(&bytes).ok().and_then(|document| document.workspace().ok());
    workspace.map(|workspace| workspace.depends).unwrap_or_default()
}

/// A topological order of indices, stable: of those that could be next, the first. The error holds
/// the indices that are part of a cycle, or depend on one.
fn order(dependencies: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut missing: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    let mut dependants: Vec<Vec<usize>> = vec![Vec::new(); dependencies.len()];
    for (at, befores) in dependencies.iter().enumerate() {
        for &before in befores {
            dependants[before].push(at);
        }
    }
    let mut ready: BTreeSet<usize> = (0..missing.len()).filter(|&at| missing[at] == 0).collect();
    let mut order = Vec::with_capacity(missing.len());
    while let Some(next) = ready.pop_first() {
        order.push(next);
        for &dependant in &dependants[next] {
            missing[dependant] -= 1;
            if missing[dependant] == 0 {
                ready.insert(dependant);
            }
        }
    }
    if order.len() == missing.len() {
        return Ok(order);
    }
    Err((0..missing.len()).filter(|&at| missing[at] > 0).collect())
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn what_is_waited_for_comes_first_and_the_rest_stays_in_order() {
        let cases: &[(&[&[usize]], &[usize])] = &[
            (&[], &[]),
            (&[&[], &[]], &[0, 1]),
            (&[&[2], &[], &[]], &[1, 2, 0]),
            (&[&[1], &[2], &[]], &[2, 1, 0]),
            (&[&[], &[0, 2], &[0]], &[0, 2, 1]),
        ];
        for (waits, expected) in cases {
            let waits: Vec<Vec<usize>> = waits.iter().map(|waits| waits.to_vec()).collect();
            assert_eq!(order(&waits).as_deref(), Ok(*expected), "{waits:?}");
        }
    }

    #[test]
    fn what_waits_for_itself_is_told() {
        assert_eq!(order(&[vec![], vec![2], vec![1]]), Err(vec![1, 2]));
        assert_eq!(order(&[vec![0]]), Err(vec![0]));
    }
}
