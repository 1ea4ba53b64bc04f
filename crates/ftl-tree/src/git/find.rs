//! Finding the repository around the root, and learning what of it must be switched off.
//!
//! The file system is asked first, for a `.git` at or above the root: most of the time there is one or
//! there is none, and without one git is not even started. Then git itself says where its directory
//! is. It may refuse, because of `safe.directory`, damage or a missing program: then the tree is
//! treated as one without git, with a warning, since a build does not depend on it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use ftl_process::StartError;

use super::{Git, SAFE, first_line};
use crate::TreeError;

/// Whether there is a repository around the root.
#[derive(Debug)]
pub(crate) enum Discovery {
    /// None.
    No,
    /// There is something, but git refuses it.
    Refused {
        /// Why.
        reason: String,
        /// Git's own directory, as far as it can be told without git.
        dir: Option<PathBuf>,
    },
    /// One that git takes.
    Yes(Git),
}

impl Git {
    pub(crate) fn find(root: &Path) -> Result<Discovery, TreeError> {
        let mut candidates = root.ancestors().map(|dir| dir.join(".git"));
        let Some(dir) = candidates.find(|git| git.symlink_metadata().is_ok()) else {
            return Ok(Discovery::No);
        };
        let refused = |reason| Discovery::Refused {
            reason,
            dir: Some(dir.clone()).filter(|dir| dir.is_dir()),
        };
        let mut git = Self {
            root: root.to_path_buf(),
            top: root.to_path_buf(),
            common_dir: root.join(".git"),
            settings: SAFE.iter().map(OsString::from).collect(),
            converts: false,
        };
        let asked = [
            "rev-parse",
            "--show-toplevel",
            "--git-common-dir",
            "--show-prefix",
        ];
        let answer = match git.ask(&asked, Vec::new()) {
            Ok(answer) => answer,
            Err(StartError::MissingProgram { .. }) => {
                return Ok(refused("git is not installed".to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        let mut lines = answer.stdout.split(|&byte| byte == b'\n');
        let (Some(top), Some(common), Some(prefix), true) = (
            lines.next(),
            lines.next(),
            lines.next(),
            answer.how.success(),
        ) else {
            return Ok(refused(first_line(&answer.stderr)));
        };
        git.top = PathBuf::from(OsStr::from_bytes(top));
        git.common_dir = root.join(OsStr::from_bytes(common));
        let ignores_root = !prefix.is_empty() && git.ignores_root()?;
        if ignores_root {
            return Ok(Discovery::No);
        }
        git.read_configuration()?;
        Ok(Discovery::Yes(git))
    }

    /// Whether the repository ignores the root. Then the project is not part of it, as with a home
    /// directory that is a repository with everything ignored, and git would call all of it scratch.
    fn ignores_root(&self) -> Result<bool, TreeError> {
        let path = self.root.as_os_str().as_bytes().to_vec();
        let answer = self.ask(&["check-ignore", "-z", "--stdin", "--no-index"], path)?;
        Ok(answer.how.success())
    }

    /// Reads the names of all filters, to switch each off, and whether any setting converts bytes.
    ///
    /// A filter's name is the repository's choice, so no fixed list of settings would do. Git fails
    /// for names without a filter, which is not an error here: no output, no filter.
    fn read_configuration(&mut self) -> Result<(), TreeError> {
        let pattern = r"^(filter\..*|core\.(autocrlf|attributesfile))$";
        let answer = self.ask(&["config", "-z", "--get-regexp", pattern], Vec::new())?;
        for setting in answer.stdout.split(|&byte| byte == 0) {
            let key = setting
                .split(|&byte| byte == b'\n')
                .next()
                .unwrap_or_default();
            match key.strip_prefix(b"filter.").and_then(driver) {
                Some(driver) => self.disable_filter(driver),
                None => self.converts |= !key.is_empty() && !setting.ends_with(b"\nfalse"),
            }
        }
        Ok(())
    }

    /// `required` too, or git fails where a required filter has no command.
    fn disable_filter(&mut self, driver: &[u8]) {
        for value in ["clean=", "smudge=", "process=", "required=false"] {
            let parts = [b"filter.", driver, b".", value.as_bytes()].concat();
            let setting = OsString::from_vec(parts);
            if !self.settings.contains(&setting) {
                self.settings.push(setting);
            }
        }
    }
}

/// `DRIVER` of `DRIVER.clean`; the name of a driver may contain dots.
fn driver(key: &[u8]) -> Option<&[u8]> {
    let dot = key.iter().rposition(|&byte| byte == b'.')?;
    Some(&key[..dot])
}
