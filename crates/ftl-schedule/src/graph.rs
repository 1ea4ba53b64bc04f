//! What tasks depend on, and which of them share files.

use std::collections::BTreeSet;

use crate::most;

/// The relations between tasks, by their indices.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) depends: Vec<Vec<usize>>,
    pub(crate) overlaps: Vec<BTreeSet<usize>>,
}

impl Graph {
    pub(crate) fn overlap(&mut self, a: usize, b: usize) {
        if a != b {
            self.overlaps[a].insert(b);
            self.overlaps[b].insert(a);
        }
    }

    /// For each task all those that come before it.
    pub(crate) fn before(&self) -> Vec<BTreeSet<usize>> {
        let (order, _) = self.sorted();
        let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.depends.len()];
        for task in order {
            for &depends in &self.depends[task] {
                let above = before[depends].clone();
                before[task].extend(above);
                before[task].insert(depends);
            }
        }
        before
    }

    /// The size of the largest set of tasks of which no two share a file and none depends on another one.
    pub(crate) fn most_at_once(&self) -> usize {
        let mut exclusions = self.overlaps.clone();
        for (task, before) in self.before().iter().enumerate() {
            for &other in before {
                exclusions[task].insert(other);
                exclusions[other].insert(task);
            }
        }
        most::most(&exclusions)
    }

    /// A topological order, stable: of those that could be next, the first. And the tasks that are part of a
    /// circle, or depend on one.
    pub(crate) fn sorted(&self) -> (Vec<usize>, Vec<usize>) {
        let mut missing: Vec<usize> = self.depends.iter().map(Vec::len).collect();
        let mut dependants: Vec<Vec<usize>> = vec![Vec::new(); missing.len()];
        for (task, depends) in self.depends.iter().enumerate() {
            for &before in depends {
                dependants[before].push(task);
            }
        }
        let mut ready: BTreeSet<usize> =
            (0..missing.len()).filter(|&task| missing[task] == 0).collect();
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
        let cyclic = (0..missing.len()).filter(|&task| missing[task] > 0).collect();
        (order, cyclic)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use crate::{Schedule, Task};

    fn schedule(depends: &[&[usize]]) -> Result<Schedule, Vec<usize>> {
        let task = |depends: &&[usize]| Task { depends: depends.to_vec(), ..Task::default() };
        let tasks: Vec<Task> = depends.iter().map(task).collect();
        Schedule::new(&tasks, NonZeroUsize::MIN)
    }

    #[test]
    fn dependencies_come_first_and_the_rest_stays_in_order() {
        let cases: &[(&[&[usize]], &[usize])] = &[
            (&[], &[]),
            (&[&[], &[]], &[0, 1]),
            (&[&[2], &[], &[]], &[1, 2, 0]),
            (&[&[1], &[2], &[]], &[2, 1, 0]),
            (&[&[], &[0, 2], &[0]], &[0, 2, 1]),
        ];
        for (depends, expected) in cases {
            assert_eq!(schedule(depends).unwrap().order(), *expected, "{depends:?}");
        }
    }

    #[test]
    fn circles_are_refused() {
        assert_eq!(schedule(&[&[], &[2], &[1]]).unwrap_err(), [1, 2]);
        assert_eq!(schedule(&[&[0]]).unwrap_err(), [0]);
    }

    #[test]
    fn the_most_at_once_share_no_file_and_depend_on_no_other() {
        let task = |delta: &[&str], depends: &[usize]| Task {
            depends: depends.to_vec(),
            delta: delta.iter().map(ToString::to_string).collect(),
            ..Task::default()
        };
        let most = |tasks: &[Task]| Schedule::new(tasks, NonZeroUsize::MIN).unwrap().most_at_once();
        assert_eq!(most(&[]), 0);
        let apart = [task(&["a"], &[]), task(&["b"], &[]), task(&["c"], &[])];
        assert_eq!(most(&apart), 3);
        let shared = [task(&["a"], &[]), task(&["a", "b"], &[]), task(&["b"], &[])];
        assert_eq!(most(&shared), 2);
        let chain = [task(&["a"], &[]), task(&["b"], &[0]), task(&["c"], &[1]), task(&["d"], &[0])];
        assert_eq!(most(&chain), 2);
    }
}
