//! Views of a slot: what they mount, and what becomes of what was written in them.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::{Slot, repositories};
use ftl_model::DeltaPath;

use crate::globs::Globs;
use crate::own::NoOwner;
use crate::walk::scratch::ScratchNames;
use crate::{OverlayLayer, RelPath, Tree, TreeError, Watch};

/// What a view of a slot mounts. Every path below the layers is the tree's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotView {
    /// The layers in which the implementer's work is found, see [`Tree::written`].
    pub layers: Vec<OverlayLayer>,
    /// Layers over dependency directories. What is written there is dropped with the view.
    pub dependencies: Vec<OverlayLayer>,
    /// Directories that can also be read at a second path: git's objects.
    pub shared: Vec<(PathBuf, PathBuf)>,
    /// Pipes and sockets of the tree, which are let through.
    pub pass: Vec<PathBuf>,
}

impl SlotView {
    /// All layers, one before those within it.
    #[must_use]
    pub fn all_layers(&self) -> Vec<OverlayLayer> {
        self.layers.iter().chain(&self.dependencies).cloned().collect()
    }
}

impl Slot {
    /// The copy of the tree's top. Read-only to the caller: nothing is to be changed in it.
    ///
    /// # Errors
    /// When the slot was not refreshed.
    pub fn lower(&self, tree: &Tree) -> Result<PathBuf, TreeError> {
        self.base()?;
        Ok(repositories::top(&self.dir, tree))
    }

    /// The copy as a tree, with the delta and the settings of `tree`: what its files were at the last refresh.
    /// Work in a view is compared with this one, and build outputs are scratch in it.
    ///
    /// # Errors
    /// When the slot was not refreshed, or the copy cannot be opened.
    pub fn tree(&self, tree: &Tree) -> Result<Tree, TreeError> {
        self.base()?;
        let places = repositories::places(&self.dir, tree)?;
        Ok(Tree {
            root: places.top.at(places.root()).full(),
            places,
            delta: tree.delta.clone(),
            names: ScratchNames::with_outputs(&tree.settings.scratch),
            allowed: Globs::new(&tree.settings.allow),
            left_out: tree.left_out.clone(),
            settings: tree.settings.clone(),
            warnings: Vec::new(),
            own: Box::new(NoOwner),
            first_rules: OnceCell::new(),
        })
    }

    /// The view whose layers lie in `place`, as [`make_view`](Self::make_view) makes them.
    ///
    /// # Errors
    /// When the slot was not refreshed.
    pub fn view(&self, tree: &Tree, place: &Path) -> Result<SlotView, TreeError> {
        let (base, to) = (self.base()?, repositories::places(&self.dir, tree)?);
        let full = |label: &RelPath| {
            let place = tree.at(label);
            place.full()
        };
        let mut layers = tree.overlay_layers(place);
        let lowers = [Some(to.top.path()), to.git_dir.as_ref().map(|dir| dir.path())];
        for (layer, lower) in layers.iter_mut().zip(lowers.into_iter().flatten()) {
            lower.clone_into(&mut layer.lower);
        }
        let dependencies = base.dependencies.iter().enumerate().map(|(number, label)| {
            let place = place.join("dependencies").join(number.to_string());
            let (upper, work) = (place.join("upper"), place.join("work"));
            OverlayLayer { over: full(label), lower: full(label), upper, work }
        });
        let shared = base.objects.iter().enumerate();
        let shared = shared
            .map(|(number, label)| (full(label), repositories::mount_point(&self.dir, number)));
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        Ok(SlotView {
            layers,
            dependencies: dependencies.filter(|layer| layer.lower.is_dir()).collect(),
            shared: shared.filter(|(path, _)| path.is_dir()).collect(),
            pass: base.meeting.iter().map(full).filter(is_there).collect(),
        })
    }

    /// Makes the empty directories of a view's layers in `place`. What was there before is removed.
    ///
    /// # Errors
    /// When the slot was not refreshed, or the file system refuses.
    pub fn make_view(&self, tree: &Tree, place: &Path) -> Result<SlotView, TreeError> {
        tree.make_layers(place)?;
        let view = self.view(tree, place)?;
        for layer in &view.dependencies {
            for dir in [&layer.upper, &layer.work] {
                let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
                made.map_err(TreeError::io("make", dir))?;
            }
            let mode = layer.lower.metadata().map(|at| at.permissions().mode() & 0o7777);
            mode.and_then(|mode| {
                std::fs::set_permissions(&layer.upper, Permissions::from_mode(mode))
            })
            .map_err(TreeError::io("set the mode of", &layer.upper))?;
        }
        Ok(view)
    }

    /// Which of these paths are another thing in the tree now than they were at the last refresh: content, kind or
    /// mode.
    ///
    /// # Errors
    /// When the slot was not refreshed, or a path cannot be read.
    pub fn changed_since(
        &self,
        tree: &Tree,
        paths: &BTreeSet<RelPath>,
    ) -> Result<BTreeSet<RelPath>, TreeError> {
        let copy = self.tree(tree)?;
        let mut changed = BTreeSet::new();
        for path in paths {
            if tree.state_at(path)? != copy.state_at(path)? {
                changed.insert(path.clone());
            }
        }
        Ok(changed)
    }

    /// The files of the project outside the delta that the copy does not hold as the watch found them: they came
    /// or changed since the last refresh.
    ///
    /// # Errors
    /// When the slot was not refreshed.
    pub fn lacks(&self, tree: &Tree, watch: &Watch) -> Result<Vec<DeltaPath>, TreeError> {
        let base = self.base()?;
        let files = watch.files_beside(tree);
        let lacking = files.filter(|(path, now)| !base.holds(path, now));
        Ok(lacking.filter_map(|(path, _)| tree.delta_path(path)).collect())
    }
}

impl Tree {
    /// A path below the root, if it can be one of a delta.
    fn delta_path(&self, path: &RelPath) -> Option<DeltaPath> {
        let shown = self.shown(path);
        DeltaPath::parse(&shown).ok().filter(|parsed| parsed.as_str() == shown)
    }
}
