use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::expected::{Expected, Outcome, Record};
use super::scenario::{Fix, Implementer, Scenario};
use super::text::{File, Language};
use super::world::{HOOK, OUTSIDE, OUTSIDE_TEXT, STRAY, World};

/// What `ftl` said.
#[derive(Debug)]
pub(super) struct Observed {
    exit: Option<i32>,
    report: Value,
    stderr: String,
}

/// Where what was seen is not what the rules say, one line each.
pub(super) type Differences = Vec<String>;

impl Observed {
    pub(super) fn new(output: &Output) -> Self {
        let stdout = String::from_utf8_lossy(&output.stdout);
        Self {
            exit: output.status.code(),
            report: serde_json::from_str(&stdout).unwrap_or(Value::String(stdout.into_owned())),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    pub(super) fn stderr(&self) -> &str {
        &self.stderr
    }

    /// What the report says of itself, against what it should say.
    pub(super) fn differences(&self, expected: &Expected, dry_run: bool) -> Differences {
        let mut differences = Differences::new();
        let mut compare = |what: &str, wanted: Value, found: Value| {
            if wanted != found {
                differences.push(format!("{what}: {found} instead of {wanted}"));
            }
        };
        let report = &self.report;
        compare(
            "exit code",
            expected.outcome.exit_code().into(),
            self.exit.into(),
        );
        compare(
            "outcome",
            expected.outcome.name().into(),
            report["outcome"].clone(),
        );
        let kind = match expected.outcome {
            Outcome::Blocked(kind) => kind.name().into(),
            Outcome::Complete | Outcome::Failed | Outcome::Planned => Value::Null,
        };
        compare("kind", kind, report["block"]["kind"].clone());
        if expected.outcome == Outcome::Failed {
            return differences;
        }
        compare(
            "total",
            expected.total.into(),
            report["budget"]["total"].clone(),
        );
        compare(
            "used",
            expected.used.into(),
            report["budget"]["used"].clone(),
        );
        if !dry_run {
            let states: Vec<_> = expected.states.iter().map(|state| state.name()).collect();
            compare("states", states.into(), report["states"].clone());
            compare("retries", expected.retries.into(), retries(report));
        }
        differences
    }
}

/// Without a RETRY the key may as well be missing or null.
fn retries(report: &Value) -> Value {
    match &report["retry"]["count"] {
        Value::Null => 0.into(),
        count => count.clone(),
    }
}

impl World {
    /// What is found in the tree and beside it, against what should be.
    pub(super) fn differences(&self, scenario: &Scenario, expected: &Expected) -> Differences {
        let mut differences = self.delta_differences(scenario, expected);
        differences.extend(self.record_difference(scenario, expected.record));
        let phases: Vec<_> = expected.phases.iter().map(|phase| phase.name()).collect();
        let asked = fs::read_to_string(self.scratch.join("agent.phases")).unwrap_or_default();
        if asked.lines().collect::<Vec<_>>() != phases {
            differences.push(format!("agent was asked {asked:?} instead of {phases:?}"));
        }
        let ran = fs::read_to_string(self.scratch.join("verify.count")).unwrap_or_default();
        if ran.trim().parse().unwrap_or(0) != expected.verify_runs {
            differences.push(format!(
                "verify ran {ran:?} times, not {}",
                expected.verify_runs
            ));
        }
        if outside_is_safe(scenario) {
            differences.extend(self.outside_difference());
        }
        differences
    }

    fn delta_differences(&self, scenario: &Scenario, expected: &Expected) -> Differences {
        let mut differences = Differences::new();
        for (place, wanted) in expected.delta.iter().enumerate() {
            if expected.transformed == Some(place) {
                continue;
            }
            let path = scenario.delta[place].path;
            let wanted = wanted
                .as_ref()
                .map(|file| as_found(file, Language::of(path)));
            let found = found(&self.root.join(path));
            if found != wanted {
                differences.push(format!("{path} is {found:?} instead of {wanted:?}"));
            }
        }
        differences
    }

    /// The task file's name tells its end; one that stays active keeps its bytes.
    fn record_difference(&self, scenario: &Scenario, record: Record) -> Option<String> {
        let entries = fs::read_dir(self.workspaces()).unwrap();
        let names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let wanted: Vec<_> = match record {
            Record::Complete => vec!["001_case_complete.xml".to_owned()],
            Record::Blocked => vec!["001_case_blocked.xml".to_owned()],
            Record::Untouched => self
                .original(scenario)
                .into_iter()
                .map(|(name, _)| name)
                .collect(),
        };
        if names != wanted {
            return Some(format!("the record is {names:?} instead of {wanted:?}"));
        }
        let changed = record == Record::Untouched
            && self.original(scenario).is_some_and(|(name, bytes)| {
                fs::read(self.workspaces().join(name)).unwrap() != bytes
            });
        changed.then(|| "the task file was written to".to_owned())
    }

    fn outside_difference(&self) -> Option<String> {
        let kept = found(&self.root.join(OUTSIDE));
        let intact = kept == Some((OUTSIDE_TEXT.to_owned(), false));
        let stray = [STRAY, HOOK]
            .into_iter()
            .find(|path| self.root.join(path).exists());
        match (intact, stray) {
            (false, _) => Some(format!("{OUTSIDE} is {kept:?}")),
            (true, Some(path)) => Some(format!("{path} was left behind")),
            (true, None) => None,
        }
    }
}

/// Whether everybody who might stray is one whose strays are put back.
fn outside_is_safe(scenario: &Scenario) -> bool {
    let strays = |fix: &Fix| matches!(fix, Fix::Command(command) if command.outside.is_some());
    !matches!(scenario.implementer, Implementer::Tree(tree) if tree.outside_differs)
        && !scenario.failures.iter().any(|failure| strays(&failure.fix))
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

mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use serde_json::json;

    use crate::oracle::certain;

    use super::*;

    fn report(expected: &Expected) -> Value {
        let states: Vec<_> = expected.states.iter().map(|state| state.name()).collect();
        let kind = match expected.outcome {
            Outcome::Blocked(kind) => json!({"kind": kind.name()}),
            Outcome::Complete | Outcome::Failed | Outcome::Planned => Value::Null,
        };
        json!({
            "outcome": expected.outcome.name(),
            "states": states,
            "budget": {"total": expected.total, "used": expected.used},
            "block": kind,
            "retry": {"count": expected.retries},
        })
    }

    fn seen(expected: &Expected, report: &Value) -> Differences {
        let output = Output {
            status: ExitStatus::from_raw(expected.outcome.exit_code() << 8),
            stdout: report.to_string().into_bytes(),
            stderr: Vec::new(),
        };
        Observed::new(&output).differences(expected, false)
    }

    #[test]
    fn a_report_that_agrees_shows_no_difference_and_any_other_does() {
        let mut told = 0;
        for expected in (0..200).map(|seed| certain(seed).1) {
            let right = report(&expected);
            assert_eq!(seen(&expected, &right), Differences::new());
            if expected.outcome == Outcome::Failed {
                continue;
            }
            for key in ["outcome", "states", "budget"] {
                let mut wrong = right.clone();
                wrong[key] = "other".into();
                assert!(!seen(&expected, &wrong).is_empty(), "{key} of {right}");
                told += 1;
            }
        }
        assert!(told > 300);
    }
}
