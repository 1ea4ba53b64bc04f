//! Commands of the task: where they run, and what they leave outside the delta.
//!
//! A verify runs in the project. A preflight command, and a verify that is confirmed, run where the work is before it
//! lands: in the workplace.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use ftl_process::{Command, Ended, Environment};
use ftl_store::Operation;

use crate::run::Fault;
use crate::run::journal::recorder::Recorder;
use crate::run::work::written::{self, Left};
use crate::run::world::World;

/// Bytes of a file of an earlier request that an implementer can read.
const LARGEST_SHOWN: u64 = 64 << 20;

/// Runs a command where the run's work is, and finds what it leaves outside the delta. `by` is what a sentence calls it,
/// `env` its environment.
pub(in crate::run) fn run(
    world: &World<'_>,
    command: &str,
    log: &Path,
    by: &str,
    env: Environment,
    recorder: &mut Recorder<'_>,
) -> Result<(Ended, Left), Fault> {
    let watch = world.tree().watch()?;
    let child = world.site.shell(command, log).env(env.clone());
    let child = match world.workplace.as_ref().filter(|_| world.locked.is_none()) {
        Some(place) => {
            let child: Command = child.env(env.set("FTL_SLOT", place.number.to_string()));
            place.placed(world.site, child, place.view(&world.placed)?)
        }
        None => child,
    };
    let ended = world.site.run_child(&child, recorder)?;
    let left = written::since(world, &watch, by)?;
    Ok((ended, left))
}

/// Brings the files that the task's runs have for an implementer to where it sees them in its workplace.
pub(in crate::run) fn show_runs(world: &World<'_>) -> Result<(), Fault> {
    let task = world.site.run.dir().parent().unwrap_or(world.site.run.dir());
    let Ok(below) = task.strip_prefix(world.site.root()) else {
        return Ok(());
    };
    let to = world.copy().root().join(below);
    let show = || -> io::Result<()> {
        let mut dir = world.copy().root().to_path_buf();
        for name in below {
            dir.push(name);
            make_own_dir(&dir)?;
        }
        // Those of other tasks would make the copy larger with every task that was ever built.
        for other in fs::read_dir(to.parent().unwrap_or(&to))? {
            let other = other?;
            if Some(other.file_name().as_os_str()) != to.file_name() {
                ftl_tree::workplace::remove_dir(&other.path()).map_err(io::Error::other)?;
            }
        }
        for run in fs::read_dir(task)? {
            let run = run?;
            let to = to.join(run.file_name());
            make_own_dir(&to)?;
            for kind in ["requests", "outputs", "diffs"] {
                show_dir(&run.path().join(kind), &to.join(kind))?;
            }
        }
        Ok(())
    };
    show().map_err(|error| Operation::Write.failed(&to, error).into())
}

/// Makes a directory, in the place of anything else that an implementer left there: nothing is written through a link.
fn make_own_dir(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => fs::remove_file(path)?,
        Err(_) => {}
    }
    DirBuilder::new().mode(0o700).create(path)
}

/// Copies files that are not there yet, or were written since.
fn show_dir(from: &Path, to: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(from) {
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(());
        }
        entries => entries?,
    };
    make_own_dir(to)?;
    // A reply of an interrupted request must not answer a later one.
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if !from.join(entry.file_name()).exists() && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    for entry in entries {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        let found = entry.metadata()?;
        if found.is_dir() {
            show_dir(&path, &to)?;
        } else if found.is_file() && found.len() <= LARGEST_SHOWN {
            let is_current = to.symlink_metadata().is_ok_and(|copy| {
                copy.is_file() && copy.len() == found.len() && copy.mtime() >= found.mtime()
            });
            if !is_current {
                ftl_tree::workplace::remove_dir(&to).map_err(io::Error::other)?;
                fs::copy(&path, &to)?;
            }
        }
    }
    Ok(())
}

/// Brings a file that an implementer wrote in its workplace to its path in the run's directory.
pub(in crate::run) fn fetch(world: &World<'_>, path: &Path) -> Result<(), Fault> {
    let Some(place) = &world.workplace else {
        return Ok(());
    };
    let Ok(below) = path.strip_prefix(world.site.root()) else {
        return Ok(());
    };
    let from = place.copy.root().join(below);
    let mut dirs = from.ancestors().skip(1).take_while(|dir| *dir != place.copy.root());
    if dirs.any(|dir| !dir.symlink_metadata().is_ok_and(|found| found.is_dir())) {
        return Ok(());
    }
    match from.symlink_metadata() {
        Ok(found) if found.is_file() && found.len() <= LARGEST_SHOWN => {
            let bytes = fs::read(&from).map_err(|error| Operation::Read.failed(&from, error))?;
            let text = match String::from_utf8(bytes) {
                Ok(text) => world.as_meant(&text).into_bytes(),
                Err(error) => error.into_bytes(),
            };
            let _ = fs::remove_file(path);
            fs::write(path, text).map_err(|error| Operation::Write.failed(path, error))?;
            Ok(())
        }
        _ => Ok(()),
    }
}
