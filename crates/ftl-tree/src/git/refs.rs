//! References: which there are, and moving many of them at once.
//!
//! Git itself reads and writes them, whatever form they are stored in. Hooks are off, so that no program of
//! the repository learns of it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Git, records, refusal};
use crate::TreeError;

/// ftl's own references; all others are compared without them.
pub(crate) const OWN: &str = "refs/ftl/";

/// Where each reference leads: an object's name, or `ref: ` and another reference.
pub(crate) type Refs = BTreeMap<String, String>;

/// What begins the value of a reference to another one.
pub(crate) const SYMBOLIC: &str = "ref: ";

/// One step of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RefUpdate {
    /// Set, whatever it was.
    Set(String, String),
    /// Set, if it is still the second value; an empty one means no reference.
    Move(String, String, String),
    /// Removed, if it is still this; an empty value means any.
    Remove(String, String),
}

impl Git {
    /// All references but ftl's own.
    pub(crate) fn refs(&self) -> Result<Refs, TreeError> {
        let format = "--format=%(objectname) %(refname) %(symref)";
        let listed = self.tell(&["for-each-ref", format], Vec::new())?;
        Ok(parse(&listed))
    }

    /// Takes all steps or none.
    pub(crate) fn update_refs(&self, steps: &[RefUpdate]) -> Result<(), TreeError> {
        if steps.is_empty() {
            return Ok(());
        }
        let mut input = Vec::new();
        for step in steps {
            let fields = match step {
                RefUpdate::Set(name, new) => format!("update {name}\0{new}\0\0"),
                RefUpdate::Move(name, new, old) if old.is_empty() => {
                    format!("create {name}\0{new}\0")
                }
                RefUpdate::Move(name, new, old) => format!("update {name}\0{new}\0{old}\0"),
                RefUpdate::Remove(name, old) => format!("delete {name}\0{old}\0"),
            };
            // The reference itself, and not the one that it leads to.
            input.extend_from_slice(b"option no-deref\0");
            input.extend_from_slice(fields.as_bytes());
        }
        let args = ["update-ref", "-m", "ftl", "-z", "--stdin"];
        self.tell(&args, input).map(drop)
    }

    /// Lets a reference lead to another one.
    pub(crate) fn point(&self, name: &str, target: &str) -> Result<(), TreeError> {
        let args = ["symbolic-ref", "-m", "ftl", name, target];
        self.tell(&args, Vec::new()).map(drop)
    }

    /// Makes one commit from which the commits can be reached, and the blobs, so that no `git gc` takes
    /// them away as long as a reference leads to it.
    pub(crate) fn bundle(&self, commits: &[String], blobs: &[String]) -> Result<String, TreeError> {
        let entries = blobs.iter().enumerate();
        let entries: String =
            entries.map(|(number, blob)| format!("100644 blob {blob}\t{number}\n")).collect();
        let tree = self.tell(&["mktree", "--missing"], entries.into_bytes())?;
        let tree = String::from_utf8_lossy(&tree).trim().to_owned();
        let mut args = vec!["commit-tree", "-m", "kept by ftl", &tree];
        args.extend(commits.iter().flat_map(|commit| ["-p", commit]));
        let commit = self.tell(&args, Vec::new())?;
        Ok(String::from_utf8_lossy(&commit).trim().to_owned())
    }

    /// What an index says of every file, without the stamps; `index` names another one than the
    /// repository's.
    pub(crate) fn listing(&self, index: Option<&Path>) -> Result<Vec<u8>, TreeError> {
        let args = ["ls-files", "-z", "-s", "-v", "--full-name", "--", ":/"];
        let mut probe = self.probe(&args, Vec::new());
        if let Some(index) = index {
            probe.env = probe.env.set("GIT_INDEX_FILE", index);
        }
        let answer = probe.run()?;
        if answer.how.success() { Ok(answer.stdout) } else { Err(refusal(&args, &answer)) }
    }

