//! From a plan to the texts of its task files.
//!
//! A task learns from what is already there: the code that it will change, the deliveries of tasks
//! that it depends on, and what blocked tasks beside it. Of these only the deliveries are asked for
//! by the plan, so only a record of those that cannot be read is a problem; everything else is left
//! out, with a warning where it matters.

use ftl_model::{
    CodeContext, DeltaPath, Failure, Idioms, Lineage, Parent, PriorKnowledge, Seq, Status,
    Workspace, WorkspaceName,
};
use serde_json::Value;

use super::{Created, NewFile, Plan, PlanProblem, Project, Source, Task, TaskKind, verify_source};
use crate::lower::number;
use crate::python::{Window, code_context, strip};
use crate::{read, write_new};

/// Confidence where nothing says otherwise.
const CERTAIN: f64 = 1.0;
/// Tokens that a failure met by a sibling is taken to have cost.
const SIBLING_COST: i64 = 1000;
const SIBLING_FIX: &str = "See blocked workspace for attempted fixes";
/// Opens the text that a blocked task delivers.
const BLOCKED: &str = "BLOCKED:";

impl Plan {
    /// The task files of the plan, dated `now`.
    ///
    /// # Errors
    ///
    /// Every record that a task depends on and that cannot be read.
    pub fn create(&self, project: &impl Project, now: &str) -> Result<Created, Vec<PlanProblem>> {
        let mut names: Vec<WorkspaceName> =
            project.records().iter().filter_map(|name| name.parse().ok()).collect();
        // A directory lists its files in any order, and a plan must come out the same every time.
        names.sort_by_key(ToString::to_string);
        let mut creation = Creation {
            plan: self,
            project,
            confidence: confidence(project.exploration().as_deref()),
            siblings: siblings(project, &names),
            names,
            warnings: Vec::new(),
            problems: Vec::new(),
        };
        let files = self.tasks.iter().map(|task| creation.file(task, now)).collect();
        if creation.problems.is_empty() {
            Ok(Created { files, warnings: creation.warnings })
        } else {
            Err(creation.problems)
        }
    }
}

struct Creation<'p, P> {
    plan: &'p Plan,
    project: &'p P,
    confidence: f64,
    siblings: Vec<Failure>,
    /// Task files that exist, sorted by name.
    names: Vec<WorkspaceName>,
    warnings: Vec<String>,
    problems: Vec<PlanProblem>,
}

impl<P: Project> Creation<'_, P> {
    fn file(&mut self, task: &Task, now: &str) -> NewFile {
        let name = WorkspaceName { id: task.id(), status: Status::Active };
        NewFile {
            id: task.id(),
            name: name.to_string(),
            content: write_new(&self.workspace(task, now)),
        }
    }

    fn workspace(&mut self, task: &Task, now: &str) -> Workspace {
        let source = task
            .verify_source
            .as_deref()
            // What the plan says counts; else a guess from the command.
            .or_else(|| verify_source(&task.verify));
        Workspace {
            id: Some(format!("{}-{}", task.seq, task.slug)),
            status: Some(Status::Active.to_string()),
            created_at: Some(now.to_owned()),
            depends: task.depends.iter().cloned().map(Seq::new).collect(),
            objective: match task.objective.trim() {
                "" => self.plan.objective.clone(),
                own => own.to_owned(),
            },
            delta: task.delta.iter().cloned().map(Some).collect(),
            verify: task.verify.clone(),
            verify_source: source.unwrap_or_default().to_owned(),
            budget: task.budget,
            preflight: task.preflight.iter().cloned().map(Some).collect(),
            code_contexts: self.contexts(task),
            framework_confidence: Some(self.confidence),
            idioms: self.idioms(),
            prior_knowledge: (!self.siblings.is_empty())
                .then(|| PriorKnowledge { failures: self.siblings.clone(), patterns: Vec::new() }),
            lineage: (!task.depends.is_empty()).then(|| self.lineage(task)),
            ..Workspace::default()
        }
    }

    /// The contexts of the delta files that exist.
    fn contexts(&mut self, task: &Task) -> Vec<CodeContext> {
        let mut contexts = Vec::new();
        for written in &task.delta {
            let path = match DeltaPath::parse(written) {
                Ok(path) => path,
                Err(problem) => {
                    // A warning and no error: what a delta path may be is for the build to judge,
                    // when its time comes.
                    let warning = format!("task `{}` will block: {problem}", task.id());
                    self.warnings.push(warning);
                    continue;
                }
            };
            match self.project.source(path.as_str()) {
                // A file that is to be created has nothing to show.
                Source::Missing => {}
                Source::NotText => {
                    let warning = format!("`{path}` is not UTF-8, so it gets no code context");
                    self.warnings.push(warning);
                }
                Source::Text(text) => {
                    let target = task.target_lines.get(written);
                    let window = window(task.kind, target.map(String::as_str));
                    contexts.push(code_context(path.as_str(), &text, window));
                }
            }
        }
        contexts
    }

    /// The framework's idioms: each list the registry's where that has one, else the plan's.
    fn idioms(&self) -> Option<Idioms> {
        let framework = self.plan.framework.as_ref()?;
        let known = self.project.registry(framework).unwrap_or_default();
        let or_plan = |known: Vec<_>, planned: &Vec<_>| {
            if known.is_empty() { planned.clone() } else { known }
        };
        Some(Idioms {
            framework: Some(framework.clone()),
            required: or_plan(known.required, &self.plan.idioms.required),
            forbidden: or_plan(known.forbidden, &self.plan.idioms.forbidden),
        })
    }

    /// The tasks depended on that are complete, with what they delivered.
    fn lineage(&mut self, task: &Task) -> Lineage {
        let parents = task.depends.iter().filter_map(|seq| self.parent(seq)).collect();
        Lineage { parents }
    }

    fn parent(&mut self, seq: &str) -> Option<Parent> {
        let belongs = |name: &&WorkspaceName| {
            // `001` must not match `0010_x`, so the underscore after it is asked for.
            let rest = name.id.as_str().strip_prefix(seq);
            name.status == Status::Complete && rest.is_some_and(|rest| rest.starts_with('_'))
        };
        let name = self.names.iter().find(belongs)?.to_string();
        match record(self.project, &name) {
            Ok(workspace) => Some(Parent {
                seq: Some(seq.to_owned()),
                workspace: Some(stem(&name).to_owned()),
                prior_delivery: workspace.delivered,
            }),
            Err(message) => {
                self.problems.push(PlanProblem { at: name, message });
                None
            }
        }
    }
}

