//! The order in which several workspaces are built: what a task depends on comes first.
//!
//! Of those that are not built along, each has to be complete.

use std::collections::BTreeSet;
use std::path::Path;

use ftl_engine::project::{WorkspaceFile, names, read};
use ftl_model::{Seq, Status};

use crate::failure::Failure;

/// The workspaces, each after those of them that it depends on, and otherwise as they were named;
/// with the indices, in the new order, of those that it depends on.
pub(super) fn sorted(
    workspaces: Vec<WorkspaceFile>,
) -> Result<Vec<(WorkspaceFile, Vec<usize>)>, Failure> {
    // A single one depends on no other, so its file need not be read here.
    if workspaces.len() < 2 {
        let alone = workspaces.into_iter();
        return Ok(alone.map(|workspace| (workspace, Vec::new())).collect());
    }
    let dependencies: Vec<Vec<usize>> = workspaces
        .iter()
        .map(|workspace| dependencies(workspace, &workspaces))
        .collect();
    let order = order(&dependencies).map_err(|cycle| cyclic(&cycle, &workspaces))?;
    let index = |old: &usize| order.iter().position(|at| at == old);
    let after: Vec<Vec<usize>> = order
        .iter()
        .map(|&old| dependencies[old].iter().filter_map(index).collect())
        .collect();
    let mut workspaces: Vec<Option<WorkspaceFile>> = workspaces.into_iter().map(Some).collect();
    let sorted = order.iter().filter_map(|&old| workspaces[old].take());
    Ok(sorted.zip(after).collect())
}

/// Refuses workspaces that depend on tasks which are neither complete nor among them.
pub(super) fn refuse_missing(workspaces: &[WorkspaceFile]) -> Result<(), Failure> {
    for workspace in workspaces {
        let mut missing = depends(&workspace.path);
        if missing.is_empty() {
            continue;
        }
        let names = names(&workspace.layout)?;
        let complete = names.iter().filter(|name| name.status == Status::Complete);
        let complete: BTreeSet<&str> = complete.map(|name| name.id.seq()).collect();
        missing.retain(|seq| {
            let is_built = |other: &WorkspaceFile| {
                other.layout == workspace.layout && seq == other.name.id.seq()
            };
            !complete.contains(seq.as_str()) && !workspaces.iter().any(is_built)
        });
        if !missing.is_empty() {
            return Err(waits(workspace, &missing));
        }
    }
    Ok(())
}

fn waits(workspace: &WorkspaceFile, missing: &[Seq]) -> Failure {
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
    Failure::usage("usage::depends", message)
        .help("build them first or along with it, or pass `--ignore-depends`")
}

/// The indices of those that `workspace` depends on.
fn dependencies(workspace: &WorkspaceFile, workspaces: &[WorkspaceFile]) -> Vec<usize> {
    let depends = depends(&workspace.path);
    if depends.is_empty() {
        return Vec::new();
    }
    let is_meant = |other: &WorkspaceFile| {
        let same_project = other.layout == workspace.layout;
        same_project && depends.iter().any(|seq| seq == other.name.id.seq())
    };
    (0..workspaces.len())
        .filter(|&at| is_meant(&workspaces[at]))
        .collect()
}

/// The numbers that a workspace depends on. A file that cannot be read depends on nothing here: its
/// build blocks it with the reason.
fn depends(path: &Path) -> Vec<Seq> {
    let bytes = read(path).unwrap_or_default();
    let workspace = ftl_xml::read(&bytes)
        .ok()
        .and_then(|document| document.workspace().ok());
    workspace
        .map(|workspace| workspace.depends)
        .unwrap_or_default()
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

fn cyclic(cycle: &[usize], workspaces: &[WorkspaceFile]) -> Failure {
    let ids: Vec<String> = cycle
        .iter()
        .map(|&at| format!("`{}`", workspaces[at].id()))
        .collect();
    let message = format!("{} wait for each other", ids.join(", "));
    Failure::usage("usage::depends", message)
        .help("correct the `depends` attributes of these tasks")
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
