//! Reports of tests that programs read, beside a verify's output: one that pytest is asked for, and those that the
//! command writes itself, by `[verify] reports`.
//!
//! pytest takes options from its environment, and a report changes nothing else of what it does. It is written outside of
//! the project and removed. node's and RSpec's reporters are not asked for: an option in their environment takes the place
//! of the one that the command or its configuration names.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ftl_analysis::failures::{FoundFailure, reported};
use ftl_process::Environment;
use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use tempfile::TempDir;

use super::implementer::without_variables;
use super::site::Site;

/// Bytes of a report that is read.
const LARGEST: u64 = 64 << 20;
/// Reports that are read.
const MAX_REPORTS: usize = 1_000;
const OPTIONS: &str = "PYTEST_ADDOPTS";
/// Where pytest is configured, also which report it writes anyway.
const CONFIGURATION: [&str; 7] = [
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
    "conftest.py",
];

/// The reports of one run of a command.
#[derive(Debug)]
pub(super) struct Reports {
    /// Where pytest writes the one that it is asked for.
    asked: Option<TempDir>,
    /// Where files of the project are older than this, the command did not write them.
    began: SystemTime,
}

impl Reports {
    /// To be called right before the command starts.
    pub(super) fn ask(site: &Site<'_>, command: &str) -> Self {
        let asked = asks(site, command)
            .then(|| tempfile::Builder::new().prefix("ftl-report-").tempdir().ok());
        // The clock of files is coarser than that of processes, so one that was written just now may look older.
        let now = || tempfile::tempfile().and_then(|file| file.metadata()?.modified()).ok();
        let is_asked = !site.settings.commands.reports.is_empty();
        let began = is_asked.then(now).flatten().unwrap_or_else(SystemTime::now);
        Self { asked: asked.flatten(), began }
    }

    /// The environment of the command.
    pub(super) fn environment(&self, site: &Site<'_>) -> Environment {
        let env = without_variables(site.settings.commands.env.clone());
        let Some(path) = self.path() else { return env };
        let given = env.resolve().remove(OsStr::new(OPTIONS)).unwrap_or_default();
        let options = format!("{} --junitxml={}", given.to_string_lossy(), path.display());
        env.set(OPTIONS, options.trim_start())
    }

    fn path(&self) -> Option<PathBuf> {
        Some(self.asked.as_ref()?.path().join("pytest.xml"))
    }

    /// What failed by them.
    pub(super) fn failures(&self, site: &Site<'_>, command: &str) -> Vec<FoundFailure> {
        let exists = |path: &str| site.root().join(path).is_file();
        let written = self.path().into_iter().chain(self.written(site));
        let is_small = |path: &PathBuf| {
            path.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST)
        };
        let texts = written.filter(is_small).filter_map(|path| fs::read(path).ok());
        let texts = texts.map(|bytes| site.secrets.hide(&String::from_utf8_lossy(&bytes)));
        texts.flat_map(|text| reported(&text, command, exists)).collect()
    }

    /// Files of the project that `[verify] reports` names, and that the command wrote.
    fn written(&self, site: &Site<'_>) -> Vec<PathBuf> {
        let mut globs = OverrideBuilder::new(site.root());
        let named = site.settings.commands.reports.iter();
        let count = named.filter(|glob| globs.add(glob).is_ok()).count();
        let Some(globs) = (count > 0).then(|| globs.build().ok()).flatten() else {
            return Vec::new();
        };
        let is_new = |path: &PathBuf| {
            let modified = path.symlink_metadata().and_then(|found| found.modified());
            modified.is_ok_and(|modified| modified >= self.began)
        };
        let walk = WalkBuilder::new(site.root())
            .standard_filters(false)
            .overrides(globs)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        let files = walk.flatten().filter(|entry| entry.file_type().is_some_and(|it| it.is_file()));
        files.map(ignore::DirEntry::into_path).filter(is_new).take(MAX_REPORTS).collect()
    }
}

/// Whether the command may run pytest, and nothing asks for a report already: the last one that is named would be
/// the only one.
fn asks(site: &Site<'_>, command: &str) -> bool {
    let given =
        site.settings.commands.env.resolve().remove(OsStr::new(OPTIONS)).unwrap_or_default();
    let read = |dir: &Path| CONFIGURATION.map(|name| fs::read_to_string(dir.join(name)).ok());
    let below = ftl_analysis::failures::directory_of(command).map(|dir| site.root().join(dir));
    let configured: Vec<String> = read(site.root())
        .into_iter()
        .chain(below.iter().flat_map(|dir| read(dir)))
        .flatten()
        .collect();
    let is_python = command.contains("pytest") || !configured.is_empty();
    let names_report = |text: &str| text.contains("junit");
    let is_plain = |path: &Path| {
        path.to_str()
            .is_some_and(|it| it.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)))
    };
    is_python
        && is_plain(&std::env::temp_dir())
        && !names_report(command)
        && !names_report(&given.to_string_lossy())
        && !configured.iter().any(|text| names_report(text))
}
