//! The tree seen through an overlay: what an implementer writes is kept elsewhere, and is taken over or
//! set apart when it has ended.
//!
//! Nothing here mounts: `ftl_process::View` does. This module decides over which directories to lay an overlay
//! and what passes through it ([`layers`]), what the implementer changed ([`written`], from the upper
//! layer alone, which is read beneath descriptors and never through links), and how that comes into the
//! tree ([`take_over`]) or into a directory of the run ([`apart`]).
//!
//! Nothing here grows with the tree. A file that the implementer did not write is not looked at, and
//! what it changed is exactly what the upper layer holds: a changed or new file as itself, a deleted one
//! as a character device 0/0, a directory that hides the one below it with an attribute.

mod apart;
mod branches;
mod changed_by_both;
mod commits;
mod dropped;
mod landing;
pub(crate) mod lands;
mod lay_in;
mod layers;
pub(crate) mod lower;
mod merging;
mod references;
mod rules;
pub(crate) mod scratch;
pub(crate) mod upper;
pub(crate) mod written;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::TreeError;

pub use apart::SetApart;
pub use lands::Landing;
pub use lay_in::LaidFile;
pub use layers::{OverlayLayer, Passing};
pub(crate) use scratch::clear;
pub use written::OverlayWork;

/// Removes all that lay below `place`, the layers among it.
///
/// # Errors
/// When the file system refuses.
pub fn remove_layers(place: &Path) -> Result<(), TreeError> {
    let done = match fs::remove_dir_all(place) {
        // Overlayfs leaves a directory of mode 000, and an implementer may have made more of them.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(place).and_then(|()| fs::remove_dir_all(place))
        }
        done => done,
    };
    ftl_store::unless_missing(done).map_err(TreeError::io("remove", place))
}

/// Gives their owner all rights to the directories below `place`. No link is followed.
fn open_up(place: &Path) -> io::Result<()> {
    let mut open = vec![place.to_path_buf()];
    let mut seen = BTreeSet::new();
    while let Some(dir) = open.pop() {
        if !dir.symlink_metadata()?.is_dir() || !seen.insert(dir.clone()) {
            continue;
        }
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(())
}
