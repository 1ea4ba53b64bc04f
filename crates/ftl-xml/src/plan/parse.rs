//! Reading a plan's JSON, and naming every problem of it by its path.
//!
//! Written without `serde::Deserialize`, which stops at the first problem and places it by
//! line: a plan is written by programs, which look for `tasks[3].slug`. A value of the wrong type
//! is replaced by its default and reading goes on; with any problem the plan as a whole is refused.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{DEFAULT_BUDGET, Idiom, Idioms};
use serde_json::{Map, Value};

use super::{Plan, PlanProblem, Task, TaskKind};
use crate::lower::integer;
use crate::python::Window;

impl Plan {
    /// Reads a plan; of its tasks those whose `seq` is `only`, or all of them.
    ///
    /// Unknown keys are ignored, and `null` counts as absent.
    ///
    /// # Errors
    ///
    /// Every problem of the plan, and of the tasks chosen.
    pub fn parse(text: &str, only: Option<&str>) -> Result<Self, Vec<PlanProblem>> {
        let mut reader = Reader::default();
        let plan = match serde_json::from_str(text) {
            Ok(Value::Object(map)) => Some(reader.plan(&map, only)),
            Ok(_) => {
                reader.report("plan", "is not a JSON object");
                None
            }
            Err(error) => {
                reader.report("plan", format!("is not valid JSON: {error}"));
                None
            }
        };
        match plan {
            Some(plan) if reader.problems.is_empty() => Ok(plan),
            Some(_) | None => Err(reader.problems),
        }
    }
}

#[derive(Default)]
struct Reader {
    problems: Vec<PlanProblem>,
}

impl Reader {
    fn report(&mut self, at: impl Into<String>, message: impl Into<String>) {
        self.problems.push(PlanProblem { at: at.into(), message: message.into() });
    }

    fn plan(&mut self, map: &Map<String, Value>, only: Option<&str>) -> Plan {
        let framework = self
            .string(get(map, "framework"), "framework")
            .filter(|name| !name.is_empty() && name != "none");
        Plan {
            objective: self.string(get(map, "objective"), "objective").unwrap_or_default(),
            framework,
            idioms: self.idioms(get(map, "idioms")),
            tasks: self.tasks(get(map, "tasks"), only),
        }
    }

    fn idioms(&mut self, value: Option<&Value>) -> Idioms {
        let Some(map) = self.object(value, "idioms") else {
            return Idioms::default();
        };
        let mut list = |name: &str| {
            self.strings(get(map, name), &format!("idioms.{name}"))
                .into_iter()
                .map(Idiom::prose)
                .collect()
        };
        Idioms { framework: None, required: list("required"), forbidden: list("forbidden") }
    }

