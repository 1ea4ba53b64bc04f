//! What ftl holds in the user's state directory, and removing what no build needs.
//!
//! ```text
//! STATE/ftl/workplaces/KEY/project    the project's root, of whose path KEY is made
//! STATE/ftl/workplaces/KEY/N          a workplace: its copy can be made again
//! STATE/ftl/landing/KEY               the plan of a landing that was cut off
//! ```

use std::io::ErrorKind;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use ftl_process::bytes_below;
use ftl_store::{Files, Layout, is_alive};
use ftl_tree::workplace::remove_dir;

use crate::run::Fault;
use crate::run::site::files;
use crate::run::work::held_workplace::{HeldWorkplace, PROJECT, all_dirs, held};

/// What is outside the project: a workplace, a landing, or a directory of a program that was killed while it tried
/// something out.
#[derive(Clone, Debug)]
pub struct HeldState {
    /// The project's root; `None` where it is not known.
    pub root: Option<PathBuf>,
    /// `workplace N`, `landing`, or the name of a program's directory.
    pub name: String,
    /// The bytes on the disk.
    pub bytes: u64,
    /// Why it stays.
    pub need: Option<Need>,
    of: Of,
}

/// Whose it is.
#[derive(Clone, Debug)]
enum Of {
    Workplace(HeldWorkplace),
    Dir(PathBuf),
}

impl HeldState {
    /// Whether it is a workplace.
    #[must_use]
    pub fn is_workplace(&self) -> bool {
        matches!(self.of, Of::Workplace(_))
    }
}

/// Why something is not removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A build works in the workplace.
    Busy,
    /// The next build keeps what an interrupted request of an active task wrote.
    Interrupted,
    /// The next build undoes or finishes the landing.
    Landing,
}

/// Lists what is held for this project, or with `all` for every project of the user.
///
/// # Errors
/// [`Fault::NoStateDirectory`], [`Fault::File`] and [`Fault::Store`] where a directory cannot be listed.
pub fn held_state(layout: &Layout, all: bool) -> Result<Vec<HeldState>, Fault> {
    let private = layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    let mut found: Vec<HeldState> =
        names_in(&private)?.iter().filter_map(|name| probe(&private, name)).collect();
    let workplaces = all_dirs(&private);
    for key in keys_in(&workplaces, layout, all)? {
        let root = root_of(layout, &workplaces, &key)?;
        for workplace in held(&workplaces.join(&key))? {
            let is_active = |task: &str| {
                let root = root.as_deref().unwrap_or(layout.root());
                let name = format!("{task}_active.xml");
                Layout::new(root.to_owned()).workspace_dir().join(name).exists()
            };
            let need = match workplace.lock()? {
                None => Some(Need::Busy),
                Some(_) => workplace
                    .interrupted_task()
                    .filter(|task| is_active(task))
                    .map(|_| Need::Interrupted),
            };
            found.push(HeldState {
                root: root.clone(),
                name: format!("workplace {}", workplace.number),
                bytes: bytes_below(&workplace.copy()),
                need,
                of: Of::Workplace(workplace),
            });
        }
    }
    let landings = private.join("landing");
    for key in keys_in(&landings, layout, all)? {
        let root = root_of(layout, &workplaces, &key)?;
        let is_gone = match &root {
            Some(root) => files().metadata(root)?.is_none(),
            None => false,
        };
        let dir = landings.join(&key);
        found.push(HeldState {
            root,
            name: "landing".to_owned(),
            bytes: bytes_below(&dir),
            need: (!is_gone).then_some(Need::Landing),
            of: Of::Dir(dir),
        });
    }
    Ok(found)
}

/// Removes something that is held, unless a build needs it by now; whether it was removed.
///
/// # Errors
/// [`Fault::Tree`] where something cannot be removed, and those of [`held_state`].
pub fn remove_state(held: &HeldState) -> Result<bool, Fault> {
    if held.need.is_some() {
        return Ok(false);
    }
    match &held.of {
        Of::Dir(dir) => remove_dir(dir)?,
        Of::Workplace(workplace) => {
            let Some(_lock) = workplace.lock()? else {
                return Ok(false);
            };
            workplace.remove()?;
        }
    }
    Ok(true)
}

/// The projects in a directory that has one directory for each.
fn keys_in(dir: &Path, layout: &Layout, all: bool) -> Result<Vec<String>, Fault> {
    let mut keys = names_in(dir)?;
    keys.retain(|name| is_key(name) && (all || *name == layout.key()));
    Ok(keys)
}

fn root_of(asked: &Layout, workplaces: &Path, key: &str) -> Result<Option<PathBuf>, Fault> {
    if asked.key() == key {
        return Ok(Some(asked.root().to_owned()));
    }
    match files().read(&workplaces.join(key).join(PROJECT)) {
        Ok(bytes) => Ok(Some(std::ffi::OsString::from_vec(bytes).into())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A directory that is named after a process that has ended.
fn probe(place: &Path, name: &str) -> Option<HeldState> {
    let pid: u32 =
        ["probe-", "doctor-"].iter().find_map(|it| name.strip_prefix(it))?.parse().ok()?;
    let dir = place.join(name);
    (!is_alive(pid)).then(|| HeldState {
        root: None,
        name: name.to_owned(),
        bytes: bytes_below(&dir),
        need: None,
        of: Of::Dir(dir),
    })
}

/// Whether a directory is named after a project's root.
fn is_key(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The names in a directory that are text; none where it is no directory.
fn names_in(dir: &Path) -> Result<Vec<String>, Fault> {
    let names = match files().list(dir) {
        Err(error) if error.kind() == ErrorKind::NotADirectory => Vec::new(),
        names => names?,
    };
    Ok(names.iter().filter_map(|name| name.to_str().map(str::to_owned)).collect())
}
