//! The journal over the real file system, and its bytes cut, flipped, swapped and zeroed. What a power
//! cut does to it is in `sim::journal_tests`.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tempfile::TempDir;

use super::scan::scan;
use super::{JOURNAL, Journal, LineKind};
use crate::{OsFiles, StoreError};

const AT: &str = "2026-01-18T01:30:56Z";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Fact {
    /// The same key as a line begins with, to confuse a careless reader.
    seq: u64,
    text: String,
}

fn fact(seq: u64) -> Fact {
    Fact { seq, text: format!("line\nbreak, \"quote\", ü and \u{1b}[31m {seq}") }
}

/// An opening line, two lines that were synced one by one, and three that were not.
fn written(dir: &Path) -> Vec<u8> {
    let mut journal = Journal::create(&OsFiles, dir, AT, &"header").unwrap();
    journal.append_event(AT, &fact(1)).unwrap();
    journal.sync().unwrap();
    journal.append_note(AT, &fact(2)).unwrap();
    journal.sync().unwrap();
    journal.append_note(AT, &fact(3)).unwrap();
    journal.append_note(AT, &fact(4)).unwrap();
    journal.append_event(AT, &fact(5)).unwrap();
    fs::read(dir.join(JOURNAL)).unwrap()
}

/// The bytes of a journal, and for each line where it ends.
fn sample() -> (Vec<u8>, Vec<usize>) {
    let temp = tempfile::tempdir().unwrap();
    let bytes = written(temp.path());
    let ends = (1..=bytes.len()).filter(|end| bytes[end - 1] == b'\n').collect();
    (bytes, ends)
}

fn holding(bytes: &[u8]) -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join(JOURNAL), bytes).unwrap();
    temp
}

#[test]
fn appended_lines_are_read_back_and_continued() {
    let temp = tempfile::tempdir().unwrap();
    written(temp.path());
    for round in 6..9 {
        let mut loaded = Journal::open(&OsFiles, temp.path()).unwrap();
        assert!(!loaded.torn);
        assert_eq!(loaded.header.decode::<String>().unwrap(), "header");
        let facts: Vec<Fact> = loaded.entries.iter().map(|e| e.decode().unwrap()).collect();
        assert_eq!(facts, (1..round).map(fact).collect::<Vec<_>>());
        assert_eq!(loaded.entries[0].kind, LineKind::Event);
        assert_eq!(loaded.entries[1].kind, LineKind::Note);
        assert_eq!(loaded.entries[4].at, AT);
        loaded.journal.append_event(AT, &fact(round)).unwrap();
    }
}

#[test]
fn the_spelling_of_a_line_never_changes() {
    let temp = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(&OsFiles, temp.path(), AT, &[1, 2]).unwrap();
    journal.append_event(AT, &"é\"").unwrap();
    let text = fs::read_to_string(temp.path().join(JOURNAL)).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"seq":0,"crc":"f88a49bc","batch":0,"at":"2026-01-18T01:30:56Z","kind":"open","data":[1,2]}"#,
            "\n",
            r#"{"seq":1,"crc":"e9ddfe4f","batch":0,"at":"2026-01-18T01:30:56Z","kind":"event","data":"é\""}"#,
            "\n",
        )
    );
}

#[test]
fn every_truncation_gives_the_lines_before_it() {
    let (bytes, ends) = sample();
    for len in 0..bytes.len() {
        let whole = ends.iter().filter(|end| **end <= len).count();
        match scan(&bytes[..len]) {
            Ok(sound) => assert_eq!(sound.entries.len(), whole, "cut at {len}"),
            Err(damage) => assert_eq!((damage.line, whole), (1, 0), "cut at {len}"),
        }
    }
}

#[test]
fn a_torn_end_is_cut_off_for_good() {
    let (bytes, ends) = sample();
    for len in ends[0]..bytes.len() {
        let temp = holding(&bytes[..len]);
        let whole = ends.iter().filter(|end| **end <= len).count();
        let mut loaded = Journal::open(&OsFiles, temp.path()).unwrap();
        assert_eq!(loaded.torn, !ends.contains(&len), "cut at {len}");
        let left = fs::read(temp.path().join(JOURNAL)).unwrap();
        assert_eq!(left, bytes[..ends[whole - 1]], "cut at {len}");
        loaded.journal.append_event(AT, &fact(9)).unwrap();

        let again = Journal::open(&OsFiles, temp.path()).unwrap();
        assert!(!again.torn);
        assert_eq!(again.entries.len(), whole, "cut at {len}");
        assert_eq!(again.entries[whole - 1].decode::<Fact>().unwrap(), fact(9));
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let (bytes, ends) = sample();
    let synced = ends[2];
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let line = ends.iter().filter(|end| **end <= bit / 8).count();
        match scan(&flipped) {
            // Among unsynced lines it looks like a tear.
            Ok(sound) => {
                assert!(bit / 8 >= synced, "bit {bit} was missed");
                assert_eq!(sound.entries.len(), line, "bit {bit}");
            }
            Err(damage) => assert_eq!(damage.line, line as u64 + 1, "bit {bit}"),
        }
    }
}

