//! What a run leaves behind in the tree, against what it should.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::expected::{Expected, Phase, Record};
use super::observed::Differences;
use super::scenario::{Implementer, Scenario};
use super::text::{File, Language};
use super::world::{HOOK, OUTSIDE, OUTSIDE_TEXT, STRAY, World};

impl World {
    /// What is found in the tree and beside it, against what should be.
    pub(super) fn differences(&self, scenario: &Scenario, expected: &Expected) -> Differences {
        let mut differences = self.delta_differences(scenario, expected);
        differences.extend(self.record_difference(scenario, expected.record));
        differences.extend(self.calls_difference(scenario, expected));
        let ran = fs::read_to_string(self.scratch.join("verify.count")).unwrap_or_default();
        if ran.trim().parse().unwrap_or(0) != expected.verify_runs {
            differences.push(format!("verify ran {ran:?} times, not {}", expected.verify_runs));
        }
        if outside_is_safe(scenario) {
            differences.extend(self.outside_difference());
        }
        differences
    }

    /// An agent gets its phase, and the delta as its arguments.
    fn calls_difference(&self, scenario: &Scenario, expected: &Expected) -> Option<String> {
        let delta: Vec<_> = scenario.delta.iter().map(|file| file.path).collect();
        let call = |phase: &Phase| format!("{} {}\n", phase.name(), delta.join(" "));
        let wanted: String = expected.phases.iter().map(call).collect();
        let found = fs::read_to_string(self.scratch.join("agent.calls")).unwrap_or_default();
        if self.scratch.join("leak").exists() {
            return Some("verify saw what is meant for the agent".to_owned());
        }
        (found != wanted).then(|| format!("the agent was called {found:?} instead of {wanted:?}"))
    }

    fn delta_differences(&self, scenario: &Scenario, expected: &Expected) -> Differences {
        let mut differences = Differences::new();
        for (place, wanted) in expected.delta.iter().enumerate() {
            if expected.transformed == Some(place) {
                continue;
            }
            let path = scenario.delta[place].path;
            let wanted = wanted.as_ref().map(|file| as_found(file, Language::of(path)));
            let found = found(&self.root.join(path));
            if found != wanted {
                differences.push(format!("{path} is {found:?} instead of {wanted:?}"));
            }
        }
        differences
    }

    /// The task file's name shows its end; one that stays active keeps its bytes.
    fn record_difference(&self, scenario: &Scenario, record: Record) -> Option<String> {
        let entries = fs::read_dir(self.workspaces()).unwrap();
        let names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let original = self.original(scenario);
        let wanted: Vec<_> = if record.is_final() {
            vec![record.file_name().to_owned()]
        } else {
            original.iter().map(|(name, _)| name.clone()).collect()
        };
        if names != wanted {
            return Some(format!("the record is {names:?} instead of {wanted:?}"));
        }
        let kept =
            |(name, bytes)| fs::read(self.workspaces().join::<String>(name)).unwrap() == bytes;
        let changed = !record.is_final() && !original.is_none_or(kept);
        changed.then(|| "the task file was written to".to_owned())
    }

    fn outside_difference(&self) -> Option<String> {
        let kept = found(&self.root.join(OUTSIDE));
        let intact = kept == Some((OUTSIDE_TEXT.to_owned(), false));
        let stray = [STRAY, HOOK].into_iter().find(|path| self.root.join(path).exists());
        match (intact, stray) {
            (false, _) => Some(format!("{OUTSIDE} is {kept:?}")),
            (true, Some(path)) => Some(format!("{path} was left behind")),
            (true, None) => None,
        }
    }
}

/// Whether a person changed none of the files that an implementer may only stray into.
fn outside_is_safe(scenario: &Scenario) -> bool {
    !matches!(scenario.implementer, Implementer::Tree(tree) if tree.outside_differs)
}

fn as_found(file: &File, language: Language) -> (String, bool) {
    (file.text.render(language), file.executable)
}

/// A file's text, and whether its owner may execute it.
fn found(path: &Path) -> Option<(String, bool)> {
    let text = fs::read_to_string(path).ok()?;
    let mode = fs::metadata(path).ok()?.permissions().mode();
    Some((text, mode & 0o100 != 0))
}