    fn tasks(&mut self, value: Option<&Value>, only: Option<&str>) -> Vec<Task> {
        let items = self.array(value, "tasks");
        let mut tasks = Vec::new();
        let mut names = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            let at = format!("tasks[{index}]");
            let seq = item.get("seq").and_then(Value::as_str);
            // Tasks that were not asked for are not judged: one bad task does not keep the others
            // from being made.
            if only.is_some_and(|only| seq != Some(only)) {
                continue;
            }
            let Some(map) = self.object(Some(item), &at) else {
                continue;
            };
            let task = self.task(map, &at);
            // Two tasks of one name would be one file.
            if !names.insert(task.id()) {
                self.report(at, "has the same `seq` and `slug` as a task before it");
            }
            tasks.push(task);
        }
        if let Some(only) = only.filter(|_| tasks.is_empty()) {
            self.report("tasks", format!("include none whose `seq` is `{only}`"));
        }
        tasks
    }

    fn task(&mut self, map: &Map<String, Value>, at: &str) -> Task {
        let is_spec =
            self.string(get(map, "type"), &format!("{at}.type")).is_some_and(|kind| kind == "SPEC");
        let kind = if is_spec { TaskKind::Spec } else { TaskKind::Other };
        Task {
            seq: self.file_name_part(map, "seq", at),
            slug: self.file_name_part(map, "slug", at),
            objective: self
                .string(get(map, "objective"), &format!("{at}.objective"))
                .unwrap_or_default(),
            kind,
            delta: self.strings(get(map, "delta"), &format!("{at}.delta")),
            verify: self.string(get(map, "verify"), &format!("{at}.verify")).unwrap_or_default(),
            verify_source: self
                .string(get(map, "verify_source"), &format!("{at}.verify_source"))
                .filter(|path| !path.is_empty()),
            budget: self.budget(get(map, "budget"), at),
            preflight: self.strings(get(map, "preflight"), &format!("{at}.preflight")),
            target_lines: self.target_lines(get(map, "target_lines"), kind, at),
            depends: self.depends(get(map, "depends"), &format!("{at}.depends")),
        }
    }

    /// A text that becomes part of a file's name.
    fn file_name_part(&mut self, map: &Map<String, Value>, key: &str, at: &str) -> String {
        let at = format!("{at}.{key}");
        let Some(value) = get(map, key) else {
            self.report(at, "is missing");
            return String::new();
        };
        let Some(text) = self.string(Some(value), &at) else {
            return String::new();
        };
        // A name, and not a path: it must neither leave the directory nor hide in it.
        let problem = if text.is_empty() {
            Some("is empty")
        } else if text.starts_with('.') {
            Some("starts with a dot")
        } else if text.contains(['/', '\\']) {
            Some("holds a path separator")
        } else if text.contains(char::is_control) {
            Some("holds a control character")
        } else {
            None
        };
        if let Some(problem) = problem {
            self.report(at, problem);
        }
        text
    }

    fn budget(&mut self, value: Option<&Value>, at: &str) -> i64 {
        let number = match value {
            None => return DEFAULT_BUDGET,
            Some(Value::String(text)) => integer(text),
            Some(other) => other.as_i64(),
        };
        number.unwrap_or_else(|| {
            self.report(format!("{at}.budget"), "is not an integer");
            DEFAULT_BUDGET
        })
    }

    fn target_lines(
        &mut self,
        value: Option<&Value>,
        kind: TaskKind,
        at: &str,
    ) -> BTreeMap<String, String> {
        let at = format!("{at}.target_lines");
        let Some(map) = self.object(value, &at) else {
            return BTreeMap::new();
        };
        let mut targets = BTreeMap::new();
        for (path, value) in map.iter().filter(|(_, value)| !value.is_null()) {
            let at = format!("{at}[{path:?}]");
            let Some(target) = self.string(Some(value), &at) else {
                continue;
            };
            // Tasks that write tests show the beginning of each file, so their targets are not
            // looked at.
            if kind == TaskKind::Other && Window::of_target(&target).is_none() {
                self.report(at, "is not a range of lines, `a-b`");
            }
            targets.insert(path.clone(), target);
        }
        targets
    }

    /// `"none"`, one sequence number, or several.
    fn depends(&mut self, value: Option<&Value>, at: &str) -> Vec<String> {
        let all = match value {
            Some(Value::String(one)) => vec![one.clone()],
            other => self.strings(other, at),
        };
        all.into_iter().filter(|seq| !seq.is_empty() && seq != "none").collect()
    }

    fn string(&mut self, value: Option<&Value>, at: &str) -> Option<String> {
        match value? {
            Value::String(text) => Some(text.clone()),
            _ => {
                self.report(at, "is not a string");
                None
            }
        }
    }

    fn strings(&mut self, value: Option<&Value>, at: &str) -> Vec<String> {
        let items = self.array(value, at);
        items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| self.string(Some(item), &format!("{at}[{index}]")))
            .collect()
    }

    fn array<'v>(&mut self, value: Option<&'v Value>, at: &str) -> &'v [Value] {
        match value {
            None => &[],
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.report(at, "is not an array");
                &[]
            }
        }
    }

    fn object<'v>(&mut self, value: Option<&'v Value>, at: &str) -> Option<&'v Map<String, Value>> {
        match value? {
            Value::Object(map) => Some(map),
            _ => {
                self.report(at, "is not an object");
                None
            }
        }
    }
}

/// A value that is there and not `null`.
fn get<'v>(map: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    map.get(key).filter(|value| !value.is_null())
}
