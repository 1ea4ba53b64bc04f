//! How the runs of a schedule are performed: one after another in this process, or each in a child process.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ChildStdout;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ftl_process::{Companion, How};
use ftl_store::Runs;

use super::line::{FailedChild, Line, Obstacle};
use super::{Job, Watcher};
use crate::result::{BuildResult, ErrorText};
use crate::run::work::workplace;
use crate::run::{Fault, Settings, build};

/// How often a wait looks for an interrupt.
const TICK: Duration = Duration::from_millis(100);

/// Why a run could not begin or go on.
#[derive(Debug)]
pub enum Broken {
    /// In this process.
    Here(Fault),
    /// In a child process.
    Child(Box<FailedChild>),
}

impl Broken {
    pub(super) fn message(&self) -> String {
        match self {
            Self::Here(fault) => fault.to_string(),
            Self::Child(failed) => failed.error.message.clone(),
        }
    }

    pub(super) fn obstacle(&self) -> Option<Obstacle> {
        match self {
            Self::Here(fault) => Obstacle::of(fault),
            Self::Child(failed) => failed.obstacle,
        }
    }
}

/// A run that begins.
pub(super) struct Begin<'r> {
    pub(super) task: usize,
    pub(super) job: &'r Job,
    pub(super) path: &'r Path,
    pub(super) settings: Settings,
}

/// A run that has ended.
pub(super) struct Done {
    pub(super) task: usize,
    pub(super) result: Result<BuildResult, Broken>,
}

/// Performs runs.
pub(super) trait Builder {
    /// Begins a run.
    fn begin(&mut self, begin: Begin<'_>, watcher: &mut dyn Watcher);

    /// Waits for a run to end, for so long at most, and passes on what the others report.
    fn wait(&mut self, limit: Duration, jobs: &[Job], watcher: &mut dyn Watcher) -> Option<Done>;
}

/// One run after another.
#[derive(Default)]
pub(super) struct InTurn(Option<Done>);

impl Builder for InTurn {
    fn begin(&mut self, begin: Begin<'_>, watcher: &mut dyn Watcher) {
        watcher.begins_task(begin.job);
        let result = build(begin.path, &begin.settings, watcher.reporter());
        watcher.ends_run();
        self.0 = Some(Done { task: begin.task, result: result.map_err(Broken::Here) });
    }

    fn wait(&mut self, limit: Duration, _: &[Job], _: &mut dyn Watcher) -> Option<Done> {
        let done = self.0.take();
        if done.is_none() {
            thread::sleep(limit.min(TICK));
        }
        done
    }
}

type MakeWords<'w> = dyn Fn(&Job, &Path, &ChildBuild) -> Vec<OsString> + 'w;

/// What a child process has to know beside its task.
#[derive(Clone, Copy, Debug)]
pub struct ChildBuild {
    /// The slot that it works in.
    pub slot: u32,
    /// Which attempt of the command it is.
    pub attempt: u32,
    /// Which of the command's agents makes it.
    pub rung: u32,
    /// Whether an unfinished run is given up.
    pub restart: bool,
    /// How long what performs requests is waited for.
    pub patience: Duration,
}

/// How child processes are started.
pub struct SideBySide<'w> {
    /// How many runs may be under way at once.
    pub jobs: usize,
    /// This program.
    pub program: PathBuf,
    /// Its arguments for the build of one task in a slot.
    pub words: Box<MakeWords<'w>>,
}

impl std::fmt::Debug for SideBySide<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SideBySide").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// What a child process says.
enum Said {
    Line(Box<Line>),
    /// Its output has ended.
    End,
}

struct Child {
    companion: Companion,
    slot: u32,
    last: Option<Result<BuildResult, Broken>>,
}

/// A child process for each run.
pub(super) struct Children<'w> {
    how: SideBySide<'w>,
    children: BTreeMap<usize, Child>,
    sender: Sender<(usize, Said)>,
    receiver: Receiver<(usize, Said)>,
    /// Runs that could not be started.
    failed: Vec<Done>,
    /// Slots that there was no room for: what fits is in the others.
    no_room: BTreeSet<u32>,
    /// The signal that was passed on.
    passed_on: Option<i32>,
}

impl<'w> Children<'w> {
    pub(super) fn new(how: SideBySide<'w>) -> Self {
        let (sender, receiver) = mpsc::channel();
        Self {
            how,
            children: BTreeMap::new(),
            sender,
            receiver,
            failed: Vec::new(),
            no_room: BTreeSet::new(),
            passed_on: None,
        }
    }

