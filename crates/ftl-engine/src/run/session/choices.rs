//! What must be the same when an unfinished run is resumed.
//!
//! The journal holds it, so a field that is renamed here strands the unfinished runs of older versions.

use std::path::PathBuf;

use ftl_model::{Digest, Failure};
use ftl_store::path_text;
use ftl_tree::Settings as TreeSettings;
use serde::{Deserialize, Serialize};

use crate::run::settings::{
    CommandSettings, FailureSettings, Implementer, QualitySettings, RequestSettings,
    SeriesSettings, Settings, StartSettings, SyntaxSettings,
};

/// The settings that a run may not change on its way, as its journal keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::run) struct Choices {
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
    pub(in crate::run) fn of(settings: &Settings) -> Self {
        let Settings {
            // An unfinished run is looked for where the state directory is said to be now.
            layout,
            implementer,
            syntax,
            failures,
            quality,
            baseline,
            strict_scope,
            tree,
            // How to begin and where to wait is no part of a run.
            start:
                StartSettings {
                    wait: _,
                    fresh: _,
                    reuses_work: _,
                    restart: _,
                    dry_run: _,
                    no_change: _,
                },
            requests,
            // What a longer limit or another environment changes, the next run of a command shows.
            commands: CommandSettings { limit: _, env: _, reports: _, setup: _ },
            // The journal's first line has the attempt of its run, and the work is in the run's directory.
            slot: _,
            series:
                SeriesSettings {
                    attempt: _,
                    attempts: _,
                    stronger: _,
                    is_checked: _,
                    commit: _,
                    trailers: _,
                },
            // The machine's own options are in the journal's opening line as well.
            read_tests: _,
            untrusted: _,
            evidence: _,
            grace: _,
            // How to say it is no part of a run either.
            redactor: _,
            advice: _,
            next: _,
        } = settings;
        // How to parse safely changes no verdict, and the next check shows what the rest does.
        let SyntaxSettings { checker, limit: _, commands: _, scout: _ } = syntax;
        are_of_each_request(requests);
        // A match is a recorded event: later families decide about later failures alone.
        let FailureSettings { families: _, shared, judge: _ } = failures;
        Self {
            root: layout.root().to_owned(),
            implementer: implementer.clone(),
            checker: checker.to_string(),
            baseline: *baseline,
            strict_scope: *strict_scope,
            allow_removed: allow_removed(quality),
            tree: tree.clone(),
            knowledge: digest(shared),
        }
    }
}

/// Each request reports where its workplace was; the next one may find other means.
const fn are_of_each_request(requests: &RequestSettings) {
    let RequestSettings {
        limit: _,
        env: _,
        isolate: _,
        view: _,
        tried: _,
        performer: _,
        patience: _,
        quota_wait: _,
        waits_alone: _,
    } = requests;
}

impl Choices {
    /// Who wrote, and what counted as a stray.
    pub(in crate::run) const fn written_by(&self) -> (&Implementer, &TreeSettings) {
        (&self.implementer, &self.tree)
    }
}

fn allow_removed(quality: &QualitySettings) -> Vec<String> {
    // A judgement of idioms is a recorded event, and its rules with it, and whether the tests may change.
    let QualitySettings {
        rules: _,
        framework_of: _,
        undecided: _,
        judge: _,
        allow_removed,
        tests_change: _,
    } = quality;
    allow_removed.clone()
}

fn digest(knowledge: &[Failure]) -> Option<Digest> {
    let text = serde_json::to_vec(knowledge).expect("because every key is a string");
    (!knowledge.is_empty()).then(|| Digest::of(&text))
}
