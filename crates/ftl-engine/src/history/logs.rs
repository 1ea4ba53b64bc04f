//! What the agents and commands of a run printed, as files of the run.

use std::path::{Path, PathBuf};

use ftl_text::excerpt;

use crate::project::read_regular;
use crate::result::RunLog;

/// Bytes of a log that are read.
const MAX_LOG: u64 = 64 << 20;
/// Logs that are listed; a run can have thousands.
const MAX_LOGS: usize = 200;

/// The logs in a run's directory: of its requests, then of its commands, each in the order of their numbers.
pub(super) fn of(dir: &Path, shown: &dyn Fn(&Path) -> String, with_texts: bool) -> Vec<RunLog> {
    let mut requests = listed(&dir.join("requests"));
    requests.sort_by_key(|path| number_in(path));
    let mut logs: Vec<PathBuf> = requests.iter().flat_map(|request| sorted(request)).collect();
    logs.extend(sorted(&dir.join("outputs")));
    logs.retain(|path| holds_something(path));
    logs.truncate(MAX_LOGS);
    let log = |path: PathBuf| RunLog {
        path: shown(&path),
        text: with_texts.then(|| text(&path)).flatten(),
    };
    logs.into_iter().map(log).collect()
}

/// ftl creates no links here, so a link is never listed: its target is another program's file.
fn holds_something(path: &Path) -> bool {
    let found = std::fs::symlink_metadata(path);
    found.is_ok_and(|found| found.is_file() && found.len() > 0)
}

fn text(path: &Path) -> Option<String> {
    let bytes = read_regular(path, MAX_LOG).ok()?;
    Some(excerpt(&ftl_text::play(&bytes)))
}

/// The logs of a directory, which are named `verify-10.log`.
fn sorted(dir: &Path) -> Vec<PathBuf> {
    let mut logs = listed(dir);
    logs.retain(|path| path.extension().is_some_and(|extension| extension == "log"));
    logs.sort_by_key(|path| (number_in(path), path.clone()));
    logs
}

fn listed(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// The number at the end of a name; 0 where there is none.
fn number_in(path: &Path) -> u64 {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let digits = stem.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.parse().unwrap_or(0)
}
