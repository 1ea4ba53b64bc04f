use std::path::Path;

use ftl_machine::{Event, Options, State};
use ftl_store::sim::{Disk, SimFs};
use ftl_store::{JOURNAL, Journal, LineKind};
use serde_json::Value;

const DIR: &str = "/p";

/// Reads bytes as a journal, as lines to be journalled, and as events of a run.
///
/// # Panics
///
/// A journal that was opened cannot be gone on with, or what is read back is not what was written.
pub fn journal(bytes: &[u8]) {
    as_file(bytes);
    let lines = bytes.split(|&byte| byte == b'\n').take(50);
    let values: Vec<Value> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    // Numbers with fractions lose their last bit when they are read.
    let exact: Vec<Value> = values.iter().filter(|it| !has_fraction(it)).cloned().collect();
    as_lines(&exact);
    let mut state = State::new(Options::default());
    for event in values.into_iter().filter_map(|value| serde_json::from_value::<Event>(value).ok())
    {
        // What the state refuses is damage, and reported as such.
        if let Ok(next) = state.clone().apply(event) {
            let _ = next.next();
            state = next;
        }
    }
}

fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(values) => values.iter().any(has_fraction),
        Value::Object(entries) => entries.values().any(has_fraction),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

fn disk(journal: Option<&[u8]>) -> SimFs {
    let mut disk = Disk::from([("/".into(), None), (DIR.into(), None)]);
    if let Some(bytes) = journal {
        disk.insert(format!("{DIR}/{JOURNAL}"), Some(bytes.to_vec()));
    }
    SimFs::new(&disk, None)
}

fn as_file(bytes: &[u8]) {
    let files = disk(Some(bytes));
    let dir = Path::new(DIR);
    let peeked = Journal::peek(&files, dir).expect("the file is there").len();
    let Ok(mut loaded) = Journal::open(&files, dir) else {
        return;
    };
    assert_eq!(peeked, loaded.entries.len());
    let before = loaded.entries.len();
    loaded.journal.append_event("now", &"more").expect("it can be gone on with");
    loaded.journal.sync().expect("nothing fails here");
    let again = Journal::open(&files, dir).expect("what was written can be read");
    assert_eq!(again.entries.len(), before + 1);
    assert!(!again.torn);
}

fn as_lines(values: &[Value]) {
    let files = disk(None);
    let dir = Path::new(DIR);
    let mut journal = Journal::create(&files, dir, "now", &"opening").expect("nothing is there");
    for value in values {
        journal.append_event("now", value).expect("nothing fails here");
    }
    journal.sync().expect("nothing fails here");
    let loaded = Journal::open(&files, dir).expect("what was written can be read");
    let read = loaded.entries.iter().map(|entry| {
        assert_eq!(entry.kind, LineKind::Event);
        entry.decode::<Value>().expect("it is JSON")
    });
    assert!(read.eq(values.iter().cloned()), "{values:?}");
}
