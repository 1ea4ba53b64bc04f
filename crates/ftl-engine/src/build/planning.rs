//! PLAN and READ_TESTS, in the world: what the delta's paths really are, what can be read.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path};

use ftl_model::{DeltaPath, Workspace};

use super::reading::one_line;
use super::world::World;
use crate::digest::sha256;
use crate::machine::Event;
use crate::machine::event::{Planned, TestsRead};
use crate::machine::plan::PlannedFile;
use crate::matching::check_patterns;
use crate::project::read_regular;
use crate::quality::check_rules;

/// A test file larger than this is not read for the implementer.
const MAX_TESTS: u64 = 1 << 20;

pub(super) fn check(world: &World<'_>) -> Event {
    let workspace = &world.workspace;
    let mut planned = Planned {
        commands: commands(workspace),
        warnings: check_patterns(workspace.failures()),
        ..Planned::default()
    };
    match files(workspace, world.root()) {
        Ok(files) => planned.files = files,
        Err(problem) => planned.problem = Some(problem),
    }
    if planned.problem.is_none()
        && let Some(idioms) = &workspace.idioms
    {
        planned.problem = check_rules(idioms).err();
    }
    match tests(&workspace.verify_source, world.root()) {
        Ok(tests) => planned.tests = tests,
        Err(warning) => planned.warnings.push(warning),
    }
    Event::Planned(Box::new(planned))
}

fn commands(workspace: &Workspace) -> Vec<String> {
    let texts = workspace.preflight.iter().flatten();
    texts
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect()
}

/// The delta, normalised; or the first path that can't be built on.
fn files(workspace: &Workspace, root: &Path) -> Result<Vec<PlannedFile>, String> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    let contexts = contexts(workspace);
    for text in &workspace.delta {
        let text = text.as_deref().unwrap_or_default();
        let path = DeltaPath::parse(text)
            .map_err(|problem| one_line(&format!("a delta path can't be built on: {problem}")))?;
        if let Some(problem) = obstacle(root, &path) {
            return Err(format!("delta `{path}`: {problem}"));
        }
        if !seen.insert(path.clone()) {
            return Err(format!("delta `{path}` is named twice"));
        }
        let extend = contexts.contains(&path) || root.join(&path).exists();
        files.push(PlannedFile { path, extend });
    }
    Ok(files)
}

fn contexts(workspace: &Workspace) -> BTreeSet<DeltaPath> {
    let paths = workspace
        .code_contexts
        .iter()
        .filter_map(|context| context.path.as_deref());
    paths
        .filter_map(|path| DeltaPath::parse(path).ok())
        .collect()
}

/// What on the disk keeps `path` from being a file of the project.
pub(crate) fn obstacle(root: &Path, path: &DeltaPath) -> Option<&'static str> {
    let parts: Vec<Component<'_>> = path.as_path().components().collect();
    let mut at = root.to_owned();
    for (index, part) in parts.iter().enumerate() {
        at.push(part);
        let last = index + 1 == parts.len();
        let Ok(metadata) = fs::symlink_metadata(&at) else {
            return None;
        };
        let kind = metadata.file_type();
        match () {
            () if kind.is_symlink() => return Some("leads through a symbolic link"),
            () if last && kind.is_dir() => return Some("is a directory"),
            () if last && !kind.is_file() => return Some("is a device, pipe or socket"),
            () if !last && !kind.is_dir() => return Some("lies below what is no directory"),
            () => {}
        }
    }
    None
}

/// The test file's path, where it can be read; a warning where it can't.
pub(crate) fn tests(verify_source: &str, root: &Path) -> Result<Option<String>, String> {
    let text = verify_source.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let path = normalised(text);
    let unread = |why: &str| {
        Err(format!(
            "the verify source `{}` is not read: {why}",
            one_line(text)
        ))
    };
    let real = match root.join(&path).canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return unread("there is no such file");
        }
        Err(error) => return unread(&error.to_string()),
    };
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    if Path::new(&path).is_absolute() || !real.starts_with(real_root) {
        return unread("it leaves the root");
    }
    match read_regular(&real, MAX_TESTS) {
        Ok(bytes) if bytes.len() as u64 > MAX_TESTS => unread("it is larger than 1 MiB"),
        Ok(bytes) if std::str::from_utf8(&bytes).is_err() => unread("it is not UTF-8"),
        Ok(_) => Ok(Some(path)),
        Err(error) => unread(&error.to_string()),
    }
}

/// A path without `./` and doubled slashes.
pub(super) fn normalised(text: &str) -> String {
    let parts = text.split('/').enumerate();
    let kept = parts.filter(|(index, part)| !(*part == "." || part.is_empty() && *index > 0));
    kept.map(|(_, part)| part).collect::<Vec<_>>().join("/")
}

pub(super) fn read_tests(world: &World<'_>, path: &str) -> Event {
    let read = fs::read(world.root().join(path));
    Event::TestsRead(match read {
        Ok(bytes) => TestsRead {
            sha256: Some(sha256(&bytes)),
            warning: None,
        },
        Err(error) => TestsRead {
            sha256: None,
            warning: Some(format!(
                "the verify source `{path}` could not be read: {error}"
            )),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn paths_lose_what_says_nothing() {
        for (text, path) in [("./a//b", "a/b"), ("a/./b/", "a/b"), ("/abs//x", "/abs/x")] {
            assert_eq!(normalised(text), path);
        }
    }
}
