//! References: which there are, and moving many of them at once.
//!
//! Git itself reads and writes them, whatever form they are stored in. Hooks are off, so that no program of
//! the repository learns of it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Git, refusal};
use crate::TreeError;

/// ftl's own references; all others are compared without them.
const OWN: &str = "refs/ftl/";

/// Where each reference leads: an object's name, or `ref: ` and another reference.
pub(crate) type Refs = BTreeMap<String, String>;

/// What begins the value of a reference to another one.
const SYMBOLIC: &str = "ref: ";

/// One step of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RefUpdate {
    /// Set, whatever it was.
    Set(String, String),
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
            };
            // The reference itself, and not the one that it leads to.
            input.extend_from_slice(b"option no-deref\0");
            input.extend_from_slice(fields.as_bytes());
        }
        let args = ["update-ref", "-m", "ftl", "-z", "--stdin"];
        self.tell(&args, input).map(drop)
    }

    /// The commit that is checked out; `None` where there is none yet.
    pub(crate) fn head_object(&self) -> Result<Option<String>, TreeError> {
        let answer = self.ask(&["rev-parse", "--verify", "--quiet", "HEAD"], Vec::new())?;
        let object = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        Ok(answer.how.success().then_some(object))
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