#[test]
fn lines_that_are_missing_doubled_or_swapped_are_damage() {
    let (bytes, _) = sample();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let cases: [(&[usize], u64); 5] = [
        (&[1, 2, 3, 4, 5], 1),
        (&[0, 2, 3, 4, 5], 2),
        (&[0, 1, 1, 2, 3, 4, 5], 3),
        (&[0, 2, 1, 3, 4, 5], 2),
        (&[0, 0, 1, 2, 3, 4, 5], 2),
    ];
    for (order, line) in cases {
        let bytes = order.iter().map(|at| lines[*at]).collect::<Vec<_>>().concat();
        assert_eq!(scan(&bytes).unwrap_err().line, line, "{order:?}");
    }
}

#[test]
fn a_hole_in_what_was_not_synced_is_a_tear_and_one_before_it_is_damage() {
    let (bytes, ends) = sample();
    for (line, torn) in [(1, false), (2, false), (3, true), (4, true), (5, true)] {
        let mut holed = bytes.clone();
        holed[ends[line - 1]..ends[line]].fill(0);
        match scan(&holed) {
            Ok(sound) => assert!(torn && sound.entries.len() == line, "line {line}"),
            Err(damage) => assert!(!torn && damage.line == line as u64 + 1, "line {line}"),
        }
    }
}

#[test]
fn damage_names_the_line_and_leaves_the_journal_as_it_is() {
    let (mut bytes, ends) = sample();
    bytes[ends[0] + 1] = b'!';
    let temp = holding(&bytes);
    let error = Journal::open(&OsFiles, temp.path()).unwrap_err();
    assert!(matches!(error, StoreError::JournalDamaged { line: 2, .. }));
    assert_eq!(fs::read(temp.path().join(JOURNAL)).unwrap(), bytes);
}

#[test]
fn data_of_another_shape_names_its_line() {
    let temp = tempfile::tempdir().unwrap();
    written(temp.path());
    let loaded = Journal::open(&OsFiles, temp.path()).unwrap();
    let error = loaded.entries[1].decode::<u64>().unwrap_err();
    assert!(matches!(error, StoreError::JournalUnknown { line: 3, .. }));
}

#[test]
fn a_journal_is_never_begun_twice() {
    let temp = tempfile::tempdir().unwrap();
    let before = written(temp.path());
    let error = Journal::create(&OsFiles, temp.path(), AT, &"header").unwrap_err();
    assert!(matches!(error, StoreError::Taken { .. }));
    assert_eq!(fs::read(temp.path().join(JOURNAL)).unwrap(), before);
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
}

#[test]
fn data_that_would_end_the_line_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let raw: Box<RawValue> = serde_json::from_str("[1,\n2]").unwrap();
    let error = Journal::create(&OsFiles, temp.path(), AT, &raw).unwrap_err();
    assert!(matches!(error, StoreError::JournalData(_)));
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0);
}

/// A journal in a directory whose place a file takes when this is called: then every step fails.
fn breakable() -> (tempfile::TempDir, Journal<'static>, impl Fn()) {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("1");
    fs::create_dir(&dir).unwrap();
    let journal = Journal::create(&OsFiles, &dir, AT, &"header").unwrap();
    let break_it = move || {
        fs::remove_dir_all(&dir).unwrap();
        fs::write(&dir, "").unwrap();
    };
    (temp, journal, break_it)
}

#[test]
fn after_a_failed_append_nothing_more_is_taken() {
    let (_temp, mut journal, break_it) = breakable();
    break_it();
    assert!(matches!(journal.append_event(AT, &fact(1)).unwrap_err(), StoreError::File(_)));
    assert!(matches!(
        journal.append_event(AT, &fact(1)).unwrap_err(),
        StoreError::JournalFailed { .. }
    ));
}

#[test]
fn a_journal_that_was_removed_or_changed_is_written_again() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("1");
    fs::create_dir(&dir).unwrap();
    let path = dir.join(JOURNAL);
    let mut journal = Journal::create(&OsFiles, &dir, AT, &"header").unwrap();
    journal.append_event(AT, &fact(1)).unwrap();
    assert!(!journal.repair().unwrap());
    fs::remove_dir_all(&dir).unwrap();
    journal.append_event(AT, &fact(2)).unwrap();
    journal.sync().unwrap();
    let read = |expected: usize| {
        let loaded = Journal::open(&OsFiles, &dir).unwrap();
        assert_eq!(loaded.entries.len(), expected);
        assert!(!loaded.torn);
    };
    read(2);
    fs::write(&path, "forged").unwrap();
    assert!(journal.repair().unwrap());
    read(2);
    let outside = temp.path().join("outside");
    fs::rename(&path, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &path).unwrap();
    journal.append_event(AT, &fact(3)).unwrap();
    assert!(journal.repair().unwrap());
    journal.append_event(AT, &fact(4)).unwrap();
    journal.sync().unwrap();
    read(4);
    let lines = fs::read_to_string(outside).unwrap().lines().count();
    assert_eq!(lines, 3, "nothing was written through the link");
}

#[test]
fn after_a_failed_sync_nothing_more_is_taken() {
    let (_temp, mut journal, break_it) = breakable();
    journal.append_event(AT, &fact(1)).unwrap();
    break_it();
    assert!(matches!(journal.sync().unwrap_err(), StoreError::File(_)));
    assert!(matches!(journal.sync().unwrap_err(), StoreError::JournalFailed { .. }));
}
