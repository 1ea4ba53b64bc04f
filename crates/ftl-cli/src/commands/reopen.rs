//! `ftl reopen`: a finished task becomes active again; and `ftl edit`, which changes one that is active.

use std::path::Path;

use ftl_engine::author::reopen::{NewFix, ReopenTask, Surroundings, reopen};
use ftl_engine::project::{WorkspaceFile, read_regular, typed_command};

use ftl_model::Status;

use super::{build, may_change};
use crate::args::{ChangeArgs, ReopenArgs};
use crate::config::Config;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Bytes of a patch that is written into a task file.
const MAX_PATCH: u64 = 1 << 20;

/// Makes the task active, says what was changed, and builds it when asked to.
pub(crate) fn run(args: &ReopenArgs) -> CommandResult {
    let wanted = [Status::Blocked, Status::Active, Status::Complete, Status::Dropped];
    let workspace = WorkspaceFile::find_of(&args.workspace, globals::root(), &wanted)?;
    may_change(&workspace)?;
    let config = Config::load(globals::config(), workspace.layout.root())?;
    let accept = args.accept.clone();
    let task = ReopenTask { accept, ..task(&args.change, workspace.layout.root())? };
    // Before anything is written: a mistyped option of the build must not leave a task half reopened.
    let options = args.build.as_deref();
    let options = options.map(|words| build::trailing(words, &workspace.layout));
    let mut options = options.transpose()?;
    if let Some(options) = &mut options {
        options.reuses_work = !args.accept.is_empty();
        options.fresh |= args.fresh;
    }
    let around = Surroundings { scope: &config.tree, verify_env: &config.verify.env };
    let reopened = reopen(&workspace, &task, around)?;
    for line in &reopened.done {
        output::note(line);
    }
    for warning in &reopened.warnings {
        output::warn(warning);
    }
    build::after("Reopened", reopened.path, options)
}

pub(super) fn task(args: &ChangeArgs, root: &Path) -> Result<ReopenTask, Failure> {
    Ok(ReopenTask {
        delta: super::delta::files(root, &args.delta)?,
        take: args.take.clone(),
        verify: args.verify.as_ref().map(|command| typed_command(root, command)),
        verify_source: args.verify_source.clone(),
        budget: args.budget,
        allow: args.allow.clone(),
        tests_change: args.tests_change,
        accept: Vec::new(),
        allow_removed: args.allow_removed.clone(),
        fix: fix(args)?,
        pattern: args.pattern.clone(),
    })
}

fn fix(args: &ChangeArgs) -> Result<Option<NewFix>, Failure> {
    let redactor = output::redactor();
    let words = args.fix.as_ref().map(|text| redactor.text(text));
    let command = args.fix_command.clone();
    let patch = args.fix_patch.as_deref().map(patch).transpose()?;
    Ok(words.map(NewFix::Prose).or(command.map(NewFix::Command)).or(patch.map(NewFix::Patch)))
}

fn patch(path: &Path) -> Result<String, Failure> {
    let refused = |why: String| {
        let message = format!("the patch `{}` {why}", path.display());
        Failure::usage("usage::patch", message).help("name a unified diff that is text")
    };
    let bytes = read_regular(path, MAX_PATCH)
        .map_err(|error| refused(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_PATCH {
        return Err(refused(format!("is larger than {} MiB", MAX_PATCH >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| refused("is not UTF-8".to_owned()))
}
