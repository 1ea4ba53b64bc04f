//! Finding the programs that are started here: once for each name, and never in a place that others
//! may write.
//!
//! A project's own directories come first on many a `PATH` (`.venv/bin`, `node_modules/.bin`). An
//! author of the project could put a `git` or a `sh` there, which would be run by a caller that
//! only wants to look. So a caller names the directories that it does not trust
//! ([`refuse_programs_below`]), and a name is looked for everywhere else. What was found is kept for as
//! long as the process lives, and so is that nothing was.
//!
//! This is about programs that are started by their name. What such a program starts in turn, it finds
//! by the `PATH` that it is given.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{Access, AtFlags, CWD, accessat};

/// Where execvp(3) looks without a `PATH`.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

#[derive(Default)]
struct Programs {
    /// Resolved.
    refused: BTreeSet<PathBuf>,
    found: Option<HashMap<OsString, Option<PathBuf>>>,
}

static PROGRAMS: Mutex<Programs> = Mutex::new(Programs { refused: BTreeSet::new(), found: None });

fn programs() -> MutexGuard<'static, Programs> {
    // A panic while it was held leaves at worst a name that is looked up again.
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on no program below `dir` is found by its name in this process.
pub fn refuse_programs_below(dir: &Path) {
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let mut programs = programs();
    if let Some(found) = &mut programs.found {
        let below = |path: &PathBuf| is_below(path, &dir);
        found.retain(|_, path| !path.as_ref().is_some_and(below));
    }
    programs.refused.insert(dir);
}

/// The program of this name on the `PATH`, outside the directories that are refused; entries of the
/// `PATH` that are not absolute are passed over. A name that holds a `/` is the program itself.
#[must_use]
pub fn find_program(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = name.as_ref();
    if name.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(name));
    }
    let mut programs = programs();
    if let Some(known) = programs.found.get_or_insert_default().get(name) {
        return known.clone();
    }
    let found = search(name, &programs.refused);
    let all = programs.found.get_or_insert_default();
    all.insert(name.to_owned(), found.clone());
    found
}

/// The `PATH` without entries that are not absolute or lie below a refused directory: for a program that
/// finds others by it, as a script finds its interpreter through `env`.
#[must_use]
pub fn trusted_path() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    let programs = programs();
    let is_refused = |dir: &Path| {
        let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        programs.refused.iter().any(|refused| real.starts_with(refused))
    };
    let trusted = std::env::split_paths(&path).filter(|dir| dir.is_absolute() && !is_refused(dir));
    // The entries were joined before, so they can be joined again.
    std::env::join_paths(trusted).unwrap_or_else(|_| DEFAULT_PATH.into())
}

/// As [`find_program`], with the system's own reason where there is none.
pub(crate) fn resolve(name: &OsStr) -> io::Result<PathBuf> {
    find_program(name).ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn search(name: &OsStr, refused: &BTreeSet<PathBuf>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|program| is_executable(program) && !refused.iter().any(|dir| is_below(program, dir)))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

/// By its directory and by the directory that a link leads to.
fn is_below(program: &Path, dir: &Path) -> bool {
    let holds = program.parent().and_then(|dir| dir.canonicalize().ok());
    let leads = program.canonicalize().ok();
    [holds, leads].iter().flatten().any(|at| at.starts_with(dir))
}
