//! The files that landings of this command wrote, and the tasks whose work met them there.

use std::collections::{BTreeMap, BTreeSet};

use crate::result::BuildResult;

#[derive(Debug, Default)]
pub(super) struct Landings {
    files: BTreeSet<String>,
    met: BTreeMap<String, BTreeSet<usize>>,
}

impl Landings {
    pub(super) fn add(&mut self, result: &BuildResult) {
        self.files.extend(paths_of(result));
    }

    /// Whether the work of a task changed a file that another landing wrote.
    pub(super) fn touch(&self, result: &BuildResult) -> bool {
        paths_of(result).any(|path| self.files.contains(&path))
    }

    /// The tasks that met a landing in the same files as this one.
    pub(super) fn meet(&mut self, task: usize, result: &BuildResult) -> BTreeSet<usize> {
        let mut others = BTreeSet::new();
        for path in paths_of(result).filter(|path| self.files.contains(path)) {
            let met = self.met.entry(path).or_default();
            met.insert(task);
            others.extend(met.iter().copied());
        }
        others
    }
}

/// The files of a task's work.
fn paths_of(result: &BuildResult) -> impl Iterator<Item = String> {
    let delta = result.files.iter().map(|file| file.path.to_string());
    delta.chain(result.allowed.iter().cloned())
}
