//! The journal of a run: what happened, in order, on the disk before what cannot be done again or undone.
//!
//! One line of JSON an entry, in exactly this spelling:
//!
//! ```text
//! {"seq":3,"crc":"5f1c9a02","batch":2,"at":"2026-01-18T01:30:56Z","kind":"event","data":{…}}
//! ```
//!
//! The checksum (CRC-32, eight lower-case hexadecimal digits) covers the rest of the line, newline
//! included, and the checksum of the line before. `batch` is the number of the first line that was not
//! synced when this one was written: lines with the same `batch` share a sync.
//!
//! Each line is written by itself, and synced only when something is about to happen that cannot be done
//! again or undone: a sync costs milliseconds, and most lines are followed by others before that. Callers
//! choose the moment ([`Journal::sync`]). So a power cut can lose the lines after the last sync, and
//! nothing else; since nothing has relied on them, the run repeats what led to them. The same holds for the
//! opening line and for the names of the journal and of the directories above it, which the first sync brings to the
//! disk. Files that lines name come with the record that names them too ([`Journal::rely_on`]): who reads one before
//! that compares its digest.
//!
//! The lines are kept in memory as well, because a program that a run started may change or remove the file.
//! [`Journal::repair`] writes it again.
//!
//! What the end of a file may look like after a crash, and what is damage, is decided by `scan`. What
//! an event or a note means is not known here.

mod line;
mod names;
mod scan;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use serde::Serialize;
use serde::ser::Error;
use serde_json::value::{RawValue, to_raw_value};

pub use line::LineKind;
pub(super) use names::{DIFFS, OUTPUTS, REQUESTS};
pub use scan::JournalEntry;
pub(super) use scan::is_begun;

use super::atomic::{
    PRIVATE, create_later, ensure_private_dir_unsynced, parent_of, replace_private_unsynced,
};
use super::error::StoreError;
use super::files::{FileError, FileKind, Files};
use line::Line;
use names::{Names, sync_names};

/// The journal's file name in the directory of its run.
pub const JOURNAL: &str = "journal.jsonl";

/// A journal that can be appended to. Its owner holds the lock of the task: two writers would
/// interleave their lines.
#[derive(Debug)]
pub struct Journal<'f> {
    files: &'f dyn Files,
    path: PathBuf,
    next: u64,
    crc: u32,
    text: Vec<u8>,
    synced: Synced,
    /// Files that the record will name.
    relied_on: BTreeSet<PathBuf>,
    names: Names,
    /// Whether the file was gone when a line was to be added.
    astray: bool,
    failed: bool,
}

/// How much of a journal cannot be lost any more.
#[derive(Clone, Copy, Debug)]
struct Synced {
    lines: u64,
    len: u64,
}

/// A journal read back.
#[derive(Debug)]
pub struct Loaded<'f> {
    /// Ready for the next append.
    pub journal: Journal<'f>,
    /// The opening line.
    pub header: JournalEntry,
    /// The lines after it.
    pub entries: Vec<JournalEntry>,
    /// Whether the end of the file was cut off, because a crash had interrupted its writing.
    pub torn: bool,
}

impl<'f> Journal<'f> {
    /// Makes the journal in the directory of a run. The file appears with its opening line, or not at
    /// all; until the first [`sync`](Self::sync) a power cut may take it, or leave it without its opening line.
    pub fn create(
        files: &'f dyn Files,
        dir: &Path,
        at: &str,
        header: &impl Serialize,
    ) -> Result<Self, StoreError> {
        let path = dir.join(JOURNAL);
        let data = raw(header)?;
        let (text, crc) = Line::new(0, 0, at, LineKind::Open, &data).encode(0);
        create_later(files, &path, text.as_bytes(), Some(PRIVATE))?;
        let synced = Synced { lines: 0, len: 0 };
        Ok(Self {
            synced,
            names: Names::default(),
            ..Self::on_disk(files, path, 1, text.into_bytes(), crc)
        })
    }

