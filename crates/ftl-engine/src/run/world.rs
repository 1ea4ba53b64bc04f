//! What effects act on: the task, which is known from the beginning, and the world from IMPLEMENT on.
//!
//! They are data with a few questions to it. What is done to them is in the files that `effects` names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use ftl_machine::event::JudgeVerdict;
use ftl_model::{DeltaState, Remedy};
use ftl_preflight::Checker;
use ftl_process::{Capture, View};
use ftl_tree::{Tree, Watch};

use crate::run::Fault;
use crate::run::effects::implementer::Conversation;
use crate::run::landing::landed::HalfLanding;
use crate::run::landing::tree_lock::LockedTree;
use crate::run::session::brief::{Brief, Content, Source};
use crate::run::settings::{Attempt, Setup};
use crate::run::site::Site;
use crate::run::work::before::Before;
use crate::run::work::placing::Placed;
use crate::run::work::relocate::{Relocating, relocated};
use crate::run::work::workplace::OpenWorkplace;

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
    /// Where an implementer works; `None` where the implementer is the project as it is.
    pub(super) workplace: Option<OpenWorkplace>,
    /// The project, locked: while the work is in it, or all the time where there is no workplace.
    pub(super) locked: Option<LockedTree>,
    /// The landing whose first step alone is made.
    pub(super) half: Option<HalfLanding>,
    /// The project before the first verify of a landing.
    pub(super) watch: Option<Rc<Watch>>,
    /// Whether the next landing has no other task's work with it.
    pub(super) lands_alone: bool,
    /// What has to run before the next command, since manifests came.
    pub(super) setup: Option<&'a Setup>,
    /// What was undone in the project and left there, as sentences.
    pub(super) put_back: Vec<String>,
    /// Whether the work of the run before this one was laid into the workplace.
    pub(super) has_last_work: bool,
    /// How the tree was before the first request, once there was one.
    pub(super) before: Option<Before>,
    /// How the workplace is placed.
    pub(super) placed: Placed,
    /// What the request under way sees at the root's path.
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

/// Requests and patches are numbered through the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) requests: u32,
    pub(super) patches: u32,
}

impl<'a> World<'a> {
    /// What the stages need of the document.
    pub(super) fn brief(&self) -> &'a Brief {
        &self.content.brief
    }

    /// The tree that has the work: the project while the work is there, else the workplace.
    pub(super) fn tree(&self) -> &Tree {
        match (&self.locked, &self.workplace) {
            (Some(locked), _) => &locked.tree,
            (None, Some(place)) => &place.copy,
            (None, None) => unreachable!("a world has the project or a workplace"),
        }
    }

    /// The tree that an implementer writes in.
    pub(super) fn copy(&self) -> &Tree {
        self.workplace.as_ref().map_or_else(|| self.tree(), |place| &place.copy)
    }

    /// The project's own tree. Its lock may not be held.
    pub(super) fn root_tree(&self) -> &Tree {
        self.workplace.as_ref().map_or_else(|| self.tree(), |place| &place.root)
    }

    /// Whether the run's work is in a workplace now.
    pub(super) fn is_in_workplace(&self) -> bool {
        self.workplace.is_some() && self.locked.is_none()
    }

    /// The root's path as an implementer sees it.
    pub(super) fn seen_root(&self) -> &Path {
        let is_elsewhere =
            self.placed.means.is_none() && self.site.settings.requests.performer.is_none();
        match self.workplace.as_ref().filter(|_| is_elsewhere) {
            Some(place) => place.copy.root(),
            None => self.site.root(),
        }
    }

    /// A path as an implementer sees it.
    pub(super) fn seen(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(self.site.root()) {
            Ok(below) => self.seen_root().join(below),
            Err(_) => path.to_owned(),
        }
    }

    /// A text with the root's path as an implementer sees it.
    pub(super) fn as_seen(&self, text: &str) -> String {
        let [root, seen] = [self.site.root(), self.seen_root()].map(Path::to_string_lossy);
        if root == seen { text.to_owned() } else { relocated(text, &root, &seen) }
    }

    /// A text of an implementer with the root's own path.
    pub(super) fn as_meant(&self, text: &str) -> String {
        let [root, seen] = [self.site.root(), self.seen_root()].map(Path::to_string_lossy);
        if root == seen { text.to_owned() } else { relocated(text, &seen, &root) }
    }

    /// Keeps an implementer's output without its secrets, with the root's own path in it.
    pub(super) fn capture(&self, log: &Path) -> Capture {
        let capture = self.site.capture(log);
        let [root, seen] = [self.site.root(), self.seen_root()].map(Path::to_string_lossy);
        if root == seen {
            return capture;
        }
        let secrets = Arc::new(self.site.secrets.clone());
        capture.filtered(Arc::new(Relocating::new(secrets, &seen, &root)))
    }

    /// Whether a command may end otherwise in the workplace than in the project, and can be tried there: at another path
    /// it could end otherwise for that alone.
    pub(super) fn is_apart(&self) -> bool {
        let is_bound = self.placed.means.is_some();
        self.workplace.as_ref().is_some_and(|place| is_bound && place.is_apart)
    }

    /// How the tree was before IMPLEMENT.
    pub(super) fn before(&self) -> Result<&Before, Fault> {
        self.before.as_ref().ok_or(Fault::NoWork { run: self.site.run.number() })
    }

    /// The current state of the delta.
    pub(super) fn delta_state(&self) -> Result<DeltaState, Fault> {
        self.before()?.compare(self.tree())
    }

    /// Where the request under way keeps its files.
    pub(super) fn request_dir(&self) -> PathBuf {
        self.site.run.request(self.made.requests)
    }
}

/// Whether a request takes the next patch: one for the delta or a repair does, and a fix in prose.
pub(super) fn takes_a_patch(brief: &Brief, failure: usize) -> bool {
    let failures = brief.workspace.failures();
    match failures.get(failure).map(|failure| failure.remedy()) {
        Some(Remedy::Patch(_) | Remedy::Command(_) | Remedy::Rerun) => false,
        Some(Remedy::Prose(_)) | None => true,
    }
}
