//! The task as an agent needs it.

use std::fmt::Write as _;

use ftl_analysis::matching::{has_fix, name_of};
use ftl_model::{DeltaPath, Workspace};

use super::ToolsError;

/// A task, laid out.
#[derive(Debug)]
pub(super) struct Task {
    workspace: Workspace,
    /// The files that may change.
    pub(super) delta: Vec<DeltaPath>,
    /// Globs of files that may change too.
    pub(super) allow: Vec<String>,
    /// The command that decides.
    pub(super) verify: String,
    /// The extra preflight commands.
    pub(super) preflight: Vec<String>,
    /// Calls that a run may spend.
    pub(super) budget: i64,
    /// Names of known failures and patterns, with their kind.
    pub(super) knowledge: Vec<(String, &'static str)>,
}

impl Task {
    /// The task of a document that can be built.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ToolsError> {
        let document = ftl_xml::read(bytes).map_err(ToolsError::Task)?;
        let workspace = document.workspace().map_err(|errors| {
            let first = errors.into_iter().next();
            ToolsError::Task(first.expect("because a refusal has at least one reason"))
        })?;
        let texts = workspace.delta.iter().map(|text| text.as_deref().unwrap_or_default());
        let delta: Result<Vec<DeltaPath>, _> = texts.map(DeltaPath::parse).collect();
        let delta = delta.map_err(|problem| ToolsError::Unbuildable(problem.to_string()))?;
        let verify = workspace.verify.trim().to_owned();
        if delta.is_empty() || verify.is_empty() {
            let what = if delta.is_empty() { "delta" } else { "verify" };
            return Err(ToolsError::Unbuildable(format!("it has no `{what}`")));
        }
        let preflight = workspace.preflight.iter().flatten();
        let preflight = preflight.map(|text| text.trim().to_owned());
        Ok(Self {
            delta,
            allow: workspace.allow.clone(),
            verify,
            preflight: preflight.filter(|text| !text.is_empty()).collect(),
            budget: workspace.budget,
            knowledge: knowledge(&workspace),
            workspace,
        })
    }

    /// The task in prose.
    pub(super) fn text(&self, is_there: &dyn Fn(&DeltaPath) -> bool) -> String {
        let workspace = &self.workspace;
        let mut text = format!("{}\n\nFiles of the task:\n", workspace.objective.trim());
        for path in &self.delta {
            let word = if is_there(path) { "change" } else { "create" };
            let _ = writeln!(text, "- {word} `{path}`");
        }
        if let Some(idioms) = &workspace.idioms {
            for (title, list) in [("Use", &idioms.required), ("Avoid", &idioms.forbidden)] {
                for idiom in list.iter().filter_map(|idiom| idiom.text.as_deref()) {
                    let _ = writeln!(text, "{title}: {}", idiom.trim());
                }
            }
        }
        for context in &workspace.code_contexts {
            let exports = context.exports.trim();
            if let Some(path) = context.path.as_deref().filter(|_| !exports.is_empty()) {
                let _ = writeln!(text, "Keep the exports of `{path}`: {exports}");
            }
        }
        for failure in workspace.failures().iter().filter(|failure| has_fix(failure)) {
            let (trigger, fix) = (failure.trigger.trim(), failure.fix.trim());
            let _ = writeln!(text, "Known failure `{}`: {trigger}. Fix: {fix}", name_of(failure));
        }
        let source = workspace.verify_source.trim();
        if !source.is_empty() {
            let _ = writeln!(text, "Read `{source}` first.");
        }
        let _ = writeln!(text, "`{}` must pass.", self.verify);
        text
    }
}

fn knowledge(workspace: &Workspace) -> Vec<(String, &'static str)> {
    let failures = workspace.failures().iter();
    let failures = failures.filter_map(|failure| Some((failure.name.clone()?, "failure")));
    let patterns = workspace.prior_knowledge.iter().flat_map(|known| &known.patterns);
    let patterns = patterns.filter_map(|pattern| Some((pattern.name.clone()?, "pattern")));
    failures.chain(patterns).collect()
}
