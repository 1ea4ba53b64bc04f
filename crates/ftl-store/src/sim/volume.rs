//! Names and contents, and what a step does to them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Disk, DiskStep};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    Dir,
    File(usize),
}

/// Names and contents, as they are on the disk or as programs see them.
#[derive(Clone, Debug, Default)]
pub(super) struct Volume {
    pub(super) names: BTreeMap<PathBuf, Node>,
    pub(super) contents: Vec<Vec<u8>>,
}

impl Volume {
    pub(super) fn of(disk: &Disk) -> Self {
        let mut volume = Self::default();
        for (path, content) in disk {
            let node = match content {
                None => Node::Dir,
                Some(bytes) => {
                    volume.contents.push(bytes.clone());
                    Node::File(volume.contents.len() - 1)
                }
            };
            volume.names.insert(path.into(), node);
        }
        volume
    }

    pub(super) fn disk(&self) -> Disk {
        let content = |node: &Node| match node {
            Node::Dir => None,
            Node::File(file) => Some(self.contents[*file].clone()),
        };
        self.names.iter().map(|(path, node)| (text(path), content(node))).collect()
    }

    pub(super) fn make_room(&mut self, file: usize) {
        let count = self.contents.len().max(file + 1);
        self.contents.resize(count, Vec::new());
    }

    pub(super) fn apply(&mut self, step: &DiskStep) {
        match step {
            DiskStep::MakeDir(path) => {
                self.names.insert(path.clone(), Node::Dir);
            }
            DiskStep::Create(path, file) => {
                self.make_room(*file);
                self.names.insert(path.clone(), Node::File(*file));
            }
            DiskStep::Rename(from, to, file) => {
                self.names.remove(from);
                self.names.insert(to.clone(), Node::File(*file));
            }
            DiskStep::Remove(path) => {
                self.names.remove(path);
            }
            DiskStep::Write(file, at, bytes) => overwrite(&mut self.contents[*file], *at, bytes),
            DiskStep::Resize(file, len) => self.contents[*file].resize(*len, 0),
            DiskStep::SyncDir(_) | DiskStep::SyncFile(_) => {}
        }
    }
}

/// Writes `bytes` at an offset; the gap after the old end reads as zeros.
pub(super) fn overwrite(content: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if content.len() < end {
        content.resize(end, 0);
    }
    content[at..end].copy_from_slice(bytes);
}

/// A path's key in a [`Disk`].
pub(super) fn text(path: &Path) -> String {
    path.to_str().expect("because tests use plain names").to_owned()
}
