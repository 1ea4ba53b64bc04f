//! `ftl workspace create`: the task files of a plan.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_engine::project::ProjectFiles;
use ftl_model::Status;
use ftl_store::{
    Files, Layout, Lock, OsFiles, Runs, StoreError, Waiting, create, ensure_dir, finish_residue,
    replace,
};
use ftl_xml::plan::{NewFile, Plan, PlanProblem};

use crate::args::CreateArgs;
use crate::failure::Failure;
use ftl_engine::project::sealed_status;

use crate::workspace_file;
use crate::{Done, output};

/// Writes every task file of the plan, or none and says why.
pub(crate) fn run(args: &CreateArgs) -> Done {
    let layout = workspace_file::layout(args.root.as_deref(), None)?;
    let text = plan_text(&args.plan)?;
    let project = ProjectFiles::new(layout.clone());
    let created = Plan::parse(&text, args.task.as_deref())
        .and_then(|plan| plan.create(&project, &ftl_engine::now()))
        .map_err(|problems| refused(&problems))?;
    for warning in &created.warnings {
        output::tell(&format!("warning: {warning}"));
    }
    ensure_dir(&OsFiles, &layout.workspace_dir())?;
    layout.prepare(&OsFiles)?;
    let places = places(&layout, created.files)?;
    for place in &places {
        place.write()?;
        output::result(&format!("Created: {}\n", place.path.display()))?;
    }
    Ok(0)
}

/// The plan, from a file or standard input.
fn plan_text(plan: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if plan == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(plan).map(|read| bytes = read)
    };
    let shown = plan.display();
    read.map_err(|error| {
        let message = format!("cannot read the plan `{shown}`: {error}");
        Failure::usage("usage::plan", message).help("name a JSON file, or `-` for standard input")
    })?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::failed("plan::utf8", format!("the plan `{shown}` is not UTF-8"))
            .help("save it as UTF-8")
    })
}

fn refused(problems: &[PlanProblem]) -> Failure {
    let failures = problems.iter().map(|problem| {
        Failure::failed("plan::problem", problem.to_string())
            .help("nothing was written: mend the plan and run the command again")
    });
    Failure::of_all(failures).expect("because a plan is refused for a reason")
}

/// Where a task file goes.
struct Place {
    path: PathBuf,
    content: String,
    /// Held where an older file is to be replaced.
    lock: Option<Lock>,
}

impl Place {
    fn write(&self) -> Result<(), StoreError> {
        match self.lock {
            Some(_) => replace(&OsFiles, &self.path, self.content.as_bytes()),
            None => create(&OsFiles, &self.path, self.content.as_bytes()),
        }
    }
}

/// The places of all files; every one that cannot be written is a problem.
fn places(layout: &Layout, files: Vec<NewFile>) -> Result<Vec<Place>, Failure> {
    let mut places = Vec::new();
    let mut failures = Vec::new();
    for file in files {
        match place(layout, file) {
            Ok(place) => places.push(place),
            Err(failure) => failures.push(failure),
        }
    }
    Failure::of_all(failures).map_or(Ok(places), Err)
}

fn place(layout: &Layout, file: NewFile) -> Result<Place, Failure> {
    let path = workspace_file::shown(&layout.workspace_dir()).join(&file.name);
    workspace_file::document(&path, file.content.as_bytes())?;
    let lock = match OsFiles.metadata(&path)? {
        None => None,
        Some(_) => replaceable(layout, &path, &file)?,
    };
    if lock.is_none() {
        warn_of_records(&path, &file);
    }
    Ok(Place {
        path,
        content: file.content,
        lock,
    })
}

/// The lock of an active task that nobody began; `None` where it turns out to be a record whose
/// sealing a crash cut short, and which lies under its own name now.
fn replaceable(layout: &Layout, path: &Path, file: &NewFile) -> Result<Option<Lock>, Failure> {
    let lock = Lock::task(&OsFiles, layout, path, Waiting::Refuse)?;
    if let Some(warning) = lock.warning() {
        output::tell(&format!("warning: {warning}"));
    }
    if finish_residue(&OsFiles, path, sealed_status)?.is_some() {
        return Ok(None);
    }
    match Runs::new(&OsFiles, layout, &file.id).unfinished()? {
        None => Ok(Some(lock)),
        Some(run) => {
            let message = format!("`{}` was begun: run {}", path.display(), run.number());
            let help = format!("finish it with `ftl build {}` first", file.id);
            Err(Failure::failed("plan::begun", message).help(help))
        }
    }
}

/// Tells of a record of the same task, which stays as it is.
fn warn_of_records(path: &Path, file: &NewFile) {
    for status in [Status::Complete, Status::Blocked] {
        let record = path.with_file_name(format!("{}_{status}.xml", file.id));
        if record.exists() {
            let record = record.display();
            output::tell(&format!(
                "warning: `{}` has a record already: `{record}`",
                file.id
            ));
        }
    }
}
