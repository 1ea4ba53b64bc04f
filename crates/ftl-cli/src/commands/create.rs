//! `ftl workspace create`: the task files of a plan.

use std::io::{self, Read};
use std::path::Path;

use ftl_engine::author::create::{claim, draft};
use ftl_engine::project::{display_path, find, read_regular};

use super::may_write;
use crate::args::CreateArgs;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Largest plan, in bytes.
const LARGEST: u64 = 64 << 20;

/// Writes every task file of the plan, or none and says why.
pub(crate) fn run(args: &CreateArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    may_write(&layout)?;
    let plan = plan(&args.plan)?;
    let created = draft(&layout, &plan, args.task.as_deref()).map_err(Failure::every)?;
    for warning in &created.warnings {
        output::warn(warning);
    }
    let claimed = claim(&layout, created.files).map_err(Failure::every)?;
    for warning in claimed.warnings() {
        output::warn(warning);
    }
    // A file is reported as soon as it exists: the next one may fail.
    for path in claimed.write() {
        output::did("Created", output::path(&display_path(path?)))?;
    }
    Ok(0)
}

/// The plan, from a file or standard input.
fn plan(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        let stdin = io::stdin().lock();
        stdin.take(LARGEST + 1).read_to_end(&mut bytes).map(|_| ())
    } else {
        read_regular(path, LARGEST).map(|read| bytes = read)
    };
    let read = read.and_then(|()| match bytes.len() as u64 {
        0..=LARGEST => Ok(()),
        _ => Err(io::Error::other("it is larger than 64 MiB")),
    });
    let shown = path.display();
    read.map_err(|error| {
        let message = format!("cannot read the plan `{shown}`: {error}");
        Failure::usage("usage::plan", message).help("name a JSON file, or `-` for standard input")
    })?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::failed("plan::utf8", format!("the plan `{shown}` is not UTF-8"))
            .help("save it as UTF-8")
    })
}
