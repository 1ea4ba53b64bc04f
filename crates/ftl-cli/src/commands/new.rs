//! `ftl new`: the next task file.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Parser;
use ftl_model::{CodeContext, DeltaPath, Status, Workspace, WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Lock, OsFiles, Waiting, create, ensure_dir};
use ftl_xml::python::{Window, code_context, exports};

use super::build;
use crate::args::{self, BuildOptions, BuildWords, Format, NewArgs};
use crate::failure::Failure;
use crate::{Done, output, workspace_file};

/// Characters of a slug.
const SLUG: usize = 40;

/// Writes the task file, and builds it when asked to.
pub(crate) fn run(args: &NewArgs) -> Done {
    let layout = workspace_file::layout(args.root.as_deref(), None)?;
    let workspace = workspace(args, &layout)?;
    let build = args.build.as_deref().map(|words| options(words, &layout));
    let build = build.transpose()?;
    let path = write(&layout, workspace, &slug(&args.objective))?;
    let created = format!("Created: {}", path.display());
    match build {
        None => output::result(&(created + "\n")).map(|()| 0),
        Some(options) => {
            if options.format == Format::Json || options.events.is_some() {
                // Standard output is for what programs read.
                output::tell(&created);
            } else {
                output::result(&(created + "\n"))?;
            }
            build::run(&[path], &options)
        }
    }
}

/// The options of the build that follows, in the same project.
fn options(words: &[OsString], layout: &Layout) -> Result<BuildOptions, Failure> {
    let words = BuildWords::try_parse_from(words).map_err(|error| args::usage(&error))?;
    let mut options = words.options;
    options.root.get_or_insert_with(|| layout.root().to_owned());
    Ok(options)
}

/// Everything that the file will say but its number and its time.
fn workspace(args: &NewArgs, layout: &Layout) -> Result<Workspace, Failure> {
    if args.verify.trim().is_empty() {
        return Err(
            Failure::usage("usage::verify", "the verify command is empty")
                .help("name a command that passes only when the task is done"),
        );
    }
    let delta = delta(&args.delta)?;
    let mut contexts = Vec::new();
    for path in &delta {
        contexts.extend(context(layout.root(), path)?);
    }
    Ok(Workspace {
        status: Some(Status::Active.to_string()),
        objective: args.objective.trim().to_owned(),
        delta: delta.iter().map(|path| Some(path.to_string())).collect(),
        verify: args.verify.clone(),
        verify_source: args.verify_source.clone().unwrap_or_default(),
        budget: args.budget,
        code_contexts: contexts,
        ..Workspace::default()
    })
}

/// The delta, normalised; every path that a build would refuse is a problem here already.
fn delta(paths: &[String]) -> Result<Vec<DeltaPath>, Failure> {
    let mut delta: Vec<DeltaPath> = Vec::new();
    let mut problems = Vec::new();
    let mut refuse = |message: String| {
        let help = "the delta is files below the root, each named once";
        problems.push(Failure::usage("usage::delta", message).help(help));
    };
    for text in paths {
        match DeltaPath::parse(text) {
            Ok(path) if delta.contains(&path) => refuse(format!("`{path}` is named twice")),
            Ok(path) => delta.push(path),
            Err(problem) => refuse(problem.to_string()),
        }
    }
    Failure::of_all(problems).map_or(Ok(delta), Err)
}

/// The code context of a file that exists and is text.
fn context(root: &Path, path: &DeltaPath) -> Result<Option<CodeContext>, Failure> {
    let bytes = match fs::read(root.join(path.as_path())) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            let message = format!("cannot read `{path}`: {error}");
            return Err(Failure::usage("usage::delta", message)
                .help("a delta file is a regular file, or does not exist yet"));
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        output::tell(&format!(
            "warning: `{path}` is not UTF-8, so it gets no code context"
        ));
        return Ok(None);
    };
    let mut context = code_context(path.as_str(), &text, Window::Beginning);
    // Names are found by Python's rules: of other languages they would be guesses.
    let is_python = path.as_path().extension() == Some(OsStr::new("py"));
    context.exports = if is_python {
        exports(text.lines()).join(", ")
    } else {
        String::new()
    };
    Ok(Some(context))
}

/// Writes the file under the next number.
fn write(layout: &Layout, workspace: Workspace, slug: &str) -> Result<PathBuf, Failure> {
    let dir = layout.workspace_dir();
    ensure_dir(&OsFiles, &dir)?;
    layout.prepare(&OsFiles)?;
    // Two at once would take the same number.
    let numbers = WorkspaceId::new("", "new");
    let _lock = Lock::workspace(
        layout,
        &numbers,
        Waiting::While(&mut |_| ftl_process::interrupted().is_none()),
    )?;
    let number = next_number(&workspace_file::names(layout)?);
    let id = WorkspaceId::new(&format!("{number:03}"), slug);
    let document = ftl_xml::write_new(&Workspace {
        id: Some(id.attribute()),
        created_at: Some(ftl_engine::now()),
        ..workspace
    });
    let path = workspace_file::shown(&dir).join(
        WorkspaceName {
            id,
            status: Status::Active,
        }
        .to_string(),
    );
    workspace_file::document(&path, document.as_bytes())?;
    create(&OsFiles, &path, document.as_bytes())?;
    Ok(path)
}

/// One more than the highest number in use.
fn next_number(names: &[WorkspaceName]) -> u64 {
    let numbers = names.iter().filter_map(|name| name.id.seq().parse().ok());
    numbers
        .max()
        .map_or(1, |highest: u64| highest.saturating_add(1))
}

/// A short name made of the objective's words.
fn slug(objective: &str) -> String {
    let lower = objective.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words {
        let joined = slug.chars().count() + 1 + word.chars().count();
        if !slug.is_empty() && joined > SLUG {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.chars().take(SLUG));
    }
    if slug.is_empty() {
        "task".to_owned()
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::{delta, next_number, slug};

    #[test]
    fn a_slug_is_the_first_words_of_the_objective() {
        let long = "x".repeat(60);
        for (objective, expected) in [
            ("Quote `~root` safely", "quote-root-safely"),
            ("  Fix: the  parser's bug!", "fix-the-parser-s-bug"),
            ("../../etc/passwd", "etc-passwd"),
            ("Größe der Liste", "größe-der-liste"),
            ("???", "task"),
            ("", "task"),
            (
                "one two three four five six seven eight nine ten",
                "one-two-three-four-five-six-seven-eight",
            ),
            (&long, &"x".repeat(40)),
        ] {
            assert_eq!(slug(objective), expected);
        }
    }

    #[test]
    fn the_next_number_follows_the_highest() {
        let names = |names: &[&str]| {
            let names = names.iter().map(|name| name.parse().unwrap());
            next_number(&names.collect::<Vec<_>>())
        };
        assert_eq!(names(&[]), 1);
        assert_eq!(names(&["001_a_complete.xml", "007_b_active.xml"]), 8);
        assert_eq!(names(&["x_a_active.xml"]), 1);
        assert_eq!(names(&["999_a_active.xml"]), 1000);
    }

    #[test]
    fn a_delta_is_normalised_and_every_bad_path_is_named() {
        let paths =
            |paths: &[&str]| delta(&paths.iter().map(|&path| path.into()).collect::<Vec<_>>());
        assert_eq!(paths(&["./a.py", "b//c.py"]).unwrap()[1].as_str(), "b/c.py");
        let failure = paths(&["a", "./a", "../b", ""]).unwrap_err();
        let message = failure.result().error.message;
        for part in [
            "`a` is named twice",
            "`../b` holds `..`",
            "the path is empty",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
}
