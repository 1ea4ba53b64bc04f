//! What a power cut can leave of a log of steps.
//!
//! Names and data reach the disk independently of each other. Of the names that were not synced a
//! beginning ([`Names::Ordered`]) or any subset ([`Names::Unordered`]) survives; a rename is one
//! change of two names. Of unsynced data any part survives, sector by sector, and a file can have
//! grown without its bytes having arrived: they read as zeros.
//!
//! This is harsher than any one file system, on purpose: ext4 with `data=ordered` would never show a
//! name before its bytes, but a protocol that holds here holds there too. What is not modelled is a disk
//! that breaks its promise: a sync that reports success and loses bytes nevertheless.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::volume::{Node, Volume, overwrite, text};
use super::{Disk, DiskStep, Names};

/// In bytes. Far smaller than a disk's sector, so that one line of a journal spans several. The number of
/// torn variants doubles with each sector of a write, so much smaller will not do.
const SECTOR: usize = 64;

/// The disk for certain, and what may or may not have reached it.
struct Pending<'l> {
    durable: Volume,
    names: Vec<&'l DiskStep>,
    data: BTreeMap<usize, Vec<&'l DiskStep>>,
}

pub(super) fn disks(base: &Volume, log: &[DiskStep], names: Names) -> BTreeSet<Disk> {
    let mut pending = Pending::of(base, log, names);
    let contents = pending.contents();
    let mut disks = BTreeSet::new();
    for survivors in pending.surviving_names(names) {
        pending.durable.names = reachable(&survivors);
        combine(&pending.durable, &contents, &mut disks);
    }
    disks
}

impl<'l> Pending<'l> {
    fn of(base: &Volume, log: &'l [DiskStep], names: Names) -> Self {
        let mut pending = Self { durable: base.clone(), names: Vec::new(), data: BTreeMap::new() };
        for step in log {
            match step {
                DiskStep::MakeDir(_) | DiskStep::Rename(..) | DiskStep::Remove(_) => {
                    pending.names.push(step)
                }
                DiskStep::Create(_, file) => {
                    pending.durable.make_room(*file);
                    pending.names.push(step);
                }
                DiskStep::SyncDir(dir) => pending.sync_names(dir, names),
                DiskStep::Write(file, ..) | DiskStep::Resize(file, _) => {
                    pending.data.entry(*file).or_default().push(step);
                }
                DiskStep::SyncFile(file) => {
                    for step in pending.data.remove(file).unwrap_or_default() {
                        pending.durable.apply(step);
                    }
                }
            }
        }
        pending
    }

    fn sync_names(&mut self, dir: &Path, names: Names) {
        let inside = |step: &&DiskStep| name_of(step).parent() == Some(dir);
        let (synced, left): (Vec<_>, Vec<_>) = match names {
            // What came before in another directory is in the journal before it.
            Names::Ordered => {
                let end = self.names.iter().rposition(&inside);
                let left = self.names.split_off(end.map_or(0, |last| last + 1));
                (std::mem::take(&mut self.names), left)
            }
            Names::Unordered => self.names.iter().partition(|step| inside(step)),
        };
        synced.iter().for_each(|step| self.durable.apply(step));
        self.names = left;
    }

    /// Every set of names that can be found. A change in a directory that was lost shows nowhere.
    fn surviving_names(&self, names: Names) -> BTreeSet<BTreeMap<PathBuf, Node>> {
        let mut found = BTreeSet::from([self.durable.names.clone()]);
        let mut volume = self.durable.clone();
        for step in &self.names {
            match names {
                Names::Ordered => {
                    volume.apply(step);
                    found.insert(volume.names.clone());
                }
                Names::Unordered => {
                    for before in found.clone() {
                        if name_of(step).parent().is_some_and(|dir| before.contains_key(dir)) {
                            volume.names = before;
                            volume.apply(step);
                            found.insert(std::mem::take(&mut volume.names));
                        }
                    }
                }
            }
        }
        found
    }

