//! `ftl knowledge add`.

use std::path::Path;

use ftl_engine::knowledge::{append, check, error_of_block, toml_entry};
use ftl_engine::project::read;
use ftl_model::Failure as KnownFailure;

use super::{Project, read_named};
use crate::args::{AddArgs, RemedyArgs};
use crate::commands::refuse_in_request;
use crate::config::knowledge::{Shared, parse};
use crate::failure::Failure;
use crate::{CommandResult, output, workspace_file};

/// Adds a failure to the end of a file, which is made where it is not there yet.
pub(crate) fn run(args: &AddArgs) -> CommandResult {
    let project = Project::load()?;
    refuse_in_request(project.root())?;
    let file = file(&project, args.file.as_deref())?;
    let failure = failure(args)?;
    let passing = args.passing.as_deref().map(read_named).transpose()?;
    refuse_known(&shared(&project, &file)?, &args.name)?;
    let warnings = check(&failure, passing.as_deref()).map_err(|why| {
        let message = format!("the pattern cannot be used: {why}");
        Failure::usage("knowledge::match", message)
            .help("patterns are written as for Python's `re`")
    })?;
    let entry = toml_entry(&failure);
    parse(&entry).map_err(|problems| {
        let messages: Vec<String> = problems.into_iter().map(|it| it.message).collect();
        Failure::usage("knowledge::entry", messages.join("; "))
    })?;
    warnings.iter().for_each(|warning| output::warn(warning));
    append(project.root(), &file, &entry).map_err(|why| {
        Failure::failed("knowledge::write", format!("cannot write `{file}`: {why}"))
    })?;
    output::did("Added", format!("{} to {file}", args.name))?;
    Ok(0)
}

/// The file that takes the failure.
fn file(project: &Project, named: Option<&str>) -> Result<String, Failure> {
    let files = &project.config.knowledge;
    let found = match named {
        Some(named) => files.iter().find(|file| *file == named),
        None => files.first(),
    };
    let message = match named {
        Some(named) => format!("`{named}` is no file of `[knowledge] files`"),
        None => "`[knowledge] files` names no file".to_owned(),
    };
    let example = named.unwrap_or("knowledge.toml");
    found.cloned().ok_or_else(|| {
        Failure::usage("knowledge::file", message)
            .help(format!("add this to ftl.toml: [knowledge] files = [\"{example}\"]"))
    })
}

/// The failures that are known; the file that takes the new one need not be there yet.
fn shared(project: &Project, file: &str) -> Result<Vec<Shared>, Failure> {
    let mut config = crate::config::Config {
        knowledge: project.config.knowledge.clone(),
        ..crate::config::Config::default()
    };
    if !project.root().join(file).exists() {
        config.knowledge.retain(|known| known != file);
    }
    config.shared(project.root())
}

fn refuse_known(shared: &[Shared], name: &str) -> Result<(), Failure> {
    let Some(known) = shared.iter().find(|shared| shared.failure.name.as_deref() == Some(name))
    else {
        return Ok(());
    };
    let message =
        format!("the failure `{name}` is known from `{}`, line {}", known.file, known.line);
    Err(Failure::usage("knowledge::twice", message).help("choose another name, or edit that entry"))
}

fn failure(args: &AddArgs) -> Result<KnownFailure, Failure> {
    let from = args.from.as_deref().map(error_of).transpose()?;
    let (error, generalised) = from.unwrap_or_default();
    let (kind, fix) = remedy(&args.remedy)?;
    Ok(KnownFailure {
        name: Some(args.name.clone()),
        cost: args.cost,
        trigger: args.trigger.clone().unwrap_or(error),
        fix,
        fix_kind: kind.map(str::to_owned),
        pattern: args.pattern.clone().or(generalised),
        injected: true,
        tags: args.tag.clone(),
    })
}

/// The error line of a blocked task, and a pattern that is made from it.
fn error_of(record: &Path) -> Result<(String, Option<String>), Failure> {
    let record = &workspace_file::path_of(record, None)?;
    let bytes = read(record)?;
    let document = workspace_file::document(record, &bytes)?;
    error_of_block(&document).ok_or_else(|| {
        let message = format!("`{}` is no record of a blocked task", record.display());
        Failure::usage("knowledge::record", message).help("name a file that ends in `_blocked.xml`")
    })
}

fn remedy(args: &RemedyArgs) -> Result<(Option<&'static str>, String), Failure> {
    if let Some(text) = &args.fix {
        return Ok((None, text.clone()));
    }
    if let Some(command) = &args.fix_command {
        return Ok((Some("command"), command.clone()));
    }
    match &args.fix_patch {
        Some(patch) => Ok((Some("patch"), read_named(patch)?)),
        None => Ok((Some("rerun"), String::new())),
    }
}
