//! `ftl plan`: from a goal to task files, by an agent.

use std::fmt::Write as _;

use ftl_engine::author::create::claim;
use ftl_engine::author::plan::{GoodPlan, NoPlan, plan};
use ftl_engine::project::{display_path, find};
use ftl_engine::result::{OutcomeWord, PlanResult, PlannedBefore};
use ftl_engine::run::{Fault, Implementer};
use ftl_text::terminal_text;

use super::{build, may_write, new};
use crate::args::{Format, PlanArgs};
use crate::failure::Failure;
use crate::render::several;
use crate::{CommandResult, globals, output};

/// Has an agent plan, shows the plan, and writes its task files where that is wanted.
pub(crate) fn run(args: &PlanArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    may_write(&layout)?;
    let goal = new::text(&args.goal, false)?;
    let settings = build::planning(args, &layout)?;
    let Implementer::Agent(agent) = &settings.implementer else {
        return Err(Failure::usage("usage::agent", "no agent is named that could plan")
            .help("name one with `--agent`, or with `[agent] default` in ftl.toml"));
    };
    let is_quiet = globals::all().quiet;
    let mut tell = |text: &str| {
        if !is_quiet {
            output::message(text);
        }
    };
    let good = plan(&settings, agent, &goal, &mut tell).map_err(without_plan)?;
    for warning in &good.warnings {
        output::warn(warning);
    }
    if args.format == Format::Human {
        output::result(&shown(&good))?;
    }
    if let Some(path) = &args.output {
        std::fs::write(path, output::json_text(&good.json)).map_err(|error| {
            let message = format!("cannot write the plan to `{}`: {error}", path.display());
            Failure::failed("output::report", message)
        })?;
    }
    let asks = args.output.is_none() && args.format == Format::Human;
    let mut created = Vec::new();
    if args.create || (asks && wants(good.files.len())?) {
        let claimed = claim(&layout, good.files).map_err(Failure::every)?;
        for warning in claimed.warnings() {
            output::warn(warning);
        }
        for path in claimed.write() {
            let path = output::path(&display_path(path?));
            if args.format == Format::Human {
                output::result(&format!("Created: {path}\n"))?;
            }
            created.push(path);
        }
    } else if asks {
        output::message(
            "nothing was written: `--create` writes the task files, `-o FILE` the plan",
        );
    }
    if args.format == Format::Json {
        output::json(&PlanResult {
            v: 1,
            outcome: if created.is_empty() { OutcomeWord::Planned } else { OutcomeWord::Complete },
            tasks: good.tasks,
            schedule: good.schedule,
            created,
            plan: good.json,
            usage: good.usage,
        })?;
    }
    Ok(0)
}

fn without_plan(why: NoPlan) -> Failure {
    let message = why.to_string();
    match why {
        NoPlan::Problems(problems) => Failure::every(problems),
        NoPlan::Fault(Fault::Interrupted(signal)) => {
            Failure::new(u8::try_from(128 + signal).unwrap_or(1), "plan::interrupted", message)
        }
        NoPlan::Fault(fault) => fault.into(),
        NoPlan::Outage(_) => Failure::failed("plan::outage", message),
        NoPlan::Agent { last_lines, .. } => {
            let said = last_lines.join(" | ");
            let said = if said.is_empty() { said } else { format!("; it says: {said}") };
            Failure::failed("plan::agent", format!("{message}{said}"))
        }
    }
}

/// The tasks as a table, and below it their order.
fn shown(plan: &GoodPlan) -> String {
    let safe = |text: &str| terminal_text(text.as_bytes());
    let rows: Vec<[String; 4]> = plan
        .tasks
        .iter()
        .map(|task| {
            let now = match task.before {
                PlannedBefore::Failed => "fails now",
                PlannedBefore::Passed => "passes now",
                PlannedBefore::TimedOut => "runs out of time now",
            };
            let files = safe(&task.delta.join(", "));
            [safe(task.id.as_str()), files, safe(&task.verify), now.to_owned()]
        })
        .collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2].map(width);
    let mut text = String::new();
    for [id, files, verify, now] in &rows {
        let [a, b, c] = widths;
        let _ = writeln!(text, "{id:a$}  {files:b$}  {verify:c$}  {now}");
    }
    text + &several::schedule(&plan.schedule)
}

/// Whether a person at a terminal wants the task files to be written.
fn wants(count: usize) -> Result<bool, Failure> {
    let noun = if count == 1 { "task file" } else { "task files" };
    Ok(output::agreed(&format!("Write {count} {noun}?"))?.unwrap_or(false))
}
