//! How workplaces are placed: at the root's own path where the system allows it, else at their own.
//!
//! Trying is the only way to know. Namespaces are refused by kernels, by security modules (Ubuntu's AppArmor rule) and
//! by containers (Docker's seccomp filter), and overlayfs refuses many a file system as upper layer.
//!
//! It is against accidents, and so that paths hold. A verify runs what the implementer wrote.

use std::ffi::OsStr;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use ftl_model::Isolation;
use ftl_process::{Layer, View, find_program};
use ftl_tree::Tree;
use ftl_tree::workplace::{Mounts, Placement, Workplace, remove_dir};

use crate::run::settings::{Isolate, Settings};
use crate::run::{Fault, Implementer};

/// The word after this program's name that makes it the first process of a view.
const VIEW: &str = "view";

/// What mounts a workplace over the root, tried out.
#[derive(Clone, Debug)]
pub(in crate::run) struct Means {
    unshare: PathBuf,
    program: PathBuf,
    user_namespace: bool,
    /// Whether dependencies can be below private layers.
    layered: bool,
}

/// How the workplaces of a build are placed.
#[derive(Clone, Debug)]
pub struct Placed {
    /// What mounts them; `None` where they are at their own paths.
    pub(in crate::run) means: Option<Means>,
    /// Why they are at their own paths, where that was not asked for.
    pub(in crate::run) why_not: Option<String>,
}

impl Placed {
    /// For the workplace.
    #[must_use]
    pub fn placement(&self) -> Placement {
        match &self.means {
            Some(means) if means.layered => Placement::Layered,
            Some(_) => Placement::Bound,
            None => Placement::OwnPath,
        }
    }

    /// For people.
    #[must_use]
    pub fn word(&self) -> Isolation {
        match &self.means {
            Some(_) => Isolation::Bind,
            None => Isolation::Copy,
        }
    }

    /// What a command sees, where the workplace covers the root. `report` is a file that is created.
    #[must_use]
    pub fn view(&self, mounts: &Mounts, report: &Path) -> Option<View> {
        self.means.as_ref().map(|means| means.view(mounts, report))
    }
}

impl Means {
    /// Looks for means that work for this tree; why there are none, in one line.
    fn find(settings: &Settings, tree: &Tree) -> Result<Result<Self, String>, Fault> {
        if !cfg!(target_os = "linux") {
            return Ok(Err("it needs Linux".to_owned()));
        }
        let Some(program) = settings.requests.view.clone() else {
            return Ok(Err("the path of this program is not known".to_owned()));
        };
        let Some(unshare) = find_program(OsStr::new("unshare")) else {
            return Ok(Err("there is no program `unshare`, which util-linux has".to_owned()));
        };
        let private = settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
        let real = private.ancestors().find_map(|dir| dir.canonicalize().ok());
        if real.is_some_and(|real| real.starts_with(tree.top())) {
            let (private, top) = (private.display(), tree.top().display());
            return Ok(Err(format!("`{private}`, which holds the workplaces, is below `{top}`")));
        }
        let means =
            Self { unshare, program, user_namespace: View::needs_user_namespace(), layered: true };
        Ok(means.tried_out(tree, &private))
    }

    /// As text for another process.
    fn text(&self) -> String {
        format!("{} {}", self.user_namespace, self.layered)
    }

    /// Means that another process tried out.
    fn of_text(settings: &Settings, text: &str) -> Option<Self> {
        let (user, layered) = text.split_once(' ')?;
        Some(Self {
            unshare: find_program(OsStr::new("unshare"))?,
            program: settings.requests.view.clone()?,
            user_namespace: user.parse().ok()?,
            layered: layered.parse().ok()?,
        })
    }

    /// Mounts what a request would, and nothing in it: with layers, without them, and as root in a container with the
    /// rights of a separate namespace.
    fn tried_out(mut self, tree: &Tree, private: &Path) -> Result<Self, String> {
        let probe = private.join(format!("probe-{}", std::process::id()));
        let mut refusal = None;
        for (user_namespace, layered) in
            [(false, true), (true, true), (false, false), (true, false)]
        {
            if !user_namespace && View::needs_user_namespace() {
                continue;
            }
            (self.user_namespace, self.layered) = (user_namespace, layered);
            match self.probe(tree, &probe) {
                Ok(()) => {
                    refusal = None;
                    break;
                }
                // The first one is what a person would fix.
                Err(why) => drop(refusal.get_or_insert(why)),
            }
        }
        let removed = remove_dir(&probe).map_err(|error| error.to_string());
        match refusal {
            Some(why) => Err(why),
            None => removed.map(|()| self),
        }
    }

    fn probe(&self, tree: &Tree, probe: &Path) -> Result<(), String> {
        for name in ["copy", "upper", "work"] {
            let dir = probe.join(name);
            let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
            made.map_err(|error| format!("cannot use `{}`: {error}", dir.display()))?;
        }
        let mut mounts = Workplace::trial(tree, probe);
        if !self.layered {
            mounts.layers.clear();
        }
        self.view(&mounts, &probe.join("report")).probe()
    }

    /// The view of a workplace.
    fn view(&self, mounts: &Mounts, report: &Path) -> View {
        let layer = |layer: &ftl_tree::workplace::Layer| Layer {
            over: layer.over.clone(),
            upper: layer.upper.clone(),
            work: layer.work.clone(),
        };
        View {
            unshare: self.unshare.clone(),
            program: self.program.clone(),
            words: vec![VIEW.into()],
            user_namespace: self.user_namespace,
            binds: mounts.binds.clone(),
            layers: mounts.layers.iter().map(layer).collect(),
            shared: mounts.shared.clone(),
            readable: mounts.readable.clone(),
            pass: mounts.pass.clone(),
            report: report.to_owned(),
        }
    }
}

/// Tries out whether a workplace could be mounted over the root of a project; why not, in one line. What was found is
/// for [`RequestSettings::tried`](crate::run::RequestSettings::tried).
///
/// # Errors
///
/// The tree cannot be looked at, or there is no state directory.
pub fn try_placing(settings: &Settings) -> Result<Result<String, String>, Fault> {
    let tree = Tree::open(settings.layout.root(), &[], settings.tree.clone())?;
    Ok(Means::find(settings, &tree)?.map(|means| means.text()))
}

/// The placement that is wanted and can be had.
///
/// # Errors
///
/// [`Fault::Isolation`] where a mount was asked for and cannot be had.
pub fn place(settings: &Settings, tree: &Tree) -> Result<Placed, Fault> {
    let is_asked_for = |asked| settings.requests.isolate == Some(asked);
    // A patch starts nothing that would care for paths.
    let is_patch = matches!(settings.implementer, Implementer::Patches(_));
    if is_asked_for(Isolate::Copy) || (is_patch && settings.requests.isolate.is_none()) {
        return Ok(Placed { means: None, why_not: None });
    }
    let tried = settings.requests.tried.as_deref();
    let found = match tried.and_then(|tried| Means::of_text(settings, tried)) {
        Some(means) => Ok(means),
        None => Means::find(settings, tree)?,
    };
    match found {
        Ok(means) => Ok(Placed { means: Some(means), why_not: None }),
        Err(reason) if is_asked_for(Isolate::Bind) => Err(Fault::Isolation { reason }),
        Err(reason) => Ok(Placed { means: None, why_not: Some(reason) }),
    }
}
