//! Plans and the task files made of them, in projects that are files of `tests/cases/plan`.

use std::fmt::Write;

use ftl_model::{Idiom, Idioms};
use ftl_xml::plan::{Plan, Project, Source};
use serde_json::Value;

use crate::golden;

pub(crate) const NOW: &str = "2026-01-18T01:30:56";

/// A project described by JSON: files by path (`null`: not UTF-8), records by name.
pub(crate) struct Described(pub(crate) Value);

impl Described {
    fn text(&self, key: &str, name: &str) -> Option<&str> {
        self.0[key].get(name)?.as_str()
    }
}

impl Project for Described {
    fn source(&self, path: &str) -> Source {
        match self.0["files"].get(path) {
            None => Source::Missing,
            Some(Value::String(text)) => Source::Text(text.clone()),
            Some(_) => Source::NotText,
        }
    }

    fn records(&self) -> Vec<String> {
        let records = self.0["records"].as_object().into_iter().flatten();
        records.map(|(name, _)| name.clone()).rev().collect()
    }

    fn record(&self, name: &str) -> Option<Vec<u8>> {
        self.text("records", name).map(|text| text.as_bytes().to_vec())
    }

    fn exploration(&self) -> Option<String> {
        self.0.get("exploration").map(Value::to_string)
    }

    fn registry(&self, framework: &str) -> Option<Idioms> {
        let known = self.0["registry"].get(framework)?;
        let list = |name: &str| {
            let texts = known[name].as_array().into_iter().flatten();
            texts.filter_map(Value::as_str).map(Idiom::prose).collect()
        };
        Some(Idioms { framework: None, required: list("required"), forbidden: list("forbidden") })
    }
}

#[test]
fn a_plan_becomes_the_expected_files_or_names_every_problem() {
    golden::check("plan", |_, case| {
        let case: Value = serde_json::from_slice(case).unwrap();
        let only = case["task"].as_str();
        let plan = match &case["plan"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let project = Described(case.clone());
        let mut answer = String::new();
        match Plan::parse(&plan, only).and_then(|plan| plan.create(&project, NOW)) {
            Err(problems) => {
                for problem in problems {
                    writeln!(answer, "problem: {problem}").unwrap();
                }
            }
            Ok(created) => {
                for warning in created.warnings {
                    writeln!(answer, "warning: {warning}").unwrap();
                }
                for file in created.files {
                    write!(answer, "--- {} {}\n{}", file.id, file.name, file.content).unwrap();
                }
            }
        }
        answer
    });
}
