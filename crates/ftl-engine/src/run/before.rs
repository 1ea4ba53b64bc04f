//! The tree before IMPLEMENT: a snapshot, or the base revision when the implementer is the tree.
//!
//! It is what a change is measured by, not what is put back: that is a request's own snapshot. A task that
//! was reopened is measured by what there was before its first run, so that work which is right already
//! counts. A run that blocks keeps that with itself, since the captures of a run go with its seal:
//!
//! ```text
//! .ftl/runs/ID/N/before/K    how the delta was; the highest K counts
//! ```
//!
//! A base revision is named in the record instead (`run` attribute `base`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use ftl_model::{Change, DeltaPath, DeltaState, Touched, WorkspaceId};
use ftl_store::{Files, Layout, Run, Runs, ensure_private_dir};
use ftl_tree::{Base, DeltaChange, PathState, Settings, Snapshot, Tree, TreeError};

use super::Fault;
use super::brief::Source;
use super::site::{Site, files};

/// What touched files, new occurrences and lost exports are reckoned against: of each path the first layer
/// that knows it.
#[derive(Debug)]
pub(super) struct Before {
    layers: Vec<Layer>,
}

#[derive(Debug)]
enum Layer {
    /// The delta as it was captured.
    Captured(Box<Snapshot>),
    /// A revision of git, which knows every path.
    Revision(Box<Base>),
    /// Nothing is known of what was there: there is only the tree.
    Alone,
}

/// How the delta was before the first run of a task that was reopened.
#[derive(Debug)]
enum First {
    Unknown,
    Captured(Box<Snapshot>),
    Commit(String),
}

/// The base revision as it is, by default `HEAD`; `None` without git.
pub(super) fn today(tree: &Tree, named: Option<&str>) -> Result<Option<Base>, Fault> {
    Ok(tree.has_git().then(|| tree.base(named)).transpose()?)
}

impl Before {
    /// What a request is measured by that was made after `snapshot`, the first of its run.
    pub(super) fn of_capture(
        site: &Site<'_>,
        source: &Source<'_>,
        tree: &Tree,
        snapshot: Snapshot,
    ) -> Result<Self, Fault> {
        let this = Layer::Captured(Box::new(snapshot));
        let layers = match first(site, source, tree)? {
            First::Unknown => vec![this],
            First::Captured(first) => vec![Layer::Captured(first), this],
            First::Commit(commit) => match revision(tree, &commit)? {
                Some(revision) => vec![revision],
                None => vec![this],
            },
        };
        Ok(Self { layers })
    }

