//! Write-ahead order in a trace: whether a build asks no implementer, and puts no record in place, ahead of its journal.
//!
//! No fault is injected for this; the trace of the undisturbed build is enough.

use std::collections::BTreeMap;

/// What a trace shows of the journal.
#[derive(Default)]
struct Journal {
    /// Open files that are a journal, by descriptor.
    open: BTreeMap<u32, bool>,
    /// Whether lines were written that are not on the disk.
    behind: bool,
    /// Whether the file for an implementer's output was made, and none was started since.
    asks: bool,
}

/// The first call in the trace of one thread that puts a record in place of the task, or starts an
/// implementer's command, while lines of the journal are not on the disk yet. Other commands start at any time,
/// since they can run again.
pub(super) fn ahead_of_journal(trace: &str) -> Option<&str> {
    let mut journal = Journal::default();
    trace.lines().find(|line| {
        journal.follow(line);
        let seals = line.starts_with("rename(") && line.contains("_active.xml\") = 0");
        let starts = line.contains("CLONE_VFORK") || line.starts_with("vfork(");
        let asks = starts && std::mem::take(&mut journal.asks);
        journal.behind && (seals || asks)
    })
}

impl Journal {
    fn follow(&mut self, line: &str) {
        let Some((name, rest)) = line.split_once('(') else {
            return;
        };
        if name == "openat" {
            let result = line.rsplit_once(" = ").map(|(_, result)| number(result));
            if let Some(Some(file)) = result {
                self.open.insert(file, rest.contains("/journal.jsonl\""));
            }
            let is_output = rest.contains("/requests/") && rest.contains(".log\"");
            self.asks |= is_output && rest.contains("O_CREAT");
            return;
        }
        let is_journal = number(rest).is_some_and(|file| self.open.get(&file) == Some(&true));
        match name {
            "write" if is_journal => self.behind = true,
            "fdatasync" | "fsync" if is_journal => self.behind = false,
            _ => {}
        }
    }
}

/// The number that a text begins with.
fn number(text: &str) -> Option<u32> {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::ahead_of_journal;

    const OPEN: &str = "openat(AT_FDCWD, \"/p/journal.jsonl\", O_WRONLY|O_APPEND|O_CLOEXEC) = 6\n";
    const SEAL: &str = "rename(\"/p/.001_a_active.tmp\", \"/p/001_a_active.xml\") = 0\n";
    const START: &str = "clone3({flags=CLONE_VM|CLONE_VFORK}, 88) = 7\n";

    const OUTPUT: &str = "openat(AT_FDCWD, \"/p/requests/1/agent.log\", O_WRONLY|O_CREAT) = 7\n";

    #[test]
    fn a_record_or_an_implementer_ahead_of_the_journal_is_found() {
        let write = "write(6, \"{\", 1) = 1\n";
        let other = "openat(AT_FDCWD, \"/p/other\", O_RDONLY) = 6\nwrite(6, \"{\", 1) = 1\n";
        for (steps, found) in [
            (vec![OPEN, write, SEAL], Some(SEAL)),
            (vec![OUTPUT, OPEN, write, START], Some(START)),
            (vec![OPEN, write, START], None),
            (vec![OUTPUT, START, OPEN, write, START], None),
            (vec![OPEN, write, "fdatasync(6) = 0\n", SEAL], None),
            (vec![OUTPUT, OPEN, write, "fdatasync(6) = 0\n", START], None),
            (vec![OPEN, other, SEAL], None),
            (vec![SEAL, START], None),
        ] {
            let trace = steps.concat();
            let ahead = ahead_of_journal(&trace);
            assert_eq!(ahead, found.map(str::trim_end), "{trace}");
        }
    }
}
