//! What ftl itself wrote into a project's `.ftl`, told to whoever watches that directory.
//!
//! While an implementer works, a run watches `.ftl` like the rest of the tree. Other commands write there
//! meanwhile: a task is made, or sealed by hand, or another builder waits for its turn. A file does not say
//! who wrote it. So whoever writes says so first, in a file of the user's state directory:
//!
//! ```text
//! STATE/ftl/writes/STORE     one line of JSON a write; STORE is made of the path of `.ftl`
//! ```
//!
//! A writer holds the register shared from its entry to the end of its write, and whoever compares holds it
//! alone ([`Register::still`]), so that no write is seen half done. An entry whose write a crash prevented
//! does no harm: it is true of no file.
//!
//! A builder writes into the directory of its run for as long as it lives, and tells of it once. It may be
//! waiting when a snapshot is taken, and be gone when the tree is compared. So whoever takes a snapshot enters
//! anew which builders were alive then ([`Register::tell_who_lives`]).
//!
//! The register is a help, never a condition: where there is no state directory, or it cannot be written,
//! writes go on untold, and are taken for the implementer's. The text of a file is kept with its entry, so
//! that a task that an implementer destroys can be written anew.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ftl_model::Digest;
use serde::{Deserialize, Serialize};

use super::layout::{Layout, key_of};
use super::lock::is_alive;

/// Bytes from which on a register is shortened to the last entry of each path.
const LONG: u64 = 256 << 10;

/// Bytes of a line in which its path begins.
const LOOKED_AT: usize = 64;

/// What the line of a run holds.
const RUN: &[u8] = b"\"run\":";

/// Nanoseconds for which the text of a file is kept then: longer than most requests to an implementer.
const KEPT: i64 = 3600 * 1_000_000_000;

/// Begins the first line of a register that was shortened; its length then follows.
const SHORTENED: &[u8] = b"#";

/// The register of one `.ftl`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    path: PathBuf,
}

/// One write. Paths are relative to `.ftl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrote {
    /// A file has this content.
    File {
        /// Where.
        path: String,
        /// The digest of its bytes.
        sha256: Digest,
        /// Its bytes, where they are text.
        text: Option<String>,
    },
    /// There is nothing any more.
    Gone {
        /// Where.
        path: String,
    },
    /// A process works in the directory of a run.
    Run {
        /// The directory.
        path: String,
        /// The process.
        pid: u32,
    },
}

impl Wrote {
    /// Where, relative to `.ftl`.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::File { path, .. } | Self::Gone { path } | Self::Run { path, .. } => path,
        }
    }
}

/// A write and its moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// In nanoseconds since the epoch, before the write.
    pub at: i64,
    /// The write.
    #[serde(flatten)]
    pub wrote: Wrote,
}

/// Nobody who tells of it writes while this is held.
#[derive(Debug)]
#[must_use = "writers go on when this is dropped"]
pub struct Still {
    _register: Option<File>,
}

impl Register {
    /// The register of a project's `.ftl`; `None` without a state directory.
    #[must_use]
    pub fn of(layout: &Layout) -> Option<Self> {
        Self::of_store(layout.private_dir()?, &layout.ftl_dir())
    }

    /// The register of a `.ftl` in what is ftl's of a state directory.
    #[must_use]
    pub fn of_store(private: PathBuf, store: &Path) -> Option<Self> {
        let path = private.join("writes").join(key_of(store));
        Some(Self { path })
    }

    /// Tells of writes, and keeps whoever compares waiting until the returned value is dropped. `synced`
    /// entries survive a power cut.
    pub fn tell(&self, writes: Vec<Wrote>, synced: bool) -> Telling {
        let register = self.append(writes, synced);
        Telling { _register: register }
    }

