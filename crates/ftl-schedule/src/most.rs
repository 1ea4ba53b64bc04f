//! The largest set of tasks of which none excludes another.
//!
//! The problem is hard in general, but the graphs of real plans fall into small parts. Steps are bounded:
//! beyond the bound the answer is the largest set found so far, and never too large.

use std::collections::BTreeSet;

/// Steps of one search: some milliseconds in a release build.
const STEPS: usize = 1_000;

/// The size of the largest set; `exclusions` has for each task those that exclude it.
pub(crate) fn most(exclusions: &[BTreeSet<usize>]) -> usize {
    let mut seen = vec![false; exclusions.len()];
    let mut size = 0;
    for first in 0..exclusions.len() {
        if seen[first] {
            continue;
        }
        let part = connected(first, exclusions);
        for &task in &part {
            seen[task] = true;
        }
        let mut search = Search { exclusions, best: 0, steps: STEPS };
        search.go(part, 0);
        size += search.best;
    }
    size
}

/// The tasks that are connected with this one by exclusions.
fn connected(first: usize, exclusions: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let mut part = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(task) = open.pop() {
        open.extend(exclusions[task].iter().copied().filter(|&other| part.insert(other)));
    }
    part
}

struct Search<'e> {
    exclusions: &'e [BTreeSet<usize>],
    best: usize,
    steps: usize,
}

impl Search<'_> {
    fn go(&mut self, mut left: BTreeSet<usize>, mut size: usize) {
        // A task with one exclusion at most is part of some largest set.
        while let Some(task) = left.iter().copied().find(|&task| self.degree(task, &left) < 2) {
            self.take(task, &mut left);
            size += 1;
        }
        // Of tasks that all exclude each other, as in a chain, one is the most.
        if !left.is_empty() && left.iter().all(|&task| self.degree(task, &left) + 1 == left.len()) {
            left.clear();
            size += 1;
        }
        self.best = self.best.max(size);
        self.steps = self.steps.saturating_sub(1);
        let hardest = left.iter().copied().max_by_key(|&task| self.degree(task, &left));
        let Some(task) = hardest.filter(|_| size + left.len() > self.best) else {
            return;
        };
        let mut with = left.clone();
        self.take(task, &mut with);
        left.remove(&task);
        if self.steps > 0 {
            self.go(left, size);
        }
        // Without steps this branch alone goes on, to a set that can't be made larger.
        self.go(with, size + 1);
    }

    fn degree(&self, task: usize, left: &BTreeSet<usize>) -> usize {
        self.exclusions[task].iter().filter(|other| left.contains(other)).count()
    }

    fn take(&self, task: usize, left: &mut BTreeSet<usize>) {
        left.remove(&task);
        left.retain(|other| !self.exclusions[task].contains(other));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::most;

    fn graph(size: usize, edges: u32) -> Vec<BTreeSet<usize>> {
        let mut graph = vec![BTreeSet::new(); size];
        let pairs = (0..size).flat_map(|a| (0..a).map(move |b| (a, b)));
        for (at, (a, b)) in pairs.enumerate() {
            if edges >> at & 1 == 1 {
                graph[a].insert(b);
                graph[b].insert(a);
            }
        }
        graph
    }

    #[test]
    fn every_graph_of_five_tasks_agrees_with_trying_all_sets() {
        for edges in 0..1 << 10 {
            let graph = graph(5, edges);
            let is_free = |set: &u32| {
                (0..5).all(|a| set >> a & 1 == 0 || graph[a].iter().all(|b| set >> b & 1 == 0))
            };
            let expected = (0_u32..32).filter(is_free).map(u32::count_ones).max().unwrap();
            assert_eq!(most(&graph), expected as usize, "{graph:?}");
        }
    }

    #[test]
    fn a_large_dense_graph_ends() {
        // Rings of different steps: 200 tasks, each with twelve exclusions.
        let near = |at: usize| {
            (1..=6).flat_map(move |by| [(at + by * by) % 200, (at + 200 - by * by) % 200])
        };
        let graph: Vec<BTreeSet<usize>> = (0..200).map(|at| near(at).collect()).collect();
        assert!(most(&graph) >= 200 / 13);
    }
}
