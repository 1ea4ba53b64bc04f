//! The ignore rules of a repository that a walk below does not meet, as they are now: the user's own,
//! `info/exclude`, and those of directories above what is watched.

use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags};

use super::Git;
use crate::RelPath;
use crate::walk::rules::{IgnoreRules, read_rules};

impl Git {
    /// The rules so far.
    pub(crate) fn rules(&self) -> IgnoreRules {
        let below = self.base.strip_prefix(&self.top).unwrap_or(Path::new(""));
        let label = |path: &Path| RelPath::new(path.as_os_str().as_bytes());
        let user = self.excludes_file.as_deref().map_or_else(Vec::new, |file| read(file, true));
        let mut rules = IgnoreRules::of_repository(label(below), self.fold_case, user);
        let exclude = read(&self.common_dir.join("info/exclude"), true);
        rules.add_exclude(RelPath::default(), exclude);
        for dir in below.ancestors().skip(1) {
            // Git follows no link to a `.gitignore`.
            let file = self.top.join(dir).join(".gitignore");
            rules.add_file_at(label(dir), read(&file, false));
        }
        rules
    }
}

/// `O_NONBLOCK` is for a pipe in its place.
fn read(file: &Path, follow: bool) -> Vec<u8> {
    let mut flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    flags.set(OFlags::NOFOLLOW, !follow);
    let file = rustix::fs::openat(CWD, file, flags, Mode::empty());
    file.map_or_else(|_| Vec::new(), |file| read_rules(&File::from(file)))
}
