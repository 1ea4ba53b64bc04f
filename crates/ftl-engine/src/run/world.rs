//! The world that effects act on: the document, the tree, children, the store.
//!
//! [`World::perform`] is the table of who does what; each row is a file of its own. An effect that needs
//! the tree can come only after IMPLEMENT opened it, or recovery did: one that comes earlier is a fault
//! of ftl's own, told as such ([`Fault::OutOfOrder`]).

use std::path::PathBuf;

use ftl_machine::{Effect, Event};
use ftl_model::{DeltaPath, DeltaState, Remedy};
use ftl_preflight::Checker;
use ftl_store::Lock;
use ftl_tree::Tree;

use super::before::Before;
use super::brief::{Brief, Content, Source};
use super::driver::Perform;
use super::recorder::Recorder;
use super::site::Site;
use super::{Fault, judging, planner, preflighting, requests, sealing, verifying};

/// Where effects happen.
pub(super) struct World<'a> {
    pub(super) site: Site<'a>,
    pub(super) source: &'a Source<'a>,
    pub(super) content: &'a Content<'a>,
    /// When the run began.
    pub(super) began: String,
    /// The tree, from IMPLEMENT on.
    pub(super) ground: Option<Ground>,
    /// How the tree was before anybody wrote it, once somebody did.
    pub(super) before: Option<Before>,
    /// Requests made so far, and patches handed out.
    pub(super) made: Made,
    /// The syntax checker, which keeps its thread.
    pub(super) checker: Option<Checker>,
}

/// The tree that a run works in, and the lock that keeps other builders out of it.
pub(super) struct Ground {
    pub(super) tree: Tree,
    pub(super) _lock: Lock,
}

/// Requests and patches are numbered through the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) requests: u32,
    pub(super) patches: u32,
}

impl Perform for World<'_> {
    fn perform(&mut self, effect: Effect, recorder: &mut Recorder<'_>) -> Result<Event, Fault> {
        // Between effects nothing is half done: a good place to stop.
        if let Some(signal) = ftl_process::interrupted() {
            return Err(Fault::Interrupted(signal));
        }
        match effect {
            Effect::ReadWorkspace => Ok(planner::read(self.source)),
            Effect::CheckPlan => Ok(planner::check_plan(self.brief(), self.site.root())),
            Effect::ReadTests(path) => Ok(planner::digest_tests(&path, self.site.root())),
            Effect::Implement(request) => requests::implement(self, &request, recorder),
            Effect::CheckFile(path) => preflighting::file(self, &path).map(Event::FileChecked),
            Effect::RunPreflight { index, command } => {
                preflighting::command(self, index, &command, recorder)
            }
            Effect::Mend(request) => requests::mend(self, &request, recorder),
            Effect::Verify { command } => verifying::verify(self, &command, recorder),
            Effect::MatchFailure {
                verification,
                earlier_time_limits,
            } => Ok(verifying::match_failure(
                self,
                &verification,
                earlier_time_limits,
            )),
            Effect::ApplyFix {
                failure,
                request,
                touched,
            } => requests::apply_fix(self, failure, &request, touched, recorder),
            Effect::Judge => judging::judge(self),
            Effect::Seal(verdict) => {
                // A sealed record whose journal ends earlier could not be explained.
                recorder.settle()?;
                sealing::seal(self, &verdict).map(Event::Sealed)
            }
        }
    }
}

impl<'a> World<'a> {
    pub(super) fn new(
        site: Site<'a>,
        source: &'a Source<'a>,
        content: &'a Content<'a>,
        began: String,
    ) -> Self {
        Self {
            site,
            source,
            content,
            began,
            ground: None,
            before: None,
            made: Made::default(),
            checker: None,
        }
    }

    /// What the stages need of the document.
    pub(super) fn brief(&self) -> &'a Brief {
        &self.content.brief
    }

    /// The tree, which IMPLEMENT or recovery opened.
    pub(super) fn tree(&self) -> Result<&Tree, Fault> {
        let ground = self.ground.as_ref();
        ground
            .map(|ground| &ground.tree)
            .ok_or(Fault::OutOfOrder("an effect on a tree that nobody opened"))
    }

    /// How the tree was before IMPLEMENT.
    pub(super) fn before(&self) -> Result<&Before, Fault> {
        let before = self.before.as_ref();
        before.ok_or(Fault::OutOfOrder("an effect on a delta that nobody wrote"))
    }

    /// How the delta stands now.
    pub(super) fn delta_state(&self) -> Result<DeltaState, Fault> {
        self.before()?.compare(self.tree()?)
    }

    /// Locks the root and opens the tree, once.
    pub(super) fn enter_tree(
        &mut self,
        delta: &[DeltaPath],
        recorder: &mut Recorder<'_>,
    ) -> Result<(), Fault> {
        if self.ground.is_none() {
            self.ground = Some(self.site.enter_tree(delta, recorder.reporter())?);
        }
        Ok(())
    }

    /// Where the request under way keeps its files.
    pub(super) fn request_dir(&self) -> PathBuf {
        let number = self.made.requests.to_string();
        self.site.run.dir().join("requests").join(number)
    }

    /// Whether a request takes the next patch: one for the delta or a mend does, and a fix in prose.
    pub(super) fn takes_a_patch(&self, failure: usize) -> bool {
        let failures = self.brief().workspace.failures();
        match failures.get(failure).map(|failure| failure.remedy()) {
            Some(Remedy::Patch(_) | Remedy::Command(_) | Remedy::Rerun) => false,
            Some(Remedy::Prose(_)) | None => true,
        }
    }
}

impl Site<'_> {
    /// Locks the root and opens the tree.
    pub(super) fn enter_tree(
        &self,
        delta: &[DeltaPath],
        reporter: &mut dyn super::Reporter,
    ) -> Result<Ground, Fault> {
        let lock = self.lock_root(reporter)?;
        let mut settings = self.settings.tree.clone();
        settings.scratch.extend(self.state_below_root());
        let tree = Tree::open(self.root(), delta, settings)?;
        Ok(Ground { tree, _lock: lock })
    }
}
