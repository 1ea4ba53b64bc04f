//! The end of what a child has printed so far, for progress displays.
//!
//! Bytes arrive here redacted, perhaps from another thread. Only the end is kept, so that a child which floods
//! costs no more than one that does not.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ftl_text::redact::RedactionCounts;
use ftl_text::{Redactor, one_line, play, shortened};

/// Bytes that are kept.
const KEPT: usize = 8 << 10;
/// Bytes held back that are looked at.
const MOST_HELD: usize = 32 << 10;
/// Lines that are shown.
const LINES: usize = 10;
/// Characters of a line that are shown.
const LENGTH: usize = 500;

/// The end of an output that goes on.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Tail(Arc<Mutex<End>>);

#[derive(Debug, Default)]
struct End {
    /// Without secrets.
    bytes: Vec<u8>,
    /// What follows and may hold some: redaction wants to see more first.
    held: Vec<u8>,
    total: u64,
}

impl Tail {
    /// Another child begins.
    pub(in crate::run) fn clear(&self) {
        *self.lock() = End::default();
    }

    pub(in crate::run) fn push(&self, bytes: &[u8]) {
        let mut end = self.lock();
        let new = &bytes[bytes.len().saturating_sub(KEPT)..];
        // Now and then, so that every byte is moved once at most.
        if end.bytes.len() + new.len() > 2 * KEPT {
            let gone = (end.bytes.len() + new.len() - KEPT).min(end.bytes.len());
            end.bytes.drain(..gone);
        }
        end.bytes.extend_from_slice(new);
    }

    /// So many bytes have arrived, of which these are held back.
    pub(in crate::run) fn arrived(&self, count: usize, held: &[u8]) {
        let mut end = self.lock();
        end.total += count as u64;
        end.held.clear();
        if held.len() <= MOST_HELD {
            end.held.extend_from_slice(held);
        }
    }

    /// Bytes that have arrived.
    pub(in crate::run) fn total(&self) -> u64 {
        self.lock().total
    }

    /// The last lines that are not blank, as a terminal would show them.
    ///
    /// Of what is held back only whole lines are shown, redacted as if the output ended there.
    pub(in crate::run) fn lines(&self, redactor: &Redactor) -> Vec<String> {
        let (mut bytes, mut held) = {
            let end = self.lock();
            (end.bytes.clone(), end.held.clone())
        };
        let whole = held.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        held.truncate(whole.map_or(0, |at| at + 1));
        bytes.extend_from_slice(&redactor.bytes(&held, &mut RedactionCounts::new()));
        let text = String::from_utf8_lossy(&play(&bytes)).into_owned();
        let lines = text.rsplit('\n').map(one_line);
        let lines = lines.filter(|line| !line.is_empty()).take(LINES);
        let mut lines: Vec<String> = lines.map(|line| shortened(&line, LENGTH)).collect();
        lines.reverse();
        lines
    }

    fn lock(&self) -> MutexGuard<'_, End> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use ftl_process::Filters;
    use ftl_text::Redactor;

    use super::{KEPT, Tail};
    use crate::run::commands::secrets::Secrets;

    fn redactor() -> Redactor {
        Redactor::new([("API_TOKEN", &b"correct-horse-battery"[..])], &[])
    }

    fn shown(pieces: &[&str]) -> Vec<String> {
        let secrets = Secrets::new(&redactor());
        let mut filter = secrets.filter();
        for piece in pieces {
            filter.push(piece.as_bytes(), &mut |_| {});
        }
        secrets.last_lines()
    }

    #[test]
    fn the_last_whole_lines_are_shown_at_once_as_a_terminal_shows_them() {
        let printed = "one\n\n10 %\r50 %\r\n\x1b[31mred\x1b[0m\nunfini";
        assert_eq!(shown(&[printed]), ["one", "50 %", "red"]);
        assert_eq!(shown(&[printed, "shed\n"])[3], "unfinished");
        assert_eq!(shown(&["tests 10 %\rtests 20 %\r"]), ["tests 20 %"]);
    }

    #[test]
    fn a_secret_is_shown_neither_whole_nor_in_part() {
        for cut in 1.."correct-horse-battery".len() {
            let (a, b) = "correct-horse-battery".split_at(cut);
            let begun = shown(&[&"x".repeat(300), "\nit is ", a]).concat();
            assert!(!begun.contains("it is"), "{begun}");
            let ended = shown(&["it is ", a, b, "\n"]);
            assert_eq!(ended, ["it is [redacted: API_TOKEN]"]);
        }
    }

    #[test]
    fn a_flood_is_kept_at_its_end_alone() {
        let tail = Tail::default();
        for number in 0..100_000 {
            tail.push(format!("{number}\n").as_bytes());
        }
        tail.push(&vec![b'x'; 3 * KEPT]);
        assert!(tail.lock().bytes.len() <= 2 * KEPT);
        tail.push(b"\nend\n");
        assert_eq!(tail.lines(&redactor()).last().unwrap(), "end");
    }
}
