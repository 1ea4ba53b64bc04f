//! A workspace file as data. Reading, writing and checking it against rules are done elsewhere.

use serde::{Deserialize, Serialize};

use crate::{CodeContext, Finding, Idioms, Lineage, PriorKnowledge, Seq, Utilized};

/// Tool calls allowed when a workspace names no budget.
pub const DEFAULT_BUDGET: i64 = 5;

/// What a workspace file says, field by field, as written: nothing is trimmed or judged.
///
/// A text that may be absent and a text that may be empty differ: `None` where a list holds an
/// element without text or an attribute is missing, `""` where a single element is missing or empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workspace {
    /// Root attribute `id`; the task's ID is in its file name.
    pub id: Option<String>,
    /// Root attribute `status`.
    pub status: Option<String>,
    /// Root attribute `created_at`.
    pub created_at: Option<String>,
    /// Root attribute `completed_at`.
    pub completed_at: Option<String>,
    /// Root attribute `blocked_at`.
    pub blocked_at: Option<String>,
    /// Root attribute `depends`, split at blanks: sequence numbers of tasks that come first.
    pub depends: Vec<Seq>,
    /// Why the task exists.
    pub objective: String,
    /// Files that may be created or changed; `None` for an empty element.
    pub delta: Vec<Option<String>>,
    /// Shell command that decides whether the task is done.
    pub verify: String,
    /// Test file to read first.
    pub verify_source: String,
    /// Tool calls allowed.
    pub budget: i64,
    /// Extra shell commands of preflight; `None` for an empty element.
    pub preflight: Vec<Option<String>>,
    /// Globs of files that may change or appear beside the delta.
    pub allow: Vec<String>,
    /// Attribute `tests="change"` of `implementation`: the task may change its tests.
    pub tests_change: bool,
    /// Findings that are taken for what they are.
    pub accept: Vec<Finding>,
    /// Attribute `allow_removed` of `implementation`, split at blanks: exports that the task may remove.
    pub allow_removed: Vec<String>,
    /// What was delivered, or why it was blocked.
    pub delivered: String,
    /// Files as the planner saw them.
    pub code_contexts: Vec<CodeContext>,
    /// How sure the planner was of the framework.
    pub framework_confidence: Option<f64>,
    /// Idioms to follow; `None` without an `idioms` element.
    pub idioms: Option<Idioms>,
    /// What earlier tasks learned; `None` without a `prior_knowledge` element.
    pub prior_knowledge: Option<PriorKnowledge>,
    /// Knowledge that turned out useful; `None` without a `memory_utilization` element.
    pub utilized: Option<Vec<Utilized>>,
    /// Finished tasks it builds on; `None` without a `lineage` element.
    pub lineage: Option<Lineage>,
    /// Whether the root holds a `run` element: the mark of a record that ftl sealed.
    pub has_run: bool,
}

impl Default for Workspace {
    fn default() -> Self {
        Self {
            id: None,
            status: None,
            created_at: None,
            completed_at: None,
            blocked_at: None,
            depends: Vec::new(),
            objective: String::new(),
            delta: Vec::new(),
            verify: String::new(),
            verify_source: String::new(),
            budget: DEFAULT_BUDGET,
            preflight: Vec::new(),
            allow: Vec::new(),
            tests_change: false,
            accept: Vec::new(),
            allow_removed: Vec::new(),
            delivered: String::new(),
            code_contexts: Vec::new(),
            framework_confidence: None,
            idioms: None,
            prior_knowledge: None,
            utilized: None,
            lineage: None,
            has_run: false,
        }
    }
}

impl Workspace {
    /// Failures of prior knowledge, none when there is no such element.
    pub fn failures(&self) -> &[crate::Failure] {
        self.prior_knowledge.as_ref().map_or(&[], |knowledge| &knowledge.failures)
    }

    /// Name of the framework, when `idioms` names one.
    pub fn framework(&self) -> Option<&str> {
        self.idioms.as_ref()?.framework.as_deref()
    }
}
