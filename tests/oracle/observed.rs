//! What the program says of a run, against what it should.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Output;

use serde_json::Value;

use super::expected::{Expected, Outcome, Report, SCRATCH, State};

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
    /// Reads a finished run whose scripts lay in `scratch`.
    pub(super) fn new(output: &Output, scratch: &str) -> Self {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        Self {
            exit: output.status.code(),
            report: serde_json::from_str(&stdout).unwrap_or(Value::String(stdout.into_owned())),
            stderr: stderr.replace(scratch, SCRATCH),
        }
    }

    /// All of it, for a person to read.
    pub(super) fn said(&self) -> String {
        format!("{:#}\n{}", self.report, self.stderr)
    }

    pub(super) fn differences(&self, expected: &Expected, dry_run: bool) -> Differences {
        let mut pairs = self.end(expected);
        if expected.outcome != Outcome::Failed {
            pairs.extend(self.budget(expected));
            if !dry_run {
                pairs.extend(self.identity(expected));
                pairs.extend(self.course(expected));
                pairs.extend(self.details(expected));
            }
        }
        pairs
            .into_iter()
            .filter(|(_, wanted, found)| wanted != found)
            .map(|(what, wanted, found)| format!("{what}: {found} instead of {wanted}"))
            .collect()
    }

    fn end(&self, expected: &Expected) -> Vec<Pair> {
        let kind = match expected.outcome {
            Outcome::Blocked(kind) => kind.name().into(),
            Outcome::Complete | Outcome::Failed | Outcome::Planned => Value::Null,
        };
        let report = &self.report;
        vec![
            ("kind", kind, report["block"]["kind"].clone()),
            ("outcome", expected.outcome.name().into(), report["outcome"].clone()),
            ("exit code", expected.outcome.exit_code().into(), self.exit.into()),
        ]
    }

    fn identity(&self, expected: &Expected) -> Vec<Pair> {
        let name = expected.record.file_name();
        let path = self.report["workspace"].as_str().unwrap_or_default();
        let found = path.rsplit('/').next().unwrap_or_default();
        vec![
            ("id", "001_case".into(), self.report["id"].clone()),
            ("workspace", name.into(), found.into()),
        ]
    }

    fn budget(&self, expected: &Expected) -> Vec<Pair> {
        let budget = &self.report["budget"];
        vec![
            ("total", expected.total.into(), budget["total"].clone()),
            ("used", expected.used.into(), budget["used"].clone()),
        ]
    }

    fn course(&self, expected: &Expected) -> Vec<Pair> {
        let states: Vec<_> = expected.states.iter().map(|state| state.name()).collect();
        // Without a RETRY the key may as well be missing or null.
        let retries = match &self.report["retry"]["count"] {
            Value::Null => 0.into(),
            count => count.clone(),
        };
        vec![
            ("states", states.into(), self.report["states"].clone()),
            ("retries", expected.retries.into(), retries),
        ]
    }

    fn details(&self, expected: &Expected) -> Vec<Pair> {
        let report = &expected.report;
        let mut pairs = Vec::new();
        if let (Some(error), Outcome::Blocked(_)) = (report.error, expected.outcome) {
            pairs.push(("error", error.into(), self.report["block"]["error"].clone()));
        }
        if let Some(touched) = &report.touched {
            pairs.push(("files", list(touched), list(&self.names("files", "path"))));
        }
        if let Some(utilized) = &report.utilized {
            pairs.push(("utilized", list(utilized), list(&self.names("utilized", "name"))));
        }
        if expected.states.contains(&State::Quality) {
            pairs.push(self.idioms(report));
            pairs.push(self.exports(report));
        }
        if let Some(announced) = &report.announced {
            pairs.push(self.announced(announced, expected.retries > 0));
        }
        pairs
    }

    /// One key of every object in a list of the report.
    fn names(&self, list: &str, key: &str) -> BTreeSet<String> {
        let items = self.report[list].as_array().into_iter().flatten();
        items.filter_map(|item| item[key].as_str()).map(str::to_owned).collect()
    }

    fn idioms(&self, report: &Report) -> Pair {
        let line = |kind: &str, text: &str, verdict: &str| format!("{kind} {text}: {verdict}");
        let wanted = report.idioms.iter();
        let wanted = wanted.map(|((kind, text), verdict)| line(kind, text, verdict)).collect();
        let found = self.report["quality"]["idioms"].as_array().into_iter().flatten();
        let text = |item: &Value, key: &str| item[key].as_str().unwrap_or("?").to_owned();
        let found = found
            .map(|it| line(&text(it, "kind"), &text(it, "text"), &text(it, "verdict")))
            .collect();
        ("idioms", list(&wanted), list(&found))
    }

    /// Only of the names that are listed: the report may know of more.
    fn exports(&self, report: &Report) -> Pair {
        let text = |item: &Value, key: &str| {
            item[key].as_str().unwrap_or("?").trim_end_matches("()").to_owned()
        };
        let items = self.report["quality"]["exports"].as_array().into_iter().flatten();
        let found: BTreeMap<_, _> =
            items.map(|it| ((text(it, "path"), text(it, "name")), text(it, "verdict"))).collect();
        let line = |path: &str, name: &str, verdict: &str| format!("{path} {name}: {verdict}");
        let listed = report.exports.keys().map(|(path, name)| {
            let key = ((*path).to_owned(), (*name).to_owned());
            line(path, name, found.get(&key).map_or("no verdict", String::as_str))
        });
        let wanted = report.exports.iter();
        let wanted = wanted.map(|((path, name), verdict)| line(path, name, verdict)).collect();
        ("exports", list(&wanted), list(&listed.collect()))
    }

    /// Whether a check within RETRY is announced is open: with one, checks are left out.
    fn announced(&self, wanted: &[String], retried: bool) -> Pair {
        let heads: &[&str] = if retried {
            &["Budget: ", "Retry: "]
        } else {
            &["Budget: ", "Retry: ", "Preflight: pass", "Preflight: fail"]
        };
        let ours = |line: &&str| heads.iter().any(|head| line.starts_with(head));
        let cut = |line: &str| match line.strip_prefix("Retry: ").and_then(|it| it.split_once(", "))
        {
            Some((attempt, _)) => format!("Retry: {attempt}"),
            None => line.to_owned(),
        };
        let sorted = |lines: Vec<&str>| {
            let mut lines: Vec<_> = lines.into_iter().filter(ours).map(cut).collect();
            lines.sort();
            Value::from(lines)
        };
        let wanted = wanted.iter().map(String::as_str).collect();
        ("announcements", sorted(wanted), sorted(self.stderr.lines().collect()))
    }
}

