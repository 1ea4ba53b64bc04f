//! The tree before IMPLEMENT: saved files, or the base revision where the implementer is the project as it is.
//!
//! It is what a change is measured by. A task that was reopened is measured by what there was before its first run, so
//! that work which is right already counts: by what that run saved ([`WorkFiles`]), or by the base revision that its
//! record names (`run` attribute `base`).

use std::collections::BTreeMap;

use ftl_model::{Change, DeltaPath, DeltaState, Touched, WorkspaceId};
use ftl_store::{Layout, Run, Runs};
use ftl_tree::{Base, DeltaChange, PathState, SavedFiles, Tree, TreeError};

use super::work_files::WorkFiles;
use crate::run::Fault;
use crate::run::session::brief::Source;
use crate::run::site::{Site, files};

/// What touched files, new occurrences and lost exports are reckoned against: of each path the first layer
/// that knows it.
#[derive(Debug)]
pub(in crate::run) struct Before {
    layers: Vec<Layer>,
}

#[derive(Debug)]
enum Layer {
    /// The delta as it was saved.
    Saved(Box<SavedFiles>),
    /// A revision of git, which knows every path.
    Revision(Box<Base>),
    /// Nothing is known of what was there: there is only the tree.
    Alone,
}

/// How the delta was before the first run of a task that was reopened.
#[derive(Debug)]
enum First {
    Unknown,
    Saved(Box<SavedFiles>),
    Commit(String),
}

/// The base revision as it is, by default `HEAD`; `None` without git.
pub(in crate::run) fn today(tree: &Tree, named: Option<&str>) -> Result<Option<Base>, Fault> {
    Ok(tree.has_git().then(|| tree.base(named)).transpose()?)
}

impl Before {
    /// What the requests of a run are measured by, before which `saved` was.
    pub(in crate::run) fn of_saved(
        site: &Site<'_>,
        source: &Source<'_>,
        tree: &Tree,
        saved: SavedFiles,
    ) -> Result<Self, Fault> {
        let this = Layer::Saved(Box::new(saved));
        let layers = match first(site, source, tree)? {
            First::Unknown => vec![this],
            First::Saved(first) => vec![Layer::Saved(first), this],
            First::Commit(commit) => match revision(tree, &commit)? {
                Some(revision) => vec![revision],
                None => vec![this],
            },
        };
        Ok(Self { layers })
    }

    /// What the current tree is compared with: the base revision `today`, which is asked for only where
    /// nothing else decides. One that is named wins over what a first run was measured by.
    pub(in crate::run) fn of_tree(
        site: &Site<'_>,
        source: &Source<'_>,
        tree: &Tree,
        named: Option<&str>,
        today: impl Fn() -> Result<Option<Base>, Fault>,
    ) -> Result<Self, Fault> {
        let first = match named {
            Some(_) => First::Unknown,
            None => first(site, source, tree)?,
        };
        let now = || {
            Ok::<_, Fault>(match today()? {
                Some(base) => Layer::Revision(Box::new(base)),
                None => Layer::Alone,
            })
        };
        let layers = match first {
            First::Unknown => vec![now()?],
            First::Saved(first) => vec![Layer::Saved(first), now()?],
            First::Commit(commit) => match revision(tree, &commit)? {
                Some(revision) => vec![revision],
                None => vec![now()?],
            },
        };
        Ok(Self { layers })
    }

    /// The delta files that differ from before, and all of the delta's digests.
    pub(in crate::run) fn compare(&self, tree: &Tree) -> Result<DeltaState, Fault> {
        let mut state = DeltaState::default();
        let mut delta: BTreeMap<DeltaPath, DeltaChange> = BTreeMap::new();
        // The last layer knows every path.
        for layer in self.layers.iter().rev() {
            let changes = match layer {
                Layer::Saved(saved) => tree.delta_since(saved)?,
                Layer::Revision(base) => tree.changes_from(base)?,
                Layer::Alone => alone(tree.delta()?),
            };
            let known = changes
                .into_iter()
                .filter(|(path, _)| layer.knows(path) || !delta.contains_key(path));
            delta.extend(known.collect::<Vec<_>>());
        }
        for (path, DeltaChange { now, change }) in delta {
            if let Some(change) = change {
                let path = path.clone();
                state.touched.push(Touched { path, change });
            }
            state.bytes.insert(path, now.digest());
        }
        Ok(state)
    }

