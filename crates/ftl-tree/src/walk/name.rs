//! A name in a directory, and what is there.

use std::ffi::CString;

use rustix::fs::FileType;

use crate::stamp::Stamp;

/// What is at a name; `None` where nothing is any more.
pub(crate) type Looked = Option<Stamp>;

/// A name, and what was found there, if it was looked at.
pub(crate) struct Name {
    pub(crate) name: CString,
    /// As the directory says; unknown to some file systems.
    pub(super) kind: FileType,
    pub(crate) looked: Option<Looked>,
}

impl Name {
    pub(super) fn new(name: CString) -> Self {
        Self { name, kind: FileType::Unknown, looked: None }
    }

    /// A name with what is there, if anything is.
    pub(super) fn looked_at(name: &[u8], stamp: Option<Stamp>) -> Option<Self> {
        let looked = Some(Some(stamp?));
        Some(Self { looked, ..Self::new(CString::new(name).ok()?) })
    }
}