    fn append(&self, writes: Vec<Wrote>, synced: bool) -> Option<File> {
        let dir = self.path.parent()?;
        let mut private = DirBuilder::new();
        private.recursive(true).mode(0o700).create(dir).ok()?;
        let mut file = self.open().ok()?;
        if file.metadata().is_ok_and(|found| found.len() > self.longest()) {
            self.shorten(&mut file);
        }
        file.lock_shared().ok()?;
        enter(&mut file, writes).ok()?;
        if synced {
            file.sync_data().ok()?;
        }
        Some(file)
    }

    /// Enters anew, at this moment, in which run each other process that is alive works: the last that it told
    /// of. What it writes there from now on counts as told of, also once it has ended.
    pub fn tell_who_lives(&self) {
        // Where nothing was ever told, nothing is made.
        let options = OpenOptions::new().read(true).append(true).open(&self.path);
        let Ok(mut file) = options else {
            return;
        };
        // An entry that is being made may bear an earlier moment, so nobody makes one meanwhile.
        if file.lock().is_err() {
            return;
        }
        let bytes = self.bytes();
        let mut last = BTreeMap::new();
        for line in lines(&bytes).filter(|line| holds(line, RUN)) {
            if let Ok(Told { wrote, .. }) = serde_json::from_slice(line)
                && let Wrote::Run { pid, .. } = wrote
            {
                last.insert(pid, wrote);
            }
        }
        last.remove(&std::process::id());
        last.retain(|pid, _| is_alive(*pid));
        if !last.is_empty() {
            let _ = enter(&mut file, last.into_values().collect());
        }
    }

    fn open(&self) -> std::io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600);
        options.open(&self.path)
    }

    /// Bytes that it may have: twice what it had when it was last shortened, so that the many entries of a
    /// large project are not gone through at every write.
    fn longest(&self) -> u64 {
        let mut first = Vec::new();
        let read = File::open(&self.path)
            .and_then(|file| file.take(SHORTENED.len() as u64 + 20).read_to_end(&mut first));
        let line = first.split(|byte| *byte == b'\n').next();
        let shortened = line.and_then(|line| line.strip_prefix(SHORTENED));
        let len = read.ok().and(shortened).and_then(|len| std::str::from_utf8(len).ok());
        let len: u64 = len.and_then(|len| len.parse().ok()).unwrap_or(0);
        LONG.max(len.saturating_mul(2))
    }

    /// Keeps the last entry of each path, and texts for a while, unless somebody compares or writes.
    fn shorten(&self, file: &mut File) {
        if file.try_lock().is_err() {
            return;
        }
        let recent = now().saturating_sub(KEPT);
        let mut last = BTreeMap::new();
        for mut told in self.read() {
            if let Wrote::File { text, .. } = &mut told.wrote
                && told.at < recent
            {
                *text = None;
            }
            last.insert(told.wrote.path().to_owned(), told);
        }
        let lines = last.values().filter_map(|told| serde_json::to_string(told).ok());
        let lines: String = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
        let text =
            [SHORTENED, lines.len().to_string().as_bytes(), b"\n", lines.as_bytes()].concat();
        // What a crash in between loses makes later comparisons stricter, no more.
        if file.set_len(0).is_ok() {
            let _ = file.write_all(&text);
        }
        let _ = file.unlock();
    }

    /// All that was told, oldest first. What cannot be read was not told.
    #[must_use]
    pub fn read(&self) -> Vec<Told> {
        lines(&self.bytes()).filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap_or_default()
    }

    /// The last that was told of a path, absolute or as the layout spells it.
    #[must_use]
    pub fn last(&self, layout: &Layout, path: &Path) -> Option<Wrote> {
        let path = below(&layout.ftl_dir(), path)?;
        let bytes = self.bytes();
        // Most lines are about other paths, which shows without parsing them.
        let named = format!("\"path\":{}", serde_json::to_string(&path).ok()?);
        let is_about = |line: &&[u8]| holds(line, named.as_bytes());
        let all: Vec<&[u8]> = lines(&bytes).collect();
        let told = all.into_iter().rev().filter(is_about);
        told.filter_map(|line| serde_json::from_slice::<Told>(line).ok())
            .map(|told| told.wrote)
            .find(|wrote| wrote.path() == path && !matches!(wrote, Wrote::Run { .. }))
    }

    /// Bytes of the register: it grows with every entry.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.path.metadata().map_or(0, |found| found.len())
    }

    /// Whether nothing was ever told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits until nobody writes, and keeps writers waiting.
    pub fn still(&self) -> Still {
        let file = File::open(&self.path).ok();
        Still { _register: file.filter(|file| file.lock().is_ok()) }
    }
}

