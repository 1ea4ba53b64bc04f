//! Finding the repository around the root, and learning what of it must be switched off.
//!
//! The file system is asked first, for a `.git` at or above the root: most of the time there is one or
//! there is none, and without one git is not even started. Then git itself says where its directory
//! is. It may refuse, because of `safe.directory`, damage or a missing program: then the tree is
//! treated as one without git, with a warning, since a build does not depend on it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use ftl_process::StartError;

use super::{Git, LastIndex, SAFE, first_line};
use crate::openat::is_gone;
use crate::{Extent, TreeError};

/// Whether there is a repository around the root.
#[derive(Debug)]
pub(crate) enum Discovery {
    /// None.
    No,
    /// There is something, but git refuses it.
    Refused {
        /// Why.
        reason: String,
        /// Git's own directory, as far as it can be found without git.
        dir: Option<PathBuf>,
    },
    /// One that git takes.
    Yes(Git),
}

/// Of a root whose path is about as long as a path may be.
fn is_too_long(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidFilename
}

/// The nearest `.git` at the root or above it. What cannot be looked at above the root counts as none.
fn nearest(root: &Path) -> Result<Option<PathBuf>, TreeError> {
    for dir in root.ancestors() {
        let git = dir.join(".git");
        match git.symlink_metadata() {
            Ok(_) => return Ok(Some(git)),
            Err(error) if dir != root || is_gone(&error) || is_too_long(&error) => {}
            Err(error) => return Err(TreeError::io("look at", &git)(error)),
        }
    }
    Ok(None)
}

impl Git {
    pub(crate) fn find(root: &Path, extent: Extent) -> Result<Discovery, TreeError> {
        let mut found = Self::locate(root, extent)?;
        if let Discovery::Yes(git) = &mut found {
            git.read_configuration()?;
        }
        Ok(found)
    }

    /// The same without its configuration: where it is, and no more can be asked of it.
    pub(crate) fn locate(root: &Path, extent: Extent) -> Result<Discovery, TreeError> {
        let Some(dir) = nearest(root)? else {
            return Ok(Discovery::No);
        };
        let refused = |reason| Discovery::Refused {
            reason,
            dir: Some(dir.clone()).filter(|dir| dir.is_dir()),
        };
        let mut git = Self {
            base: root.to_path_buf(),
            top: root.to_path_buf(),
            common_dir: root.join(".git"),
            settings: SAFE.iter().map(OsString::from).collect(),
            excludes_file: None,
            fold_case: false,
            last_index: LastIndex::default(),
            at: None,
        };
        let asked = ["rev-parse", "--is-inside-work-tree", "--show-cdup", "--git-common-dir"];
        let answer = match git.ask(&asked, Vec::new()) {
            Ok(answer) => answer,
            Err(StartError::MissingProgram { .. }) => {
                return Ok(refused("git is not installed".to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        if !answer.how.success() {
            return Ok(refused(first_line(&answer.stderr)));
        }
        // The way up is a line of `../`; the name of the directory, last, may hold line ends.
        let mut lines = answer.stdout.splitn(3, |&byte| byte == b'\n');
        let (Some(b"true"), Some(up), Some(common)) = (lines.next(), lines.next(), lines.next())
        else {
            return Ok(refused("git has no work tree here".to_owned()));
        };
        let ups = up.split(|&byte| byte == b'/').filter(|part| *part == b"..").count();
        let Some(top) = root.ancestors().nth(ups) else {
            return Ok(refused("git names no top of the work tree".to_owned()));
        };
        git.top = top.to_path_buf();
        git.common_dir = root.join(OsStr::from_bytes(common.strip_suffix(b"\n").unwrap_or(common)));
        if ups > 0 && git.ignores_root()? {
            return Ok(Discovery::No);
        }
        if extent == Extent::Repository {
            git.base.clone_from(&git.top);
        }
        Ok(Discovery::Yes(git))
    }

    /// Whether the repository ignores the root. Then the project is not part of it, as with a home
    /// directory that is a repository with everything ignored, and git would call all of it scratch.
    fn ignores_root(&self) -> Result<bool, TreeError> {
        let path = self.base.as_os_str().as_bytes().to_vec();
        let answer = self.ask(&["check-ignore", "-z", "--stdin", "--no-index"], path)?;
        Ok(answer.how.success())
    }

    /// Reads the names of all filters, to switch each off, and where the user's own ignore rules are.
    ///
    /// A filter's name is the repository's choice, so no fixed list of settings would do. Git fails
    /// for names without a filter, which is not an error here: no output, no filter.
    pub(crate) fn read_configuration(&mut self) -> Result<(), TreeError> {
        let pattern = r"^(filter\..*|core\.(excludesfile|ignorecase))$";
        let answer = self.ask(&["config", "-z", "--get-regexp", pattern], Vec::new())?;
        self.excludes_file = default_excludes_file();
        for setting in super::records(&answer.stdout) {
            let (key, value) = super::split_once(setting, b'\n').unwrap_or((setting, b"true"));
            match (key, key.strip_prefix(b"filter.").and_then(driver)) {
                (_, Some(driver)) => self.disable_filter(driver),
                (b"core.excludesfile", None) => self.excludes_file = self.excludes_file()?,
                (b"core.ignorecase", None) => self.fold_case = value == b"true",
                (_, None) => {}
            }
        }
        Ok(())
    }

    /// The file of `core.excludesFile`; git itself expands `~`.
    fn excludes_file(&self) -> Result<Option<PathBuf>, TreeError> {
        let asked = ["config", "-z", "--type=path", "--get", "core.excludesFile"];
        let answer = self.ask(&asked, Vec::new())?;
        let path = answer.stdout.strip_suffix(b"\0").unwrap_or(&answer.stdout);
        let is_known = answer.how.success() && !path.is_empty();
        Ok(is_known.then(|| self.top.join(OsStr::from_bytes(path))))
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

/// Where git looks for the user's own rules unless a setting says so.
fn default_excludes_file() -> Option<PathBuf> {
    let dir = |name| std::env::var_os(name).filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let config = dir("XDG_CONFIG_HOME").or_else(|| Some(dir("HOME")?.join(".config")))?;
    Some(config.join("git/ignore"))
}

/// `DRIVER` of `DRIVER.clean`; the name of a driver may contain dots.
fn driver(key: &[u8]) -> Option<&[u8]> {
    let dot = key.iter().rposition(|&byte| byte == b'.')?;
    Some(&key[..dot])
}
