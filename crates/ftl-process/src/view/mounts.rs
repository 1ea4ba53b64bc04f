//! The mounts of a view, made from within its namespaces.
//!
//! The order is forced. What is read or passed through is taken hold of first, as a separate tree of mounts
//! (open_tree(2)), and the layers are opened: once a copy covers a path, that path leads into the copy. The layers are
//! named to overlayfs by descriptors, since its options are one text in which `,` and `:` mean something.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, MoveMountFlags, OpenTreeFlags, mount, move_mount, open_tree};
use rustix::process::geteuid;
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};

use super::Layer;
use super::words::Inside;

/// Mounts everything, or says what could not be.
pub(super) fn make(inside: &Inside) -> Result<(), String> {
    let hold_all = |paths: &mut dyn Iterator<Item = PathBuf>| -> Result<Vec<_>, String> {
        paths.map(|path| Ok((hold(&path)?, path))).collect()
    };
    let passed = hold_all(&mut inside.pass.iter().cloned())?;
    let readable = hold_all(&mut inside.readable.iter().cloned())?;
    let opened: Vec<Opened<'_>> = inside.layers.iter().map(open).collect::<Result<_, String>>()?;
    for (path, second) in &inside.shared {
        put(&hold(path)?, second)?;
        make_read_only(second)?;
    }
    let copies = hold_all(&mut inside.binds.iter().map(|(from, _)| from.clone()))?;
    for ((copy, _), (_, over)) in copies.iter().zip(&inside.binds) {
        put(copy, over)?;
    }
    for layer in opened {
        overlay(&layer)?;
    }
    for (tree, path) in readable {
        put(&tree, &path)?;
        make_read_only(&path)?;
    }
    for (tree, path) in passed {
        put(&tree, &path)?;
    }
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount(c"proc", c"/proc", c"proc", flags, None)
        .map_err(|error| refusal("mount", Path::new("/proc"), error))
}

fn hold(path: &Path) -> Result<OwnedFd, String> {
    // With what is mounted below it.
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_SYMLINK_NOFOLLOW;
    open_tree(CWD, path, flags).map_err(|error| refusal("pass through", path, error))
}

fn put(tree: &OwnedFd, path: &Path) -> Result<(), String> {
    move_mount(tree, c"", CWD, path, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
        .map_err(|error| refusal("pass through", path, error))
}

/// Some options of a mount may be locked (mount_namespaces(7)), and are asked for as they are.
fn make_read_only(path: &Path) -> Result<(), String> {
    use rustix::fs::StatVfsMountFlags as Is;
    let now = rustix::fs::statvfs(path).map_err(|error| refusal("look at", path, error))?.f_flag;
    let pairs = [
        (Is::NODEV, MountFlags::NODEV),
        (Is::NOSUID, MountFlags::NOSUID),
        (Is::NOEXEC, MountFlags::NOEXEC),
        (Is::NOATIME, MountFlags::NOATIME),
        (Is::NODIRATIME, MountFlags::NODIRATIME),
        (Is::RELATIME, MountFlags::RELATIME),
    ];
    let kept = pairs.into_iter().filter(|(is, _)| now.contains(*is)).map(|(_, flag)| flag);
    let flags = kept.fold(MountFlags::BIND | MountFlags::RDONLY, MountFlags::union);
    rustix::mount::mount_remount(path, flags, c"")
        .map_err(|error| refusal("make read-only", path, error))
}

/// A layer whose directories are held open.
struct Opened<'a> {
    over: &'a Path,
    lower: OwnedFd,
    upper: OwnedFd,
    work: OwnedFd,
}

fn open(layer: &Layer) -> Result<Opened<'_>, String> {
    let open = |path: &Path| {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::openat(CWD, path, flags, Mode::empty())
            .map_err(|error| refusal("open", path, error))
    };
    Ok(Opened {
        over: &layer.over,
        lower: open(&layer.over)?,
        upper: open(&layer.upper)?,
        work: open(&layer.work)?,
    })
}

fn overlay(layer: &Opened<'_>) -> Result<(), String> {
    let named = |fd: &OwnedFd| format!("/proc/self/fd/{}", fd.as_raw_fd());
    // The overlay's attributes are the user's (`userxattr`), so that the same rules hold for root and for
    // everybody else, and directories that are renamed are copied and not redirected.
    let options = format!(
        "lowerdir={},upperdir={},workdir={},userxattr",
        named(&layer.lower),
        named(&layer.upper),
        named(&layer.work)
    );
    let options = CString::new(options).expect("because descriptors have no NUL in their names");
    let done = mount(c"overlay", layer.over, c"overlay", MountFlags::empty(), options.as_c_str());
    done.map_err(|error| refusal("lay an overlay over", layer.over, error))
}

fn refusal(what: &str, path: &Path, error: rustix::io::Errno) -> String {
    let error = io::Error::from(error);
    format!("cannot {what} `{}`: {error}", path.display())
}

/// Gives up what made the mounts possible, for good: also a program with the set-user-ID bit brings none of
/// it back.
///
/// Root keeps `CAP_SETFCAP`: without it the kernel lets root map itself into no nested user namespace
/// (`user_namespaces(7)`), and agents that put each command into a sandbox could run none.
pub(super) fn drop_capabilities() -> Result<(), String> {
    let kept = match geteuid().is_root() {
        true => CapabilitySet::SETFCAP,
        false => CapabilitySet::empty(),
    };
    let dropped = || -> rustix::io::Result<()> {
        for capability in CapabilitySet::all().difference(kept).iter() {
            match remove_capability_from_bounding_set(capability) {
                // One that this kernel does not know.
                Err(rustix::io::Errno::INVAL) | Ok(()) => {}
                Err(error) => return Err(error),
            }
        }
        clear_ambient_capability_set()?;
        set_no_new_privs(true)?;
        set_capabilities(
            None,
            CapabilitySets {
                effective: kept,
                permitted: kept,
                inheritable: CapabilitySet::empty(),
            },
        )
    };
    dropped().map_err(|error| {
        let error = io::Error::from(error);
        format!("cannot give up capabilities: {error}")
    })
}
