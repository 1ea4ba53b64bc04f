//! What a child printed: an excerpt for the record, the whole in a separate file.
//!
//! `ftl-process` captures the output while the child runs, and spills what is too long for memory. Here it
//! is made readable. What an output means is not decided here: see `ftl-analysis`.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_model::Digest;
use ftl_process::{Ended, How, Leftover};
use ftl_store::{Files, Operation, ensure_private_dir_unsynced, read_regular};
use ftl_text::play;

use crate::run::Fault;
use crate::run::journal::recorder::Recorder;
use crate::run::site::{Site, files};
use crate::text::one_line;

/// Bytes that are searched for error lines, from each end of an output. A test that prints gigabytes
/// says at its end why it failed.
const LOOKED_AT: u64 = 4 << 20;

/// A child's output.
#[derive(Debug)]
pub(in crate::run) struct Captured {
    /// The text in which error lines are searched for.
    pub(in crate::run) text: String,
    /// Head and tail, made safe.
    pub(in crate::run) excerpt: String,
    /// The file that holds it.
    pub(in crate::run) log: Option<String>,
    /// Of that file, unless it is very long.
    pub(in crate::run) sha256: Option<Digest>,
    /// What was lost of it.
    pub(in crate::run) warnings: Vec<String>,
}

impl Captured {
    /// Takes the output's excerpt. Its file is on the disk before the record that names it.
    pub(in crate::run) fn keep(
        site: &Site<'_>,
        ended: &Ended,
        log: PathBuf,
        recorder: &mut Recorder<'_>,
    ) -> Result<Self, Fault> {
        let output = &ended.output;
        let mut warnings = Vec::new();
        let mut is_whole = true;
        // A command that prints nothing leaves no file.
        if output.total == 0 {
            let (text, excerpt) = (String::new(), String::new());
            return Ok(Self { text, excerpt, log: None, sha256: None, warnings });
        }
        if let Some(spilled) = &output.spilled {
            if let Some(error) = &spilled.error {
                is_whole = false;
                let log = shown(site, &log);
                warnings.push(format!("`{log}` is incomplete: {error}"));
            } else if spilled.cut > 0 {
                warnings.push(format!("{} bytes of output were cut", spilled.cut));
            }
        }
        // A record must not point at a file that a power cut has emptied, or that is not there.
        log.symlink_metadata().map_err(|error| Operation::Read.failed(&log, error))?;
        recorder.rely_on(&log);
        let sha256 = match digest(&log) {
            Ok(sha256) => sha256.filter(|_| is_whole),
            Err(error) => {
                warnings.push(format!("`{}` could not be read: {error}", shown(site, &log)));
                None
            }
        };
        if sha256.is_none() {
            // What is read of it later cannot be compared.
            files().sync_file(&log)?;
        }
        let omitted = usize::try_from(output.cut()).unwrap_or(usize::MAX);
        let from_log = (is_whole && omitted > 0).then(|| text(&log)).flatten();
        // The first line of the tail must not be glued to the last one of the head.
        let gap: &[u8] = if omitted > 0 { b"\n" } else { b"" };
        let ends = [&output.head[..], gap, &output.tail[..]].concat();
        Ok(Self {
            text: from_log.unwrap_or_else(|| played(&ends)),
            excerpt: if omitted == 0 {
                ftl_text::safe_text(&play(&ends))
            } else {
                ftl_text::excerpt_of_ends(&play(&output.head), omitted, &play(&output.tail))
            },
            sha256,
            // What lacks something must not be searched later on.
            log: is_whole.then(|| shown(site, &log)),
            warnings,
        })
    }
}

/// The digest of a kept output, unless it takes long to read.
fn digest(log: &Path) -> io::Result<Option<Digest>> {
    let bytes = read_regular(log, LOOKED_AT)?;
    Ok((bytes.len() as u64 <= LOOKED_AT).then(|| Digest::of(&bytes)))
}

/// A log's path as records show it: below the root where it is.
pub(in crate::run) fn shown(site: &Site<'_>, log: &Path) -> String {
    log.strip_prefix(site.root()).unwrap_or(log).display().to_string()
}

