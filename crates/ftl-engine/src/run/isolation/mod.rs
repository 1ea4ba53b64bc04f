//! Isolation: an implementer works on an overlay over the tree, and what it wrote is taken over when it
//! has ended.
//!
//! Which level a build gets is decided here, once, when the tree is opened ([`level`]); `means.rs`
//! tries out what the system allows. A request on an overlay is in `request.rs`, and what a killed one
//! left is looked after in `unfinished.rs`. The overlay itself is mounted by `ftl_process::View`, and read
//! by `ftl_tree`.
//!
//! It is against accidents, and for knowing whose work it is. A verify runs what the implementer wrote.

mod means;
mod request;
mod unfinished;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use ftl_model::{DeltaPath, Isolation};
use ftl_store::{Files, Layout};
use ftl_tree::{Landing, OverlayLayer, OverlayWork, SetApart, Tree, TreeError, remove_layers};

pub(super) use means::{Means, other_places};
pub(super) use request::{ask, fetch};
pub(super) use unfinished::{disown, recover, under_way};

use super::output::shown;
use super::settings::{Implementer, Isolate, Settings};
use super::site::{Site, files};
use super::snapshots::Snapshots;
use super::{Fault, putting_back};
use crate::text::listed;

/// The word after this program's name that makes it the first process of a view.
const VIEW: &str = "view";

/// The directory of a request's layers, beside its snapshot.
const LAYERS: &str = "view";

/// The directory of a take-over's plan, in the same place. It is made before the snapshot, whose sync covers
/// its name.
const PLAN: &str = "take-over";

/// Where the plan of a request's take-over is.
pub(super) fn plan(snapshots: &Snapshots, request: u32) -> PathBuf {
    snapshots.before(request).join(PLAN)
}

/// The level that a build got.
#[derive(Debug)]
pub(super) enum Level {
    /// Every request works on an overlay.
    Overlay(Means),
    /// Another program performs the requests to agents; commands of the task run on an overlay where that can be had.
    Performer(OnceCell<Option<Means>>),
    /// The tree is compared before and after.
    Off,
}

impl Level {
    /// What mounts the overlay of a command, which few tasks have where another program performs the requests: it is
    /// tried out for the first.
    pub(super) fn means(&self, settings: &Settings, tree: &Tree) -> Result<Option<&Means>, Fault> {
        match self {
            Self::Overlay(means) => Ok(Some(means)),
            Self::Off => Ok(None),
            Self::Performer(tried) => {
                if tried.get().is_none() {
                    let found = Means::find(settings, tree)?.ok();
                    return Ok(tried.get_or_init(|| found).as_ref());
                }
                Ok(tried.get().and_then(Option::as_ref))
            }
        }
    }

    pub(super) fn word(&self) -> Isolation {
        match self {
            Self::Overlay(_) => Isolation::Overlay,
            Self::Performer(_) | Self::Off => Isolation::Off,
        }
    }
}

/// Removes what isolation kept for a run that is sealed now.
pub(super) fn retire(snapshots: &Snapshots) -> Result<(), Fault> {
    remove_views(snapshots.dir())?;
    for dir in means::elsewhere(snapshots) {
        remove_layers(&dir)?;
    }
    Ok(())
}

/// Removes the views of every request below the directory of a run.
pub(super) fn remove_views(run: &Path) -> Result<(), Fault> {
    for request in files().list(run)? {
        let dir = run.join(request);
        remove_layers(&dir.join(LAYERS))?;
        remove_layers(&dir.join(PLAN))?;
    }
    Ok(())
}

/// Makes every file whose version in a view is dropped new for build tools. Warns of those that are not.
fn touch_dropped(
    tree: &Tree,
    layers: &[OverlayLayer],
    landing: &Landing,
) -> Result<Option<String>, Fault> {
    let refused = tree.touch_dropped(layers, landing)?;
    Ok((!refused.is_empty()).then(|| {
        let paths = listed(&refused);
        format!(
            "build tools may take products of the implementer's version for current ones: {paths}"
        )
    }))
}