/// What is compared, what is wanted, and what was found.
type Pair = (&'static str, Value, Value);

fn list(items: &BTreeSet<String>) -> Value {
    items.iter().cloned().collect::<Vec<_>>().into()
}

mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use serde_json::json;

    use crate::oracle::certain;

    use super::*;

    /// The report as the rules want it.
    fn report(expected: &Expected) -> Value {
        let states: Vec<_> = expected.states.iter().map(|state| state.name()).collect();
        let kind = match expected.outcome {
            Outcome::Blocked(kind) => json!({"kind": kind.name(), "error": expected.report.error}),
            Outcome::Complete | Outcome::Failed | Outcome::Planned => Value::Null,
        };
        let report = &expected.report;
        let objects = |names: &Option<BTreeSet<String>>, key: &str| {
            let names = names.iter().flatten();
            Value::Array(names.map(|name| json!({key: name})).collect())
        };
        let idioms = report
            .idioms
            .iter()
            .map(|((kind, text), verdict)| json!({"kind": kind, "text": text, "verdict": verdict}));
        let exports = report
            .exports
            .iter()
            .map(|((path, name), verdict)| json!({"path": path, "name": name, "verdict": verdict}));
        json!({
            "id": "001_case",
            "workspace": format!(".ftl/workspace/{}", expected.record.file_name()),
            "outcome": expected.outcome.name(),
            "states": states,
            "budget": {"total": expected.total, "used": expected.used},
            "block": kind,
            "retry": {"count": expected.retries},
            "files": objects(&report.touched, "path"),
            "utilized": objects(&report.utilized, "name"),
            "quality": {
                "idioms": idioms.collect::<Vec<_>>(),
                "exports": exports.collect::<Vec<_>>(),
            },
        })
    }

    fn seen(expected: &Expected, report: &Value) -> Differences {
        let announced = expected.report.announced.clone().unwrap_or_default().join("\n");
        let output = Output {
            status: ExitStatus::from_raw(expected.outcome.exit_code() << 8),
            stdout: report.to_string().into_bytes(),
            stderr: announced.into_bytes(),
        };
        Observed::new(&output, SCRATCH).differences(expected, false)
    }

    #[test]
    fn a_report_that_agrees_shows_no_difference_and_any_other_does() {
        let mut shown = 0;
        for expected in (0..200).map(|seed| certain(seed).expected) {
            let right = report(&expected);
            assert_eq!(seen(&expected, &right), Differences::new());
            if expected.outcome == Outcome::Failed {
                continue;
            }
            for key in ["outcome", "states", "budget"] {
                let mut wrong = right.clone();
                wrong[key] = "other".into();
                assert!(!seen(&expected, &wrong).is_empty(), "{key} of {right}");
                shown += 1;
            }
        }
        assert!(shown > 300);
    }
}