/// A directory that is not there yet: of this name, or with the next free number behind it.
pub(in crate::run) fn unused_dir(parent: &Path, name: &str) -> PathBuf {
    let names = std::iter::once(name.to_owned());
    let mut names = names.chain((2_u64..).map(|number| format!("{name}-{number}")));
    let unused = names.find_map(|name| Some(parent.join(name)).filter(|dir| !dir.exists()));
    unused.expect("because the numbers do not end")
}

/// A free name for the next output of this kind. An interrupted command leaves its file behind, so the
/// number is found by looking and not by counting.
pub(in crate::run) fn next_log(site: &Site<'_>, kind: &str) -> Result<PathBuf, Fault> {
    let dir = site.run.outputs();
    ensure_private_dir_unsynced(files(), &dir)?;
    let free = |number: &u32| !dir.join(format!("{kind}-{number}.log")).exists();
    let number = (1..).find(free).unwrap_or(u32::MAX);
    Ok(dir.join(format!("{kind}-{number}.log")))
}

/// The text of a kept output; of a very long one its ends.
pub(in crate::run) fn text(log: &Path) -> Option<String> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    if length <= 2 * LOOKED_AT {
        file.read_to_end(&mut bytes).ok()?;
    } else {
        file.by_ref().take(LOOKED_AT).read_to_end(&mut bytes).ok()?;
        bytes.push(b'\n');
        file.seek(SeekFrom::Start(length - LOOKED_AT)).ok()?;
        file.read_to_end(&mut bytes).ok()?;
    }
    Some(played(&bytes))
}

/// The text of a kept output, unless a power cut took part of it.
pub(in crate::run) fn text_as_captured(log: &Path, sha256: Option<Digest>) -> Option<String> {
    let is_whole = sha256.is_none_or(|sha256| digest(log).ok().flatten() == Some(sha256));
    is_whole.then(|| text(log)).flatten()
}

/// What a terminal would show of an output: error lines are searched for in what a person sees.
fn played(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&play(bytes)).into_owned()
}

/// The last lines that a child printed, as a terminal would show them.
pub(in crate::run) fn last_lines(ended: &Ended) -> Vec<String> {
    const SHOWN: usize = 5;
    let output = &ended.output;
    let end = match output.tail.is_empty() {
        true => &output.head,
        false => &output.tail,
    };
    let text = played(end);
    let lines = text.lines().map(one_line);
    let lines: Vec<String> = lines.filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(SHOWN);
    lines[from..].iter().map(|line| ftl_text::shortened(line, 300)).collect()
}

/// The end of what a child printed, as a terminal would show it.
pub(in crate::run) fn text_of(ended: &Ended) -> String {
    let output = &ended.output;
    match output.tail.is_empty() {
        true => played(&output.head),
        false => played(&output.tail),
    }
}

/// Warnings about the processes that a child left. They are no failure of the child, but they may have
/// written into the tree after it ended.
pub(in crate::run) fn left_behind(who: &str, ended: &Ended) -> Vec<String> {
    let mut said = Vec::new();
    if !ended.left_behind.is_empty() {
        let names = names(&ended.left_behind);
        said.push(format!("ftl ended the processes that {who} left running: {names}"));
    }
    if let Some(error) = &ended.unsettled {
        said.push(format!("processes that {who} left may still be running: {error}"));
    }
    said
}

/// Processes, as they are named to the user.
pub(in crate::run) fn names(processes: &[Leftover]) -> String {
    let name = |process: &Leftover| format!("{} ({})", one_line(&process.name), process.pid);
    let names: Vec<String> = processes.iter().map(name).collect();
    names.join(", ")
}

/// How a child ended, for one that failed without printing why.
pub(crate) fn how_it_ended(ended: &Ended, limit: Duration) -> String {
    if ended.timed_out {
        return format!("it did not end within {} s", limit.as_secs_f64());
    }
    match ended.how {
        How::Exit(code) => format!("it ended with exit {code} and said nothing"),
        How::Signal(signal) => format!("it was ended by signal {signal}"),
    }
}
