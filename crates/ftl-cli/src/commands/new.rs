//! `ftl new`: the next task file.

use std::path::Path;

use ftl_engine::author::new::{NewTask, Written, carrying_budget, draft};
use ftl_engine::project::{
    Layout, Repository, display_path, find, repository_of, shown_command, test_command,
    typed_command, typed_path,
};
use ftl_engine::shell_word;

use super::{build, may_write};
use crate::args::NewArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::{CommandResult, advice, output};

/// Writes the task file, and builds it when asked to.
pub(crate) fn run(args: &NewArgs) -> CommandResult {
    let layout = find(args.root.as_deref(), None)?;
    let config = Config::load(None, layout.root())?;
    let Some(verify) = &args.verify else {
        return Err(without_verify(layout.root(), &config));
    };
    tell_new_project(&layout, args);
    may_write(&layout)?;
    let draft = draft(&layout, &task(args, verify, layout.root())?)?;
    for warning in draft.warnings() {
        output::warn(warning);
    }
    // Before the file is written: a mistyped option of the build must not leave a task behind.
    let build = args.build.as_deref().map(|words| build::trailing(words, &layout));
    let build = build.transpose()?;
    let Written { path, warnings } = draft.write(&config.verify.env)?;
    for problem in warnings {
        output::warn(&format!("{} ({})", problem.message, problem.help));
    }
    build::after(&format!("Created: {}", output::path(&display_path(&path))), path, build)
}

/// Says that a project begins below the top of a repository, where commands at the top do not look for it.
fn tell_new_project(layout: &Layout, args: &NewArgs) {
    if args.root.is_some() || layout.ftl_dir().exists() {
        return;
    }
    let Ok(Repository::At(top)) = repository_of(layout.root()) else {
        return;
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (top, root) = (real(&top), real(layout.root()));
    if let Some(below) = root.strip_prefix(&top).ok().filter(|below| !below.as_os_str().is_empty())
    {
        output::message(&format!(
            "note: a new project begins in `{}`, below the top of the git repository; from elsewhere name it with \
             `--root`",
            below.display()
        ));
    }
}

/// Proposes the project's own test command: of the current directory, else of the root.
fn without_verify(root: &Path, config: &Config) -> Failure {
    let failure = Failure::usage("usage::verify", "the task has no `--verify`");
    let env = &config.verify.env;
    let here = || test_command(Path::new("."), env);
    let of_root = || Some(shown_command(root, &test_command(root, env)?));
    let Some(command) = here().or_else(of_root) else {
        return failure.help(advice::VERIFY);
    };
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let end = words.iter().position(|word| word == "--build").unwrap_or(words.len());
    words.splice(end..end, ["--verify".to_owned(), command]);
    let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    failure.help(format!(
        "{}; with this project's own tests: `ftl {}`",
        advice::VERIFY,
        words.join(" ")
    ))
}

fn task(args: &NewArgs, verify: &str, root: &Path) -> Result<NewTask, Failure> {
    let typed = |path: &String| typed_path(root, path);
    let delta = super::delta::files(root, &args.delta)?;
    Ok(NewTask {
        objective: args.objective.clone(),
        verify: typed_command(root, verify),
        verify_source: args.verify_source.as_ref().map(typed),
        depends: args.depends.clone(),
        tests_change: args.tests_change,
        allow_removed: args.allow_removed.clone(),
        budget: args.budget.unwrap_or_else(|| carrying_budget(delta.len())),
        delta,
    })
}
