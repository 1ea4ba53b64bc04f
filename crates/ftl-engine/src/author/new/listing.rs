//! The exports that a new task lists of its files: what must still be there when the task is done.
//!
//! The current file may be edited already. So that the order of the edit and the task changes no
//! verdict, what the last commit exported is listed too.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use ftl_analysis::quality::export_names;
use ftl_model::DeltaPath;
use ftl_xml::python::exports;

use crate::parsing::Parsing;
use crate::project::{Layout, ProjectFiles, committed};

/// Lists exports of the files of a delta.
pub(super) struct Listing {
    parsing: Parsing,
    project: ProjectFiles,
    /// The files as the last commit has them.
    committed: BTreeMap<DeltaPath, String>,
}

impl Listing {
    /// For the files of a project; without git for the current files alone.
    pub(super) fn new(root: &Path, delta: &[DeltaPath]) -> Self {
        Self {
            parsing: Parsing::new(None),
            project: ProjectFiles::new(Layout::new(root)),
            committed: committed(root, delta),
        }
    }

    /// The exports of a file whose text this is, and those that only its last commit had.
    pub(super) fn names(&self, path: &DeltaPath, text: &str) -> Vec<String> {
        let names = self.of(path, text);
        let committed = self.committed.get(path);
        match committed.filter(|committed| *committed != text) {
            Some(committed) => united(names, self.of(path, committed)),
            None => names,
        }
    }

    fn of(&self, path: &DeltaPath, text: &str) -> Vec<String> {
        let others = |path: &str| self.project.text(path);
        let is_shallow = |path: &str, text: &str| self.parsing.is_shallow(path, text);
        let read = || export_names(path.as_str(), text, &others, &is_shallow);
        let read = self.parsing.run(read).ok().flatten().unwrap_or_default();
        if path.as_path().extension() == Some(OsStr::new("py")) {
            // In the order of the task files of a plan, which lines give; a line may be within a string.
            let is_given =
                |name: &String| united(read.clone(), vec![name.clone()]).len() == read.len();
            let in_order = exports(text.lines()).into_iter().filter(is_given).collect();
            return united(in_order, read);
        }
        read
    }
}

/// Both lists, each name once: `f` and `f()` are one.
fn united(mut names: Vec<String>, more: Vec<String>) -> Vec<String> {
    let plain = |name: &str| name.trim_end_matches("()").to_owned();
    for name in more {
        if !names.iter().any(|known| plain(known) == plain(&name)) {
            names.push(name);
        }
    }
    names
}
