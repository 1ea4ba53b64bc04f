//! Reports of tests that programs read, beside a verify's output: those that pytest and RSpec are asked for, and those that
//! the command writes itself, by `[verify] reports`.
//!
//! pytest takes an option from its environment, and RSpec a file that it loads, and neither changes what they do else. The
//! reports are written outside of the project and removed. node is not asked: a reporter in `NODE_OPTIONS` replaces
//! the default one, is an error beside one that the command names, and reaches every program of node.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ftl_analysis::failures::{FoundFailure, reported};
use ftl_process::Environment;
use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use tempfile::TempDir;

use crate::run::effects::implementer::without_variables;
use crate::run::site::Site;

/// Bytes of a report that is read.
const LARGEST: u64 = 16 << 20;
/// Reports that are read, and failures of them.
const MAX_REPORTS: usize = 1_000;
const MAX_FAILURES: usize = 500;
const PYTEST: &str = "PYTEST_ADDOPTS";
const RSPEC: &str = "SPEC_OPTS";
/// What RSpec loads.
const RSPEC_REPORT: &str = include_str!("rspec_report.rb");
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
pub(in crate::run) struct Reports {
    /// Where those are written that are asked for.
    asked: Option<TempDir>,
    /// What asks for them: a variable, and options that are added to it.
    options: Vec<(&'static str, String)>,
    /// Where files of the project are older than this, the command did not write them.
    began: SystemTime,
}

impl Reports {
    /// To be called right before the command starts.
    pub(in crate::run) fn ask(site: &Site<'_>, command: &str) -> Self {
        let (pytest, rspec) = (runs_pytest(site, command), runs_rspec(site, command));
        let make = || tempfile::Builder::new().prefix("ftl-report-").tempdir().ok();
        let asked = (pytest || rspec).then(make).flatten().filter(|it| is_plain(it.path()));
        let mut options = Vec::new();
        if let Some(dir) = &asked {
            let file = dir.path().join("rspec_report.rb");
            if pytest {
                options.push((PYTEST, format!("--junitxml={}/pytest.xml", dir.path().display())));
            }
            if rspec && fs::write(&file, RSPEC_REPORT).is_ok() {
                options.push((RSPEC, format!("--require {}", file.display())));
            }
        }
        // The clock of files is coarser than that of processes, so one that was written just now may look older.
        let now = || tempfile::tempfile().and_then(|file| file.metadata()?.modified()).ok();
        let is_asked = !site.settings.commands.reports.is_empty();
        let began = is_asked.then(now).flatten().unwrap_or_else(SystemTime::now);
        Self { asked, options, began }
    }

    /// The environment of the command.
    pub(in crate::run) fn environment(&self, site: &Site<'_>) -> Environment {
        let env = without_variables(site.settings.commands.env.clone());
        self.options.iter().fold(env, |env, (variable, option)| {
            let given = env.resolve().remove(OsStr::new(variable)).unwrap_or_default();
            let options = format!("{} {option}", given.to_string_lossy());
            env.set(*variable, options.trim_start())
        })
    }

    /// The reports that were asked for.
    fn answers(&self) -> Vec<PathBuf> {
        let dir = self.asked.as_ref().and_then(|dir| fs::read_dir(dir.path()).ok());
        let files = dir.into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> =
            files.filter(|path| path.extension().is_some_and(|it| it != "rb")).collect();
        files.sort();
        files
    }

    /// What failed by them.
    pub(in crate::run) fn failures(&self, site: &Site<'_>, command: &str) -> Vec<FoundFailure> {
        let exists = |path: &str| site.root().join(path).is_file();
        let written = self.answers().into_iter().chain(self.written(site));
        let is_small = |path: &PathBuf| {
            path.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST)
        };
        let texts = written.filter(is_small).filter_map(|path| fs::read(path).ok());
        let texts = texts.map(|bytes| site.secrets.hide(&String::from_utf8_lossy(&bytes)));
        texts.flat_map(|text| reported(&text, command, exists)).take(MAX_FAILURES).collect()
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
fn runs_pytest(site: &Site<'_>, command: &str) -> bool {
    let given = site.settings.commands.env.resolve().remove(OsStr::new(PYTEST)).unwrap_or_default();
    let read = |dir: &Path| CONFIGURATION.map(|name| fs::read_to_string(dir.join(name)).ok());
    let below = ftl_analysis::failures::directory_of(command).map(|dir| site.root().join(dir));
    let configured = read(site.root()).into_iter().chain(below.iter().flat_map(|dir| read(dir)));
    let configured: Vec<String> = configured.flatten().collect();
    let names_report = |text: &str| text.contains("junit");
    (command.contains("pytest") || !configured.is_empty())
        && !names_report(command)
        && !names_report(&given.to_string_lossy())
        && !configured.iter().any(|text| names_report(text))
}

fn runs_rspec(site: &Site<'_>, command: &str) -> bool {
    let is_there = |path: &str| site.root().join(path).is_file();
    command.contains("rspec") || is_there(".rspec") || is_there("spec/spec_helper.rb")
}

/// Whether no shell and no reader of options takes anything in a path for more than itself.
fn is_plain(path: &Path) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    path.to_str().is_some_and(|path| path.chars().all(is_plain))
}
