//! The world that effects act on: the workspace's bytes, the tree, children, the store.

use std::path::{Path, PathBuf};

use ftl_model::{DeltaPath, Workspace};
use ftl_process::{Command, Ended};
use sha2::{Digest as _, Sha256};

use super::before::Before;
use super::chronicle::{Chronicle, Note, now};
use super::{Fault, Settings, checking, judging, planning, reading, requests, sealing, verifying};
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
            Effect::Seal(verdict) => sealing::seal(self, &verdict).map(Event::Sealed),
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
    pub(super) fn lock_root(&mut self, chronicle: &mut Chronicle<'_>) -> Result<(), Fault> {
        if self.root_lock.is_some() {
            return Ok(());
        }
        let listener = chronicle.listener();
        let mut wait = |holder| listener.waiting(holder);
        let waiting = if self.settings.wait {
            Waiting::While(&mut wait)
        } else {
            Waiting::Refuse
        };
        self.root_lock = Some(Lock::root(&self.layout, waiting)?);
        Ok(())
    }

    /// Runs a child, its group noted first, so that a crash leaves nobody unknown behind.
    pub(super) fn run_child(
        &self,
        command: &Command,
        chronicle: &mut Chronicle<'_>,
    ) -> Result<Ended, Fault> {
        let mut fault = None;
        let ended = command.run(|group| {
            chronicle.note(&Note::started(group)).map_err(|error| {
                let told = std::io::Error::other(error.to_string());
                fault = Some(error);
                told
            })
        });
        if let Some(fault) = fault {
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

/// The sha256 of bytes, in lower-case hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;

    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("because a string takes any text");
    }
    text
}