    /// How long a delta file was; `None` where it was not there, or nothing is known.
    pub(in crate::run) fn len(&self, path: &DeltaPath) -> Option<u64> {
        match self.layers.iter().find(|layer| layer.knows(path))? {
            Layer::Saved(saved) => saved.len(path),
            Layer::Revision(base) => base.files.get(path).map(|file| file.len),
            Layer::Alone => None,
        }
    }

    /// The bytes of a delta file as they were; `None` where it was not there, nothing is known, or a revision has
    /// too many.
    pub(in crate::run) fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, Fault> {
        let layer = self.layers.iter().find(|layer| layer.knows(path));
        match layer {
            Some(Layer::Saved(saved)) => Ok(saved.read(path)?),
            Some(Layer::Revision(base)) => {
                Ok(base.files.get(path).and_then(|file| file.bytes.clone()))
            }
            Some(Layer::Alone) | None => Ok(None),
        }
    }

    /// Whether anything is known of what was there.
    pub(in crate::run) fn is_known(&self) -> bool {
        !matches!(self.layers.first(), Some(Layer::Alone) | None)
    }

    /// The commit that it is, where it is one.
    pub(in crate::run) fn commit(&self) -> Option<&str> {
        match self.layers.first() {
            Some(Layer::Revision(base)) => base.commit.as_deref(),
            Some(Layer::Saved(_) | Layer::Alone) | None => None,
        }
    }
}

impl Layer {
    fn knows(&self, path: &DeltaPath) -> bool {
        match self {
            Self::Saved(saved) => saved.knows(path),
            Self::Revision(_) | Self::Alone => true,
        }
    }
}

/// A commit that is still there.
fn revision(tree: &Tree, commit: &str) -> Result<Option<Layer>, Fault> {
    match tree.base(Some(commit)) {
        Ok(base) => Ok(Some(Layer::Revision(Box::new(base)))),
        Err(TreeError::NoSuchRevision { .. } | TreeError::NoGit { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// How the delta was before the first run, of a document with earlier runs.
fn first(site: &Site<'_>, source: &Source<'_>, tree: &Tree) -> Result<First, Fault> {
    let Ok(content) = &source.content else {
        return Ok(First::Unknown);
    };
    let root = content.document.root();
    let runs: Vec<_> = root.children_named("run").collect();
    if runs.is_empty() {
        return Ok(First::Unknown);
    }
    for run in earlier(site, source)? {
        if let Some(kept) = kept(&run, tree)? {
            return Ok(First::Saved(Box::new(kept)));
        }
    }
    let base = runs.iter().rev().find_map(|run| run.attribute("base"));
    Ok(base.map_or(First::Unknown, |base| First::Commit(base.into_owned())))
}

/// The runs before this one, the latest first.
fn earlier(site: &Site<'_>, source: &Source<'_>) -> Result<Vec<Run>, Fault> {
    let id = crate::run::id_of(&source.path)?;
    let runs = Runs::new(files(), site.layout, &id).all()?;
    let number = site.run.number();
    Ok(runs.into_iter().filter(|run| run.number() < number).collect())
}

/// What a run saved. A copy that is damaged says nothing any more.
fn kept(run: &Run, tree: &Tree) -> Result<Option<SavedFiles>, Fault> {
    match WorkFiles::of(run).before(tree) {
        Err(Fault::Tree(TreeError::Damaged { .. })) => Ok(None),
        // Another try may read it: to go on would forget what counts as work.
        kept => kept,
    }
}

/// Removes what was saved for a task that is complete.
pub(in crate::run) fn retire(layout: &Layout, id: &WorkspaceId) {
    for run in Runs::new(files(), layout, id).all().unwrap_or_default() {
        WorkFiles::of(&run).retire(run.quarantine().is_dir());
    }
}

/// With nothing to compare with, every file that is there counts as touched.
fn alone(delta: BTreeMap<DeltaPath, PathState>) -> BTreeMap<DeltaPath, DeltaChange> {
    let of = |now: PathState| DeltaChange {
        change: (!now.is_nothing()).then_some(Change::Modified),
        now,
    };
    delta.into_iter().map(|(path, now)| (path, of(now))).collect()
}
