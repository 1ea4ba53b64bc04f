//! The order in which several tasks are built: what a task depends on comes first.

use std::collections::BTreeSet;
use std::path::Path;

use ftl_engine::project::{WorkspaceFile, read};
use ftl_model::Seq;

use crate::failure::Failure;

/// The tasks, each after those of them that it depends on, and otherwise as they were named; with
/// the places, in the new order, of the tasks that it waits for.
pub(super) fn sorted(
    tasks: Vec<WorkspaceFile>,
) -> Result<Vec<(WorkspaceFile, Vec<usize>)>, Failure> {
    if tasks.len() < 2 {
        return Ok(tasks.into_iter().map(|task| (task, Vec::new())).collect());
    }
    let waits: Vec<Vec<usize>> = tasks.iter().map(|task| waits_for(task, &tasks)).collect();
    let order = order(&waits).map_err(|stuck| cycle(&stuck, &tasks))?;
    let place = |old: &usize| order.iter().position(|at| at == old);
    let after: Vec<Vec<usize>> = order
        .iter()
        .map(|&old| waits[old].iter().filter_map(place).collect())
        .collect();
    let mut tasks: Vec<Option<WorkspaceFile>> = tasks.into_iter().map(Some).collect();
    let sorted = order.iter().filter_map(|&old| tasks[old].take());
    Ok(sorted.zip(after).collect())
}

/// The places of the tasks that `task` depends on.
fn waits_for(task: &WorkspaceFile, tasks: &[WorkspaceFile]) -> Vec<usize> {
    let depends = depends(&task.path);
    if depends.is_empty() {
        return Vec::new();
    }
    let is_meant = |other: &WorkspaceFile| {
        let same_project = other.layout == task.layout;
        same_project && depends.iter().any(|seq| seq == other.name.id.seq())
    };
    (0..tasks.len())
        .filter(|&at| is_meant(&tasks[at]))
        .collect()
}

/// The numbers that a task file depends on. One that cannot be read is for its build to block.
fn depends(path: &Path) -> Vec<Seq> {
    let bytes = read(path).unwrap_or_default();
    let workspace = ftl_xml::read(&bytes)
        .ok()
        .and_then(|document| document.workspace().ok());
    workspace
        .map(|workspace| workspace.depends)
        .unwrap_or_default()
}

/// The places in an order in which each comes after those that it waits for; of those that could be
/// next, the first. The error holds what waits for itself.
fn order(waits: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut missing: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut dependants: Vec<Vec<usize>> = vec![Vec::new(); waits.len()];
    for (at, befores) in waits.iter().enumerate() {
        for &before in befores {
            dependants[before].push(at);
        }
    }
    let mut ready: BTreeSet<usize> = (0..waits.len()).filter(|&at| missing[at] == 0).collect();
    let mut order = Vec::with_capacity(waits.len());
    while let Some(next) = ready.pop_first() {
        order.push(next);
        for &dependant in &dependants[next] {
            missing[dependant] -= 1;
            if missing[dependant] == 0 {
                ready.insert(dependant);
            }
        }
    }
    if order.len() == waits.len() {
        return Ok(order);
    }
    Err((0..waits.len()).filter(|&at| missing[at] > 0).collect())
}

fn cycle(stuck: &[usize], tasks: &[WorkspaceFile]) -> Failure {
    let ids: Vec<String> = stuck
        .iter()
        .map(|&at| format!("`{}`", tasks[at].id()))
        .collect();
    let message = format!("{} wait for each other", ids.join(", "));
    Failure::usage("usage::depends", message).help("mend the `depends` attributes of these tasks")
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
