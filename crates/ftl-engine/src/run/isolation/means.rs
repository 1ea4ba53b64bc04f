//! What the system gives for isolation, tried out: the namespaces, the mounts, and a place for what is
//! written.
//!
//! Trying is the only way to know. Namespaces are refused by kernels, by security modules (Ubuntu's
//! AppArmor rule) and by containers (Docker's seccomp filter), and overlayfs refuses many a file system as
//! upper layer, another overlay among them.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ftl_process::{Layer, View, find_program};
use ftl_tree::slot::SlotView;
use ftl_tree::{OverlayLayer, Tree, remove_layers};

use super::{LAYERS, VIEW};
use crate::run::site::Site;
use crate::run::snapshots::Snapshots;
use crate::run::{Fault, Settings};

/// Places for layers besides the state directory, where that is on a file system that can't take them:
/// in a container, the root is often an overlay itself. What is written there need not outlive a restart.
const OTHER_PLACES: [&str; 2] = ["/var/tmp", "/dev/shm"];

/// How text says that a user namespace is needed.
const USER: &str = "user";

/// Means that were tried out.
#[derive(Clone, Debug)]
pub(in crate::run) struct Means {
    unshare: PathBuf,
    program: PathBuf,
    user_namespace: bool,
    /// A private directory that can hold layers, if not the state directory.
    elsewhere: Option<PathBuf>,
}

impl Means {
    /// Looks for means that work for this tree; why there are none, in one line.
    ///
    /// # Errors
    /// When the tree can't be looked at.
    pub(super) fn find(settings: &Settings, tree: &Tree) -> Result<Result<Self, String>, Fault> {
        if !cfg!(target_os = "linux") {
            return Ok(Err("it needs Linux".to_owned()));
        }
        let Some(program) = settings.requests.view.clone() else {
            return Ok(Err("the path of this program is not known".to_owned()));
        };
        let Some(unshare) = find_program(OsStr::new("unshare")) else {
            return Ok(Err("there is no program `unshare`, which util-linux has".to_owned()));
        };
        if let Some(obstacle) = tree.overlay_obstacle()? {
            return Ok(Err(obstacle));
        }
        let first = settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
        let mut refusal = None;
        for (number, place) in std::iter::once(first).chain(other_places()).enumerate() {
            let mut means = Self {
                unshare: unshare.clone(),
                program: program.clone(),
                user_namespace: View::needs_user_namespace(),
                elsewhere: (number > 0).then(|| place.clone()),
            };
            match means.try_out(tree, &place) {
                Ok(()) => return Ok(Ok(means)),
                // The first place is the one that a person would fix.
                Err(reason) => drop(refusal.get_or_insert(reason)),
            }
        }
        Ok(Err(refusal.unwrap_or_default()))
    }

    /// What was found by trying, as text for another process.
    pub(super) fn tried(&self) -> String {
        let elsewhere = self.elsewhere.as_deref().unwrap_or(Path::new(""));
        format!("{}:{}", if self.user_namespace { USER } else { "" }, elsewhere.display())
    }

    /// Means that another process tried out.
    pub(super) fn of(settings: &Settings, tried: &str) -> Option<Self> {
        let (user, elsewhere) = tried.split_once(':')?;
        Some(Self {
            unshare: find_program(OsStr::new("unshare"))?,
            program: settings.requests.view.clone()?,
            user_namespace: user == USER,
            elsewhere: (!elsewhere.is_empty()).then(|| elsewhere.into()),
        })
    }

    /// Makes a view as a request would, and nothing in it.
    fn try_out(&mut self, tree: &Tree, place: &Path) -> Result<(), String> {
        private(place).map_err(|error| format!("cannot use `{}`: {error}", place.display()))?;
        let overs = tree.overlay_layers(place);
        let real = place.canonicalize().unwrap_or_else(|_| place.to_path_buf());
        if let Some(layer) = overs.iter().find(|layer| real.starts_with(&layer.over)) {
            return Err(format!(
                "`{}`, which would hold what is written, is below `{}`",
                place.display(),
                layer.over.display()
            ));
        }
        let probe = place.join(format!("probe-{}", std::process::id()));
        let tried = self.try_in(tree, &probe);
        let removed = remove_layers(&probe).map_err(|error| error.to_string());
        tried.and(removed)
    }

