//! What strayed in the requests of a run, kept with it: `.ftl/runs/ID/N/quarantine/K/`, of request K.

use std::fs::{self, FileType};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::{Operation, Run};
use ftl_tree::Tree;

use crate::run::Fault;

/// In a quarantine, what is above the root.
pub(crate) const ABOVE: &str = "above-root/";

/// The quarantines of a run, the last one first.
pub(crate) fn quarantines(run: &Run) -> Vec<PathBuf> {
    // What is a link did not come from ftl.
    let is_dir = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    let dir = Some(run.quarantine()).filter(|dir| is_dir(dir));
    let names = dir.and_then(|dir| fs::read_dir(dir).ok()).into_iter().flatten().flatten();
    let names = names.filter(|entry| is_dir(&entry.path()));
    let mut numbers: Vec<u32> =
        names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.into_iter().rev().map(|number| run.quarantine().join(number.to_string())).collect()
}

/// Visits what is at a path of a quarantine, or below it, but directories. Names that are not UTF-8 are left out.
pub(crate) fn walk<E>(
    dir: &Path,
    name: &str,
    visit: &mut dyn FnMut(&str, FileType) -> Result<(), E>,
) -> Result<(), E> {
    let full = dir.join(name);
    let Ok(found) = full.symlink_metadata() else {
        return Ok(());
    };
    if !found.is_dir() {
        return visit(name, found.file_type());
    }
    for entry in fs::read_dir(&full).into_iter().flatten().flatten() {
        if let Some(below) = Path::new(name).join(entry.file_name()).to_str() {
            walk(dir, below, visit)?;
        }
    }
    Ok(())
}

/// Lays what strayed by the last request into the workplace of the same run, after a crash: later requests and a verify
/// in the workplace find it there.
pub(in crate::run) fn lay(run: &Run, copy: &Tree) -> Result<bool, Fault> {
    let Some(dir) = quarantines(run).into_iter().next() else {
        return Ok(false);
    };
    let mut is_any = false;
    walk(&dir, "", &mut |name, kind| {
        let path = DeltaPath::parse(name).ok().filter(|_| kind.is_file());
        if let Some(path) = path.filter(|_| !name.starts_with(ABOVE)) {
            let full = dir.join(name);
            let read = fs::read(&full).and_then(|bytes| Ok((bytes, fs::metadata(&full)?)));
            let (bytes, found) = read.map_err(|error| Operation::Read.failed(&full, error))?;
            copy.write(&path, &bytes, Some(found.permissions().mode() & 0o777))?;
            is_any = true;
        }
        Ok(())
    })
    .map(|()| is_any)
}
