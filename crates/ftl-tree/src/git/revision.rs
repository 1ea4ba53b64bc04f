//! What a commit holds, and what differs from it. Only reads: no reference, index or file changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{Git, NAMES, first_line, records, split_once};
use crate::{RelPath, TreeError};

impl Git {
    /// The full name of the commit that a revision names; `None` when there is none.
    ///
    /// `--end-of-options` keeps a revision such as `--help` from being an option, and `^{commit}`
    /// refuses the name of a tree or file.
    pub(crate) fn resolve(&self, revision: &str) -> Result<Option<String>, TreeError> {
        let commit = format!("{revision}^{{commit}}");
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let answer = self.ask(&args, Vec::new())?;
        let found = answer.how.success().then(|| first_line(&answer.stdout));
        Ok(found.filter(|object| !object.is_empty()))
    }

    /// The commit of the named revision, else of `HEAD`; `None` before the first commit.
    ///
    /// # Errors
    /// When the one that was named is none, or git can't be asked.
    pub(crate) fn commit_of(&self, revision: Option<&str>) -> Result<Option<String>, TreeError> {
        let commit = self.resolve(revision.unwrap_or("HEAD"))?;
        match (&commit, revision) {
            (None, Some(revision)) => {
                Err(TreeError::NoSuchRevision { revision: revision.to_owned() })
            }
            _ => Ok(commit),
        }
    }

    /// The commit that `HEAD` names, and its branch unless it is detached; `None` before the first commit.
    pub(crate) fn head(&self) -> Result<Option<(String, Option<String>)>, TreeError> {
        let args = ["rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD"];
        let answer = self.ask(&args, Vec::new())?;
        if !answer.how.success() {
            return Ok(None);
        }
        let said = String::from_utf8_lossy(&answer.stdout);
        let mut lines = said.lines();
        let commit = lines.next().unwrap_or_default().to_owned();
        let branch = lines.next().and_then(|name| name.strip_prefix("refs/heads/"));
        Ok(Some((commit, branch.map(str::to_owned))))
    }

    /// The files of a commit at these paths, with the permission bits that git gave them.
    pub(crate) fn files_at(
        &self,
        commit: &str,
        paths: &[RelPath],
    ) -> Result<BTreeMap<RelPath, (String, u32)>, TreeError> {
        let listed = self.tell_about(&["ls-tree", "-z", commit, "--"], paths)?;
        Ok(files_in(&listed))
    }

    /// Which of these files git tracks and calls different from a commit.
    pub(crate) fn differing_among(
        &self,
        commit: &str,
        paths: &[RelPath],
    ) -> Result<BTreeSet<RelPath>, TreeError> {
        let args = [&["diff"], &NAMES[..], &[commit, "--"]].concat();
        let differing = self.tell_about(&args, paths)?;
        Ok(records(&differing).map(RelPath::new).collect())
    }

    /// What git says about these paths alone.
    fn tell_about(&self, args: &[&str], paths: &[RelPath]) -> Result<Vec<u8>, TreeError> {
        let mut args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        // `./` keeps a name that begins with `:` from being read as a pathspec with magic.
        let paths: Vec<PathBuf> =
            paths.iter().map(|path| Path::new(".").join(path.as_path())).collect();
        args.extend(paths.iter().map(|path| path.as_os_str()));
        self.tell(&args, Vec::new())
    }

    /// The files below the root that differ from a commit, or from nothing when there is none
    /// yet, and those that git neither tracks nor ignores.
    pub(crate) fn differing(&self, commit: Option<&str>) -> Result<BTreeSet<RelPath>, TreeError> {
        let tracked = match commit {
            Some(commit) => {
                let args = [&["diff"], &NAMES[..], &[commit, "--"]].concat();
                self.tell(&args, Vec::new())?
            }
            None => self.tell(&["ls-files", "-z"], Vec::new())?,
        };
        let others = self.tell(&["ls-files", "-z", "-o", "--exclude-standard"], Vec::new())?;
        Ok(records(&tracked).chain(records(&others)).map(RelPath::new).collect())
    }
}

/// The regular files that `git ls-tree -z` lists, with their objects and permissions.
pub(crate) fn files_in(listed: &[u8]) -> BTreeMap<RelPath, (String, u32)> {
    let mut files = BTreeMap::new();
    for line in records(listed) {
        let Some((head, path)) = split_once(line, b'\t') else {
            continue;
        };
        let head = String::from_utf8_lossy(head);
        let mut fields = head.split(' ');
        let permissions = match fields.next() {
            Some("100644") => 0o644,
            Some("100755") => 0o755,
            Some(_) | None => continue,
        };
        if let Some(object) = fields.nth(1) {
            files.insert(RelPath::new(path), (object.to_owned(), permissions));
        }
    }
    files
}
