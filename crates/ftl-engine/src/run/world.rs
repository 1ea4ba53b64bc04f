//! What effects act on: the task, which is known from the beginning, and the world, whose tree is open.
//!
//! They are data with a few questions to it. What is done to them is in the files that `effects` names.

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
use super::settings::Attempt;
use super::site::Site;
use super::slots::{self, WorkSlot};
use super::{Fault, Reporter, isolation};

/// A task whose document could be read, and where its run works.
pub(super) struct Task<'a> {
    pub(super) site: Site<'a>,
    pub(super) source: &'a Source<'a>,
    pub(super) content: &'a Content<'a>,
    /// When the run began.
    pub(super) began: String,
    /// Which try of its command the run is.
    pub(super) attempt: Attempt,
}

impl<'a> Task<'a> {
    /// What the stages need of the document.
    pub(super) fn brief(&self) -> &'a Brief {
        &self.content.brief
    }
}

/// Where effects happen from IMPLEMENT on.
pub(super) struct World<'a> {
    pub(super) site: &'a Site<'a>,
    pub(super) source: &'a Source<'a>,
    pub(super) content: &'a Content<'a>,
    /// The tree.
    pub(super) ground: Ground,
    /// The slot that the tree is a copy in, of a run whose delta lands.
    pub(super) slot: Option<WorkSlot>,
    /// The root, while the delta of a slot is in it.
    pub(super) landed: Option<Landed>,
    /// What was put back in the root, as sentences.
    pub(super) put_back: Vec<String>,
    /// How the tree was before the first request, once there was one.
    pub(super) before: Option<Before>,
    /// How requests are isolated.
    pub(super) level: Level,
    /// Why that is less than it could be, until a request reports it.
    pub(super) not_isolated: Option<String>,
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
    /// Locks the root and opens the tree; of a run in a slot, makes that equal to the root.
    pub(super) fn open(
        task: &'a Task<'a>,
        means: Option<Means>,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        let delta: Vec<DeltaPath> = task.brief().paths().cloned().collect();
        let (ground, slot) = match task.site.settings.slot {
            None => (Ground::enter(&task.site, &delta, false, reporter)?, None),
            Some(number) => {
                let (slot, ground) = slots::enter(&task.site, number, &delta, reporter)?;
                (ground, Some(slot))
            }
        };
        Self::new(task, ground, slot, means)
    }

    /// The world of an open tree. `means` of isolation may have been tried out before the run began.
    pub(super) fn new(
        task: &'a Task<'a>,
        ground: Ground,
        slot: Option<WorkSlot>,
        means: Option<Means>,
    ) -> Result<Self, Fault> {
        let (level, warning) = isolation::level(&task.site, &ground.tree, means)?;
        Ok(Self {
            site: &task.site,
            source: task.source,
            content: task.content,
            ground,
            not_isolated: warning,
            slot,
            landed: None,
            put_back: Vec::new(),
            before: None,
            level,
            view: None,
            made: Made { requests: 0, patches: task.attempt.patches },
            checker: None,
            judged: Vec::new(),
            matched: BTreeSet::new(),
            conversation: Conversation::default(),
        })
    }

    /// What the stages need of the document.
    pub(super) fn brief(&self) -> &'a Brief {
        &self.content.brief
    }

    /// The tree: of a slot, the root while the delta is there, else the copy.
    pub(super) fn tree(&self) -> &Tree {
        self.landed.as_ref().map_or(&self.ground.tree, |landed| &landed.ground.tree)
    }

    /// The tree that the work is written in, also while the delta of a slot is in the root.
    pub(super) fn copy(&self) -> &Tree {
        &self.ground.tree
    }

    /// The project's own tree, also where the run works in a copy of it. Of that, the lock may not be held.
    pub(super) fn root_tree(&self) -> &Tree {
        self.slot.as_ref().map_or(self.tree(), |slot| &slot.root)
    }

    /// How the tree was at a snapshot, the first of its run.
    pub(super) fn captured(&self, snapshot: Snapshot) -> Result<Before, Fault> {
        Before::of_capture(self.site, self.source, self.root_tree(), snapshot)
    }

    /// Measures the task by a snapshot if that is the first: later ones hold the task's own work.
    pub(super) fn keep_first(&mut self, snapshot: Snapshot) -> Result<(), Fault> {
        if self.before.is_none() {
            self.before = Some(self.captured(snapshot)?);
        }
        Ok(())
    }

    /// What mounts the overlay of a request or a command.
    pub(super) fn means(&self) -> Result<Option<&Means>, Fault> {
        self.level.means(self.site.settings, self.copy())
    }

    /// Whether the run's work is in a copy now.
    pub(super) fn is_in_copy(&self) -> bool {
        self.slot.is_some() && self.landed.is_none()
    }

    /// How the tree was before IMPLEMENT; gone where the snapshot of the first request is.
    pub(super) fn before(&self) -> Result<&Before, Fault> {
        match &self.before {
            Some(before) => Ok(before),
            None => Err(self.site.no_snapshot()?),
        }
    }

    /// The current state of the delta.
    pub(super) fn delta_state(&self) -> Result<DeltaState, Fault> {
        self.before()?.compare(self.tree())
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