/// A write that was told of, and may be under way.
#[derive(Debug)]
#[must_use = "the write is over when this is dropped"]
pub struct Telling {
    _register: Option<File>,
}

/// Tells that files below `.ftl` get this content, or go (`None`), where the layout has a register.
pub fn tell(layout: &Layout, writes: &[(&Path, Option<&[u8]>)]) -> Option<Telling> {
    let register = Register::of(layout)?;
    let store = layout.ftl_dir();
    // Nobody needs the text of a file that goes in the same breath.
    let goes = |path: &Path| writes.iter().any(|(at, bytes)| *at == path && bytes.is_none());
    let writes = writes.iter().filter_map(|(path, bytes)| {
        let name = below(&store, path)?;
        Some(match bytes {
            None => Wrote::Gone { path: name },
            Some(bytes) => Wrote::File {
                path: name,
                sha256: Digest::of(bytes),
                text: std::str::from_utf8(bytes).ok().filter(|_| !goes(path)).map(str::to_owned),
            },
        })
    });
    Some(register.tell(writes.collect(), true))
}

/// A path relative to `.ftl`, also where one of the two is spelt through a link.
fn below(store: &Path, path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    if let Ok(below) = path.strip_prefix(store) {
        return below.to_str().map(str::to_owned);
    }
    let dir = path.parent()?.canonicalize().ok()?;
    let dir = dir.strip_prefix(store.canonicalize().ok()?).ok()?;
    dir.join(path.file_name()?).to_str().map(str::to_owned)
}

/// Adds entries in one write(2), so that lines of several processes are not mixed. It begins with a line end:
/// a crash or a full disk may have cut the line before.
fn enter(file: &mut File, writes: Vec<Wrote>) -> std::io::Result<()> {
    let at = now();
    let told = writes.into_iter().map(|wrote| Told { at, wrote });
    let lines: Vec<String> = told.filter_map(|told| serde_json::to_string(&told).ok()).collect();
    file.write_all(format!("\n{}\n", lines.join("\n")).as_bytes())
}

