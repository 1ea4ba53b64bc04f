//! `ftl new`: the next task file.

use std::ffi::OsString;

use clap::Parser;
use ftl_engine::author::new::{NewTask, draft};
use ftl_engine::project::{Layout, find};

use super::{build, refuse_in_request};
use crate::args::{self, BuildOptions, Format, NewArgs, TrailingOptions};
use crate::failure::Failure;
use crate::{CommandResult, output};

/// Writes the task file, and builds it when asked to.
pub(crate) fn run(args: &NewArgs) -> CommandResult {
    let layout = find(args.root.as_deref(), None)?;
    refuse_in_request(layout.root())?;
    let draft = draft(&layout, &task(args))?;
    for warning in draft.warnings() {
        output::warn(warning);
    }
    // Before the file is written: a mistyped option of the build must not leave a task behind.
    let build = args
        .build
        .as_deref()
        .map(|words| build_options(words, &layout));
    let build = build.transpose()?;
    let path = draft.write()?;
    let created = format!("Created: {}", path.display());
    match build {
        None => output::result(&(created + "\n")).map(|()| 0),
        Some(options) => {
            if options.format == Format::Json || options.events.is_some() {
                // Standard output is for what programs read.
                output::message(&created);
            } else {
                output::result(&(created + "\n"))?;
            }
            build::run(&[path], &options)
        }
    }
}

fn task(args: &NewArgs) -> NewTask {
    NewTask {
        objective: args.objective.clone(),
        delta: args.delta.clone(),
        verify: args.verify.clone(),
        verify_source: args.verify_source.clone(),
        budget: args.budget,
    }
}

/// The options of the build that follows, in the same project.
fn build_options(words: &[OsString], layout: &Layout) -> Result<BuildOptions, Failure> {
    let parsed = TrailingOptions::try_parse_from(words).map_err(|error| args::usage(&error))?;
    let mut options = parsed.options;
    options.root.get_or_insert_with(|| layout.root().to_owned());
    Ok(options)
}
