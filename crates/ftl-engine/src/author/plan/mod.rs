//! From a goal to a plan: an agent is asked for one, what is wrong with it goes back to the agent, and the verify
//! commands are run once as they are.
//!
//! A plan is judged as [`create`](super::create) and `ftl workspace validate` judge it, and as tasks that are built side
//! by side. Nothing is written: the caller writes the task files of a plan that has no problem.

mod judge;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ftl_agents::{Agent, Outage};
use ftl_process::How;
use ftl_xml::plan::{NewFile, PlanProblem};
use serde_json::{Map, Value};
use thiserror::Error;

use self::judge::{judge, problem};
use super::new::{next_number, used_numbers};
use crate::project::{test_command, walk};
use crate::result::{PlannedBefore, PlannedTask, ScheduleResult, Usage};
use crate::run::{Fault, PLAN_FILE, Planning, Settings};

/// Requests: the first one, and two in which problems go back.
const ASKED: u32 = 3;
/// Tasks of a plan at most: more are not read before they are built.
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
        let checked = match judged {
            Ok(plan) => run_before(&mut planning, plan, tell)?,
            Err(problems) => Err(problems),
        };
        let problems = match checked {
            Ok(plan) => {
                planning.refresh()?;
                return Ok(GoodPlan { usage, ..plan });
            }
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

/// Runs each verify command once, on the project as it is. One that the shell can't run is a problem.
fn run_before(
    planning: &mut Planning<'_>,
    mut plan: GoodPlan,
    tell: &mut dyn FnMut(&str),
) -> Result<Result<GoodPlan, Vec<PlanProblem>>, Fault> {
    planning.refresh()?;
    let mut problems = Vec::new();
    let commands: BTreeSet<String> = plan.tasks.iter().map(|task| task.verify.clone()).collect();
    for command in &commands {
        tell(&format!("verify as it is: {command}"));
        let ended = planning.before(command)?;
        let before = match ended.how {
            _ if ended.timed_out => PlannedBefore::TimedOut,
            How::Exit(0) => PlannedBefore::Passed,
            How::Exit(code @ (126 | 127)) => {
                let cannot =
                    format!("the verify command cannot run: `{command}` ends with exit {code}");
                // One that names a file of its task may run once that is there.
                let is_early = |task: &&PlannedTask| {
                    task.delta.iter().any(|path| command.contains(path.as_str()))
                };
                let tasks = plan.tasks.iter().filter(|task| task.verify == *command);
                let tasks = tasks.filter(|task| !is_early(task));
                problems.extend(tasks.map(|task| problem(task.id.as_str(), cannot.clone())));
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
    let next = next_number(&used_numbers(layout)?);
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
    use super::plan_in;

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
}
