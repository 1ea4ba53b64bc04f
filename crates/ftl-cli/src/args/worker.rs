//! `ftl worker`, and the processes that both sides start.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

// How the server of workers is reached. (A doc comment would be the help of the commands that flatten this.)
#[derive(Clone, Debug, Args)]
pub(crate) struct ServerArgs {
    /// File with the server's credential: NATS creds, `USER:PASSWORD` or a token
    /// [default: `[workers] credentials`]
    #[arg(long, value_name = "FILE")]
    pub(crate) creds: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkerCommand {
    /// Take requests from a server and perform them
    Run(WorkerArgs),
    /// List the workers that are alive
    List(WorkersArgs),
    /// Try workers here: start a NATS server and two workers, and print the command that builds with them
    Local(LocalArgs),
}

#[derive(Debug, Args)]
pub(crate) struct LocalArgs {
    /// How many requests each worker performs at once [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) slots: Option<u32>,
    /// Agents to run, separated by commas [default: `[workers] agents`, else all that are installed or configured]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// NATS server to take requests from: `nats://HOST:4222` [default: `[workers] url`]
    #[arg(long, value_name = "URL")]
    pub(crate) connect: Option<String>,
    /// How many requests to perform at once [default: `[workers] slots`, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) slots: Option<u32>,
    /// Agents to run, separated by commas [default: `[workers] agents`, else all that are installed or configured]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,
    /// Directory for bases and checkouts [default: `ftl/worker` in the user's state directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct WorkersArgs {
    /// NATS server to ask: `nats://HOST:4222` [default: `[workers] url`]
    #[arg(long, value_name = "URL")]
    pub(crate) connect: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RequestArgs {
    /// Server
    #[arg(long, value_name = "URL")]
    pub(crate) connect: String,
    /// Process of the build
    #[arg(long, value_name = "PID")]
    pub(crate) build: u32,
    /// Directory of the call
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PerformArgs {
    /// Directory of the job
    pub(crate) dir: PathBuf,
}