    /// The slot that holds the work of an interrupted run of the task; else the first that is free and holds no work.
    fn slot_for(&self, job: &Job) -> u32 {
        let most = u32::try_from(self.how.jobs).unwrap_or(u32::MAX).saturating_mul(4);
        let is_free = |slot: &u32| self.children.values().all(|child| child.slot != *slot);
        let owner = |slot: u32| unfinished_owner(job, slot);
        let own = job.workspace.id().as_str();
        let held = (0..most).find(|slot| is_free(slot) && owner(*slot).as_deref() == Some(own));
        let free = |slot: &u32| is_free(slot) && owner(*slot).is_none();
        let roomy = || (0..most).find(|slot| free(slot) && !self.no_room.contains(slot));
        held.or_else(roomy)
            .or_else(|| (0..most).find(free))
            .or_else(|| (0..).find(is_free))
            .unwrap_or_default()
    }

    fn pass_on_interrupts(&mut self) {
        let Some(signal) = ftl_process::interrupted() else {
            return;
        };
        if self.passed_on.replace(signal).is_none() {
            for child in self.children.values() {
                child.companion.signal(signal);
            }
        }
    }

    fn hear(
        &mut self,
        task: usize,
        said: Said,
        jobs: &[Job],
        watcher: &mut dyn Watcher,
    ) -> Option<Done> {
        match said {
            Said::Line(line) => {
                let child = self.children.get_mut(&task)?;
                match *line {
                    Line::Built(built) => child.last = Some(Ok(built.into_result())),
                    Line::Failed(failed) => child.last = Some(Err(Broken::Child(failed))),
                    line => watcher.received(&jobs[task], &line),
                }
                None
            }
            Said::End => {
                let child = self.children.remove(&task)?;
                let how = child.companion.wait();
                watcher.ends_run_of(&jobs[task]);
                let result = child.last.unwrap_or_else(|| Err(crashed(how)));
                if let Err(broken) = &result
                    && broken.obstacle() == Some(Obstacle::NoRoom)
                {
                    self.no_room.insert(child.slot);
                }
                Some(Done { task, result })
            }
        }
    }
}

/// The task whose unfinished run a slot holds work of.
fn unfinished_owner(job: &Job, slot: u32) -> Option<String> {
    let layout = &job.settings.layout;
    let owner = workplace::owner(&job.settings, layout, slot)?;
    let (id, number) = owner.rsplit_once('/')?;
    let (seq, slug) = id.split_once('_').unwrap_or((id, ""));
    let id = ftl_model::WorkspaceId::new(seq, slug);
    let unfinished = Runs::new(&ftl_store::OsFiles, layout, &id).unfinished().ok()??;
    (unfinished.number().to_string() == number).then(|| id.to_string())
}

fn crashed(how: std::io::Result<How>) -> Broken {
    let how = match how {
        Ok(How::Exit(code)) => format!("exit {code}"),
        Ok(How::Signal(signal)) => format!("signal {signal}"),
        Err(error) => error.to_string(),
    };
    let message = format!("the process that built the task ended without a result: {how}");
    broken("build::child", message, Some("the same command continues the task"))
}

fn broken(code: &str, message: String, help: Option<&str>) -> Broken {
    let error = ErrorText {
        code: code.to_owned(),
        message,
        help: help.map(str::to_owned),
        paths: Vec::new(),
        next: Vec::new(),
    };
    Broken::Child(Box::new(FailedChild { error, exit: 1, obstacle: None }))
}

impl Builder for Children<'_> {
    fn begin(&mut self, begin: Begin<'_>, watcher: &mut dyn Watcher) {
        let Begin { task, job, path, settings } = begin;
        let slot = self.slot_for(job);
        let build = ChildBuild {
            slot,
            attempt: settings.series.attempt.number,
            rung: settings.series.attempt.rung,
            restart: settings.start.restart,
            patience: settings.requests.patience,
        };
        watcher.begins_task(job);
        let words = (self.how.words)(job, path, &build);
        match Companion::start(&self.how.program, words) {
            Ok((companion, output)) => {
                listen(task, output, self.sender.clone());
                self.children.insert(task, Child { companion, slot, last: None });
            }
            Err(error) => {
                let result = Err(Broken::Here(error.into()));
                self.failed.push(Done { task, result });
            }
        }
    }

    fn wait(&mut self, limit: Duration, jobs: &[Job], watcher: &mut dyn Watcher) -> Option<Done> {
        if let Some(failed) = self.failed.pop() {
            return Some(failed);
        }
        let until = Instant::now() + limit.min(TICK);
        loop {
            self.pass_on_interrupts();
            let left = until.saturating_duration_since(Instant::now());
            match self.receiver.recv_timeout(left) {
                Ok((task, said)) => {
                    if let Some(done) = self.hear(task, said, jobs, watcher) {
                        return Some(done);
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

/// Reads what a child says, on a thread that ends with it.
fn listen(task: usize, output: ChildStdout, sender: Sender<(usize, Said)>) {
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n') {
            let Ok(line) = line else { break };
            if let Ok(line) = serde_json::from_slice(&line)
                && sender.send((task, Said::Line(Box::new(line)))).is_err()
            {
                return;
            }
        }
        drop(sender.send((task, Said::End)));
    });
}
