//! READ, PLAN and READ_TESTS: what can be done with nothing but the document and a look at the root.
//!
//! A dry run needs no more than this, and neither does a document that can't be read, or the question whether
//! PLAN would let a workspace pass. Nothing here writes, and nothing starts a program.

use std::collections::BTreeSet;
use std::path::Path;

use ftl_analysis::matching::check_patterns;
use ftl_analysis::quality::check_rules;
use ftl_machine::event::{MissingProgram, Planned, TestsRead, WorkspaceRead, WorkspaceRefused};
use ftl_machine::plan::PlannedFile;
use ftl_machine::{Effect, Event};
use ftl_model::{Digest, Finding, WorkspaceName};
use ftl_text::terminal_text;
use ftl_xml::ReadError;

use crate::project::{obstacle, read_tests, tests, verify_program};
use crate::run::driver::Perform;
use crate::run::journal::recorder::Recorder;
use crate::run::session::brief::{Brief, Source};
use crate::run::{Fault, Settings};
use crate::text::one_line;

/// Performs what needs the document alone.
pub(in crate::run) struct Planner<'a> {
    pub(in crate::run) source: &'a Source<'a>,
    /// The project directory.
    pub(in crate::run) root: &'a Path,
    pub(in crate::run) settings: &'a Settings,
}

impl Perform for Planner<'_> {
    fn perform(&mut self, effect: Effect, _: &mut Recorder<'_>) -> Result<Event, Fault> {
        Ok(match (effect, self.source.brief()) {
            (Effect::CheckPlan, Some(brief)) => check_plan(brief, self.root, self.settings)?,
            // A dry run ends with PLAN, and a document that can't be read with READ: anywhere else the machine
            // refuses this event.
            _ => read(self.source),
        })
    }
}

/// READ.
pub(in crate::run) fn read(source: &Source<'_>) -> Event {
    match &source.content {
        Ok(content) => Event::WorkspaceRead(Box::new(facts(&content.brief, &source.path))),
        Err(error) => Event::WorkspaceRefused(WorkspaceRefused {
            code: error.fault.code().to_owned(),
            message: place(error),
        }),
    }
}

fn place(error: &ReadError) -> String {
    let at = error.place;
    let message = terminal_text(error.fault.to_string().as_bytes());
    format!("line {}, column {}: {message}", at.line, at.column)
}

fn facts(brief: &Brief, path: &Path) -> WorkspaceRead {
    let workspace = &brief.workspace;
    let shown = |text: &Option<String>| one_line(text.as_deref().unwrap_or_default());
    let mut warnings = Vec::new();
    warnings.extend(other_id(brief, path));
    warnings.extend(odd_confidence(brief));
    WorkspaceRead {
        status: workspace.status.clone(),
        budget: workspace.budget,
        delta: workspace.delta.iter().map(shown).collect(),
        verify: brief.verify.clone(),
        framework: workspace.framework().map(one_line),
        confidence: workspace.framework_confidence,
        warnings,
    }
}

/// The file name holds, whatever the attribute says.
fn other_id(brief: &Brief, path: &Path) -> Option<String> {
    let name: WorkspaceName = path.file_name()?.to_str()?.parse().ok()?;
    let id = brief.workspace.id.as_deref()?;
    let differs = id != name.id.as_str() && id != name.id.attribute();
    differs.then(|| {
        format!(
            "the id attribute `{}` differs from the file's ID `{}`, which is used",
            one_line(id),
            name.id
        )
    })
}

fn odd_confidence(brief: &Brief) -> Option<String> {
    let confidence = brief.workspace.framework_confidence?;
    let clamped = confidence.clamp(0.0, 1.0);
    let odd = (confidence - clamped).abs() > 0.0;
    odd.then(|| format!("the framework confidence {confidence} is outside 0..1: {clamped} is used"))
}

/// Findings that the task takes for what they are.
fn accepted(brief: &Brief, settings: &Settings) -> BTreeSet<Finding> {
    let may_change = settings.quality.tests_change || brief.workspace.tests_change;
    let of_tests = Finding::OF_TESTS.into_iter().filter(|_| may_change);
    of_tests.chain(brief.workspace.accept.iter().copied()).collect()
}

/// PLAN: what the delta's paths really are, which patterns compile, which tests can be read.
///
/// # Errors
/// Whether the verify's program is there cannot be known.
pub(in crate::run) fn check_plan(
    brief: &Brief,
    root: &Path,
    settings: &Settings,
) -> Result<Event, Fault> {
    let env = &settings.commands.env;
    let mut planned = Planned {
        commands: brief.preflight.clone(),
        warnings: check_patterns(brief.workspace.failures()),
        ..Planned::default()
    };
    planned.accepted = accepted(brief, settings);
    match files(brief, root) {
        Ok(files) => planned.files = files,
        Err(problem) => planned.problem = Some(problem),
    }
    if planned.problem.is_none()
        && let Some(idioms) = &brief.workspace.idioms
    {
        planned.problem = check_rules(idioms, &settings.quality.rules).err();
    }
    let missing = verify_program::missing(&brief.verify, env, root)?;
    planned.missing = missing
        .map(|name| MissingProgram { near: verify_program::similar(&name, env, root), name });
    match tests(&brief.workspace.verify_source, root) {
        Ok(tests) => planned.tests = tests,
        Err(warning) => planned.warnings.push(warning),
    }
    Ok(Event::Planned(Box::new(planned)))
}

/// The delta with what is to be done to each file; or the first path that can't be built on.
fn files(brief: &Brief, root: &Path) -> Result<Vec<PlannedFile>, String> {
    let mut named = BTreeSet::new();
    let mut files = Vec::new();
    for path in &brief.delta {
        let path =
            path.as_ref().map_err(|problem| one_line(&format!("invalid delta path: {problem}")))?;
        if let Some(problem) = obstacle(root, path) {
            return Err(format!("delta `{path}`: {problem}"));
        }
        if !named.insert(path) {
            return Err(format!("delta `{path}` is named twice"));
        }
        let extend = brief.seen.contains(path) || root.join(path).exists();
        let path = path.clone();
        files.push(PlannedFile { path, extend });
    }
    Ok(files)
}

/// READ_TESTS.
pub(in crate::run) fn digest_tests(path: &str, root: &Path) -> Event {
    Event::TestsRead(match digest_of_tests(path, root) {
        Ok(digest) => TestsRead { sha256: Some(digest), warning: None },
        Err(why) => TestsRead { sha256: None, warning: Some(why) },
    })
}

/// The digest of a test file as it is now; a warning where it cannot be read.
pub(in crate::run) fn digest_of_tests(path: &str, root: &Path) -> Result<Digest, String> {
    match read_tests(path, root) {
        Ok(text) => Ok(Digest::of(text.as_bytes())),
        Err(why) => Err(format!("the verify source `{path}` could not be read: {why}")),
    }
}
