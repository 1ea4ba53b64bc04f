//! From a goal to a plan: an agent is asked for one, what is wrong with it goes back to the agent, and the verify
//! commands are run once as they are.
//!
//! A plan is judged as [`create`](super::create) and `ftl workspace validate` judge it, and as tasks that are built side
//! by side. Nothing is written: the caller writes the task files of a plan that has no problem.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;

use ftl_agents::{Agent, Outage};
use ftl_analysis::quality::Rules;
use ftl_model::WorkspaceId;
use ftl_process::{Environment, How};
use ftl_schedule::{Schedule, Task, overlap};
use ftl_store::Layout;
use ftl_xml::Severity;
use ftl_xml::plan::{NewFile, Plan, PlanProblem};
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::create::draft;
use super::new::{carrying_budget, used_numbers};
use crate::project::{display_path, test_command, walk};
use crate::result::{PlannedBefore, PlannedTask, ScheduleResult, Usage};
use crate::run::{Fault, PLAN_FILE, Planning, Settings};
use crate::validate::validate;

/// Requests: the first one, and two in which problems go back.
const ASKED: u32 = 3;
/// Tasks of a plan: nobody reads more before they are built.
const MOST: usize = 100;
/// Files that the outline lists; of a larger tree it lists directories.
const LISTED: usize = 400;
/// Problems that a request names.
const NAMED: usize = 30;

/// The schema of a plan.
pub const SCHEMA: &str = include_str!("plan.schema.json");

/// A plan that can be built.
#[derive(Debug)]
pub struct GoodPlan {
    /// It as JSON, with what it left open.
    pub json: Value,
    /// The task files.
    pub files: Vec<NewFile>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// Its tasks.
    pub tasks: Vec<PlannedTask>,
    /// What is built when.
    pub schedule: ScheduleResult,
    /// What the requests cost.
    pub usage: Option<Usage>,
}

/// Why there is no plan.
#[derive(Debug, Error)]
pub enum NoPlan {
    /// The agent failed.
    #[error("{why}")]
    Agent {
        /// How.
        why: String,
        /// What it printed last.
        last_lines: Vec<String>,
    },
    /// The agent could not reach a model.
    #[error("the agent gave no plan: {}; it says: {}", .0.kind, .0.said)]
    Outage(Outage),
    /// The last plan has problems.
    #[error("the plan has {} problems", .0.len())]
    Problems(Vec<PlanProblem>),
    /// ftl could not go on.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Asks an agent for a plan, and again while it has problems. `tell` is given what happens, in sentences.
///
/// # Errors
///
/// [`NoPlan`].
pub fn plan(
    settings: &Settings,
    agent: &Agent,
    goal: &str,
    tell: &mut dyn FnMut(&str),
) -> Result<GoodPlan, NoPlan> {
    let mut planning = Planning::open(settings)?;
    let request = request(settings, goal)?;
    let mut prompt = request.clone();
    let mut usage = None;
    let name = agent.name.as_deref().unwrap_or("the agent");
    for attempt in 1.. {
        tell(&format!("{name} plans (request {attempt} of at most {ASKED})"));
        let proposal = planning.ask(agent, &prompt, attempt)?;
        let tokens = proposal.report.tokens;
        usage = Usage::sum([usage, Usage::of(tokens, proposal.report.cost_usd)]);
        let found = plan_in(&proposal.text);
        if let (None, Some(outage)) = (&found, proposal.outage) {
            return Err(NoPlan::Outage(outage));
        }
        if let (None, Some(why)) = (&found, proposal.failure) {
            return Err(NoPlan::Agent { why, last_lines: proposal.last_lines });
        }
        let judged = match &found {
            Some(map) => judge(settings, goal, map),
            None => Err(vec![problem("plan", "the agent's answer holds no JSON object")]),
        };
        let judged = judged.map(|plan| (commands(&plan), plan));
        let problems = match judged {
            Ok((commands, plan)) => match run_before(&mut planning, &commands, plan, tell)? {
                Ok(plan) => {
                    planning.clear()?;
                    return Ok(GoodPlan { usage, ..plan });
                }
                Err(problems) => problems,
            },
            Err(problems) => problems,
        };
        if attempt == ASKED {
            return Err(NoPlan::Problems(problems));
        }
        tell(&format!("the plan has problems: {}", problems.len()));
        prompt = repair(&request, &proposal.text, &problems);
    }
    unreachable!("because the last request returns")
}

fn problem(at: impl Into<String>, message: impl Into<String>) -> PlanProblem {
    PlanProblem { at: at.into(), message: message.into() }
}

/// The JSON object in what an agent gave: all of it, the last fenced block that is one, or what is between the first and
/// the last brace.
fn plan_in(text: &str) -> Option<Map<String, Value>> {
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text.trim()).ok();
    let blocks = || {
        let mut blocks: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
        blocks.reverse();
        blocks.into_iter().find_map(|block| object(block.trim_start_matches(char::is_alphanumeric)))
    };
    let braces = || object(text.get(text.find('{')?..=text.rfind('}')?)?);
    object(text).or_else(blocks).or_else(braces)
}

