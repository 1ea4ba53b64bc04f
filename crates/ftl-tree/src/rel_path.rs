//! Paths below the top as bytes. On Unix a name is any bytes but `/` and NUL; turning one into text
//! and back would lose a file whose name is not UTF-8.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A path below the top of what is watched, as the bytes that the file system knows: components joined
/// by `/`, none of them `.` or `..`. The top itself is empty.
///
/// What is in git's own directory begins with `.git/`, wherever that directory is. It has no
/// `Display`, since people see paths from the root: [`Tree::shown`](crate::Tree::shown).
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Text", into = "Text")]
pub struct RelPath(Vec<u8>);

/// Most names are UTF-8, and then readable in JSON too.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Utf8(String),
    Bytes(Vec<u8>),
}

impl RelPath {
    pub(super) fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn is_top(&self) -> bool {
        self.0.is_empty()
    }

    /// The path, to be joined to the top.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    pub(super) fn join(&self, name: &[u8]) -> Self {
        if self.is_top() {
            return Self(name.to_vec());
        }
        let mut bytes = Vec::with_capacity(self.0.len() + 1 + name.len());
        bytes.extend_from_slice(&self.0);
        bytes.push(b'/');
        bytes.extend_from_slice(name);
        Self(bytes)
    }

    /// The directory that holds it, and its name there.
    pub(super) fn split(&self) -> (Self, &[u8]) {
        match self.0.iter().rposition(|&byte| byte == b'/') {
            Some(slash) => (Self(self.0[..slash].to_vec()), &self.0[slash + 1..]),
            None => (Self::default(), &self.0),
        }
    }

    pub(super) fn name(&self) -> &[u8] {
        self.0.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
    }

    pub(super) fn components(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|&byte| byte == b'/').filter(|part| !part.is_empty())
    }

    /// The directories above it, nearest first, without the top.
    pub(super) fn ancestors(&self) -> impl Iterator<Item = Self> {
        let above = |path: &Self| Some(path.split().0).filter(|dir| !dir.is_top());
        std::iter::successors(above(self), above)
    }

    /// Whether it is somewhere below one of these directories.
    pub(super) fn is_below_any(&self, dirs: &BTreeSet<Self>) -> bool {
        self.ancestors().any(|dir| dirs.contains(&dir))
    }

    /// The same, of directories that something is known of.
    pub(super) fn is_below_any_of<V>(&self, dirs: &BTreeMap<Self, V>) -> bool {
        !dirs.is_empty() && self.ancestors().any(|dir| dirs.contains_key(&dir))
    }

    /// Whether it is somewhere below a directory.
    pub(super) fn is_below(&self, dir: &Self) -> bool {
        (dir.is_top() && !self.is_top()) || self.strip(&dir.0).is_some()
    }

    /// The rest of the path below a directory; `None` where it is not below it.
    pub(super) fn strip_below(&self, dir: &Self) -> Option<&[u8]> {
        match dir.is_top() {
            true => Some(&self.0),
            false => self.0.strip_prefix(dir.bytes())?.strip_prefix(b"/"),
        }
    }

    pub(super) fn strip(&self, dir: &[u8]) -> Option<Self> {
        let rest = self.0.strip_prefix(dir)?;
        rest.strip_prefix(b"/").map(Self::new)
    }
}

/// Bytes that are text most of the time, kept as such where they are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Text", into = "Text")]
pub(super) struct Bytes(Vec<u8>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<Text> for Bytes {
    fn from(text: Text) -> Self {
        Self(RelPath::from(text).0)
    }
}

impl From<Bytes> for Text {
    fn from(bytes: Bytes) -> Self {
        RelPath(bytes.0).into()
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_path())
    }
}

impl From<Text> for RelPath {
    fn from(text: Text) -> Self {
        match text {
            Text::Utf8(text) => Self(text.into_bytes()),
            Text::Bytes(bytes) => Self(bytes),
        }
    }
}

impl From<RelPath> for Text {
    fn from(path: RelPath) -> Self {
        match String::from_utf8(path.0) {
            Ok(text) => Self::Utf8(text),
            Err(error) => Self::Bytes(error.into_bytes()),
        }
    }
}
