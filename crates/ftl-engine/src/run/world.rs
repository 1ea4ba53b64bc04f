//! The world that effects act on: the document, the tree, and what was done to it so far.
//!
//! It is data with a few questions to it. What is done to it is in the files that `effects` names.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use ftl_machine::event::JudgeVerdict;
use ftl_model::{DeltaPath, DeltaState, Remedy};
use ftl_preflight::Checker;
use ftl_process::{Command, View};
use ftl_tree::{Snapshot, Tree, Watch};

use super::before::Before;
use super::brief::{Brief, Content, Source};
use super::ground::Ground;
use super::implementer::Conversation;
use super::isolation::{Level, Means};
use super::recorder::Recorder;
use super::settings::Attempt;
use super::site::Site;
use super::slots::{self, WorkSlot};
use super::{Fault, isolation};

/// Where effects happen.
pub(super) struct World<'a> {
    pub(super) site: Site<'a>,
    pub(super) source: &'a Source<'a>,
    pub(super) content: &'a Content<'a>,
    /// When the run began.
    pub(super) began: String,
    /// Which try of its command the run is.
    pub(super) attempt: Attempt,
    /// The tree, from IMPLEMENT on.
    pub(super) ground: Option<Ground>,
    /// The slot that the tree is a copy in, of a run whose delta lands.
    pub(super) slot: Option<WorkSlot>,
    /// The root, while the delta of a slot is in it.
    pub(super) landed: Option<Landed>,
    /// What was put back in the root, as sentences.
    pub(super) put_back: Vec<String>,
    /// How the tree was before the first request, once there was one.
    pub(super) before: Option<Before>,
    /// Means of isolation that were tried out before the run began.
    pub(super) means: Option<Means>,
    /// How requests are isolated, once that is decided.
    pub(super) level: Option<Level>,
    /// What the request under way sees in place of the tree.
    pub(super) view: Option<View>,
    /// Requests made so far, and patches handed out.
    pub(super) made: Made,
    /// The syntax checker, which keeps its thread.
    pub(super) checker: Option<Checker>,
    /// What the judge said of which error.
    pub(super) judged: Vec<JudgeVerdict>,
    /// The failures, by their places, that errors were matched with.
    pub(super) matched: BTreeSet<usize>,
    /// The agent's conversation so far.
    pub(super) conversation: Conversation,
}

/// A delta that is in the root.
pub(super) struct Landed {
    pub(super) ground: Ground,
    /// How the delta was before the work, in the copy.
    pub(super) in_copy: Option<Before>,
    /// The tree before the first verify.
    pub(super) watch: Option<Rc<Watch>>,
}

/// Requests and patches are numbered through the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) requests: u32,
    pub(super) patches: u32,
}

impl<'a> World<'a> {
    pub(super) fn new(
        site: Site<'a>,
        source: &'a Source<'a>,
        content: &'a Content<'a>,
        began: String,
        attempt: Attempt,
    ) -> Self {
        Self {
            attempt,
            site,
            source,
            content,
            began,
            ground: None,
            slot: None,
            landed: None,
            put_back: Vec::new(),
            before: None,
            means: None,
            level: None,
            view: None,
            made: Made { requests: 0, patches: attempt.patches },
            checker: None,
            judged: Vec::new(),
            matched: BTreeSet::new(),
            conversation: Conversation::default(),
        }
    }

    /// What the stages need of the document.
    pub(super) fn brief(&self) -> &'a Brief {
        &self.content.brief
    }

    /// The tree, which IMPLEMENT or recovery opened: of a slot, the root while the delta is there, else the copy.
    pub(super) fn tree(&self) -> Result<&Tree, Fault> {
        match &self.landed {
            Some(landed) => Ok(&landed.ground.tree),
            None => self.copy(),
        }
    }

    /// The tree that the work is written in, also while the delta of a slot is in the root.
    pub(super) fn copy(&self) -> Result<&Tree, Fault> {
        let ground = self.ground.as_ref();
        let ground = ground.ok_or(Fault::OutOfOrder("an effect on a tree that is not open"))?;
        Ok(&ground.tree)
    }

    /// The project's own tree, also where the run works in a copy of it. Of that, the lock may not be held.
    pub(super) fn root_tree(&self) -> Result<&Tree, Fault> {
        match &self.slot {
            Some(slot) => Ok(&slot.root),
            None => self.tree(),
        }
    }

    /// How the tree was at a snapshot, the first of its run.
    pub(super) fn captured(&self, snapshot: Snapshot) -> Result<Before, Fault> {
        Before::of_capture(&self.site, self.source, self.root_tree()?, snapshot)
    }

    /// Measures the task by a snapshot if that is the first: later ones hold the task's own work.
    pub(super) fn keep_first(&mut self, snapshot: Snapshot) -> Result<(), Fault> {
        if self.before.is_none() {
            self.before = Some(self.captured(snapshot)?);
        }
        Ok(())
    }

    /// Decides the level of isolation, the first time that it is asked for. A warning where `auto` got less than
    /// it could have.
    pub(super) fn settle_isolation(&mut self) -> Result<Option<String>, Fault> {
        if self.level.is_some() {
            return Ok(None);
        }
        let tried = self.means.take();
        let (level, warning) = isolation::level(&self.site, self.tree()?, tried)?;
        self.level = Some(level);
        Ok(warning)
    }

    /// Whether the run's work is in a copy now.
    pub(super) fn is_in_copy(&self) -> bool {
        self.slot.is_some() && self.landed.is_none()
    }

    /// How the tree was before IMPLEMENT.
    pub(super) fn before(&self) -> Result<&Before, Fault> {
        let before = self.before.as_ref();
        before.ok_or(Fault::OutOfOrder("an effect on a delta that was not written"))
    }

    /// The current state of the delta.
    pub(super) fn delta_state(&self) -> Result<DeltaState, Fault> {
        self.before()?.compare(self.tree()?)
    }

    /// Locks the root and opens the tree, once; of a run in a slot, makes that equal to the root.
    pub(super) fn enter_tree(
        &mut self,
        delta: &[DeltaPath],
        recorder: &mut Recorder<'_>,
    ) -> Result<(), Fault> {
        if self.ground.is_some() {
            return Ok(());
        }
        let reporter = recorder.reporter();
        self.ground = Some(match self.site.settings.slot {
            None => Ground::enter(&self.site, delta, false, reporter)?,
            Some(number) => {
                let (slot, ground) = slots::enter(&self.site, number, delta, reporter)?;
                self.slot = Some(slot);
                ground
            }
        });
        Ok(())
    }

    /// A command of the request under way, where it is to run.
    pub(super) fn placed(&self, command: Command) -> Command {
        match &self.view {
            Some(view) => command.within(view.clone()),
            None => command,
        }
    }

    /// Where the request under way keeps its files.
    pub(super) fn request_dir(&self) -> PathBuf {
        self.site.run.request(self.made.requests)
    }

    /// Whether a request takes the next patch: one for the delta or a repair does, and a fix in prose.
    pub(super) fn takes_a_patch(&self, failure: usize) -> bool {
        let failures = self.brief().workspace.failures();
        match failures.get(failure).map(|failure| failure.remedy()) {
            Some(Remedy::Patch(_) | Remedy::Command(_) | Remedy::Rerun) => false,
            Some(Remedy::Prose(_)) | None => true,
        }
    }
}
