//! Patches: git's own `apply` reads them. It knows renames, modes, binary files and ends of lines, and
//! applies all of a patch or nothing, which no library that we know does in full; git is needed anyway.
//!
//! Git never sees the tree. It would follow directories that a process swaps for links, and run the
//! filters that a repository configures. It works on copies of the files that the patch names, in a
//! directory where there is nothing else ([`Workbench`]); what it made of them is found by looking, and
//! brought into the workplace beneath its root. So it does not matter how a patch spells a path.
//!
//! Which patch a request gets is only a matter of counting here. That it stays within the delta, the
//! comparison finds, as with any implementer; into `.ftl` and `.git` none may reach at all.

mod git;
mod outline;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ftl_process::{Ended, How};
use ftl_tree::{TreeError, Workbench, WorkbenchError};

use super::Answer;
use crate::run::Fault;
use crate::run::journal::recorder::Recorder;
use crate::run::world::World;
use crate::text::one_line;
use outline::Outline;

/// Git takes no larger patch.
const MOST: u64 = 1 << 30;

/// Git's own directory in the workbench; the patch is in it too.
const ASIDE: &str = ".git";

/// Applies the patch whose turn it is; when none is left, nothing changes.
pub(in crate::run) fn next(
    world: &World<'_>,
    patches: &[PathBuf],
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    // `made.patches` counts this request already: the first one gets patch 0.
    let turn = usize::try_from(world.made.patches).unwrap_or(usize::MAX);
    let Some(path) = turn.checked_sub(1).and_then(|turn| patches.get(turn)) else {
        return Ok(Answer::default());
    };
    let refused = |source| Fault::Patch { path: path.clone(), source };
    let mut file = File::open(path).map_err(refused)?;
    let name = format!("`{}`", path.display());
    apply(world, &mut file, &name, &refused, recorder)
}

/// Applies a patch that is text of the document.
pub(in crate::run) fn apply_text(
    world: &World<'_>,
    text: &str,
    name: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    let refused = |source| Fault::Patch { path: name.into(), source };
    apply(world, &mut text.as_bytes(), name, &refused, recorder)
}

/// Applies one unified diff, with or without prefixes, in whole or not at all. `refused` is the fault of one that
/// could not be read.
fn apply(
    world: &World<'_>,
    patch: &mut dyn Read,
    name: &str,
    refused: &dyn Fn(io::Error) -> Fault,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    let run = world.site.run.number();
    let place = world.workplace.as_ref().ok_or(Fault::NoWork { run })?;
    let dir = place.place.dir().with_file_name("patch");
    let bench = Workbench::open(place.copy.root(), &dir)?;
    let path = dir.join(ASIDE).join("patch.diff");
    bench.add(&format!("{ASIDE}/patch.diff"), b"")?;
    store(patch, &path).map_err(refused)?;
    let mut job = Job { world, bench, path, name };
    let done = job.run(recorder);
    // Whatever came of it. What stays after a crash, the next request removes.
    job.bench.close()?;
    match done {
        Ok(()) => Ok(Answer::default()),
        Err(Failure::Patch(why)) => Ok(Answer::failed(one_line(&why))),
        Err(Failure::Own(fault)) => Err(fault),
    }
}

/// Keeps the patch for git. One in a document is often indented or trimmed: git refuses a last line without
/// an end.
fn store(patch: &mut dyn Read, path: &Path) -> io::Result<()> {
    let mut file = File::create(path)?;
    let mut last = b'\n';
    let mut buffer = vec![0; 64 << 10];
    let mut patch = patch.take(MOST + 1);
    loop {
        let count = patch.read(&mut buffer)?;
        let Some(end) = buffer[..count].last() else {
            break;
        };
        last = *end;
        file.write_all(&buffer[..count])?;
    }
    if patch.limit() == 0 {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    if last != b'\n' {
        file.write_all(b"\n")?;
    }
    Ok(())
}

/// Why a patch was not applied.
enum Failure {
    /// It is the patch's fault: a sentence.
    Patch(String),
    /// It is ours.
    Own(Fault),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Own(fault)
    }
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        Self::Own(error.into())
    }
}

/// One patch on its workbench.
struct Job<'a> {
    world: &'a World<'a>,
    bench: Workbench,
    path: PathBuf,
    name: &'a str,
}

