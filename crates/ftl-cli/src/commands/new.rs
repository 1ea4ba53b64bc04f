//! `ftl new`: the next task file.

use std::path::Path;

use ftl_engine::author::new::{NewTask, Written, carrying_budget, draft};
use ftl_engine::project::{find, typed_path};

use super::{build, may_write};
use crate::args::NewArgs;
use crate::config::Config;
use crate::paths::of_project;
use crate::{CommandResult, output};

/// Writes the task file, and builds it when asked to.
pub(crate) fn run(args: &NewArgs) -> CommandResult {
    let layout = find(args.root.as_deref(), None)?;
    let store = may_write(&layout, args.wait)?;
    let draft = draft(&layout, &task(args, layout.root()))?;
    for warning in draft.warnings() {
        output::warn(warning);
    }
    // Before the file is written: a mistyped option of the build must not leave a task behind.
    let build = args.build.as_deref().map(|words| build::trailing(words, &layout));
    let build = build.transpose()?;
    let config = Config::load(None, layout.root())?;
    let Written { path, warnings } = draft.write(&config.verify.env)?;
    drop(store);
    for problem in warnings {
        output::warn(&format!("{} ({})", problem.message, problem.help));
    }
    build::after(&format!("Created: {}", output::path(&of_project(&path))), path, build)
}

fn task(args: &NewArgs, root: &Path) -> NewTask {
    let typed = |path: &String| typed_path(root, path);
    NewTask {
        objective: args.objective.clone(),
        delta: args.delta.iter().map(typed).collect(),
        verify: args.verify.clone(),
        verify_source: args.verify_source.as_ref().map(typed),
        depends: args.depends.clone(),
        tests_change: args.tests_change,
        allow_removed: args.allow_removed.clone(),
        budget: args.budget.unwrap_or_else(|| carrying_budget(args.delta.len())),
    }
}
