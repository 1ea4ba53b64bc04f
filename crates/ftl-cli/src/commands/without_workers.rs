//! `ftl worker` in a program that was built without them.

use std::path::Path;

use ftl_engine::performer::Performer;
use ftl_engine::run::Implementer;

use crate::CommandResult;
use crate::args::{BuildOptions, PerformArgs, RequestArgs, WorkerCommand};
use crate::config::Config;
use crate::failure::Failure;

pub(crate) fn run(_: &WorkerCommand) -> CommandResult {
    Err(missing())
}

pub(crate) fn request(_: &RequestArgs) -> CommandResult {
    Err(missing())
}

pub(crate) fn perform(_: &PerformArgs) -> CommandResult {
    Err(missing())
}

/// Requests are made here, unless workers were asked for.
pub(crate) fn performer(
    options: &BuildOptions,
    config: &Config,
    _: &Implementer,
    _: &Path,
) -> Result<Option<Performer>, Failure> {
    match options.workers.as_ref().or(config.workers.url.as_ref()) {
        Some(_) => Err(missing()),
        None => Ok(None),
    }
}

fn missing() -> Failure {
    Failure::usage("usage::workers", "this ftl was built without workers")
        .help("`cargo install --path crates/ftl-cli --features workers` builds one with them")
}