    /// Reads the journal of a run. A torn end is cut off; anything else that is not what was
    /// written is [`StoreError::JournalDamaged`].
    pub fn open(files: &'f dyn Files, dir: &Path) -> Result<Loaded<'f>, StoreError> {
        let path = dir.join(JOURNAL);
        let mut bytes = files.read(&path)?;
        let scan = scan::scan(&bytes).map_err(|damage| StoreError::JournalDamaged {
            path: path.clone(),
            line: damage.line,
            reason: damage.reason,
        })?;
        if scan.entries.is_empty() {
            return Err(StoreError::JournalDamaged { path, line: 1, reason: scan::NO_OPENING });
        }
        let torn = scan.len < bytes.len();
        bytes.truncate(scan.len);
        if torn {
            files.truncate(&path, scan.len as u64)?;
        } else {
            // A process that was killed between write and sync left lines that can be read, from the
            // page cache, and that a power cut could still remove. They are about to be built on. The
            // same holds for names.
            files.sync_file(&path)?;
        }
        sync_names(files, dir)?;
        let mut lines = scan.entries.into_iter();
        let header = lines.next().expect("because there is an opening line");
        let entries: Vec<JournalEntry> = lines.collect();
        let journal = Self::on_disk(files, path, entries.len() as u64 + 1, bytes, scan.crc);
        Ok(Loaded { journal, header, entries, torn })
    }

    /// The lines of a journal after the opening one, as far as they are sound, for a reader that does
    /// not hold the lock of its task: the run may append at the same time.
    pub fn peek(files: &dyn Files, dir: &Path) -> Result<Vec<JournalEntry>, StoreError> {
        let bytes = files.read(&dir.join(JOURNAL))?;
        let scan = scan::scan(&bytes).unwrap_or_default();
        Ok(scan.entries.into_iter().skip(1).collect())
    }

    /// The opening line and those after it, as far as they are sound, for a reader that does not hold the
    /// lock of its task. Nothing is written.
    ///
    /// # Errors
    /// The file can't be read, or is [damaged](StoreError::JournalDamaged).
    pub fn read(
        files: &dyn Files,
        dir: &Path,
    ) -> Result<(JournalEntry, Vec<JournalEntry>), StoreError> {
        let path = dir.join(JOURNAL);
        let bytes = files.read(&path)?;
        let scan = scan::scan(&bytes).map_err(|damage| StoreError::JournalDamaged {
            path,
            line: damage.line,
            reason: damage.reason,
        })?;
        let path = dir.join(JOURNAL);
        let mut entries = scan.entries.into_iter();
        let header = entries.next();
        let header =
            header.ok_or(StoreError::JournalDamaged { path, line: 1, reason: scan::NO_OPENING })?;
        Ok((header, entries.collect()))
    }

    fn on_disk(files: &'f dyn Files, path: PathBuf, lines: u64, text: Vec<u8>, crc: u32) -> Self {
        let len = text.len() as u64;
        Self {
            files,
            path,
            next: lines,
            crc,
            text,
            synced: Synced { lines, len },
            relied_on: BTreeSet::new(),
            names: Names::on_disk(),
            astray: false,
            failed: false,
        }
    }

    /// Appends a fact. A killed process leaves it behind; a power cut may leave the first few of all
    /// lines that were not [synced](Self::sync).
    ///
    /// After a failure it is not known what the disk holds, so that every further step is refused
    /// ([`StoreError::JournalFailed`]); the journal has to be opened again.
    pub fn append_event(&mut self, at: &str, event: &impl Serialize) -> Result<(), StoreError> {
        self.append(LineKind::Event, at, event)
    }

    /// Appends a hint for recovery, as [`append_event`](Self::append_event) does.
    pub fn append_note(&mut self, at: &str, note: &impl Serialize) -> Result<(), StoreError> {
        self.append(LineKind::Note, at, note)
    }

    fn append(
        &mut self,
        kind: LineKind,
        at: &str,
        data: &impl Serialize,
    ) -> Result<(), StoreError> {
        let data = raw(data)?;
        self.refuse_if_failed()?;
        let line = Line::new(self.next, self.synced.lines, at, kind, &data);
        let (text, crc) = line.encode(self.crc);
        match self.files.append(&self.path, text.as_bytes()) {
            // The file was removed. It is written again with the next sync.
            Err(error) if is_astray(&error) => self.astray = true,
            written => self.unless_failed(written)?,
        }
        self.text.extend_from_slice(text.as_bytes());
        self.next += 1;
        self.crc = crc;
        Ok(())
    }

    /// The record will name this file, which is in the run's directory: it is on the disk before the record.
    pub fn rely_on(&mut self, file: PathBuf) {
        self.relied_on.insert(file);
    }

    /// Another program may have replaced directories in the run's: their names are brought to the disk again.
    pub fn distrust_names(&mut self) {
        self.names.distrust();
    }

    /// Brings every line to the disk, and the names of the journal and of the directories above it: before anything is
    /// done that cannot be done again or undone, and after what cannot be had again for nothing. Without new lines
    /// nothing happens.
    ///
    /// # Errors
    /// As [`append_event`](Self::append_event).
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.refuse_if_failed()?;
        let placed = self.names.place(self.files, &self.path, &BTreeSet::new());
        self.unless_failed(placed)?;
        self.sync_lines()
    }