impl Job<'_> {
    fn run(&mut self, recorder: &mut Recorder<'_>) -> Result<(), Failure> {
        let unreadable = |path: &Path| TreeError::Io {
            action: "read",
            path: path.to_owned(),
            source: io::ErrorKind::Other.into(),
        };
        let file = File::open(&self.path).map_err(|_| unreadable(&self.path))?;
        let outline = Outline::read(&mut BufReader::new(file));
        let outline = outline.map_err(|_| unreadable(&self.path))?;
        git::prepare(&self.bench, outline.sha256)?;
        let strip =
            if outline.has_prefixes(&|path| self.bench.is_there(path)) { "-p1" } else { "-p0" };
        let listed = self.git(&[strip, "--numstat", "-z"], recorder)?;
        let names = outline::listed(&listed);
        let names: BTreeSet<Vec<u8>> = names.chain(outline.sources).collect();
        self.refuse_own(names.iter().map(|name| Path::new(OsStr::from_bytes(name))))?;
        self.copy(&names)?;
        self.git(&[strip], recorder)?;
        let made = self.bench.made(ASIDE.as_bytes())?;
        self.refuse_own(made.iter().map(|one| one.path.as_path()))?;
        recorder.settle()?;
        self.bench.bring_back(&made).map_err(|error| self.blame(error))
    }

    /// Copies the files that the patch names, with the attributes that say how their lines end.
    fn copy(&mut self, names: &BTreeSet<Vec<u8>>) -> Result<(), Failure> {
        let mut dirs = BTreeSet::new();
        for name in names {
            let copied = self.bench.copy(name);
            copied.map_err(|error| self.blame(error))?;
            let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            dirs.extend(slashes.map(|(at, _)| &name[..=at]));
        }
        // Without a repository around it, git heeds no attributes.
        if names.is_empty() || !self.bench.is_there(ASIDE.as_bytes()) {
            return Ok(());
        }
        for dir in dirs.into_iter().chain([&b""[..]]) {
            let copied = self.bench.copy(&[dir, b".gitattributes"].concat());
            copied.map_err(|error| self.blame(error))?;
        }
        Ok(())
    }

    /// It is noted like any child, and ended when ftl is killed.
    fn git(&self, words: &[&str], recorder: &mut Recorder<'_>) -> Result<Vec<u8>, Failure> {
        let out = self.bench.dir().join(ASIDE).join("out");
        let command = git::apply(self.bench.dir(), words, &self.path, &out);
        let ended = self.world.site.run_child(&command, recorder)?;
        let failed = |action, source| {
            Failure::Own(Fault::Tree(TreeError::Io { action, path: out.clone(), source }))
        };
        match ended.how {
            // Part of a list would leave files out.
            How::Exit(0) => match ended.output.spilled.and_then(|spilled| spilled.error) {
                Some(error) => Err(failed("write", error)),
                None => std::fs::read(&out).map_err(|error| failed("read", error)),
            },
            How::Exit(_) => {
                let why = reason(&ended);
                Err(self.fault(&format!("does not apply: {why}")))
            }
            How::Signal(signal) => Err(Failure::Own(Fault::Applying { signal })),
        }
    }

    /// No patch may change the store or git's own directory, in any letter case and at any depth: a file
    /// system may fold case, and each belongs to a project. Asked before the copies are made, among which git
    /// has a directory too, and after that of what git made.
    fn refuse_own<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> Result<(), Failure> {
        for path in paths {
            let owner = |name: &OsStr| match name {
                name if name.eq_ignore_ascii_case(".ftl") => Some("ftl"),
                name if name.eq_ignore_ascii_case(".git") => Some("git"),
                _ => None,
            };
            if let Some(owner) = path.components().find_map(|part| owner(part.as_os_str())) {
                let path = path.display();
                return Err(self.fault(&format!("reaches into {owner}'s own files: `{path}`")));
            }
        }
        Ok(())
    }

    fn blame(&self, error: WorkbenchError) -> Failure {
        match error {
            WorkbenchError::Refused(why) => self.fault(&format!("does not apply: {why}")),
            WorkbenchError::Tree(error) => error.into(),
        }
    }

    fn fault(&self, what: &str) -> Failure {
        Failure::Patch(format!("{} {what}", self.name))
    }
}

/// Git's first line: the rest repeats it for every hunk.
fn reason(ended: &Ended) -> String {
    let said = ended.stderr.as_ref().map(|said| said.head.as_slice());
    let said = String::from_utf8_lossy(said.unwrap_or_default());
    let mut lines = said.lines().filter(|line| !line.trim().is_empty());
    one_line(lines.next().unwrap_or("git gives no reason"))
}
