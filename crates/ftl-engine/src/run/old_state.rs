//! What runs hold in the user's state directory, and removing what no build needs any more.
//!
//! A seal removes the copies and layers of its run. They stay where a build is killed and its task is then
//! sealed manually, given up or deleted. Nothing of an active task is removed.
//!
//! ```text
//! STATE/ftl/KEY/project        the project's root, of whose path KEY is made
//! STATE/ftl/KEY/ID.N           snapshots and views of run N; also below /var/tmp/ftl-UID and /dev/shm/ftl-UID
//! STATE/ftl/KEY/ID.json        the task and its journal, while a request works in the tree
//! STATE/ftl/slots/KEY/N        a copy of the tree, for tasks side by side: see `slots`
//! STATE/ftl/landing/KEY        a landing that was cut off
//! ```

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use ftl_model::{Status, WorkspaceId, WorkspaceName};
use ftl_process::bytes_below;
use ftl_store::{Files, Layout, Lock, Runs, StoreError, Waiting, is_alive, lock_name};
use ftl_tree::{holds_only_manifests, remove_layers, retire_all};

use super::site::files;
use super::slots::held::{HeldSlot, held};
use super::snapshots::{PROJECT, names_in, runs_in};
use super::{Fault, forget_crash_backup, has_crash_backup, isolation};
use crate::project::names;

/// What is outside the project of one run or slot, or of a program that was killed while it tried out an overlay.
#[derive(Clone, Debug)]
pub struct HeldState {
    /// The project's root; `None` where it is not known.
    pub root: Option<PathBuf>,
    /// `ID/N`; of a slot `slot N`; of a program's directory its name.
    pub name: String,
    /// The bytes on the disk.
    pub bytes: u64,
    /// Why it stays.
    pub need: Option<Need>,
    of: Of,
    dirs: Vec<PathBuf>,
}

/// Whose it is.
#[derive(Clone, Debug)]
enum Of {
    Program,
    Run(Project, WorkspaceId),
    Slot(Project, HeldSlot),
    Landing,
}

impl HeldState {
    /// Whether it is of a slot.
    #[must_use]
    pub fn is_slot(&self) -> bool {
        matches!(self.of, Of::Slot(..))
    }
}

/// Why the state of a run is not removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The task is active, or a build has it.
    Active,
    /// The run was killed during a request, and its task file is gone: the next build restores it.
    CutOff,
    /// A build works in the slot.
    Busy,
    /// The next build undoes or finishes the landing.
    Landing,
    /// Which project it belongs to is not known.
    UnknownProject,
}

/// The directory of one project in the state directory.
#[derive(Clone, Debug)]
struct Project {
    root: Option<PathBuf>,
    /// With the key of this project, also where the root is gone.
    layout: Option<Layout>,
    /// A killed run of an active task compares its snapshot with those that other runs took later.
    has_unfinished: bool,
}

/// Lists what runs of this project hold, or with `all` those of every project of the user.
///
/// # Errors
/// [`Fault::NoStateDirectory`], [`Fault::File`] and [`Fault::Store`] where a directory cannot be listed.
pub fn held_state(layout: &Layout, all: bool) -> Result<Vec<HeldState>, Fault> {
    let private = layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    let mut places = vec![private.clone()];
    places.extend(isolation::other_places());
    let mut keys: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut held = Vec::new();
    for place in &places {
        for name in names_in(place)? {
            if is_key(&name) && (all || name == layout.key()) {
                keys.entry(name.clone()).or_default().push(place.join(&name));
            }
            held.extend(probe(place, &name));
        }
    }
    for (key, dirs) in keys {
        let project = Project::find(layout, &private, &key)?;
        let mut runs: BTreeMap<(String, String), Vec<PathBuf>> = BTreeMap::new();
        for dir in &dirs {
            for (id, number, run) in runs_in(dir)? {
                runs.entry((id, number)).or_default().push(run);
            }
        }
        for ((id, number), dirs) in runs {
            held.extend(project.held(&id, &number, dirs)?);
        }
    }
    for key in keys_in(&private.join("slots"), layout, all)? {
        let project = Project::find(layout, &private, &key)?;
        for slot in self::held(&private.join("slots").join(&key))? {
            held.push(project.held_slot(slot)?);
        }
    }
    for key in keys_in(&private.join("landing"), layout, all)? {
        let project = Project::find(layout, &private, &key)?;
        held.extend(project.landing(private.join("landing").join(&key))?);
    }
    Ok(held)
}

/// The projects in a directory that has one directory for each.
fn keys_in(dir: &Path, layout: &Layout, all: bool) -> Result<Vec<String>, Fault> {
    let mut keys = names_in(dir)?;
    keys.retain(|name| is_key(name) && (all || *name == layout.key()));
    Ok(keys)
}

/// Removes what a run holds, unless a build needs it by now; whether it was removed.
///
/// # Errors
/// [`Fault::Tree`] where something cannot be removed, and those of [`held_state`].
pub fn remove_state(held: &HeldState) -> Result<bool, Fault> {
    if held.need.is_some() {
        return Ok(false);
    }
    let (project, id) = match &held.of {
        Of::Run(project, id) => (project, id),
        Of::Slot(project, slot) => return remove_slot(project, slot),
        Of::Program | Of::Landing => {
            for dir in &held.dirs {
                remove_layers(dir)?;
            }
            return Ok(true);
        }
    };
    let Ok(_lock) = project.lock(id)? else {
        return Ok(false);
    };
    if project.need(id)?.is_some() {
        return Ok(false);
    }
    for dir in &held.dirs {
        if project.has_unfinished {
            retire_all(dir)?;
            isolation::remove_views(dir)?;
        } else {
            remove_layers(dir)?;
        }
        // The last run takes the directory above along.
        if let Some(parent) = dir.parent() {
            let _ = std::fs::remove_dir(parent);
        }
    }
    if let Some(layout) = &project.layout {
        forget_crash_backup(layout, id);
    }
    Ok(true)
}

