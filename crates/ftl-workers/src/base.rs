//! The tree that a worker starts from: a commit without parents, of the files' raw bytes.
//!
//! It is made from a slot's copy of the tree, in a bare repository in ftl's state, and travels as a bundle. A bundle
//! is thin against the one that was stored before it, so that only the difference travels; each names the one
//! that it needs.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ftl_engine::performer::Call;
use ftl_model::Digest;
use ftl_text::Redactor;
use ftl_tree::SCRATCH_NAMES;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;
use thiserror::Error;

use crate::access::ServerError;
use crate::git::{BaseError, Git, file_error, of_user};
use crate::server::Server;

/// The longest chain of bundles that each need the one before.
const LONGEST_CHAIN: usize = 24;
/// The largest untracked file that is searched for secrets.
const LARGEST_SEARCHED: u64 = 1 << 20;

/// Names of files that hold secrets.
const SECRET_NAMES: [&str; 14] = [
    ".env",
    ".env.*",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.kdbx",
    "id_rsa*",
    "id_ed25519*",
];

/// Why a base could not travel.
#[derive(Debug, Error)]
pub(crate) enum TravelError {
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error(transparent)]
    Base(#[from] BaseError),
}

/// The object that holds the bundle of a base.
pub(crate) fn object_of(commit: &str) -> String {
    format!("base-{commit}")
}

/// The reference of a base in a repository and in its bundle.
pub(crate) fn reference_of(commit: &str) -> String {
    format!("refs/ftl/base/{commit}")
}

/// Makes the base of a call.
pub(crate) fn make(
    call: &Call,
    repository: &Path,
    exclude: &[String],
) -> Result<String, BaseError> {
    let git = Git::bare(repository)?;
    let below = call.root.strip_prefix(&call.top).unwrap_or(Path::new(""));
    let mut wanted = files(&call.top, exclude)?;
    wanted.extend(call.delta.iter().map(|path| below.join(path)));
    let key = Digest::of(call.copy.as_os_str().as_encoded_bytes()).to_string();
    let git = git.over(&call.copy, &format!("index-{}", &key[..16]));
    let had: BTreeSet<PathBuf> = paths(&git.bytes(["ls-files", "-z"], Vec::new())?).collect();
    let gone: Vec<&PathBuf> = had.difference(&wanted).collect();
    if !gone.is_empty() {
        git.feed(["update-index", "-z", "--force-remove", "--stdin"], listed(gone))?;
    }
    git.feed(["update-index", "-z", "--add", "--remove", "--stdin"], listed(&wanted))?;
    let tree = git.run(["write-tree"])?;
    let commit = git.run(["commit-tree", &tree, "-m", "base"])?;
    git.run(["update-ref", &reference_of(&commit), &commit])?;
    Ok(commit)
}

/// Stores the bundle of a base on the server, unless it is there.
pub(crate) async fn store(
    server: &Server,
    repository: &Path,
    commit: &str,
) -> Result<(), TravelError> {
    let name = object_of(commit);
    if server.has_object(&name).await {
        return Ok(());
    }
    let git = Git::bare(repository)?;
    let last = repository.join("last");
    let earlier = fs::read_to_string(&last).unwrap_or_default();
    let mut chain: Vec<String> = earlier.lines().map(str::to_owned).collect();
    let needed = chain.last().filter(|_| chain.len() < LONGEST_CHAIN).cloned();
    let needed = match needed {
        Some(needed) if needed != commit && server.has_object(&object_of(&needed)).await => {
            Some(needed)
        }
        _ => None,
    };
    let bytes = bundle(&git, commit, needed.as_deref())?;
    server.put_object(&name, needed.clone(), &bytes).await?;
    if needed.is_none() {
        chain.clear();
    }
    chain.push(commit.to_owned());
    fs::write(&last, chain.join("\n")).map_err(file_error(&last))?;
    Ok(())
}

fn bundle(git: &Git, commit: &str, needed: Option<&str>) -> Result<Vec<u8>, BaseError> {
    let reference = reference_of(commit);
    let path = git.dir().join(format!("bundle-{}", std::process::id()));
    let file = path.to_string_lossy().into_owned();
    let without = needed.map(|needed| format!("^{needed}"));
    let words = ["bundle", "create", "--quiet", &file, &reference];
    git.run(words.into_iter().chain(without.as_deref()))?;
    let bytes = fs::read(&path).map_err(file_error(&path));
    drop(fs::remove_file(&path));
    bytes
}

