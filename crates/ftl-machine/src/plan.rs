//! The task as the machine sees it: plain data.

use std::collections::BTreeSet;

use ftl_model::{DeltaPath, Finding, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

words! {
    /// When a verify source is read before the implementer is asked.
    #[derive(Default)]
    pub enum ReadTests {
        /// When the budget still carries every delta file and one verify after it.
        #[default]
        Auto = "auto",
        /// Whenever two calls remain.
        Always = "always",
        /// Not at all.
        Never = "never",
    }
}

words! {
    /// Which experiments show what a passing verify is worth.
    #[derive(Default)]
    pub enum Evidence {
        /// Those that are cheap.
        #[default]
        Auto = "auto",
        /// All.
        Full = "full",
        /// None.
        None = "none",
    }
}

words! {
    /// What becomes of an idiom that no rule decides.
    #[derive(Default)]
    pub enum Undecided {
        /// It is a warning.
        #[default]
        Warn = "warn",
        /// The judge is asked; what it does not decide is a warning.
        Judge = "judge",
        /// It counts as violated.
        Block = "block",
    }
}

/// What the caller chose, fixed for the whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Options {
    /// When READ_TESTS is entered.
    pub read_tests: ReadTests,
    /// Stop after PLAN, and seal nothing.
    pub dry_run: bool,
    /// False where the implementer is the current tree, which cannot fix anything.
    pub can_mend: bool,
    /// Verify findings that block.
    pub untrusted: BTreeSet<Finding>,
    /// What becomes of undecided idioms.
    pub undecided: Undecided,
    /// Whether the work is done in a copy of the tree, and lands in the tree as the first step of VERIFY.
    #[serde(default)]
    pub lands: bool,
    /// Which experiments are made.
    #[serde(default)]
    pub evidence: Evidence,
    /// Whether a change outside the delta blocks the task.
    #[serde(default)]
    pub strays_block: bool,
}

/// A delta file, and what the implementer is to do with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct PlannedFile {
    /// Where it is, below the root.
    pub path: DeltaPath,
    /// True: extend what is there; false: create it.
    pub extend: bool,
}

/// The task, laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The delta, in the order of the file.
    pub files: Vec<PlannedFile>,
    /// The verify command, trimmed.
    pub verify: String,
    /// The extra preflight commands, in order.
    pub commands: Vec<String>,
    /// The test file to read first, where there is one that can be read.
    pub tests: Option<String>,
    /// False where the confidence is too low for idioms to block.
    pub enforced: bool,
    /// Findings that the task takes for what they are.
    #[serde(default)]
    pub accepted: BTreeSet<Finding>,
}

impl Plan {
    /// The delta's paths, in the order of the file.
    pub fn paths(&self) -> impl Iterator<Item = &DeltaPath> {
        self.files.iter().map(|file| &file.path)
    }
}

/// A program that a command names, and that is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct MissingProgram {
    /// Its name.
    pub name: String,
    /// One that is there, and has nearly this name.
    pub near: Option<String>,
}
