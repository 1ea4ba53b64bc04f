//! `ftl check`: are the complete tasks still true? Their verify commands run once more, each once.

use std::time::Instant;

use ftl_engine::project::{WorkspaceFile, find};
use ftl_engine::result::{Counts, OutcomeWord, Results};
use ftl_engine::tasks::check_now;
use ftl_model::{Status, WorkspaceId};

use super::{build, may_write};
use crate::args::{CheckArgs, Format};
use crate::exit::BLOCKED;
use crate::failure::Failure;
use crate::render::events::Events;
use crate::render::reporter::BuildReporter;
use crate::render::verbosity::Verbosity;
use crate::render::{brief, several};
use crate::{CommandResult, globals, output};

/// Makes the checks.
pub(crate) fn run(args: &CheckArgs) -> CommandResult {
    let began = Instant::now();
    let tasks = tasks(args)?;
    let layout = match tasks.first() {
        Some(task) => task.layout.clone(),
        None => find(globals::root(), None)?,
    };
    may_write(&layout)?;
    let mut settings = build::settings_of(layout.root())?;
    settings.commands.limit = args.verify_timeout.unwrap_or(settings.commands.limit);
    settings.start.wait = true;
    let wanted: Vec<WorkspaceId> = tasks.iter().map(|task| task.id().clone()).collect();
    let verbosity = Verbosity {
        quiet: globals::is_quiet() || args.format == Format::Json,
        verbose: globals::is_verbose(),
        tasks: 0,
        side_by_side: false,
    };
    let mut reporter = BuildReporter::new(Events::Nowhere, verbosity);
    let made = check_now(&settings, &wanted, &mut reporter);
    reporter.finish();
    let mut made = made?;
    for check in made.iter_mut().filter(|check| !check.passed) {
        check.next = build::next_after(&settings, check);
    }
    let is_broken = made.iter().any(|check| !check.passed);
    let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    match args.format {
        Format::Human => {
            let shown = several::checks(&made);
            let tally = several::checked(&made);
            output::result(&format!("{shown}{tally} {}\n", brief::spent(duration_ms, None)))?;
        }
        Format::Json => output::json(&Results {
            v: 1,
            outcome: if is_broken { OutcomeWord::Broken } else { OutcomeWord::Complete },
            results: Vec::new(),
            counts: Counts::default(),
            duration_ms,
            usage: None,
            check: Some(made),
            limit: None,
            schedule: None,
            next: Vec::new(),
        })?,
    }
    Ok(if is_broken { BLOCKED } else { 0 })
}

/// The complete tasks that are named.
fn tasks(args: &CheckArgs) -> Result<Vec<WorkspaceFile>, Failure> {
    let find = |name| {
        let task = WorkspaceFile::find_any(name, globals::root())?;
        if task.name.status == Status::Complete {
            return Ok(task);
        }
        let message = format!("`{}` is {}, not complete", task.id(), task.name.status);
        Err(Failure::usage("usage::workspace_not_complete", message)
            .help("only complete tasks are checked; `ftl status` lists all"))
    };
    args.workspaces.iter().map(|name| find(name)).collect()
}
