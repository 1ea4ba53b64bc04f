//! What must be the same when an unfinished run is resumed.
//!
//! The journal holds it, so a field that is renamed here strands the unfinished runs of older versions.

use std::path::PathBuf;

use ftl_model::{Digest, Failure};
use ftl_store::path_text;
use ftl_tree::Settings as TreeSettings;
use serde::{Deserialize, Serialize};

use super::settings::{Implementer, Settings};

/// The settings that a run may not change on its way, as its journal keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Choices {
    #[serde(with = "path_text")]
    root: PathBuf,
    implementer: Implementer,
    checker: String,
    baseline: bool,
    strict_scope: bool,
    allow_removed: Vec<String>,
    tree: TreeSettings,
    /// Of the shared failures: a match names its failure by its place among all that are known.
    knowledge: Option<Digest>,
}

impl Choices {
    /// Of every setting it is decided here whether it may change: a new one does not compile until
    /// this function names it.
    pub(super) fn of(settings: &Settings) -> Self {
        let Settings {
            root,
            implementer,
            checker,
            baseline,
            strict_scope,
            allow_removed,
            tree,
            knowledge,
            // The machine's own options are in the journal's opening line as well.
            read_tests: _,
            untrusted: _,
            // What it decides is recorded by an event.
            tests_change: _,
            undecided: _,
            dry_run: _,
            // What a longer limit or another environment changes, the next run of a command shows.
            check_limit: _,
            check_commands: _,
            agent_limit: _,
            agent_env: _,
            verify_limit: _,
            verify_env: _,
            grace: _,
            // A match is a recorded event: later families decide about later failures alone.
            families: _,
            judge: _,
            idiom_judge: _,
            // So is a judgement of idioms, and its rules with it.
            rules: _,
            // How to begin, where to wait, how to parse safely and how to say it are no part of a run.
            wait: _,
            whose: _,
            // An unfinished run is looked for where it is said to be now.
            state: _,
            restart: _,
            redactor: _,
            scout: _,
            view: _,
            // Each request reports how it is isolated; the next one may find other means.
            isolate: _,
            tried: _,
            performer: _,
            patience: _,
            advice: _,
            next: _,
            // The journal's first line has the slot and the attempt of its run.
            slot: _,
            attempt: _,
            attempts: _,
            is_checked: _,
            commit: _,
            is_followed: _,
            framework_of: _,
        } = settings;
        Self {
            root: root.clone(),
            implementer: implementer.clone(),
            checker: checker.to_string(),
            baseline: *baseline,
            strict_scope: *strict_scope,
            allow_removed: allow_removed.clone(),
            tree: tree.clone(),
            knowledge: digest(knowledge),
        }
    }
}

impl Choices {
    /// Who wrote, and what counted as a stray.
    pub(super) const fn written_by(&self) -> (&Implementer, &TreeSettings) {
        (&self.implementer, &self.tree)
    }
}

fn digest(knowledge: &[Failure]) -> Option<Digest> {
    let text = serde_json::to_vec(knowledge).expect("because every key is a string");
    (!knowledge.is_empty()).then(|| Digest::of(&text))
}