    /// [`sync`](Self::sync) before a record, with the files that it names. It holds all that the journal does: a power
    /// cut may still take the directory of a run that was not synced before and keeps no such file.
    ///
    /// # Errors
    /// As [`append_event`](Self::append_event).
    pub fn sync_for_record(&mut self) -> Result<(), StoreError> {
        self.refuse_if_failed()?;
        let files = std::mem::take(&mut self.relied_on);
        if !files.is_empty() {
            let placed = self.names.place(self.files, &self.path, &files);
            self.unless_failed(placed)?;
        }
        self.sync_lines()
    }

    fn sync_lines(&mut self) -> Result<(), StoreError> {
        self.refuse_if_failed()?;
        if self.synced.lines == self.next {
            return Ok(());
        }
        if self.astray {
            return self.rewrite();
        }
        match self.files.sync_file(&self.path) {
            Err(error) if is_astray(&error) => return self.rewrite(),
            synced => self.unless_failed(synced)?,
        }
        self.synced = Synced { lines: self.next, len: self.text.len() as u64 };
        Ok(())
    }

    /// The lines, as they are or will be on the disk.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Writes the file again where it is not what was written; whether it had to be. What took its place
    /// stays beside it.
    ///
    /// # Errors
    /// As [`append_event`](Self::append_event).
    pub fn repair(&mut self) -> Result<bool, StoreError> {
        self.refuse_if_failed()?;
        let found = self.files.metadata(&self.path)?;
        let is_file = found.is_some_and(|found| found.kind == FileKind::File);
        if is_file && self.files.read(&self.path)? == self.text {
            return Ok(false);
        }
        self.rewrite()?;
        Ok(true)
    }

    fn move_aside(&self) -> Result<(), StoreError> {
        for number in 1_u64.. {
            let aside = self.path.with_file_name(format!("{JOURNAL}.replaced-{number}"));
            match self.files.rename_new(&self.path, &aside) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                done => return Ok(done?),
            }
        }
        Ok(())
    }

    fn rewrite(&mut self) -> Result<(), StoreError> {
        let dir = parent_of(&self.path).to_owned();
        if self.files.metadata(&self.path)?.is_some_and(|at| at.kind != FileKind::File) {
            self.move_aside()?;
        }
        ensure_private_dir_unsynced(self.files, &dir)?;
        let written = replace_private_unsynced(self.files, &self.path, &self.text);
        self.unless_failed(written)?;
        sync_names(self.files, &dir)?;
        self.names.distrust();
        self.astray = false;
        self.synced = Synced { lines: self.next, len: self.text.len() as u64 };
        Ok(())
    }

    fn refuse_if_failed(&self) -> Result<(), StoreError> {
        if !self.failed {
            return Ok(());
        }
        Err(StoreError::JournalFailed { path: self.path.clone() })
    }

    fn unless_failed(&mut self, done: Result<(), FileError>) -> Result<(), StoreError> {
        if done.is_err() {
            self.failed = true;
            // After a failed fsync(2), Linux may drop the pages and report success the next time, so
            // trying again proves nothing. The lines must not stay readable either: a later process
            // would believe them. If the cut fails too, that process syncs or refuses the file.
            let _ = self.files.truncate(&self.path, self.synced.len);
        }
        Ok(done?)
    }
}

/// Whether the file is gone, or a link took its place.
fn is_astray(error: &FileError) -> bool {
    let is_link = Errno::from_io_error(&error.source) == Some(Errno::LOOP);
    is_link || error.kind() == ErrorKind::NotFound
}

fn raw(data: &impl Serialize) -> Result<Box<RawValue>, StoreError> {
    let data = to_raw_value(data).map_err(StoreError::JournalData)?;
    if data.get().contains('\n') {
        // Only raw JSON that was passed through can have one; it would end the line.
        let error = serde_json::Error::custom("a line break between values");
        return Err(StoreError::JournalData(error));
    }
    Ok(data)
}