/// The files of a tree that a worker gets: those that git holds, submodules' included, and others that are neither
/// ignored nor excluded. From the top.
fn files(top: &Path, exclude: &[String]) -> Result<BTreeSet<PathBuf>, BaseError> {
    let excluded = globs(exclude.iter().map(String::as_str));
    let keeps = |path: &PathBuf| !excluded.is_match(path);
    if !top.join(".git").exists() {
        let all: BTreeSet<PathBuf> = walk(top).filter(keeps).collect();
        refuse_secrets(top, all.iter())?;
        return Ok(all);
    }
    let mut held = BTreeSet::new();
    held_by_git(top, Path::new(""), &mut held)?;
    let others = of_user(top, &["ls-files", "-z", "--others", "--exclude-standard"])?;
    let others: BTreeSet<PathBuf> = paths(&others).filter(keeps).collect();
    refuse_secrets(top, others.iter())?;
    held.retain(keeps);
    held.extend(others);
    Ok(held)
}

fn held_by_git(dir: &Path, below: &Path, held: &mut BTreeSet<PathBuf>) -> Result<(), BaseError> {
    let staged = of_user(dir, &["ls-files", "-z", "--stage"])?;
    for entry in staged.split(|byte| *byte == 0) {
        let Some(tab) = entry.iter().position(|byte| *byte == b'\t') else {
            continue;
        };
        let path = path_of(&entry[tab + 1..]);
        if entry.starts_with(b"160000 ") {
            if dir.join(&path).join(".git").exists() {
                held_by_git(&dir.join(&path), &below.join(&path), held)?;
            }
        } else {
            held.insert(below.join(path));
        }
    }
    Ok(())
}

/// All files of a tree that no git holds, but for caches.
fn walk(top: &Path) -> impl Iterator<Item = PathBuf> {
    let top = top.to_owned();
    let is_scratch = |name: &std::ffi::OsStr| {
        SCRATCH_NAMES.iter().any(|scratch| name == *scratch) || name == ".git"
    };
    let walk = WalkBuilder::new(&top)
        .standard_filters(false)
        .filter_entry(move |entry| entry.depth() == 0 || !is_scratch(entry.file_name()))
        .build();
    let is_run = |path: &PathBuf| path.starts_with(".ftl/runs") || path.starts_with(".ftl/locks");
    walk.flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()))
        .filter_map(move |entry| Some(entry.path().strip_prefix(&top).ok()?.to_owned()))
        .filter(move |path| !is_run(path))
}

fn refuse_secrets<'p>(
    top: &Path,
    untracked: impl Iterator<Item = &'p PathBuf>,
) -> Result<(), BaseError> {
    let names = globs(SECRET_NAMES.iter().copied());
    let redactor = Redactor::new([], &[]);
    let is_secret = |path: &&PathBuf| {
        path.file_name().is_some_and(|name| names.is_match(Path::new(name)))
            || holds_secret(&top.join(path), &redactor)
    };
    let found: Vec<String> =
        untracked.filter(is_secret).take(20).map(|path| path.display().to_string()).collect();
    if found.is_empty() { Ok(()) } else { Err(BaseError::Secrets { paths: found }) }
}

fn holds_secret(path: &Path, redactor: &Redactor) -> bool {
    let Ok(found) = path.symlink_metadata() else {
        return false;
    };
    if !found.is_file() || found.len() > LARGEST_SEARCHED {
        return false;
    }
    let bytes = fs::read(path).unwrap_or_default();
    let mut counts = ftl_text::redact::RedactionCounts::new();
    let _ = redactor.bytes(&bytes, &mut counts);
    !counts.is_empty()
}

/// Globs as in a `.gitignore` of the top: one without a slash matches names at any depth.
fn globs<'g>(patterns: impl Iterator<Item = &'g str>) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let plain = pattern.trim_start_matches('/').trim_end_matches('/');
        let anywhere = !pattern.trim_end_matches('/').contains('/');
        let base = if anywhere { format!("**/{plain}") } else { plain.to_owned() };
        for text in [base.clone(), format!("{base}/**")] {
            if let Ok(glob) = GlobBuilder::new(&text).literal_separator(true).build() {
                set.add(glob);
            }
        }
    }
    set.build().unwrap_or_default()
}

fn paths(bytes: &[u8]) -> impl Iterator<Item = PathBuf> {
    let names: Vec<PathBuf> =
        bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path_of).collect();
    names.into_iter()
}

fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

fn listed<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for path in paths {
        bytes.extend_from_slice(path.as_os_str().as_encoded_bytes());
        bytes.push(0);
    }
    bytes
}

/// Holds a repository of bases for this process: several requests make bases at the same time.
pub(crate) fn hold(repository: &Path) -> Result<File, BaseError> {
    fs::create_dir_all(repository).map_err(file_error(repository))?;
    let path = repository.join("ftl-lock");
    let file = File::create(&path).map_err(file_error(&path))?;
    file.lock().map_err(file_error(&path))?;
    Ok(file)
}
