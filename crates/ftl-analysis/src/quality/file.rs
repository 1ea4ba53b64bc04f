/// A file of the delta, as it was and as it is; bytes that are not UTF-8 are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileText<'a> {
    /// Its path below the root, normalised.
    pub path: &'a str,
    /// Its text before the task; `None` when it did not exist, or is not known.
    pub before: Option<&'a str>,
    /// Its text now; `None` when it does not exist.
    pub after: Option<&'a str>,
}
