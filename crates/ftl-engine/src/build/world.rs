//! The world that effects act on: the workspace's bytes, the tree, children, the store.

use std::io;
use std::path::{Path, PathBuf};

use ftl_model::{DeltaPath, Workspace};
use ftl_process::{Command, Ended, Group, Observer, Trail};

use super::before::Before;
use super::chronicle::{Chronicle, Note, now};
use super::{
    Fault, Listener, Settings, checking, judging, leftovers, planning, reading, requests, sealing,
    verifying,
};
use crate::machine::{Effect, Event, State};
use crate::scope::Scope;
use crate::store::{Layout, Lock, OsFiles, Run, Waiting};

/// Where effects happen.
pub(super) struct World<'a> {
    pub(super) settings: &'a Settings,
    pub(super) layout: Layout,
    /// The workspace file, as it was named.
    pub(super) path: PathBuf,
    /// Its bytes, as they were read once.
    pub(super) bytes: Vec<u8>,
    /// What they say; nothing until READ, or where the reader refuses them.
    pub(super) workspace: Workspace,
    /// When the run began.
    pub(super) began: String,
    /// The run's directory; `None` in a dry run.
    pub(super) run: Option<Run>,
    /// The tree, once the delta is known.
    pub(super) scope: Option<Scope>,
    /// The tree before IMPLEMENT.
    pub(super) before: Option<Before>,
    /// Requests made so far.
    pub(super) requests: u32,
    /// Patches handed out so far.
    pub(super) patches: u32,
    /// The syntax checker, which keeps its thread.
    pub(super) checker: Option<ftl_preflight::Checker>,
    root_lock: Option<Lock>,
}

impl<'a> World<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        layout: Layout,
        path: &Path,
        bytes: Vec<u8>,
        run: Option<Run>,
    ) -> Self {
        Self {
            settings,
            layout,
            path: path.to_owned(),
            bytes,
            workspace: Workspace::default(),
            began: now(),
            run,
            scope: None,
            before: None,
            requests: 0,
            patches: 0,
            checker: None,
            root_lock: None,
        }
    }

    /// Does what the machine asks, and says what came of it.
    pub(super) fn perform(
        &mut self,
        effect: Effect,
        state: &State,
        chronicle: &mut Chronicle<'_>,
    ) -> Result<Event, Fault> {
        if let Some(signal) = ftl_process::interrupted() {
            return Err(Fault::Interrupted(signal));
        }
        match effect {
            Effect::ReadWorkspace => Ok(reading::read(self)),
            Effect::CheckPlan => Ok(planning::check(self)),
            Effect::ReadTests(path) => Ok(planning::read_tests(self, &path)),
            Effect::Implement(request) => requests::implement(self, &request, state, chronicle),
            Effect::CheckFile(path) => checking::file(self, &path, state).map(Event::FileChecked),
            Effect::RunPreflight { index, command } => {
                checking::command(self, index, &command, chronicle)
            }
            Effect::Mend(request) => requests::mend(self, &request, state, chronicle),
            Effect::Verify { .. } => verifying::verify(self, state, chronicle),
            Effect::MatchFailure {
                verification,
                earlier_time_limits,
            } => Ok(verifying::match_failure(
                self,
                &verification,
                earlier_time_limits,
            )),
            Effect::ApplyFix { failure, request } => {
                requests::apply_fix(self, failure, &request, state, chronicle)
            }
            Effect::Judge => judging::judge(self, state),
            Effect::Seal(verdict) => {
                chronicle.settle()?;
                sealing::seal(self, &verdict).map(Event::Sealed)
            }
        }
    }

    /// The project directory.
    pub(super) fn root(&self) -> &Path {
        self.layout.root()
    }

    /// The run's directory.
    pub(super) fn run(&self) -> &Run {
        self.run
            .as_ref()
            .expect("because a dry run ends before any effect that needs a directory")
    }

    /// The tree with this delta, opened once.
    pub(super) fn open_scope(&mut self, delta: &[DeltaPath]) -> Result<&Scope, Fault> {
        if self.scope.is_none() {
            let scope = Scope::open(self.root(), delta, self.settings.scope.clone())?;
            self.scope = Some(scope);
        }
        Ok(self.scope())
    }

    /// The tree, which PLAN or recovery opened.
    pub(super) fn scope(&self) -> &Scope {
        self.scope
            .as_ref()
            .expect("because the scope is opened before the first request")
    }

    /// The tree before IMPLEMENT.
    pub(super) fn before(&self) -> &Before {
        self.before
            .as_ref()
            .expect("because IMPLEMENT comes before whoever asks")
    }

    /// Whether a request takes the next patch: one for the delta or a mend does, and a fix in prose.
    pub(super) fn takes_a_patch(&self, failure: Option<usize>) -> bool {
        let failure = failure.and_then(|index| self.workspace.failures().get(index));
        let kind = failure
            .and_then(|failure| failure.fix_kind.as_deref())
            .map(str::trim);
        !matches!(kind, Some("patch" | "command" | "rerun"))
    }

    /// Takes the lock of the root, once: two builders in one tree would undo each other's files.
    pub(super) fn lock_root(&mut self, listener: &mut dyn Listener) -> Result<(), Fault> {
        if self.root_lock.is_some() {
            return Ok(());
        }
        let mut wait = |holder| listener.waiting(holder);
        let waiting = if self.settings.wait {
            Waiting::While(&mut wait)
        } else {
            Waiting::Refuse
        };
        let own = self.run.as_ref().map(|run| run.dir());
        let own = own.and_then(|dir| dir.strip_prefix(self.layout.runs_dir()).ok());
        let own = own.unwrap_or(Path::new("")).display().to_string();
        let lock = Lock::root(&self.layout, &own, waiting)?;
        if let Some(run) = lock.abandoned().filter(|run| *run != own) {
            leftovers::end_of_the_dead(self, run, listener);
        }
        self.root_lock = Some(lock);
        Ok(())
    }

    /// Runs a child, its group noted first, so that a crash leaves nobody unknown behind.
    pub(super) fn run_child(
        &self,
        command: &Command,
        chronicle: &mut Chronicle<'_>,
    ) -> Result<Ended, Fault> {
        let mut noting = Noting {
            chronicle,
            fault: None,
        };
        let ended = command.run_observed(&mut noting);
        if let Some(fault) = noting.fault {
            return Err(fault);
        }
        let ended = ended?;
        match ended.interrupted {
            Some(signal) => Err(Fault::Interrupted(signal)),
            None => Ok(ended),
        }
    }

    /// The store's door to the file system.
    pub(super) const fn files() -> &'static OsFiles {
        &OsFiles
    }
}

/// Notes children in the journal, and keeps the fault that kept it from doing so.
struct Noting<'c, 'l> {
    chronicle: &'c mut Chronicle<'l>,
    fault: Option<Fault>,
}

impl Noting<'_, '_> {
    fn note(&mut self, note: &Note) -> io::Result<()> {
        self.chronicle.note(note).map_err(|fault| {
            let told = io::Error::other(fault.to_string());
            self.fault = Some(fault);
            told
        })
    }
}

impl Observer for Noting<'_, '_> {
    fn starts(&mut self, trail: &Trail) -> io::Result<()> {
        self.note(&Note::Starts(trail.clone()))
    }

    fn started(&mut self, group: &Group) -> io::Result<()> {
        self.note(&Note::Started(group.clone()))
    }
}