    /// For each file with unsynced data, every content that it can have.
    fn contents(&self) -> BTreeMap<usize, BTreeSet<Vec<u8>>> {
        let outcomes = |(file, steps): (&usize, &Vec<&DiskStep>)| {
            let mut contents = BTreeSet::from([self.durable.contents[*file].clone()]);
            for step in steps {
                let after: Vec<_> = contents.iter().flat_map(|old| outcomes(old, step)).collect();
                contents.extend(after);
            }
            (*file, contents)
        };
        self.data.iter().map(outcomes).collect()
    }
}

/// The name that a step is about. Nothing is ever moved from one directory to another.
fn name_of(step: &DiskStep) -> &Path {
    match step {
        DiskStep::MakeDir(path) | DiskStep::Create(path, _) | DiskStep::Rename(_, path, _) => path,
        DiskStep::Remove(path) => path,
        DiskStep::SyncDir(_)
        | DiskStep::SyncFile(_)
        | DiskStep::Write(..)
        | DiskStep::Resize(..) => {
            unreachable!("because only changes of names are pending as such")
        }
    }
}

/// What a content can have become when one change of it was on its way.
fn outcomes(old: &[u8], step: &DiskStep) -> Vec<Vec<u8>> {
    match step {
        DiskStep::Write(_, at, bytes) => torn(bytes)
            .into_iter()
            .map(|part| {
                let mut content = old.to_vec();
                overwrite(&mut content, *at, &part);
                content
            })
            .collect(),
        DiskStep::Resize(_, len) => {
            let mut content = old.to_vec();
            content.resize(*len, 0);
            vec![content]
        }
        DiskStep::MakeDir(_)
        | DiskStep::Create(..)
        | DiskStep::Rename(..)
        | DiskStep::Remove(_)
        | DiskStep::SyncDir(_)
        | DiskStep::SyncFile(_) => unreachable!("because only changes of data are pending as such"),
    }
}

/// Every length in whole sectors, and the full one, each with any of its sectors still zeros.
fn torn(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    for count in 1..=bytes.len().div_ceil(SECTOR) {
        let len = bytes.len().min(count * SECTOR);
        for missing in 0_u32..1 << count {
            let mut part = bytes[..len].to_vec();
            for (at, sector) in part.chunks_mut(SECTOR).enumerate() {
                if missing & (1 << at) != 0 {
                    sector.fill(0);
                }
            }
            parts.push(part);
        }
    }
    parts
}

/// Without the content of a directory whose own name was lost. A directory sorts before its inside.
fn reachable(names: &BTreeMap<PathBuf, Node>) -> BTreeMap<PathBuf, Node> {
    let mut kept = BTreeMap::new();
    for (path, node) in names {
        let parent = path.parent().and_then(|dir| kept.get(dir));
        if kept.is_empty() || parent == Some(&Node::Dir) {
            kept.insert(path.clone(), *node);
        }
    }
    kept
}

/// Adds every combination of the contents that files with a name can have.
fn combine(
    volume: &Volume,
    contents: &BTreeMap<usize, BTreeSet<Vec<u8>>>,
    disks: &mut BTreeSet<Disk>,
) {
    let mut combined = vec![volume.disk()];
    for (file, outcomes) in contents {
        let named = volume.names.iter().filter(|(_, node)| **node == Node::File(*file));
        let paths: Vec<String> = named.map(|(path, _)| text(path)).collect();
        if paths.is_empty() {
            continue;
        }
        let with = |disk: &Disk, content: &Vec<u8>| {
            let mut disk = disk.clone();
            let entries = paths.iter().map(|path| (path.clone(), Some(content.clone())));
            disk.extend(entries);
            disk
        };
        combined = combined
            .iter()
            .flat_map(|disk| outcomes.iter().map(|content| with(disk, content)))
            .collect();
    }
    disks.extend(combined);
}
