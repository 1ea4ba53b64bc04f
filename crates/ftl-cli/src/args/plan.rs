//! `ftl plan`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::{Format, candidates};
use crate::limits::parse_limit;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 a plan, 1 no usable plan, 2 usage error; 129, 130 and 143 interrupted.\n\n\
                  Examples:\n  ftl plan 'Let carts take discounts' --agent claude --create && ftl build --all --jobs 4\n  \
                  ftl plan @goal.md --agent codex -o plan.json"
)]
pub(crate) struct PlanArgs {
    /// What is to be achieved. `-` reads standard input, `@FILE` a file
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) goal: String,
    /// Agent that plans: a name from the configuration, a preset or a shell command [default: `[agent] default`]
    #[arg(short, long, value_name = "NAME|CMD", add = candidates::agents())]
    pub(crate) agent: Option<String>,
    /// Model that the agent uses, by the agent's own name for it
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// How much the agent thinks, by the agent's own word for it
    #[arg(long, value_name = "LEVEL")]
    pub(crate) effort: Option<String>,
    /// Time limit for one request to the agent [default: 30m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) agent_timeout: Option<Duration>,
    /// Time limit for one run of a verify command [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) verify_timeout: Option<Duration>,
    /// Write the task files without asking
    #[arg(long)]
    pub(crate) create: bool,
    /// Write the plan as JSON, for `ftl workspace create --plan`
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