/// What is wrong with a plan, else its task files.
fn judge(
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
    if schedule.is_ok() {
        problems.extend(shared(&tasks, &ids));
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
    let highest = used.iter().filter_map(|number| number.parse::<u64>().ok()).max().unwrap_or(0);
    let is_taken = numbers.iter().flatten().any(|number| used.contains(number));
    let new: BTreeMap<String, String> = match is_taken {
        false => BTreeMap::new(),
        true => (highest + 1..)
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
    problems.map(move |found| problem(file.id.as_str(), format!("{} ({})", found.message, found.help)))
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
fn shared(tasks: &[Task], ids: &[WorkspaceId]) -> Vec<PlanProblem> {
    let before: Vec<BTreeSet<usize>> =
        (0..tasks.len()).map(|task| all_before(tasks, task)).collect();
    let mut problems = Vec::new();
    for b in 0..tasks.len() {
        for a in (0..b).filter(|a| !before[b].contains(a) && !before[*a].contains(&b)) {
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

/// All tasks that come before one, in a graph without circles.
fn all_before(tasks: &[Task], task: usize) -> BTreeSet<usize> {
    let mut before = BTreeSet::new();
    let mut open = tasks[task].depends.clone();
    while let Some(next) = open.pop() {
        if before.insert(next) {
            open.extend(&tasks[next].depends);
        }
    }
    before
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

fn commands(plan: &GoodPlan) -> BTreeSet<String> {
    plan.tasks.iter().map(|task| task.verify.clone()).collect()
}

/// Runs each verify command once, on the project as it is. One that the shell can't run is a problem.
fn run_before(
    planning: &mut Planning<'_>,
    commands: &BTreeSet<String>,
    mut plan: GoodPlan,
    tell: &mut dyn FnMut(&str),
) -> Result<Result<GoodPlan, Vec<PlanProblem>>, Fault> {
    planning.clear()?;
    let mut problems = Vec::new();
    for command in commands {
        tell(&format!("verify as it is: {command}"));
        let ended = planning.before(command)?;
        let before = match ended.how {
            _ if ended.timed_out => PlannedBefore::TimedOut,
            How::Exit(0) => PlannedBefore::Passed,
            How::Exit(code @ (126 | 127)) => {
                let message =
                    format!("the verify command cannot run: `{command}` ends with exit {code}");
                let tasks = plan.tasks.iter().filter(|task| task.verify == *command);
                problems.extend(tasks.map(|task| problem(task.id.as_str(), message.clone())));
                PlannedBefore::Failed
            }
            How::Exit(_) | How::Signal(_) => PlannedBefore::Failed,
        };
        for task in plan.tasks.iter_mut().filter(|task| task.verify == *command) {
            task.before = before;
        }
    }
    Ok(if problems.is_empty() { Ok(plan) } else { Err(problems) })
}

/// What the agent is asked.
fn request(settings: &Settings, goal: &str) -> Result<String, Fault> {
    let layout = &settings.layout;
    let root = layout.root();
    let used = used_numbers(layout)?;
    let next = used.iter().filter_map(|number| number.parse::<u64>().ok()).max().unwrap_or(0) + 1;
    let tests = test_command(root, &settings.commands.env);
    let tests = tests.map_or_else(String::new, |tests| {
        format!("All tests of the project are run by `{tests}`.\n\n")
    });
    let outline = outline(root);
    Ok(format!(
        "# The goal\n\n{goal}\n\n\
         # What to do\n\n\
         Cut the goal into tasks that coding agents do later, each by itself. Read what you need of the project, and change nothing in it. \
         Write the plan as JSON to the file `{PLAN_FILE}` in the current directory. If you can't write files, end your answer with the JSON \
         in a fenced block.\n\n\
         # A good task\n\n\
         - It is one change that one command can decide. `objective` says in full sentences all that is to be done: its agent sees this task alone.\n\
         - `delta` lists every file that it may create or change, tests included, by paths from the root. Directories of new files exist already.\n\
         - No two tasks share a file, unless one of them `depends` on the other. Cut along files: what shares none is done at the same time.\n\
         - `verify` is a shell command, run in the root, that ends with 0 only once the task is done. It names the task's own tests where \
         there are some, and its programs are installed.\n\
         - `verify_source` is the test file to read first, if there is one.\n\
         - `depends` lists the `seq` of tasks that must be complete first. There are no circles.\n\
         - `seq` counts from \"{next:03}\"; `slug` is a short name in lower case with hyphens. A plan has at most {MOST} tasks; fewer are better.\n\n\
         # The project\n\n{tests}```\n{outline}```\n\n\
         # The form of the plan\n\n```json\n{SCHEMA}```\n"
    ))
}

/// The request once more, with what is wrong with the plan.
fn repair(request: &str, text: &str, problems: &[PlanProblem]) -> String {
    let named = problems.iter().take(NAMED).map(|problem| format!("- {problem}\n"));
    let named: String = named.collect();
    let more = problems.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("- and {more} more\n") } else { String::new() };
    let text = ftl_text::shortened(text, 1 << 16);
    format!(
        "{request}\n# What is wrong with your last plan\n\n{named}{more}\nCorrect this, and give the whole plan again. It was:\n\n\
         ```json\n{text}\n```\n"
    )
}

/// The files of the project, or, where these are many, its directories with the number of files in each.
fn outline(root: &Path) -> String {
    let below = |path: std::path::PathBuf| Some(path.strip_prefix(root).ok()?.to_owned());
    let files: Vec<_> = walk::files_of_project(root).filter_map(below).collect();
    let line = |path: &Path| format!("{}\n", ftl_text::one_line(&path.to_string_lossy()));
    if files.len() <= LISTED {
        return files.iter().map(|path| line(path)).collect();
    }
    let mut directories: BTreeMap<&Path, usize> = BTreeMap::new();
    for path in &files {
        *directories.entry(path.parent().unwrap_or(Path::new(""))).or_default() += 1;
    }
    let listed = directories.iter().take(LISTED);
    listed.map(|(path, count)| line(&path.join(format!("({count} files)")))).collect()
}

#[cfg(test)]
mod tests {
    use ftl_store::Layout;
    use serde_json::{Value, json};

    use super::{completed, judge, plan_in};
    use crate::run::{Implementer, Settings};

    #[test]
    fn a_plan_is_found_wherever_an_agent_puts_it() {
        for (text, found) in [
            ("{\"tasks\": []}", true),
            ("Here it is:\n```json\n{\"tasks\": []}\n```\nDone.", true),
            ("```\nls\n```\nand\n```json\n{\"tasks\": [1]}\n```", true),
            ("The plan is {\"tasks\": []}. Bye", true),
            ("I cannot plan this.", false),
            ("[1]", false),
            ("{", false),
        ] {
            assert_eq!(plan_in(text).is_some(), found, "{text}");
        }
    }

    #[test]
    fn taken_numbers_are_counted_on_with_what_depends_on_them() {
        let plan = json!({"tasks": [
            {"seq": "001", "slug": "a", "delta": ["a", "b"]},
            {"seq": "002", "slug": "b", "depends": ["001"], "budget": 9},
        ]});
        let Value::Object(map) = plan else { unreachable!() };
        let json = completed(map.clone(), "goal", &["002".to_owned(), "007".to_owned()]);
        assert_eq!(json["objective"], "goal");
        assert_eq!(
            (&json["tasks"][0]["seq"], &json["tasks"][0]["budget"]),
            (&"008".into(), &7.into())
        );
        assert_eq!(
            (&json["tasks"][1]["depends"], &json["tasks"][1]["budget"]),
            (&json!(["008"]), &9.into())
        );
        assert_eq!(completed(map, "goal", &[])["tasks"][1]["seq"], "002");
    }

    /// The problems of a plan with these tasks, in a project with a file.
    fn problems(tasks: Value) -> String {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join("a.py"), "").unwrap();
        let mut settings =
            Settings::new(project.path().to_owned(), Implementer::Tree { base: None });
        settings.layout = Layout::new(project.path());
        let Value::Object(map) = json!({ "tasks": tasks }) else { unreachable!() };
        let problems = judge(&settings, "goal", &map).map(|_| ()).unwrap_err();
        problems.iter().map(|problem| format!("{problem}\n")).collect()
    }

    #[test]
    fn each_problem_of_a_plan_is_named() {
        let task = |seq: &str, delta: &str, verify: &str, depends: Value| json!({"seq": seq, "slug": "x", "delta": [delta], "verify": verify, "depends": depends});
        let none = || Value::Null;
        let many: Vec<Value> =
            (0..500).map(|n| task(&format!("{n:03}"), &format!("f{n}"), "true", none())).collect();
        for (tasks, part) in [
            (json!([task("001", "../out.py", "true", none())]), "`001_x`"),
            (json!([task("001", "/etc/passwd", "true", none())]), "`001_x`"),
            (json!([task("001", "no/such/dir.py", "true", none())]), "`no/such` does not exist"),
            (json!([task("001", "a.py", "no-such-program-x", none())]), "`no-such-program-x`"),
            (json!([task("001", "a.py", "", none())]), "`001_x`"),
            (json!([task("001", "a.py", "true", json!("009"))]), "depends on `009`"),
            (
                json!([
                    task("001", "a.py", "true", json!("002")),
                    task("002", "b.py", "true", json!("001"))
                ]),
                "`001_x`, `002_x` wait for each other",
            ),
            (
                json!([task("001", "a.py", "true", none()), task("002", "A.py", "true", none())]),
                "`002_x` shares `a.py` with `001_x`, and neither depends",
            ),
            (Value::Array(many), "has 500 tasks, and a plan has at most 100"),
            (json!([]), "is no list of tasks"),
            (json!([{"seq": "../1", "slug": "x"}]), "holds a path separator"),
        ] {
            let found = problems(tasks);
            assert!(found.contains(part), "{part}: {found}");
        }
    }

    #[test]
    fn tasks_may_share_a_file_where_one_comes_first() {
        let task = |seq: &str, delta: &str, depends: Value| json!({"seq": seq, "slug": "x", "delta": [delta], "verify": "true", "depends": depends});
        let project = tempfile::tempdir().unwrap();
        let settings = Settings::new(project.path().to_owned(), Implementer::Tree { base: None });
        let Value::Object(map) = json!({"tasks": [
            task("001", "a.py", Value::Null),
            task("002", "b.py", json!(["001"])),
            task("003", "a.py", json!("002")),
        ]}) else {
            unreachable!()
        };
        let plan = judge(&settings, "goal", &map).unwrap();
        assert_eq!(plan.files.len(), 3);
        assert_eq!(plan.schedule.most_at_once, 1);
        assert!(plan.files[0].content.contains("<objective>goal"), "{}", plan.files[0].content);
    }
}
