//! Paths as they are typed in the current directory.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A path as it is typed in `here`.
pub(crate) fn relative(here: &Path, path: &Path) -> PathBuf {
    let common = here.ancestors().find(|above| path.starts_with(above));
    let Some(common) = common else {
        return path.to_owned();
    };
    let ups = here.components().count() - common.components().count();
    let mut typed: PathBuf = std::iter::repeat_n("..", ups).collect();
    typed.extend(path.strip_prefix(common));
    typed
}

/// What lies in the `.ftl` of the project that holds the current directory, as it is typed here; any other
/// path as it is.
pub(crate) fn of_project(path: &Path) -> PathBuf {
    let own = path.ancestors().find(|at| at.file_name() == Some(OsStr::new(".ftl")));
    let root = own.and_then(Path::parent);
    match (env::current_dir(), root) {
        (Ok(here), Some(root)) if path.is_absolute() && here.starts_with(root) => {
            relative(&here, path)
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{of_project, relative};

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
    fn another_projects_path_stays_as_it_is() {
        for path in ["/elsewhere/.ftl/workspace/001_a_active.xml", ".ftl/x", "a.py"] {
            assert_eq!(of_project(Path::new(path)), Path::new(path));
        }
    }
}
