//! What is wrong with a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;

use ftl_analysis::quality::Rules;
use ftl_model::WorkspaceId;
use ftl_process::Environment;
use ftl_schedule::{Schedule, Task, overlap};
use ftl_store::Layout;
use ftl_xml::Severity;
use ftl_xml::plan::{NewFile, Plan, PlanProblem};
use serde_json::{Map, Value};

use super::{GoodPlan, MOST};
use crate::author::create::draft;
use crate::author::new::{carrying_budget, next_number, used_numbers};
use crate::project::display_path;
use crate::result::{PlannedBefore, PlannedTask, ScheduleResult};
use crate::run::Settings;
use crate::validate::validate;

pub(super) fn problem(at: impl Into<String>, message: impl Into<String>) -> PlanProblem {
    PlanProblem { at: at.into(), message: message.into() }
}

/// What is wrong with a plan, else its task files.
pub(super) fn judge(
    settings: &Settings,
    goal: &str,
    map: &Map<String, Value>,
) -> Result<GoodPlan, Vec<PlanProblem>> {
    let layout = &settings.layout;
    match map.get("tasks").and_then(Value::as_array).map(Vec::len) {
        None | Some(0) => return Err(vec![problem("tasks", "is no list of tasks")]),
        Some(count) if count > MOST => {
            let message = format!("has {count} tasks, and a plan has at most {MOST}");
            return Err(vec![problem("tasks", message)]);
        }
        Some(_) => {}
    }
    let used = used_numbers(layout).map_err(|error| vec![problem("plan", error.to_string())])?;
    let json = completed(map.clone(), goal, &used);
    let text = json.to_string();
    let plan = Plan::parse(&text, None)?;
    let created = draft(layout, &text, None)?;
    let (env, root) = (&settings.commands.env, layout.root());
    let mut problems: Vec<PlanProblem> =
        created.files.iter().flat_map(|file| of_file(file, layout, root, env)).collect();
    let known: BTreeSet<&str> = used.iter().map(String::as_str).collect();
    let (tasks, unknown) = tasks_of(&plan, &known);
    problems.extend(unknown);
    let ids: Vec<WorkspaceId> = plan.tasks.iter().map(ftl_xml::plan::Task::id).collect();
    let schedule = Schedule::new(&tasks, NonZeroUsize::MIN);
    let schedule = schedule.map_err(|cyclic| {
        let ids: Vec<String> = cyclic.iter().map(|&at| format!("`{}`", ids[at])).collect();
        problems.push(problem("tasks", format!("{} wait for each other", ids.join(", "))));
    });
    if let Ok(schedule) = &schedule {
        problems.extend(shared(schedule, &tasks, &ids));
    }
    let (Ok(schedule), true) = (schedule, problems.is_empty()) else {
        return Err(problems);
    };
    Ok(GoodPlan {
        json,
        files: created.files,
        warnings: created.warnings,
        tasks: plan.tasks.iter().map(planned).collect(),
        schedule: ScheduleResult::of(&schedule, |at| ids[at].clone()),
        usage: None,
    })
}

/// A plan with what it may leave open: what each task is for, and a budget that carries it. Where a number is taken
/// already, all are counted on from the highest one.
fn completed(mut map: Map<String, Value>, goal: &str, used: &[String]) -> Value {
    map.entry("objective").or_insert_with(|| goal.into());
    let tasks = map.get_mut("tasks").and_then(Value::as_array_mut);
    let tasks = tasks.map(Vec::as_mut_slice).unwrap_or_default();
    let seq = |task: &Value| task["seq"].as_str().map(str::to_owned);
    let numbers: Vec<Option<String>> = tasks.iter().map(seq).collect();
    let is_taken = numbers.iter().flatten().any(|number| used.contains(number));
    let new: BTreeMap<String, String> = match is_taken {
        false => BTreeMap::new(),
        true => (next_number(used)..)
            .zip(numbers.iter().flatten())
            .map(|(number, old)| (old.clone(), format!("{number:03}")))
            .collect(),
    };
    for task in tasks.iter_mut().filter_map(Value::as_object_mut) {
        let files = task.get("delta").and_then(Value::as_array).map_or(0, Vec::len);
        let budget = task.entry("budget").or_insert(Value::Null);
        if budget.is_null() {
            *budget = carrying_budget(files).into();
        }
        for key in ["seq", "depends"] {
            match task.get_mut(key) {
                Some(Value::Array(all)) => all.iter_mut().for_each(|value| renumber(value, &new)),
                Some(value) => renumber(value, &new),
                None => {}
            }
        }
    }
    Value::Object(map)
}

fn renumber(value: &mut Value, new: &BTreeMap<String, String>) {
    if let Some(new) = value.as_str().and_then(|old| new.get(old)) {
        *value = new.clone().into();
    }
}

/// What `ftl workspace validate` calls an error in a task file, and a directory that is not there.
fn of_file<'f>(
    file: &'f NewFile,
    layout: &Layout,
    root: &Path,
    env: &Environment,
) -> impl Iterator<Item = PlanProblem> + use<'f> {
    let path = display_path(&layout.workspace_dir()).join(&file.name);
    let problems = validate(file.content.as_bytes(), &path, root, env, &Rules::default());
    let counts = |problem: &ftl_xml::Problem| {
        problem.severity == Severity::Error || problem.code == "workspace::missing_directory"
    };
    let problems = problems.into_iter().filter(counts);
    problems
        .map(move |found| problem(file.id.as_str(), format!("{} ({})", found.message, found.help)))
}

/// The tasks as the schedule sees them, and dependencies on tasks that are nowhere.
fn tasks_of(plan: &Plan, known: &BTreeSet<&str>) -> (Vec<Task>, Vec<PlanProblem>) {
    let mut problems = Vec::new();
    let mut tasks = Vec::new();
    for task in &plan.tasks {
        let mut depends = Vec::new();
        for seq in &task.depends {
            match plan.tasks.iter().position(|other| other.seq == *seq) {
                Some(before) => depends.push(before),
                None if known.contains(seq.as_str()) => {}
                None => {
                    let message = format!("depends on `{seq}`, and there is no such task");
                    problems.push(problem(task.id().as_str(), message));
                }
            }
        }
        tasks.push(Task { depends, delta: task.delta.clone(), ..Task::default() });
    }
    (tasks, problems)
}

/// Tasks that share a file, and neither of which comes first.
fn shared(schedule: &Schedule, tasks: &[Task], ids: &[WorkspaceId]) -> Vec<PlanProblem> {
    let before = schedule.before();
    let mut problems = Vec::new();
    for b in 0..tasks.len() {
        let earlier = schedule.overlapping(b).range(..b);
        for &a in earlier.filter(|&a| !before[b].contains(a) && !before[*a].contains(&b)) {
            let meets = |path: &&String| overlap(std::slice::from_ref(*path), &tasks[b].delta);
            if let Some(path) = tasks[a].delta.iter().find(meets) {
                let message = format!(
                    "shares `{path}` with `{}`, and neither depends on the other one",
                    ids[a]
                );
                problems.push(problem(ids[b].as_str(), message));
            }
        }
    }
    problems
}

fn planned(task: &ftl_xml::plan::Task) -> PlannedTask {
    PlannedTask {
        id: task.id(),
        objective: task.objective.clone(),
        delta: task.delta.clone(),
        verify: task.verify.clone(),
        verify_source: task.verify_source.clone(),
        depends: task.depends.clone(),
        before: PlannedBefore::Failed,
    }
}

#[cfg(test)]
mod tests;
