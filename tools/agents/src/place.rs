//! Where a run takes place, and what is left there when it is over.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_model_server::{Asked, Server};
use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::case::Way;
use crate::installed::{Installed, directory};
use crate::{project, setup};

/// By this variable a process is known to be of a run.
const MARK: &str = "FTL_AGENT_CASE";

/// The directories of a run, and what it is known by.
pub(crate) struct RunPlace {
    pub(crate) work: PathBuf,
    /// The project.
    pub(crate) at: PathBuf,
    pub(crate) home: PathBuf,
    tmp: PathBuf,
    key: String,
    mark: String,
}

/// What a run left.
pub(crate) struct Left {
    /// Processes, by their command lines.
    pub(crate) running: Vec<String>,
    /// Where the key was found.
    pub(crate) leaks: Vec<String>,
    /// The content of the temporary directory, by name.
    pub(crate) temporary: Vec<String>,
}

impl RunPlace {
    /// Makes the directories, with nothing in the project.
    ///
    /// # Errors
    ///
    /// One could not be made.
    pub(crate) fn make(agent: &Installed, way: Way, case: &str) -> Result<Self> {
        let name = format!("{}-{}-{case}", agent.name, way.name());
        let work = directory().join("work").join(&name);
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        let place = Self {
            at: work.join("project"),
            home: match way {
                Way::Newcomer => work.join("home"),
                Way::Open | Way::Scoped | Way::Mcp => home(agent),
            },
            tmp: work.join("tmp"),
            key: format!("k3y-{:016x}{:08x}", hash(&name), std::process::id()),
            mark: format!("{name}-{}", std::process::id()),
            work,
        };
        for dir in [&place.at, &place.home, &place.tmp] {
            fs::create_dir_all(dir)?;
        }
        Ok(place)
    }

    /// Points the agent at a server, and gives its variables.
    ///
    /// # Errors
    ///
    /// As [`setup::point`].
    pub(crate) fn point(&self, agent: &Installed, url: &str) -> Result<Vec<(String, String)>> {
        setup::point(&agent.name, &self.home, url, &self.key)
    }

    /// A program in the project, ended when it hangs.
    pub(crate) fn program(&self, agent: &Installed, env: &[(String, String)]) -> Program {
        // Far more than the limits of its requests: only an ftl that hangs is ended.
        let program = Program::new("timeout", &self.at)
            .args(["--kill-after=5", "400"])
            .without_env()
            .env("PATH", &agent.path)
            .env("HOME", &self.home)
            .env("TMPDIR", &self.tmp)
            .env("LANG", "C.UTF-8")
            .env(MARK, &self.mark);
        env.iter().fold(program, |program, (name, value)| program.env(name, value))
    }

    /// Looks at what the run left, ends what still runs, and writes what it printed beside the project.
    ///
    /// # Errors
    ///
    /// Something could not be written.
    pub(crate) fn left(&self, printed: &[(&str, &str)], asked: &[Asked]) -> Result<Left> {
        let running = left_running(&self.mark);
        let asked = asked.iter().map(|asked| {
            let turns = asked.conversation.turns.len();
            format!("{} {} {turns}\n{}\n", asked.path, asked.answer, asked.body)
        });
        fs::write(self.work.join("server.log"), asked.collect::<Vec<_>>().join("\n"))?;
        let mut written = vec![self.work.join("events.jsonl")];
        for (name, text) in printed {
            let path = self.work.join(name);
            fs::write(&path, text)?;
            written.push(path);
        }
        let kept = project::files(&self.at)
            .into_iter()
            .chain(project::files(&self.home.join(".local/state/ftl")));
        let leaks = written.into_iter().chain(kept).filter(|file| holds(file, &self.key));
        let shown = |file: PathBuf| {
            let short = file.strip_prefix(&self.work).unwrap_or(&file);
            short.display().to_string()
        };
        Ok(Left { running, leaks: leaks.map(shown).collect(), temporary: names(&self.tmp) })
    }
}

/// What a server was asked; it answers no more.
pub(crate) fn asked_of(server: Server) -> Vec<Asked> {
    let asked = server.asked();
    drop(server);
    asked
}

/// An agent's home, the same for all of its runs but those of a newcomer.
pub(crate) fn home(agent: &Installed) -> PathBuf {
    directory().join("homes").join(&agent.name)
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn holds(file: &Path, key: &str) -> bool {
    let bytes = fs::read(file).unwrap_or_default();
    bytes.windows(key.len()).any(|part| part == key.as_bytes())
}

/// Another key for every case; it only has to look like none of the rest.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Processes of the run that live, a moment after ftl ended. What is left is ended.
fn left_running(mark: &str) -> Vec<String> {
    std::thread::sleep(std::time::Duration::from_millis(300));
    let wanted = format!("{MARK}={mark}");
    let mut left = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let is_ours =
            environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes());
        if !is_ours {
            continue;
        }
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        left.push(String::from_utf8_lossy(&line).replace('\0', " "));
        let id = entry.file_name().to_string_lossy().into_owned();
        drop(Program::new("kill", Path::new("/")).args(["-9", &id]).silent().code());
    }
    left
}
