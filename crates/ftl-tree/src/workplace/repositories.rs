//! Git's directories in a workplace: copies of everything but the objects.
//!
//! Objects are read where they are, as git's own alternates (gitrepository-layout(5)), which a running `git gc`
//! of the user's is made to go with. Where the workplace covers the root, the objects can be read at a second path, a
//! mount point beside the copy; elsewhere that is empty, and the first path holds.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::openat::{At, Beneath};
use crate::places::Places;
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};

/// Where the copy is in a workplace.
pub(super) const TREE: &str = "tree";
/// Where the copy of git's directory is, if that is outside of the tree.
const GIT: &str = "git";
/// Where mount points for objects are.
const OBJECTS: &str = "objects";

/// The copy's top: at the same place in its repository as the tree's.
pub(super) fn top(dir: &Path, tree: &Tree) -> PathBuf {
    let below = tree.places.git.as_ref().map(|git| git.below()).unwrap_or_default();
    dir.join(TREE).join(below).components().collect()
}

/// Opens the places of the copy, which are made where they are missing.
pub(super) fn places(dir: &Path, tree: &Tree) -> Result<Places, TreeError> {
    let top = top(dir, tree);
    let git_dir = git_dir(dir, tree);
    let beneath = Beneath::open(dir).map_err(TreeError::io("open", dir))?;
    for made in [Some(&top), git_dir.as_ref()].into_iter().flatten() {
        let below = made.strip_prefix(dir).unwrap_or(made);
        let at = beneath.at(&RelPath::new(below.as_os_str().as_bytes()));
        make_real(&at).map_err(TreeError::io("make", made))?;
    }
    let root = top.join(tree.places.root().as_path());
    let git = match (&tree.places.git, &git_dir) {
        (Some(git), Some(common)) => Some(git.moved(&dir.join(TREE), common)?),
        _ => None,
    };
    Places::open(&top, &root, git, git_dir.as_deref())
}

/// Makes a directory and those above it, where something else is too: an implementer may have put a link in its place.
fn make_real(at: &At<'_>) -> io::Result<()> {
    let above: Vec<RelPath> = at.path.ancestors().collect();
    for path in above.iter().rev().chain([&at.path]) {
        let dir = at.elsewhere(path);
        if dir.kind()? != Some(EntryType::Dir) {
            dir.remove_all()?;
            dir.make_dir()?;
        }
    }
    Ok(())
}

fn git_dir(dir: &Path, tree: &Tree) -> Option<PathBuf> {
    tree.places.git_dir.as_ref()?;
    Some(match tree.places.owns_git_dir {
        true => top(dir, tree).join(".git"),
        false => dir.join(GIT),
    })
}

/// The place where objects of this number can be read where the workplace covers the root.
pub(super) fn mount_point(dir: &Path, number: usize) -> PathBuf {
    dir.join(OBJECTS).join(number.to_string())
}

/// Lets the `.git` file of a linked worktree lead to the copy of git's directory, where that is used at its own path.
pub(super) fn relink(dir: &Path, tree: &Tree, to: &Places) -> Result<bool, TreeError> {
    let (Some(git), false) = (&tree.places.git, tree.places.owns_git_dir) else {
        return Ok(false);
    };
    let own = git.own_dir()?;
    let below = own.strip_prefix(&git.common_dir).unwrap_or(Path::new(""));
    let file = dir.join(TREE).join(".git");
    if below.as_os_str().is_empty() || !file.is_file() || to.git_dir.is_none() {
        return Ok(false);
    }
    let target = dir.join(GIT).join(below);
    let text = [b"gitdir: ", target.as_os_str().as_bytes(), b"\n"].concat();
    if fs::read(&file).ok().as_ref() != Some(&text) {
        fs::write(&file, text).map_err(TreeError::io("write", &file))?;
    }
    Ok(true)
}

/// Lets the copies of git directories read the tree's objects.
pub(super) fn share_objects(
    dir: &Path,
    tree: &Tree,
    to: &Places,
    objects: &BTreeSet<RelPath>,
) -> Result<Vec<RelPath>, TreeError> {
    for (number, label) in objects.iter().enumerate() {
        let (from, to) = (tree.at(label), to.at(label));
        let live = from.full();
        let point = mount_point(dir, number);
        fs::create_dir_all(&point).map_err(TreeError::io("make", &point))?;
        for made in [to.join(b"info"), to.join(b"pack")] {
            make_real(&made).map_err(made.failed("make"))?;
        }
        let mut lines = vec![point.into_os_string(), live.clone().into_os_string()];
        lines.extend(alternates(&live));
        let text = lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat());
        let text: Vec<u8> = text.collect();
        let file = to.join(b"info").join(b"alternates");
        let known = file.file().and_then(|mut file| {
            let mut known = Vec::new();
            file.read_to_end(&mut known).map(|_| known)
        });
        if known.ok().as_ref() != Some(&text) {
            let written = file.remove_all().and_then(|()| file.make_file(&mut &*text, None));
            written.map_err(file.failed("write"))?;
        }
    }
    Ok(objects.iter().cloned().collect())
}

/// Where git finds more objects of a directory of them, as absolute paths: git takes no others from an alternate.
fn alternates(live: &Path) -> Vec<OsString> {
    let text = fs::read(live.join("info/alternates")).unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let plain = lines.filter(|line| !line.starts_with(b"#") && !line.starts_with(b"\""));
    let paths = plain.map(|line| live.join(Path::new(&OsString::from_vec(line.to_vec()))));
    let real =
        |path: PathBuf| path.canonicalize().map_or_else(|_: io::Error| path.into(), Into::into);
    paths.map(real).collect()
}
