//! The tree that a worker starts from: a commit without parents, of the files' raw bytes.
//!
//! It is made from a slot's copy of the tree, in a bare repository in ftl's state. A worker that lacks it says which
//! bases it has, and gets a bundle of the difference.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_engine::performer::Call;
use ftl_model::{Digest, Digester};
use ftl_text::Redactor;
use ftl_tree::SCRATCH_NAMES;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

use crate::git::{BaseError, Git, file_error, of_user};

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

/// Makes the base of a call.
fn make(call: &Call, repository: &Path, exclude: &[String]) -> Result<String, BaseError> {
    let git = Git::bare(repository)?;
    let below = call.root.strip_prefix(&call.top).unwrap_or(Path::new(""));
    let mut wanted = files(&call.top, exclude)?;
    wanted.extend(call.delta.iter().map(|path| below.join(path)));
    let key = Digest::of(call.copy.as_os_str().as_encoded_bytes()).to_string();
    let index = format!("index-{}", &key[..16]);
    // A git that was killed leaves it, and none runs while the repository is held.
    drop(fs::remove_file(repository.join(format!("{index}.lock"))));
    let git = git.over(&call.copy, &index);
    let had: BTreeSet<PathBuf> = paths(&git.bytes(["ls-files", "-z"], Vec::new())?).collect();
    let gone: Vec<&PathBuf> = had.difference(&wanted).collect();
    if !gone.is_empty() {
        git.feed(["update-index", "-z", "--force-remove", "--stdin"], listed(gone))?;
    }
    git.feed(["update-index", "-z", "--add", "--remove", "--stdin"], listed(&wanted))?;
    let tree = git.run(["write-tree"])?;
    let commit = git.run(["commit-tree", &tree, "-m", "base"])?;
    git.keep(&commit)?;
    Ok(commit)
}

/// A base while a request needs it. Several requests may have the same one.
#[derive(Debug)]
pub(crate) struct HeldBase {
    repository: PathBuf,
    commit: String,
    _in_use: File,
}

impl HeldBase {
    /// Makes the base of a call, and holds it.
    pub(crate) fn make(
        call: &Call,
        repository: &Path,
        exclude: &[String],
    ) -> Result<Self, BaseError> {
        let _held = hold(repository)?;
        let commit = make(call, repository, exclude)?;
        let bundles = repository.join("bundles").join(&commit);
        fs::create_dir_all(&bundles).map_err(file_error(&bundles))?;
        let in_use = File::open(&bundles).map_err(file_error(&bundles))?;
        in_use.lock_shared().map_err(file_error(&bundles))?;
        Ok(Self { repository: repository.to_owned(), commit, _in_use: in_use })
    }

    pub(crate) fn commit(&self) -> &str {
        &self.commit
    }

    /// A bundle of the base for a worker that has these others, by its digest: the same one for all that have the same.
    pub(crate) fn bundle(&self, have: &[String]) -> Result<(PathBuf, Digest), BaseError> {
        let _held = hold(&self.repository)?;
        let git = Git::bare(&self.repository)?;
        let known: BTreeSet<String> = git.kept()?.into_iter().collect();
        let without: BTreeSet<&String> = have.iter().filter(|had| known.contains(*had)).collect();
        let key = Digest::of(format!("{without:?}").as_bytes());
        let dir = self.repository.join("bundles").join(&self.commit);
        let made = dir.join(format!("made-{key}"));
        if let Ok(digest) = fs::read_to_string(&made)
            && let Ok(digest) = digest.parse()
        {
            return Ok((dir.join(format!("{digest}")), digest));
        }
        let new = dir.join("new");
        git.bundle(&self.commit, without.into_iter().map(String::as_str), &new)?;
        let digest = digest_of(&new).map_err(file_error(&new))?;
        let path = dir.join(format!("{digest}"));
        fs::rename(&new, &path).map_err(file_error(&path))?;
        fs::write(&made, digest.to_string()).map_err(file_error(&made))?;
        Ok((path, digest))
    }

    /// Gives it up: the digests of bundles that no request needs any more, of this base and of others whose requests
    /// were killed. The bundles here are removed.
    pub(crate) fn give_up(self) -> Result<Vec<Digest>, BaseError> {
        let Self { repository, _in_use, .. } = self;
        drop(_in_use);
        let _held = hold(&repository)?;
        let bundles = repository.join("bundles");
        let mut digests = Vec::new();
        for entry in fs::read_dir(&bundles).map_err(file_error(&bundles))?.flatten() {
            let dir = entry.path();
            let is_free = File::open(&dir).is_ok_and(|file| file.try_lock().is_ok());
            if !is_free {
                continue;
            }
            let names = fs::read_dir(&dir).map_err(file_error(&dir))?.flatten();
            let digest = |name: fs::DirEntry| name.file_name().to_str()?.parse::<Digest>().ok();
            digests.extend(names.filter_map(digest));
            fs::remove_dir_all(&dir).map_err(file_error(&dir))?;
        }
        Ok(digests)
    }
}

fn digest_of(path: &Path) -> io::Result<Digest> {
    let (mut file, mut digester) = (File::open(path)?, Digester::default());
    let mut piece = vec![0; 128 << 10];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(digester.finish()),
            count => digester.update(&piece[..count]),
        }
    }
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
