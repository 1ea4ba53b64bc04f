//! Where an implementer works: the copy at the root's own path, or at the copy's.

use std::path::{Path, PathBuf};

use super::mounts::{Layer, Mounts};
use super::outputs::Provided;
use super::{Workplace, outputs, repositories};
use crate::{RelPath, Tree, TreeError};

impl Workplace {
    /// What is mounted for an implementer, where the workplace covers the root. Makes the layers' directories.
    ///
    /// # Errors
    /// When the workplace was not refreshed, or the file system refuses.
    pub fn mounts(&self, tree: &Tree) -> Result<Mounts, TreeError> {
        let (base, to) = (self.base()?, repositories::places(&self.dir, tree)?);
        let full = |label: &RelPath| tree.at(label).full();
        let mut binds = vec![(to.top.path().to_path_buf(), tree.top().to_path_buf())];
        if let (Some(from), Some(over)) = (&to.git_dir, tree.outer_git_dir()) {
            binds.push((from.path().to_path_buf(), over));
        }
        let shared = base.objects.iter().enumerate();
        let shared = shared
            .map(|(number, label)| (full(label), repositories::mount_point(&self.dir, number)));
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        let linked = base.dependencies.iter().filter(|at| at.how == Provided::Link);
        let meeting = base.entries.iter().filter(|(_, at)| at.then.is_meeting());
        Ok(Mounts {
            binds,
            layers: outputs::layers(&self.dir, tree, &base.dependencies)?,
            shared: shared.filter(|(path, _)| path.is_dir()).collect(),
            readable: linked.map(|at| full(&at.path)).filter(is_there).collect(),
            pass: meeting.map(|(path, _)| full(path)).filter(is_there).collect(),
        })
    }

    /// The mounts of a workplace that is not made yet, to try out whether the system allows them: an empty directory in
    /// `probe` over the top of the tree, with a layer.
    #[must_use]
    pub fn trial(tree: &Tree, probe: &Path) -> Mounts {
        let top = tree.top().to_path_buf();
        let layer =
            Layer { over: top.clone(), upper: probe.join("upper"), work: probe.join("work") };
        Mounts { binds: vec![(probe.join("copy"), top)], layers: vec![layer], ..Mounts::default() }
    }
}

impl Tree {
    /// Git's own directory, where that is not below the top.
    fn outer_git_dir(&self) -> Option<PathBuf> {
        let dir = self.places.git_dir.as_ref()?.path();
        let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
        (!dir.starts_with(self.top())).then_some(dir)
    }
}
