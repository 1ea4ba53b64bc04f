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

use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    /// Where the directories of the `PATH` lead.
    real: BTreeMap<PathBuf, Option<PathBuf>>,
}

static PROGRAMS: Mutex<Programs> =
    Mutex::new(Programs { refused: BTreeSet::new(), found: None, real: BTreeMap::new() });

fn programs() -> MutexGuard<'static, Programs> {
    // A panic while it was held leaves at worst a name that is looked up again.
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on no program below `dir` is found by its name in this process.
pub fn refuse_programs_below(dir: &Path) {
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let mut programs = programs();
    let Programs { found, real, .. } = &mut *programs;
    if let Some(found) = found {
        let mut below = |path: &Path| places(path, real).iter().any(|at| at.starts_with(&dir));
        found.retain(|_, path| !path.as_deref().is_some_and(&mut below));
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
    let found = programs.search(name);
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

/// A program that is about to be started.
#[expect(clippy::disallowed_methods, reason = "this crate is where programs are started")]
pub(crate) fn new_command(program: &OsStr) -> std::process::Command {
    std::process::Command::new(program)
}

/// As [`find_program`], with the system's own reason where there is none.
pub(crate) fn resolve(name: &OsStr) -> io::Result<PathBuf> {
    find_program(name).ok_or_else(|| io::ErrorKind::NotFound.into())
}

impl Programs {
    fn search(&mut self, name: &OsStr) -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
        let Self { refused, real, .. } = self;
        let mut is_refused = |program: &Path| {
            !refused.is_empty()
                && places(program, real)
                    .iter()
                    .any(|at| refused.iter().any(|dir| at.starts_with(dir)))
        };
        std::env::split_paths(&path)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(name))
            .find(|program| is_executable(program) && !is_refused(program))
    }
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

/// Where a program is: by its directory, and by the file that a link leads to. Where a directory leads is looked up once.
fn places(program: &Path, real: &mut BTreeMap<PathBuf, Option<PathBuf>>) -> Vec<PathBuf> {
    let dir = program.parent().unwrap_or(program);
    let dir = match real.get(dir) {
        Some(known) => known.clone(),
        None => {
            let found = dir.canonicalize().ok();
            real.entry(dir.to_owned()).or_insert(found).clone()
        }
    };
    let is_link = program.symlink_metadata().is_ok_and(|found| found.is_symlink());
    let leads = if is_link { program.canonicalize().ok() } else { None };
    dir.into_iter().chain(leads).collect()
}