fn remove_slot(project: &Project, slot: &HeldSlot) -> Result<bool, Fault> {
    let Some(_lock) = slot.lock()? else {
        return Ok(false);
    };
    // Another run may have worked in it since it was listed.
    if project.slot_need(slot)?.is_some() {
        return Ok(false);
    }
    slot.remove()?;
    Ok(true)
}

impl Project {
    fn find(asked: &Layout, private: &Path, key: &str) -> Result<Self, Fault> {
        let root = match asked.key() == key {
            true => Some(asked.root().to_owned()),
            false => root_in(&private.join(key).join(PROJECT))?,
        };
        let state = private.parent().map(Path::to_owned);
        let layout = root.clone().map(|root| Layout::new(root).with_state(state));
        let layout = layout.filter(|layout| layout.key() == key);
        let mut project = Self { root, layout, has_unfinished: false };
        if let Some(layout) = &project.layout {
            let active = names(layout)?.into_iter().filter(|name| name.status == Status::Active);
            for name in active {
                let runs = Runs::new(files(), layout, &name.id);
                project.has_unfinished |= runs.unfinished()?.is_some();
            }
        }
        Ok(project)
    }

    fn held(&self, id: &str, number: &str, dirs: Vec<PathBuf>) -> Result<Option<HeldState>, Fault> {
        let name: Result<WorkspaceName, _> = format!("{id}_active.xml").parse();
        let Ok(WorkspaceName { id, .. }) = name else {
            return Ok(None);
        };
        if self.has_unfinished && dirs.iter().all(|dir| holds_only_manifests(dir)) {
            return Ok(None);
        }
        Ok(Some(HeldState {
            root: self.root.clone(),
            name: format!("{id}/{number}"),
            bytes: dirs.iter().map(|dir| bytes_below(dir)).sum(),
            need: self.need(&id)?,
            of: Of::Run(self.clone(), id),
            dirs,
        }))
    }

    fn held_slot(&self, slot: HeldSlot) -> Result<HeldState, Fault> {
        let need = match slot.lock()? {
            None => Some(Need::Busy),
            Some(_) => self.slot_need(&slot)?,
        };
        Ok(HeldState {
            root: self.root.clone(),
            name: format!("slot {}", slot.number),
            bytes: bytes_below(&slot.copy()),
            need,
            dirs: vec![slot.copy()],
            of: Of::Slot(self.clone(), slot),
        })
    }

    /// Only the work of a run that was cut off is needed: anything else can be copied again.
    fn slot_need(&self, slot: &HeldSlot) -> Result<Option<Need>, Fault> {
        match slot.task() {
            Some(task) => self.need(&task),
            None => Ok(None),
        }
    }

    fn landing(&self, dir: PathBuf) -> Result<Option<HeldState>, Fault> {
        let is_gone = match &self.root {
            Some(root) => files().metadata(root)?.is_none(),
            None => false,
        };
        if files().metadata(&dir.join("run"))?.is_none() && !is_gone {
            return Ok(None);
        }
        Ok(Some(HeldState {
            root: self.root.clone(),
            name: "landing".to_owned(),
            bytes: bytes_below(&dir),
            need: (!is_gone).then_some(Need::Landing),
            of: Of::Landing,
            dirs: vec![dir],
        }))
    }

    fn need(&self, id: &WorkspaceId) -> Result<Option<Need>, Fault> {
        let Some(layout) = &self.layout else {
            return Ok(Some(Need::UnknownProject));
        };
        let is_revived = has_crash_backup(layout, id.as_str())?;
        if files().metadata(layout.root())?.is_none() {
            return Ok(is_revived.then_some(Need::CutOff));
        }
        let named: Vec<_> = names(layout)?.into_iter().filter(|name| name.id == *id).collect();
        if named.iter().any(|name| name.status == Status::Active) {
            return Ok(Some(Need::Active));
        }
        // The task file of an unfinished run may be in another directory.
        let is_unfinished = || Runs::new(files(), layout, id).unfinished();
        if named.is_empty() && (is_revived || is_unfinished()?.is_some()) {
            return Ok(Some(Need::CutOff));
        }
        Ok(None)
    }

    /// The task's lock, if it had one; `Err` where a build holds it.
    fn lock(&self, id: &WorkspaceId) -> Result<Result<Option<Lock>, ()>, Fault> {
        let Some(layout) = &self.layout else {
            return Ok(Ok(None));
        };
        if files().metadata(&layout.locks_dir().join(lock_name(id)))?.is_none() {
            return Ok(Ok(None));
        }
        match Lock::workspace(layout, id, Waiting::Refuse) {
            Err(StoreError::Held { .. }) => Ok(Err(())),
            lock => Ok(Ok(Some(lock?))),
        }
    }
}

/// A directory that is named after a process that has ended.
fn probe(place: &Path, name: &str) -> Option<HeldState> {
    let pid: u32 =
        ["probe-", "doctor-"].iter().find_map(|it| name.strip_prefix(it))?.parse().ok()?;
    let dir = place.join(name);
    let is_old = !is_alive(pid);
    is_old.then(|| HeldState {
        root: None,
        name: name.to_owned(),
        bytes: bytes_below(&dir),
        need: None,
        of: Of::Program,
        dirs: vec![dir],
    })
}

/// Whether a directory is named after a project's root.
fn is_key(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn root_in(path: &Path) -> Result<Option<PathBuf>, Fault> {
    match files().read(path) {
        Ok(bytes) => Ok(Some(std::ffi::OsString::from_vec(bytes).into())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}
