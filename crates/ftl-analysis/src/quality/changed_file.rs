//! A file that a task changed.

/// A file before and after; `None` where it was not there.
#[derive(Clone, Copy, Debug)]
pub struct ChangedFile<'a> {
    /// Its path below the root.
    pub path: &'a str,
    /// Its text before.
    pub before: Option<&'a str>,
    /// Its text now.
    pub after: Option<&'a str>,
}