/// Whether a line holds these bytes near its beginning.
fn holds(line: &[u8], bytes: &[u8]) -> bool {
    let windows = line.windows(bytes.len());
    windows.take(LOOKED_AT).any(|part| part == bytes)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n')
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::{LONG, Register, Wrote, tell};
    use crate::Layout;

    fn layout(dir: &std::path::Path) -> Layout {
        let root = dir.join("p");
        std::fs::create_dir_all(root.join(".ftl/workspace")).unwrap();
        Layout::new(root).with_state(Some(dir.join("state")))
    }

    #[test]
    fn what_was_written_is_told_with_its_digest_and_a_torn_line_hides_no_other() {
        let temp = tempfile::tempdir().unwrap();
        let layout = layout(temp.path());
        let register = Register::of(&layout).unwrap();
        assert_eq!(register.read(), []);
        let task = layout.workspace_dir().join("001_a_active.xml");
        drop(tell(&layout, &[(&task, Some(b"text"))]));
        let torn = std::fs::read(&register.path).unwrap();
        std::fs::write(&register.path, [&torn[..], b"{\"at\":1,"].concat()).unwrap();
        drop(tell(&layout, &[(&task, None)]));
        let told: Vec<Wrote> = register.read().into_iter().map(|told| told.wrote).collect();
        let path = || "workspace/001_a_active.xml".to_owned();
        let [Wrote::File { path: at, text, .. }, Wrote::Gone { path: gone }] = &told[..] else {
            panic!("{told:?}");
        };
        assert_eq!((at, gone), (&path(), &path()));
        assert_eq!(text.as_deref(), Some("text"));
    }

    #[test]
    fn a_long_register_keeps_the_last_entry_of_each_path() {
        let temp = tempfile::tempdir().unwrap();
        let layout = layout(temp.path());
        let register = Register::of(&layout).unwrap();
        let at = |name: &str| layout.workspace_dir().join(name);
        let (one, two) = (at("001_a_active.xml"), at("002_b_active.xml"));
        let text = "x".repeat(1000);
        drop(tell(&layout, &[(&two, Some(b"two"))]));
        for _ in 0..400 {
            drop(tell(&layout, &[(&one, Some(text.as_bytes()))]));
        }
        assert!(register.len() < 2 * LONG, "{}", register.len());
        assert!(register.read().len() < 400);
        let last = |path| register.last(&layout, path);
        let digest = |bytes: &[u8]| ftl_model::Digest::of(bytes);
        assert!(matches!(last(&two), Some(Wrote::File { sha256, .. }) if sha256 == digest(b"two")));
        drop(tell(&layout, &[(&one, None)]));
        assert!(matches!(last(&one), Some(Wrote::Gone { .. })));
        assert_eq!(last(&at("003_c_active.xml")), None);
    }

    #[test]
    fn the_last_run_of_each_other_live_process_is_told_of_again() {
        let temp = tempfile::tempdir().unwrap();
        let layout = layout(temp.path());
        let register = Register::of(&layout).unwrap();
        register.tell_who_lives();
        assert!(!register.path.exists());
        let run = |path: &str, pid| Wrote::Run { path: path.to_owned(), pid };
        // The first process of a system lives as long as that.
        let live = 1;
        // No system numbers its processes so high.
        let (own, dead) = (std::process::id(), i32::MAX.unsigned_abs());
        let runs =
            vec![run("runs/001_a/1", live), run("runs/002_b/1", dead), run("runs/003_c/1", own)];
        drop(register.tell(runs, false));
        drop(register.tell(vec![run("runs/004_d/1", live)], false));
        drop(tell(&layout, &[(&layout.workspace_dir().join("x"), None)]));
        let before = register.read();
        register.tell_who_lives();
        let after = register.read();
        assert_eq!(&after[..before.len()], &before[..]);
        let [again] = &after[before.len()..] else {
            panic!("{after:?}");
        };
        assert_eq!(again.wrote, run("runs/004_d/1", live));
        assert!(again.at >= before[before.len() - 1].at);
    }

    #[test]
    fn whoever_compares_waits_for_a_write_and_the_next_write_for_the_comparison() {
        let temp = tempfile::tempdir().unwrap();
        let layout = layout(temp.path());
        let register = Register::of(&layout).unwrap();
        let task = layout.workspace_dir().join("001_a_active.xml");
        let write = tell(&layout, &[(&task, Some(b"one"))]);
        let (say, said) = mpsc::channel();
        thread::scope(|scope| {
            let compare = scope.spawn(|| {
                let still = register.still();
                say.send(register.read().len()).unwrap();
                still
            });
            assert!(said.recv_timeout(Duration::from_millis(100)).is_err());
            drop(write);
            assert_eq!(said.recv().unwrap(), 1);
            let still = compare.join().unwrap();
            let writer = scope.spawn(|| drop(tell(&layout, &[(&task, None)])));
            thread::sleep(Duration::from_millis(100));
            assert_eq!(register.read().len(), 1);
            drop(still);
            writer.join().unwrap();
            assert_eq!(register.read().len(), 2);
        });
    }
}
