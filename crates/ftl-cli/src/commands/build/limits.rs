//! `--deadline`, `--max-blocks`, `--max-cost` and `--max-tokens`.

use ftl_engine::run::{Implementer, Settings};
use ftl_engine::tasks::{Job, Limits};

use crate::args::BuildOptions;
use crate::failure::Failure;

/// The limits of a command; refused where an agent does not report what they count.
pub(super) fn of(options: &BuildOptions, jobs: &[Job]) -> Result<Limits, Failure> {
    let limits = Limits {
        deadline: options.deadline,
        max_blocks: options.max_blocks,
        max_cost: options.max_cost,
        max_tokens: options.max_tokens,
    };
    let stronger = jobs.iter().flat_map(|job| &job.settings.series.stronger);
    for settings in jobs.iter().map(|job| &*job.settings).chain(stronger) {
        let (tokens, cost) = reported(settings);
        if limits.max_cost.is_some() && !cost {
            return Err(unreported("--max-cost", "cost", settings));
        }
        if limits.max_tokens.is_some() && !tokens {
            return Err(unreported("--max-tokens", "tokens", settings));
        }
    }
    Ok(limits)
}

/// Whether tokens and cost are reported.
fn reported(settings: &Settings) -> (bool, bool) {
    match &settings.implementer {
        Implementer::Agent(agent) => (agent.reports_tokens(), agent.reports_cost()),
        Implementer::Patches(_) | Implementer::Tree { .. } => (false, false),
    }
}

fn unreported(option: &str, what: &str, settings: &Settings) -> Failure {
    let why = match &settings.implementer {
        Implementer::Agent(agent) => match &agent.name {
            Some(name) => format!("`{name}` does not"),
            None => "an agent given as a command does not".to_owned(),
        },
        Implementer::Patches(_) | Implementer::Tree { .. } => "no agent is named".to_owned(),
    };
    let message = format!("`{option}` needs an agent that reports its {what}: {why}");
    Failure::usage("usage::limit", message)
}