/// What could not be kept, since the disk has no room for it.
fn no_room(apart: &SetApart) -> Option<String> {
    let dropped = listed(&apart.dropped);
    (!apart.dropped.is_empty())
        .then(|| format!("not kept, since the disk of the project has no room for it: {dropped}"))
}

/// Keeps the commits of a view in reach, and says which references were moved and how to see the commits. What
/// git can't take in is kept below `dir`.
fn keep_commits(
    site: &Site<'_>,
    tree: &Tree,
    written: &OverlayWork,
    request: u32,
    dir: &Path,
) -> Result<Option<String>, Fault> {
    let references = written.references();
    if references.is_empty() {
        return Ok(None);
    }
    let kept = match tree.keep_commits(written, &site.snapshots()?.before(request)) {
        Ok(kept) => kept.map(|own| putting_back::shows_commits(&own)),
        // The implementer may have broken its repository.
        Err(error @ TreeError::Git { .. }) => {
            let objects = tree.set_commits_apart(written, &dir.join("git"))?;
            objects
                .map(|objects| format!("the objects are in `{}`: {error}", shown(site, &objects)))
        }
        Err(error) => return Err(error.into()),
    };
    let kept = kept.map_or_else(String::new, |kept| format!("; {kept}"));
    Ok(Some(format!("{}{kept}", listed(&references))))
}

/// What is asked for. A delta that is already in the tree needs no isolation, since nothing writes; agents
/// are isolated where that is possible, unless the settings say otherwise.
fn wanted(settings: &Settings) -> Isolate {
    match (&settings.implementer, settings.requests.isolate) {
        (Implementer::Tree { .. }, _) | (Implementer::Patches(_), None) => Isolate::Off,
        (Implementer::Agent(_), None) => Isolate::Auto,
        (_, Some(isolate)) => isolate,
    }
}

/// Refuses, before anything is begun, an overlay that the system does not allow; else gives the means, which
/// need not be tried out again.
pub(super) fn check(
    settings: &Settings,
    layout: &Layout,
    delta: &[DeltaPath],
) -> Result<Option<Means>, Fault> {
    if wanted(settings) != Isolate::Overlay {
        return Ok(None);
    }
    if let Some(means) =
        settings.requests.tried.as_deref().and_then(|tried| Means::of(settings, tried))
    {
        return Ok(Some(means));
    }
    let tree = Tree::open(layout.root(), delta, settings.tree.clone())?;
    let found = Means::find(settings, &tree)?;
    found.map(Some).map_err(|reason| Fault::Isolation { reason })
}

/// Tries out whether an implementer could be isolated in a project; why not, in one line. What was found is for
/// [`RequestSettings::tried`](super::RequestSettings::tried).
///
/// # Errors
///
/// The tree cannot be looked at, or there is no state directory.
pub fn try_isolation(settings: &Settings) -> Result<Result<String, String>, Fault> {
    let tree = Tree::open(settings.layout.root(), &[], settings.tree.clone())?;
    Ok(Means::find(settings, &tree)?.map(|means| means.tried()))
}

/// The level that is wanted and can be had. A warning where `auto` got less than it could have.
pub(super) fn level(
    site: &Site<'_>,
    tree: &Tree,
    tried: Option<Means>,
) -> Result<(Level, Option<String>), Fault> {
    if site.settings.requests.performer.is_some() {
        return Ok((Level::Performer(OnceCell::new()), None));
    }
    let wanted = wanted(site.settings);
    if wanted == Isolate::Off {
        return Ok((Level::Off, None));
    }
    let found = match tried {
        // The tree may have changed while another process held its lock.
        Some(means) => tree.overlay_obstacle()?.map_or(Ok(means), Err),
        None => Means::find(site.settings, tree)?,
    };
    match (found, wanted) {
        (Ok(means), _) => Ok((Level::Overlay(means), None)),
        (Err(reason), Isolate::Overlay) => Err(Fault::Isolation { reason }),
        (Err(reason), Isolate::Auto | Isolate::Off) => Ok((
            Level::Off,
            Some(format!(
                "the implementer was not isolated, and the tree was compared before and after: {reason}"
            )),
        )),
    }
}
