//! Where the project is that the current directory, a task file or a person means.

use std::path::{Component, Path, PathBuf};
use std::{env, io};

use ftl_model::WorkspaceName;
use ftl_process::refuse_programs_below;
use ftl_store::{FileError, Files, Layout, OsFiles};
use thiserror::Error;

/// Why there is no project to work on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The process is in no directory: it was removed, say.
    #[error("cannot determine the current directory")]
    CurrentDirectory(#[source] io::Error),
    /// The root does not exist, or is a file.
    #[error("the root `{}` is not a directory", root.display())]
    NotADirectory {
        /// The root, absolute.
        root: PathBuf,
    },
    /// A directory on the way up could not be looked at.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The project with this root; else the one whose `.ftl` holds `workspace`; without either, the one
/// that the current directory is in.
///
/// # Errors
///
/// [`FindError`] where there is no such directory.
pub fn find(root: Option<&Path>, workspace: Option<&Path>) -> Result<Layout, FindError> {
    let cwd = env::current_dir().map_err(FindError::CurrentDirectory)?;
    let layout = Layout::find(&OsFiles, root, workspace, &cwd)?.with_state(state_directory());
    if layout.root().is_dir() {
        distrust(layout.root());
        Ok(layout)
    } else {
        let root = layout.root().to_owned();
        Err(FindError::NotADirectory { root })
    }
}

/// The user's state directory: `$XDG_STATE_HOME`, else `~/.local/state`. A relative one is to be ignored, as
/// its specification says.
pub fn state_directory() -> Option<PathBuf> {
    let named = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    // Where `HOME` is not set either, as in some services, the user database knows the home.
    let home = || Some(env::home_dir()?.join(".local/state"));
    let state = named.filter(|path| path.is_absolute()).or_else(home);
    state.filter(|path| path.is_absolute())
}

/// The author of a project does not choose the programs that ftl runs for its own ends: git, the shell,
/// the languages' front ends. From here on none is found below `path`, nor anywhere in the repository that
/// holds it, be it a file or a directory. A repository that is the user's home is passed over, since it
/// holds the user's programs too.
pub fn distrust(path: &Path) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let home = env::var_os("HOME").map(PathBuf::from);
    let is_top = |dir: &&Path| dir.join(".git").symlink_metadata().is_ok();
    let top = path.ancestors().find(is_top);
    let top = top.filter(|top| home.as_deref() != Some(top));
    for dir in top.into_iter().chain([&*path]) {
        // Nothing is outside of the root directory.
        if dir.parent().is_some() {
            refuse_programs_below(dir);
        }
    }
}

/// The names of all task files of a project, sorted. Files that are not named like one are left out.
///
/// # Errors
///
/// The directory cannot be listed; one that does not exist has no names.
pub fn names(layout: &Layout) -> Result<Vec<WorkspaceName>, FileError> {
    let files = OsFiles.list(&layout.workspace_dir())?;
    Ok(files.iter().filter_map(|name| name.to_str()?.parse().ok()).collect())
}

/// A path as messages show it: relative where it is below the current directory.
pub fn display_path(path: &Path) -> PathBuf {
    let cwd = env::current_dir().ok();
    let below = cwd.and_then(|cwd| path.strip_prefix(cwd).map(Path::to_owned).ok());
    below.unwrap_or_else(|| path.to_owned())
}

/// A path that was typed in the current directory, as seen from the root; one that is not below
/// the root is given back as it is, for others to refuse.
pub fn typed_path(root: &Path, typed: &str) -> String {
    let below = || {
        let cwd = env::current_dir().ok()?;
        let root = root.canonicalize().ok()?;
        let path = lexical(&cwd.canonicalize().ok()?.join(typed));
        let below = path.strip_prefix(&root).ok()?.to_str()?.to_owned();
        Some(below)
    };
    below().filter(|below| !below.is_empty()).unwrap_or_else(|| typed.to_owned())
}

/// A path without `.` and `..`, as it reads: nothing needs to be there.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}
