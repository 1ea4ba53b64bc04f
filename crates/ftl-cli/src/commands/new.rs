//! `ftl new`: the next task file.

use std::io::{Read as _, Write as _};
use std::path::Path;

use ftl_engine::author::new::{NewTask, Written, carrying_budget, draft};
use ftl_engine::project::{
    Layout, Repository, find, read_regular, repository_of, shown_command, test_command,
    typed_command, typed_path,
};
use ftl_engine::shell_word;

use super::{build, may_write};
use crate::args::NewArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::{CommandResult, advice, globals, output};

/// Bytes of an objective.
const OBJECTIVE: u64 = 1 << 16;

/// Writes the task file, and builds it when asked to.
pub(crate) fn run(args: &NewArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    let config = Config::load(globals::config(), layout.root())?;
    let Some(verify) = &args.verify else {
        return Err(without_verify(layout.root(), &config));
    };
    tell_new_project(&layout);
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
    build::after("Created", path, build)
}

/// Says that a project begins below the top of a repository, where commands at the top do not look for it.
fn tell_new_project(layout: &Layout) {
    if globals::root().is_some() || layout.ftl_dir().exists() {
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

/// The objective: as it is typed, from standard input, from a file, or from the editor, which begins with what is typed.
fn objective(args: &NewArgs) -> Result<String, Failure> {
    text(args.objective.as_deref().unwrap_or_default(), args.editor)
}

/// The objective: as it is typed, from standard input, from a file, or from the editor.
pub(super) fn text(typed: &str, edits: bool) -> Result<String, Failure> {
    let refused = |why: String| Failure::usage("usage::objective", why);
    let text = match typed {
        "-" => {
            let mut text = String::new();
            let read = std::io::stdin().lock().take(OBJECTIVE).read_to_string(&mut text);
            read.map_err(|error| refused(format!("cannot read standard input: {error}")))?;
            text
        }
        typed => match typed.strip_prefix('@') {
            Some(path) => {
                let read =
                    read_regular(Path::new(path), OBJECTIVE).map_err(|error| error.to_string());
                let text = read.and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
                });
                text.map_err(|why| refused(format!("cannot read `{path}`: {why}")))?
            }
            None => typed.to_owned(),
        },
    };
    let text = if edits { edited(&text)? } else { text };
    match text.trim() {
        "" => Err(refused("the objective is empty".to_owned())),
        text => Ok(text.to_owned()),
    }
}

/// A text as the user leaves it in the editor.
fn edited(text: &str) -> Result<String, Failure> {
    let failed = |why: String| {
        Failure::failed("usage::objective", format!("cannot edit the objective: {why}"))
    };
    let path = std::env::temp_dir().join(format!("ftl-objective-{}.md", std::process::id()));
    // A file that others made there is not ours to write.
    let made = std::fs::File::create_new(&path);
    made.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| failed(error.to_string()))?;
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let editor = editor.filter(|editor| !editor.trim().is_empty()).unwrap_or("vi".to_owned());
    let has_ended = ftl_process::edit(&editor, &path);
    let text = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()));
    let _ = std::fs::remove_file(&path);
    match has_ended {
        true => text,
        false => Err(failed(format!("`{editor}` did not end with 0"))),
    }
}

fn task(args: &NewArgs, verify: &str, root: &Path) -> Result<NewTask, Failure> {
    let typed = |path: &String| typed_path(root, path);
    let delta = super::delta::files(root, &args.delta)?;
    Ok(NewTask {
        objective: objective(args)?,
        verify: typed_command(root, verify),
        verify_source: args.verify_source.as_ref().map(typed),
        depends: args.depends.clone(),
        allow: args.allow.clone(),
        tests_change: args.tests_change,
        allow_removed: args.allow_removed.clone(),
        budget: args.budget.unwrap_or_else(|| carrying_budget(delta.len())),
        delta,
    })
}
