//! How a command in a view ended, reported through a file.
//!
//! One line says how, one line each names what it left running. The command is the same user and could
//! write the file itself: a view is against accidents.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::words::in_one_line;
use crate::{Ended, How, Leftover};

/// Bytes that are kept for it.
pub(super) const ROOM: u64 = 16 << 10;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Report {
    Ended { how: How, left: Vec<Leftover> },
    Refused(String),
}

impl Report {
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = match self {
            Self::Refused(reason) => format!("refused {}", in_one_line(OsStr::new(reason))),
            Self::Ended { how, .. } => match how {
                How::Exit(code) => format!("exit {code}"),
                How::Signal(signal) => format!("signal {signal}"),
            },
        };
        if let Self::Ended { left, .. } = self {
            for process in left {
                let name = in_one_line(OsStr::new(&process.name));
                text.push_str(&format!("\nleft {} {} {name}", process.pid, process.in_group));
            }
        }
        // In place: the file has room, and the disk may have none by now.
        let file = File::options().write(true).create(true).truncate(false).open(path)?;
        (&file).write_all(text.as_bytes())?;
        file.set_len(text.len() as u64)
    }

    /// `None` when there is none, or none that is whole.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let mut lines = text.lines();
        let (word, rest) = lines.next()?.split_once(' ')?;
        let how = match word {
            "refused" => return Some(Self::Refused(rest.to_owned())),
            "exit" => How::Exit(rest.parse().ok()?),
            "signal" => How::Signal(rest.parse().ok()?),
            _ => return None,
        };
        let left = lines.filter_map(leftover).collect();
        Some(Self::Ended { how, left })
    }
}

fn leftover(line: &str) -> Option<Leftover> {
    let mut parts = line.strip_prefix("left ")?.splitn(3, ' ');
    Some(Leftover {
        pid: parts.next()?.parse().ok()?,
        in_group: parts.next()?.parse().ok()?,
        name: parts.next()?.to_owned(),
    })
}

/// What was printed by a wrapping that failed: its first line.
pub(crate) fn said(ended: &Ended) -> String {
    let apart = ended.stderr.as_ref().map(|output| output.head.as_slice());
    let texts = [apart.unwrap_or_default(), &ended.output.head];
    let texts = texts.map(|text| String::from_utf8_lossy(text).into_owned());
    let line = texts.iter().flat_map(|text| text.lines()).next();
    line.map_or_else(|| format!("it ended with {:?}", ended.how), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("report");
        let left = vec![Leftover { pid: 7, name: "a b".to_owned(), in_group: true }];
        for report in [
            Report::Refused("no way in".to_owned()),
            Report::Ended { how: How::Exit(3), left: Vec::new() },
            Report::Ended { how: How::Signal(15), left },
        ] {
            report.write(&path).unwrap();
            assert_eq!(Report::read(&path), Some(report));
        }
        fs::write(&path, "exit").unwrap();
        assert_eq!(Report::read(&path), None);
    }
}
