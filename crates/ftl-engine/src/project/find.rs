//! Where the project is that the current directory, a task file or a person means.

use std::path::{Component, Path, PathBuf};
use std::{env, io};

use ftl_model::WorkspaceName;
use ftl_process::refuse_programs_below;
use ftl_store::{FileError, Files, Layout, OsFiles};
use thiserror::Error;

use crate::text::shell_word;

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

/// Directories that are looked at for projects below one, and how deep.
const MOST_DIRECTORIES: usize = 20_000;
const DEEPEST: usize = 8;
/// Directories that hold no project of the user's.
const PASSED_OVER: [&str; 4] = ["node_modules", "target", "vendor", "venv"];

/// The projects below a directory that is in none itself: those whose `.ftl` holds tasks, sorted. Hidden directories
/// are passed over, and links.
pub fn projects_below(directory: &Path) -> Vec<Layout> {
    let mut found = Vec::new();
    let mut left = vec![(directory.to_owned(), 0)];
    let mut seen = 0;
    while let Some((directory, depth)) = left.pop() {
        seen += 1;
        if seen > MOST_DIRECTORIES {
            break;
        }
        let layout = Layout::new(&directory).with_state(state_directory());
        if layout.workspace_dir().is_dir() {
            found.push(layout);
        }
        let entries = std::fs::read_dir(&directory).into_iter().flatten().flatten();
        let dirs = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let is_open = |name: &str| !name.starts_with('.') && !PASSED_OVER.contains(&name);
        let dirs = dirs.filter(|entry| is_open(&entry.file_name().to_string_lossy()));
        if depth < DEEPEST {
            left.extend(dirs.map(|entry| (entry.path(), depth + 1)));
        }
    }
    found.sort_by(|a, b| a.root().cmp(b.root()));
    found
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

/// A path as it is typed in the current directory, where it is below it or in the same project or repository;
/// another as it is.
pub fn display_path(path: &Path) -> PathBuf {
    match env::current_dir() {
        Ok(cwd) if path.is_absolute() => seen_from(&cwd, path),
        _ => path.to_owned(),
    }
}

fn seen_from(here: &Path, path: &Path) -> PathBuf {
    if let Ok(below) = path.strip_prefix(here) {
        return below.to_owned();
    }
    let is_top = |dir: &&Path| dir.join(".ftl").exists() || dir.join(".git").exists();
    match here.ancestors().filter(is_top).any(|top| path.starts_with(top)) {
        true => relative(here, path),
        false => path.to_owned(),
    }
}

/// A path as it is typed in `here`; both are absolute.
pub fn relative(here: &Path, path: &Path) -> PathBuf {
    let common = here.ancestors().find(|above| path.starts_with(above));
    let Some(common) = common else {
        return path.to_owned();
    };
    let ups = here.components().count() - common.components().count();
    let mut typed: PathBuf = std::iter::repeat_n("..", ups).collect();
    typed.extend(path.strip_prefix(common));
    typed
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

/// A shell command that was typed in the current directory, to be run in the root.
pub fn typed_command(root: &Path, command: &str) -> String {
    match below_root(root) {
        Some(here) => command_in(&here, command),
        None => command.to_owned(),
    }
}

/// A command that runs in the root, to be typed in the current directory: undone by [`typed_command`], and
/// otherwise a command that goes to the root first.
pub fn shown_command(root: &Path, command: &str) -> String {
    let Some(here) = below_root(root).filter(|_| !command.is_empty()) else {
        return command.to_owned();
    };
    let same = format!("cd {} && ", shell_word(&here));
    match command.strip_prefix(same.as_str()).filter(|rest| is_one(rest)) {
        Some(rest) => rest.to_owned(),
        None => command_in(&"../".repeat(here.split('/').count()), command),
    }
}

/// The current directory from the root, where it is below it.
fn below_root(root: &Path) -> Option<String> {
    let cwd = env::current_dir().ok()?.canonicalize().ok()?;
    let below = cwd.strip_prefix(root.canonicalize().ok()?).ok()?.to_str()?.to_owned();
    (!below.is_empty()).then_some(below)
}

fn command_in(dir: &str, command: &str) -> String {
    let dir = shell_word(dir.trim_end_matches('/'));
    let command = command.trim();
    if is_one(command) {
        return format!("cd {dir} && {command}");
    }
    // So that nothing of it runs elsewhere, should the directory be missing. It may end in a comment.
    match command.contains(['#', '\n', '\\']) || command.contains("<<") {
        true => format!("cd {dir} && (\n{command}\n)"),
        false => format!("cd {dir} && ({command})"),
    }
}

/// Whether no part of a command runs where `cd … && ` before it fails.
fn is_one(command: &str) -> bool {
    let mut quote = None;
    let mut bare = String::new();
    for c in command.chars() {
        match quote {
            Some(begun) if c == begun => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None => bare.push(c),
        }
    }
    let plain = bare.replace("&&", "").replace("2>&1", "");
    quote.is_none() && !plain.trim().contains([';', '&', '\n', '#', '\\']) && !plain.contains("||")
}

/// A path without `.` and `..`, as it reads: nothing needs to be there.
pub fn lexical(path: &Path) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{command_in, is_one, relative};

    #[test]
    fn a_path_goes_up_as_far_as_it_must() {
        for (here, path, typed) in [
            ("/p", "/p/.ftl/x", ".ftl/x"),
            ("/p/src", "/p/.ftl/x", "../.ftl/x"),
            ("/p/src/a", "/p/src/b", "../b"),
            ("/p", "/q/x", "../q/x"),
        ] {
            let found = relative(Path::new(here), Path::new(path));
            assert_eq!(found, Path::new(typed), "{path} in {here}");
        }
    }

    #[test]
    fn a_command_runs_in_another_directory_as_a_whole() {
        for (command, expected) in [
            ("pytest -q", "cd shop && pytest -q"),
            ("make 2>&1 | tail -3 && go test", "cd shop && make 2>&1 | tail -3 && go test"),
            ("python3 -c 'import a; a.b()'", "cd shop && python3 -c 'import a; a.b()'"),
            ("make; go test", "cd shop && (make; go test)"),
            ("make || true # why", "cd shop && (\nmake || true # why\n)"),
        ] {
            assert_eq!(command_in("shop", command), expected);
        }
        assert!(!is_one("make & wait"));
        assert_eq!(command_in("../", "make"), "cd .. && make");
    }
}