    /// What the current tree is compared with: the base revision `today`, which is asked for only where
    /// nothing else decides. One that is named wins over what a first run was measured by.
    pub(super) fn of_tree(
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
            First::Captured(first) => vec![Layer::Captured(first), now()?],
            First::Commit(commit) => match revision(tree, &commit)? {
                Some(revision) => vec![revision],
                None => vec![now()?],
            },
        };
        Ok(Self { layers })
    }

    /// The delta files that differ from before, and all of the delta's digests.
    pub(super) fn compare(&self, tree: &Tree) -> Result<DeltaState, Fault> {
        let mut state = DeltaState::default();
        let mut delta: BTreeMap<DeltaPath, DeltaChange> = BTreeMap::new();
        // The last layer knows every path.
        for layer in self.layers.iter().rev() {
            let changes = match layer {
                Layer::Captured(snapshot) => tree.delta_since(snapshot)?,
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
    pub(super) fn len(&self, path: &DeltaPath) -> Option<u64> {
        match self.layers.iter().find(|layer| layer.knows(path))? {
            Layer::Captured(snapshot) => snapshot.len(path),
            Layer::Revision(base) => base.files.get(path).map(|file| file.len),
            Layer::Alone => None,
        }
    }

    /// The bytes of a delta file as they were; `None` where it was not there, nothing is known, or a revision has
    /// too many.
    pub(super) fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, Fault> {
        let layer = self.layers.iter().find(|layer| layer.knows(path));
        match layer {
            Some(Layer::Captured(snapshot)) => Ok(snapshot.read(path)?),
            Some(Layer::Revision(base)) => {
                Ok(base.files.get(path).and_then(|file| file.bytes.clone()))
            }
            Some(Layer::Alone) | None => Ok(None),
        }
    }

    /// Whether anything is known of what was there.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self.layers.first(), Some(Layer::Alone) | None)
    }

    /// Keeps it with its run, durably, before that is sealed as blocked: its captures go.
    pub(super) fn keep(&self, run: &Run, tree: &Tree) -> Result<(), Fault> {
        let captured = self.layers.iter().filter_map(|layer| match layer {
            Layer::Captured(snapshot) => Some(&**snapshot),
            Layer::Revision(_) | Layer::Alone => None,
        });
        let snapshots: Vec<&Snapshot> = captured.collect();
        if !snapshots.is_empty() {
            let dir = next(run, tree)?;
            ensure_private_dir(files(), &run.before())?;
            tree.keep_delta(&snapshots, &[], &dir)?;
        }
        Ok(())
    }

    /// The commit that it is, where it is one.
    pub(super) fn commit(&self) -> Option<&str> {
        match self.layers.first() {
            Some(Layer::Revision(base)) => base.commit.as_deref(),
            Some(Layer::Captured(_) | Layer::Alone) | None => None,
        }
    }
}

impl Layer {
    fn knows(&self, path: &DeltaPath) -> bool {
        match self {
            Self::Captured(snapshot) => snapshot.knows(path),
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
            return Ok(First::Captured(Box::new(kept)));
        }
    }
    let base = runs.iter().rev().find_map(|run| run.attribute("base"));
    Ok(base.map_or(First::Unknown, |base| First::Commit(base.into_owned())))
}

/// The runs before this one, the latest first.
fn earlier(site: &Site<'_>, source: &Source<'_>) -> Result<Vec<Run>, Fault> {
    let id = super::id_of(&source.path)?;
    let runs = Runs::new(files(), site.layout, &id).all()?;
    let number = site.run.number();
    Ok(runs.into_iter().filter(|run| run.number() < number).collect())
}

/// What a run kept. A copy that is damaged, or of a tree that began elsewhere, says nothing any more.
fn kept(run: &Run, tree: &Tree) -> Result<Option<Snapshot>, Fault> {
    for number in numbers(run)?.into_iter().rev() {
        match tree.load(&run.before().join(number.to_string())) {
            Ok(Some(snapshot)) => return Ok(Some(snapshot)),
            Ok(None) | Err(TreeError::Damaged { .. } | TreeError::OtherTop { .. }) => {}
            // Another try may read it: to go on would forget what counts as work.
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

fn numbers(run: &Run) -> Result<Vec<u64>, Fault> {
    let names = files().list(&run.before())?;
    let mut numbers: Vec<u64> =
        names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Where to keep it: in a new directory, or in the last one where a crash came before it was whole.
fn next(run: &Run, tree: &Tree) -> Result<PathBuf, Fault> {
    let last = numbers(run)?.last().copied().unwrap_or(0);
    let dir = run.before().join(last.to_string());
    if last > 0 && matches!(tree.load(&dir), Ok(None)) {
        return Ok(dir);
    }
    Ok(run.before().join((last + 1).to_string()))
}

/// Keeps how paths are now that come new into the delta of a blocked task, where what was before its first
/// run is kept.
pub(crate) fn keep_added(
    layout: &Layout,
    id: &WorkspaceId,
    added: &[DeltaPath],
    scope: &Settings,
) -> Result<(), Fault> {
    let tree = Tree::open(layout.root(), added, scope.clone())?;
    for run in Runs::new(files(), layout, id).all()? {
        if let Some(earlier) = kept(&run, &tree)? {
            tree.keep_delta(&[&earlier], added, &next(&run, &tree)?)?;
            return Ok(());
        }
    }
    // What is not known is measured by the next run's own capture.
    Ok(())
}

/// Puts back delta files of a blocked task that its last run left as something else than a regular file, as
/// they were before the task. What was there is moved into the directory of that run. Returns the paths, and
/// that directory.
pub(crate) fn put_back_odd(
    layout: &Layout,
    id: &WorkspaceId,
    delta: &[DeltaPath],
    scope: &Settings,
) -> Result<Option<(Vec<DeltaPath>, PathBuf)>, Fault> {
    let tree = Tree::open(layout.root(), delta, scope.clone())?;
    let runs = Runs::new(files(), layout, id).all()?;
    let Some(last) = runs.first() else {
        return Ok(None);
    };
    for run in &runs {
        if let Some(earlier) = kept(run, &tree)? {
            let dir = last.dir().join("blocked");
            let paths = tree.reset_odd(&earlier, &dir)?;
            return Ok((!paths.is_empty()).then_some((paths, dir)));
        }
    }
    Ok(None)
}

/// Removes what was kept for a task that is complete.
pub(super) fn retire(layout: &Layout, id: &WorkspaceId) {
    let Ok(runs) = Runs::new(files(), layout, id).all() else {
        return;
    };
    for run in runs {
        // A directory that cannot be removed is private, and does no harm.
        let _ = std::fs::remove_dir_all(run.before());
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