    /// Packs the objects of a list of revisions that lie in the repository or in `objects`, into the repository.
    pub(crate) fn pack(&self, objects: &Path, revisions: Vec<u8>) -> Result<(), TreeError> {
        let mut args: Vec<OsString> =
            ["pack-objects", "--quiet", "--revs", "--non-empty"].map(OsString::from).into();
        args.push(self.common_dir.join("objects/pack/pack").into());
        let mut probe = self.probe(&args, revisions);
        // Quoted, since a colon would end the path.
        let special = |byte: &u8| matches!(byte, b'"' | b'\\');
        let mut quoted = OsString::from("\"");
        for byte in objects.as_os_str().as_bytes() {
            if special(byte) {
                quoted.push("\\");
            }
            quoted.push(OsStr::from_bytes(&[*byte]));
        }
        quoted.push("\"");
        probe.env = probe.env.set("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted);
        let answer = probe.run()?;
        if answer.how.success() { Ok(()) } else { Err(refusal(&args, &answer)) }
    }

    /// Git's directory of this work tree: of a linked one, that in `worktrees/`.
    pub(crate) fn own_dir(&self) -> Result<PathBuf, TreeError> {
        use std::os::unix::ffi::OsStringExt;
        if self.top.join(".git").is_dir() {
            return Ok(self.common_dir.clone());
        }
        let mut dir = self.tell(&["rev-parse", "--absolute-git-dir"], Vec::new())?;
        if dir.last() == Some(&b'\n') {
            dir.pop();
        }
        Ok(std::ffi::OsString::from_vec(dir).into())
    }

    /// The blobs that the index alone may hold: staged ones, and those of unfinished merges.
    pub(crate) fn staged_blobs(&self) -> Result<Vec<String>, TreeError> {
        let args = [
            "diff-index",
            "--cached",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--ignore-submodules=all",
            "HEAD",
            "--",
        ];
        let staged = self.ask(&args, Vec::new())?;
        // Without a commit, the index holds everything; amid a merge, more than one blob of a file.
        let blobs = staged.how.success().then(|| staged_in(&staged.stdout));
        match blobs.flatten() {
            Some(blobs) => Ok(blobs),
            None => self.all_blobs(),
        }
    }

    fn all_blobs(&self) -> Result<Vec<String>, TreeError> {
        let listed = self.listing(None)?;
        Ok(blobs_in(&listed))
    }
}

/// What `git for-each-ref` lists: object, name and the target of a symbolic one.
pub(crate) fn parse(listed: &[u8]) -> Refs {
    let lines = String::from_utf8_lossy(listed);
    let refs = lines.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ' ');
        let (object, name, target) = (fields.next()?, fields.next()?, fields.next()?);
        let value = match target {
            "" => object.to_owned(),
            target => format!("{SYMBOLIC}{target}"),
        };
        (!name.starts_with(OWN)).then(|| (name.to_owned(), value))
    });
    refs.collect()
}

/// The staged blobs that `git diff-index --raw -z` lists; `None` amid a merge.
pub(crate) fn staged_in(listed: &[u8]) -> Option<Vec<String>> {
    let mut blobs = Vec::new();
    for head in records(listed).filter(|record| record.starts_with(b":")) {
        let head = String::from_utf8_lossy(head);
        let fields: Vec<&str> = head.split(' ').collect();
        if let [_, mode, _, object, status] = fields[..] {
            if status.starts_with('U') {
                return None;
            }
            if mode.starts_with("10") || mode.starts_with("12") {
                blobs.push(object.to_owned());
            }
        }
    }
    Some(blobs)
}

/// The blobs that `git ls-files -z -s -v` lists.
pub(crate) fn blobs_in(listed: &[u8]) -> Vec<String> {
    let entries = records(listed).filter_map(|record| {
        let record = String::from_utf8_lossy(record);
        let mut fields = record.split([' ', '\t']).skip(1);
        let (mode, object) = (fields.next()?, fields.next()?);
        (!mode.starts_with("16")).then(|| object.to_owned())
    });
    entries.collect()
}
