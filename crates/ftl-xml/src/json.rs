//! A workspace as JSON, for `ftl workspace parse`.
//!
//! The keys are those that other tools of the format print. What only ftl knows is apart, and
//! printed on request, so that a reader made for the others finds nothing unexpected. The structs
//! borrow from the model; their comments become descriptions in the JSON schema.

use ftl_model::{CodeContext, Failure, Finding, Idiom, Parent, Pattern, Seq, Utilized, Workspace};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{Document, ElementRef};

/// A workspace as programs read it.
///
/// Keys of elements that may be missing are there only when the element is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ParsedWorkspace<'a> {
    id: &'a Option<String>,
    status: &'a Option<String>,
    created_at: &'a Option<String>,
    completed_at: &'a Option<String>,
    blocked_at: &'a Option<String>,
    objective: &'a str,
    /// Null for an empty element.
    delta: &'a [Option<String>],
    verify: &'a str,
    verify_source: &'a str,
    budget: i64,
    /// Null for an empty element.
    preflight: &'a [Option<String>],
    delivered: &'a str,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    code_context: Option<&'a CodeContext>,
    /// All of them, when there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    code_contexts: Option<&'a [CodeContext]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    framework_confidence: Option<f64>,
    /// Null where idioms name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    framework: Option<&'a Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idioms: Option<IdiomTexts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior_knowledge: Option<Knowledge<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    utilized_memories: Option<&'a [Utilized]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lineage: Option<ParsedLineage<'a>>,
    /// What only ftl knows; asked for with `--full`.
    #[serde(flatten)]
    extensions: Option<Extensions<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Extensions<'a> {
    depends: &'a [Seq],
    has_run: bool,
    /// Globs of files that may change or appear beside the delta; absent without any.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    allow: &'a [String],
    /// Whether the task may change its tests.
    tests_change: bool,
    /// Findings that the task takes for what they are; absent without any.
    #[serde(skip_serializing_if = "<[Finding]>::is_empty")]
    accept: &'a [Finding],
    /// Exports that the task may remove.
    allow_removed: &'a [String],
    /// The rules written beside the idioms' texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    idiom_rules: Option<IdiomRules<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct IdiomTexts<'a> {
    required: Vec<&'a Option<String>>,
    forbidden: Vec<&'a Option<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct IdiomRules<'a> {
    required: &'a [Idiom],
    forbidden: &'a [Idiom],
}

#[derive(Debug, Serialize, JsonSchema)]
struct Knowledge<'a> {
    failures: Vec<ParsedFailure<'a>>,
    patterns: &'a [Pattern],
}

/// A known failure as programs read it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ParsedFailure<'a> {
    name: &'a Option<String>,
    cost: i64,
    trigger: &'a str,
    fix: &'a str,
    #[serde(rename = "match")]
    pattern: &'a Option<String>,
    injected: bool,
    /// What only ftl knows.
    #[serde(flatten)]
    extensions: Option<FailureExtensions<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FailureExtensions<'a> {
    fix_kind: &'a Option<String>,
    tags: &'a [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct ParsedLineage<'a> {
    parents: &'a [Parent],
    /// The first parent's.
    parent: Option<&'a String>,
    /// The first parent's.
    prior_delivery: Option<&'a String>,
}

impl<'a> ParsedWorkspace<'a> {
    /// The JSON of a workspace; with `full` also what only ftl knows: `depends`, `has_run`, `tags`
    /// and `fix_kind` of failures, and `idiom_rules`, the rules written beside the idioms' texts.
    pub fn new(workspace: &'a Workspace, full: bool) -> Self {
        let idioms = workspace.idioms.as_ref();
        Self {
            id: &workspace.id,
            status: &workspace.status,
            created_at: &workspace.created_at,
            completed_at: &workspace.completed_at,
            blocked_at: &workspace.blocked_at,
            objective: &workspace.objective,
            delta: &workspace.delta,
            verify: &workspace.verify,
            verify_source: &workspace.verify_source,
            budget: workspace.budget,
            preflight: &workspace.preflight,
            delivered: &workspace.delivered,
            code_context: workspace.code_contexts.first(),
            code_contexts: Some(workspace.code_contexts.as_slice()).filter(|all| all.len() > 1),
            framework_confidence: workspace.framework_confidence,
            framework: idioms.map(|idioms| &idioms.framework),
            idioms: idioms.map(|idioms| IdiomTexts {
                required: idioms.required.iter().map(|idiom| &idiom.text).collect(),
                forbidden: idioms.forbidden.iter().map(|idiom| &idiom.text).collect(),
            }),
            prior_knowledge: workspace.prior_knowledge.as_ref().map(|known| Knowledge {
                failures: known
                    .failures
                    .iter()
                    .map(|failure| ParsedFailure::new(failure, full))
                    .collect(),
                patterns: &known.patterns,
            }),
            utilized_memories: workspace.utilized.as_deref(),
            lineage: workspace.lineage.as_ref().map(|lineage| {
                let first = lineage.parents.first();
                ParsedLineage {
                    parents: &lineage.parents,
                    parent: first.and_then(|parent| parent.workspace.as_ref()),
                    prior_delivery: first.map(|parent| &parent.prior_delivery),
                }
            }),
            extensions: full.then(|| Extensions {
                depends: &workspace.depends,
                has_run: workspace.has_run,
                allow: &workspace.allow,
                tests_change: workspace.tests_change,
                accept: &workspace.accept,
                allow_removed: &workspace.allow_removed,
                idiom_rules: idioms.map(|idioms| IdiomRules {
                    required: &idioms.required,
                    forbidden: &idioms.forbidden,
                }),
            }),
        }
    }
}

impl<'a> ParsedFailure<'a> {
    /// The JSON of a failure; with `full` also what only ftl knows.
    pub fn new(failure: &'a Failure, full: bool) -> Self {
        Self {
            name: &failure.name,
            cost: failure.cost,
            trigger: &failure.trigger,
            fix: &failure.fix,
            pattern: &failure.pattern,
            injected: failure.injected,
            extensions: full
                .then(|| FailureExtensions { fix_kind: &failure.fix_kind, tags: &failure.tags }),
        }
    }
}

/// [`ParsedWorkspace`] as a value.
pub fn parse_json(workspace: &Workspace, full: bool) -> Value {
    json!(ParsedWorkspace::new(workspace, full))
}

/// The `run` elements of a record, each `{name, attributes, text, children}` all the way down.
pub fn runs_json(document: &Document<'_>) -> Value {
    document.root().children_named("run").map(element).collect()
}

fn element(element: ElementRef<'_, '_>) -> Value {
    let attributes: Map<String, Value> =
        element.attributes().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    let children: Vec<Value> = element.children().map(self::element).collect();
    json!({
        "name": element.name(),
        "attributes": attributes,
        "text": element.text(),
        "children": children,
    })
}
