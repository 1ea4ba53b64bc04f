//! What in a `.ftl` is ftl's own doing while an implementer works: the directory of this run, which the
//! run looks after itself (`own_run`), and what other commands tell of in the store's register.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ftl_model::Digest;
use ftl_store::{GITIGNORE, GITIGNORE_NAME, Register, Told, Wrote, is_temporary_of};
use ftl_tree::{Found, OwnFiles};

use super::site::Site;

const STORE: &str = ".ftl";

/// Knows the run's own directory and the registers of all projects in the tree.
#[derive(Debug)]
pub(super) struct OwnStore {
    root: PathBuf,
    run: PathBuf,
    private: Option<PathBuf>,
    registers: Mutex<BTreeMap<PathBuf, Known>>,
}

/// A register as it was read last.
#[derive(Debug)]
struct Known {
    len: u64,
    told: Vec<Told>,
}

impl OwnStore {
    pub(super) fn of(site: &Site<'_>) -> Self {
        let given = site.root();
        let root = given.canonicalize().unwrap_or_else(|_| given.to_owned());
        let run = site.run.dir().strip_prefix(given).map(|run| root.join(run));
        Self {
            run: run.unwrap_or_else(|_| site.run.dir().to_owned()),
            root,
            private: site.layout.private_dir(),
            registers: Mutex::default(),
        }
    }

    /// A path's `.ftl`, and the path in it.
    fn split<'p>(&self, path: &'p Path) -> Option<(PathBuf, &'p Path)> {
        // Of another project of the repository, above the root, the first `.ftl` of the path counts.
        let (mut store, below) = match path.strip_prefix(&self.root) {
            Ok(below) => (self.root.clone(), below),
            Err(_) => (PathBuf::new(), path),
        };
        let mut parts = below.components();
        loop {
            let part = parts.next()?;
            store.push(part);
            if part.as_os_str() == OsStr::new(STORE) {
                return Some((store, parts.as_path()));
            }
        }
    }

    fn ask<T: Default>(&self, store: PathBuf, question: impl FnOnce(&[Told]) -> T) -> T {
        let Some(register) =
            self.private.clone().and_then(|private| Register::of_store(private, &store))
        else {
            return T::default();
        };
        let mut registers = self.registers.lock().unwrap_or_else(PoisonError::into_inner);
        let len = register.len();
        let known = registers.entry(store).or_insert(Known { len: 0, told: Vec::new() });
        if known.len != len {
            *known = Known { len, told: register.read() };
        }
        question(&known.told)
    }
}

impl OwnFiles for OwnStore {
    fn skips(&self, path: &Path) -> bool {
        path == self.run
    }

    fn is_watched(&self, store: &Path) {
        if let Some(private) = self.private.clone()
            && let Some(register) = Register::of_store(private, store)
        {
            register.tell_who_lives();
        }
    }

    fn wrote(&self, path: &Path, now: Found<'_>, since: i64) -> bool {
        let Some((store, below)) = self.split(path) else {
            return false;
        };
        if is_lock_file(below, now) || is_leftover(below, now) {
            return true;
        }
        // On the way to the run itself, which is passed over.
        if now == Found::Dir && self.run.starts_with(path) {
            return true;
        }
        self.ask(store, |told| {
            let mut since = told.iter().filter(|told| told.at >= since).peekable();
            (since.peek().is_some() && is_prepared(below, now))
                || since.any(|told| makes(&told.wrote, below, now))
        })
    }
}

/// Lock files come and change with every command. That one goes is nobody's doing but a stranger's.
fn is_lock_file(below: &Path, now: Found<'_>) -> bool {
    let name = below.file_name().unwrap_or_default();
    let is_named = name == "root" || below.extension() == Some(OsStr::new("lock"));
    below.parent() == Some(Path::new("locks")) && is_named && matches!(now, Found::File(_))
}

/// A temporary file that a crash left, and the next command removes.
fn is_leftover(below: &Path, now: Found<'_>) -> bool {
    let name = below.file_name().unwrap_or_default().to_string_lossy();
    now == Found::Nothing && name.starts_with('.') && name.ends_with(".tmp")
}

/// What any command makes that finds no `.ftl`.
fn is_prepared(below: &Path, now: Found<'_>) -> bool {
    match now {
        Found::Dir => ["", "workspace", "runs", "locks"].iter().any(|dir| below == Path::new(dir)),
        Found::File(digest) => {
            below == Path::new(GITIGNORE_NAME) && *digest == Digest::of(GITIGNORE.as_bytes())
        }
        Found::Nothing => false,
    }
}

fn makes(wrote: &Wrote, below: &Path, now: Found<'_>) -> bool {
    match wrote {
        Wrote::File { path, sha256, .. } => {
            let path = Path::new(path);
            let is_it = below == path && now == Found::File(sha256);
            // Whoever was killed on the way left the first half.
            let is_half = matches!(now, Found::File(_)) && is_temporary_of(below, path);
            is_it || is_half || (now == Found::Dir && path.starts_with(below))
        }
        Wrote::Gone { path } => below == Path::new(path) && now == Found::Nothing,
        Wrote::Run { path, .. } => {
            below.starts_with(path) || (now == Found::Dir && Path::new(path).starts_with(below))
        }
    }
}
