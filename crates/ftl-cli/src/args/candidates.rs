//! What completion offers in place of tasks and agents. Whatever can't be read offers nothing.

use std::ffi::OsStr;

use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use ftl_agents::presets;
use ftl_engine::project::{find, names};
use ftl_model::{Status, WorkspaceName};

use crate::config::Config;

/// Active tasks, and paths of task files.
pub(super) fn active() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| tasks(typed, |status| status == Status::Active))
}

/// Finished tasks, and paths of task files.
pub(super) fn finished() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| tasks(typed, Status::is_finished))
}

/// Tasks that can be dropped, and paths of task files.
pub(super) fn undone() -> ArgValueCompleter {
    let is_undone = |status| matches!(status, Status::Active | Status::Blocked);
    ArgValueCompleter::new(move |typed: &OsStr| tasks(typed, is_undone))
}

/// All tasks, and paths of task files.
pub(super) fn any() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| tasks(typed, |_| true))
}

/// Agents of the configuration and presets.
pub(super) fn agents() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let root = find(None, None).map(|layout| layout.root().to_owned());
        let config = root.map(|root| Config::load(None, &root).unwrap_or_default());
        let own = config.map(|config| config.agents).unwrap_or_default();
        let own = own.into_keys().map(|name| (name, "from ftl.toml".to_owned()));
        let known = presets().iter().map(|preset| (preset.name.clone(), preset.title.clone()));
        let mut all: Vec<(String, String)> = own.collect();
        for (name, title) in known {
            if all.iter().all(|(other, _)| *other != name) {
                all.push((name, title));
            }
        }
        let typed = typed.to_string_lossy();
        all.retain(|(name, _)| name.starts_with(&*typed));
        let candidate =
            |(name, help): (String, String)| CompletionCandidate::new(name).help(Some(help.into()));
        all.into_iter().map(candidate).collect()
    })
}

/// A number may lack its zeros, as everywhere. A path is completed as a path.
fn tasks(typed: &OsStr, wanted: impl Fn(Status) -> bool) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    if text.contains('/') || text.starts_with('.') {
        return PathCompleter::file().complete(typed);
    }
    let all = find(None, None).ok().and_then(|layout| names(&layout).ok());
    let mut found: Vec<WorkspaceName> = all.unwrap_or_default();
    found.retain(|name| wanted(name.status) && begins(name.id.as_str(), &text));
    found.sort();
    let candidate = |name: WorkspaceName| {
        let help = name.status.to_string();
        CompletionCandidate::new(name.id.to_string()).help(Some(help.into()))
    };
    found.into_iter().map(candidate).collect()
}

fn begins(id: &str, typed: &str) -> bool {
    let is_number = !typed.is_empty() && typed.chars().all(|c| c.is_ascii_digit());
    id.starts_with(typed) || is_number && id.trim_start_matches('0').starts_with(typed)
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn a_number_finds_its_task_with_and_without_zeros() {
        assert!(begins("001_a", "") && begins("001_a", "00") && begins("001_a", "001_a"));
        assert!(begins("001_a", "1") && begins("012_a", "12"));
        assert!(!begins("010_a", "001") && !begins("002_a", "1") && !begins("001_a", "a"));
    }
}
