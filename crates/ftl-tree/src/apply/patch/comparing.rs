//! What a program made of the copies, found by looking at them.

use std::collections::BTreeSet;
use std::io;

use rustix::fs::{Dir, FileType, Stat};

use crate::apply::patch::{Held, LONG_PAST, Workbench, look, permissions_of};
use crate::{RelPath, TreeError};

/// What is at a path now that was not there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MadeFile {
    /// A file.
    File {
        /// Whether its owner may execute it.
        executable: bool,
    },
    /// A link, with its target.
    Link(Vec<u8>),
    /// Nothing: it was removed.
    Nothing,
    /// An empty directory, a pipe or the like.
    Other,
}

/// A path that differs from what was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Where.
    pub path: RelPath,
    /// What is there now.
    pub now: MadeFile,
}

impl Workbench {
    /// What differs from what was copied, by path, all but what is in the directory `aside`.
    ///
    /// # Errors
    /// When the copies cannot be read.
    pub fn made(&self, aside: &[u8]) -> Result<Vec<Made>, TreeError> {
        let mut made = Vec::new();
        let mut there = BTreeSet::new();
        let mut levels = vec![RelPath::default()];
        while let Some(level) = levels.pop() {
            let names = self.names(&level);
            let names = names.map_err(TreeError::io("list", self.copies.full(&level)))?;
            if names.is_empty() && !level.is_top() && !self.held.contains_key(&level) {
                let now = MadeFile::Other;
                made.push(Made { path: level, now });
                continue;
            }
            for name in names {
                if level.is_top() && name == aside {
                    continue;
                }
                let path = level.join(&name);
                let failed = TreeError::io("look at", self.copies.full(&path));
                match look(&self.copies, &path).map_err(failed)? {
                    Some(stat) if is(&stat, FileType::Directory) => levels.push(path),
                    Some(stat) => {
                        there.insert(path.clone());
                        made.extend(self.compare(path, &stat)?);
                    }
                    None => {}
                }
            }
        }
        made.extend(self.removed(&there));
        made.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(made)
    }

    fn compare(&self, path: RelPath, stat: &Stat) -> Result<Option<Made>, TreeError> {
        let held = self.held.get(&path);
        let now = if is(stat, FileType::RegularFile) {
            if matches!(held, Some(Held::File(..))) && is_copy(stat) {
                return Ok(None);
            }
            let executable = permissions_of(stat) & 0o100 != 0;
            MadeFile::File { executable }
        } else if is(stat, FileType::Symlink) {
            let target = self.copies.link_target(&path);
            let target = target.map_err(TreeError::io("read", self.copies.full(&path)))?;
            if matches!(held, Some(Held::Link(_, former)) if *former == target) {
                return Ok(None);
            }
            MadeFile::Link(target)
        } else {
            MadeFile::Other
        };
        Ok(Some(Made { path, now }))
    }

    fn removed(&self, there: &BTreeSet<RelPath>) -> impl Iterator<Item = Made> {
        let copied = |held: &Held| matches!(held, Held::File(..) | Held::Link(..));
        let gone =
            self.held.iter().filter(move |(path, held)| copied(held) && !there.contains(*path));
        gone.map(|(path, _)| Made { path: path.clone(), now: MadeFile::Nothing })
    }

    fn names(&self, level: &RelPath) -> io::Result<Vec<Vec<u8>>> {
        let mut names = Vec::new();
        let mut dir = Dir::new(self.copies.dir(level)?)?;
        while let Some(entry) = dir.read() {
            let name = entry?.file_name().to_bytes().to_vec();
            if !matches!(&*name, b"." | b"..") {
                names.push(name);
            }
        }
        Ok(names)
    }
}

fn is(stat: &Stat, kind: FileType) -> bool {
    FileType::from_raw_mode(stat.st_mode) == kind
}

#[allow(clippy::unnecessary_cast, reason = "the width of the field differs between systems")]
fn is_copy(stat: &Stat) -> bool {
    stat.st_mtime as i64 == LONG_PAST
}