    fn try_in(&mut self, tree: &Tree, probe: &Path) -> Result<(), String> {
        let as_text = |error: ftl_tree::TreeError| error.to_string();
        let layers = tree.make_layers(probe).map_err(as_text)?;
        let passing = tree.passing_through().map_err(as_text)?.paths(tree);
        let first = self.view(&layers, passing.clone(), probe).probe();
        if first.is_ok() || self.user_namespace {
            return first;
        }
        // Root of a container may have no rights to mount but those of a separate namespace.
        self.user_namespace = true;
        let layers = tree.make_layers(probe).map_err(as_text)?;
        let second = self.view(&layers, passing, probe).probe();
        if second.is_err() {
            self.user_namespace = false;
            return first;
        }
        second
    }

    /// The view of these layers, whose report is in `place`.
    pub(super) fn view(&self, layers: &[OverlayLayer], pass: Vec<PathBuf>, place: &Path) -> View {
        let layer = |layer: &OverlayLayer| Layer {
            over: layer.over.clone(),
            lower: layer.lower.clone(),
            upper: layer.upper.clone(),
            work: layer.work.clone(),
        };
        View {
            unshare: self.unshare.clone(),
            program: self.program.clone(),
            words: vec![VIEW.into()],
            user_namespace: self.user_namespace,
            layers: layers.iter().map(layer).collect(),
            shared: Vec::new(),
            pass,
            report: place.join("report"),
            max_written: None,
        }
    }

    /// The view of a slot.
    pub(in crate::run) fn view_of_slot(&self, made: &SlotView, place: &Path) -> View {
        let view = self.view(&made.all_layers(), made.pass.clone(), place);
        View { shared: made.shared.clone(), ..view }
    }

    /// Where the layers of a request lie.
    pub(in crate::run) fn place(&self, site: &Site<'_>, request: u32) -> Result<PathBuf, Fault> {
        let snapshots = site.snapshots()?;
        let own = snapshots.before(request);
        let Some(elsewhere) = &self.elsewhere else {
            return Ok(own.join(LAYERS));
        };
        let request = request.to_string();
        Ok(run_below(elsewhere, &snapshots).join(request).join(LAYERS))
    }
}

/// The directory of a run in another place than the state directory.
fn run_below(elsewhere: &Path, snapshots: &Snapshots) -> PathBuf {
    let project = snapshots.project();
    let all = project.parent().unwrap_or(project);
    let below = snapshots.dir().strip_prefix(all);
    elsewhere.join(below.unwrap_or(snapshots.dir()))
}

/// Directories of a run outside of the state directory that are there.
pub(super) fn elsewhere(snapshots: &Snapshots) -> Vec<PathBuf> {
    let places = other_places().into_iter();
    let dirs = places.map(|place| run_below(&place, snapshots));
    dirs.filter(|dir| dir.is_dir()).collect()
}

/// The directories of this user in [`OTHER_PLACES`].
pub(in crate::run) fn other_places() -> [PathBuf; 2] {
    let own = format!("ftl-{}", user());
    OTHER_PLACES.map(|place| Path::new(place).join(&own))
}

fn user() -> u32 {
    // The owner of what this process makes.
    fs::metadata("/proc/self").map_or(u32::MAX, |own| own.uid())
}

/// Makes a directory that only its owner may enter; one that is there must be like that.
fn private(dir: &Path) -> io::Result<()> {
    let made = DirBuilder::new().recursive(false).mode(0o700).create(dir);
    match made {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(parent) = dir.parent() {
                fs::create_dir_all(parent)?;
            }
            DirBuilder::new().mode(0o700).create(dir)?;
        }
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = dir.symlink_metadata()?;
    let others = found.permissions().mode() & 0o077;
    if found.is_dir() && found.uid() == user() && others == 0 {
        return Ok(());
    }
    Err(io::Error::other("it is not a private directory of this user"))
}