fn window(kind: TaskKind, target: Option<&str>) -> Window {
    match (kind, target) {
        (TaskKind::Spec, _) | (TaskKind::Other, None) => Window::Beginning,
        (TaskKind::Other, Some(target)) => Window::of_target(target).unwrap_or(Window::Head),
    }
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".xml").unwrap_or(name)
}

fn record(project: &impl Project, name: &str) -> Result<Workspace, String> {
    let bytes = project.record(name).ok_or_else(|| "cannot be read".to_owned())?;
    read(&bytes)
        .and_then(|document| document.workspace().map_err(|mut errors| errors.remove(0)))
        .map_err(|error| format!("cannot be read: {error} (line {})", error.place.line))
}

/// What blocked the tasks beside this one; records that cannot be read teach nothing.
fn siblings(project: &impl Project, names: &[WorkspaceName]) -> Vec<Failure> {
    names
        .iter()
        .filter(|name| name.status == Status::Blocked)
        .filter_map(|name| {
            let name = name.to_string();
            let delivered = record(project, &name).ok()?.delivered;
            let trigger = trigger(&delivered)?.to_owned();
            Some(Failure {
                name: Some(format!("sibling-{}", stem(&name))),
                cost: SIBLING_COST,
                trigger,
                fix: SIBLING_FIX.to_owned(),
                ..Failure::default()
            })
        })
        .collect()
}

/// The first line of the error that a blocked task delivered.
fn trigger(delivered: &str) -> Option<&str> {
    // A delivery without the word says nothing that a later failure could be compared with.
    let (_, reason) = delivered.split_once(BLOCKED)?;
    let line = strip(reason).split('\n').next().map(strip)?;
    (!line.is_empty()).then_some(line)
}

/// The planner's confidence in the framework, to two decimals.
fn confidence(exploration: Option<&str>) -> f64 {
    let read = || {
        let exploration: Value = serde_json::from_str(exploration?).ok()?;
        match exploration.get("pattern")?.get("confidence")? {
            Value::String(text) => number(text),
            other => other.as_f64(),
        }
    };
    round(read().unwrap_or(CERTAIN))
}

/// The nearest number of two decimals, by the exact value, ties to even, as Python's `round(x, 2)`
/// has it. By way of the text, since `(x * 100).round() / 100` rounds a product that is itself
/// rounded: 1.005 would become 1.01.
fn round(number: f64) -> f64 {
    format!("{number:.2}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::{confidence, round, trigger};

    #[test]
    fn numbers_are_rounded_by_their_exact_value_and_ties_to_even() {
        for (number, rounded) in [
            (0.125, 0.12),
            (0.375, 0.38),
            (0.625, 0.62),
            (0.875, 0.88),
            (2.675, 2.67),
            (0.285, 0.28),
            (1.005, 1.0),
            (0.999, 1.0),
            (0.85, 0.85),
        ] {
            assert_eq!(format!("{:?}", round(number)), format!("{rounded:?}"));
        }
    }

    #[test]
    fn an_unreadable_confidence_counts_as_certain() {
        for (exploration, expected) in [
            (None, 1.0),
            (Some(""), 1.0),
            (Some("{"), 1.0),
            (Some("{}"), 1.0),
            (Some(r#"{"pattern": 3}"#), 1.0),
            (Some(r#"{"pattern": {"confidence": null}}"#), 1.0),
            (Some(r#"{"pattern": {"confidence": "high"}}"#), 1.0),
            (Some(r#"{"pattern": {"confidence": 0.123}}"#), 0.12),
            (Some(r#"{"pattern": {"confidence": "0.5"}}"#), 0.5),
            (Some(r#"{"pattern": {"confidence": 0}}"#), 0.0),
        ] {
            assert_eq!(confidence(exploration), expected, "{exploration:?}");
        }
    }

    #[test]
    fn a_trigger_is_the_first_line_that_says_something() {
        for (delivered, expected) in [
            ("BLOCKED: no module\nTried: x", Some("no module")),
            ("so far: BLOCKED:\n\n  late  \nx", Some("late")),
            ("BLOCKED: \n ", None),
            ("done", None),
        ] {
            assert_eq!(trigger(delivered), expected, "{delivered}");
        }
    }
}
