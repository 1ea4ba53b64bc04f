//! Whether a run ended as it must.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use ftl_model_server::Phase;
use serde_json::Value;

use crate::Cells;
use crate::case::{AFTER, BEFORE, Case, CaseKind, NEXT, OTHER, Way};
use crate::project;
use crate::run::Done;

/// What a run came to.
pub(crate) struct Cell {
    /// In a few words.
    pub(crate) words: String,
    /// What is not as it must be.
    pub(crate) misses: Vec<String>,
    pub(crate) seconds: Option<f64>,
    /// What was left in the temporary directory.
    pub(crate) temporary: Vec<String>,
    /// The record, without what differs from run to run.
    pub(crate) record: Option<String>,
}

impl Cell {
    /// A run that there was none of.
    pub(crate) fn left_out(why: &str) -> Self {
        Self {
            words: why.to_owned(),
            misses: Vec::new(),
            seconds: None,
            temporary: Vec::new(),
            record: None,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.words)?;
        if let Some(seconds) = self.seconds {
            write!(f, " ({seconds:.1} s)")?;
        }
        for miss in &self.misses {
            write!(f, "\n    MISSED: {miss}")?;
        }
        Ok(())
    }
}

/// How a build ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Complete,
    Blocked(String),
    /// ftl could not go on, by the code of its error.
    Failed(String),
    None,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete => f.write_str("complete"),
            Self::Blocked(kind) => write!(f, "blocked: {kind}"),
            Self::Failed(code) => write!(f, "exit 1: {code}"),
            Self::None => f.write_str("no result"),
        }
    }
}

fn end(done: &Done) -> End {
    let result = &done.result;
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    match (result["outcome"].as_str(), done.code) {
        (Some("complete"), Some(0)) => End::Complete,
        (Some("blocked"), Some(3)) => End::Blocked(text(&result["block"]["kind"])),
        (Some("failed"), Some(1)) => End::Failed(text(&result["error"]["code"])),
        _ => End::None,
    }
}

/// What a run missed of what its case asks for.
#[derive(Default)]
struct Misses(Vec<String>);

impl Misses {
    fn unless(&mut self, holds: bool, miss: String) {
        if !holds {
            self.0.push(miss);
        }
    }
}

/// Judges a run.
pub(crate) fn judge(case: &Case, way: Way, done: &Done) -> Cell {
    let end = end(done);
    let mut misses = Misses::default();
    let words = of_kind(case.kind, way, done, &end, &mut misses);
    // A separate request for each phase, and what ftl itself takes.
    let most = case.limit * 3 + 30;
    misses.unless(done.took.as_secs() <= most, format!("it took {} s", done.took.as_secs()));
    let left = &done.left;
    misses.unless(left.running.is_empty(), format!("left running: {}", left.running.join(", ")));
    misses.unless(left.leaks.is_empty(), format!("the key is in {}", left.leaks.join(", ")));
    misses.0.extend(litter(case, done, end == End::Complete));
    // Of what else completes, the agent or its tools may refuse a part.
    let is_alike = matches!(
        case.kind,
        CaseKind::Completes | CaseKind::Syntax | CaseKind::Known | CaseKind::NoChange
    );
    let record =
        is_alike.then(|| record_of(&done.at.join(".ftl/workspace/001_sum_complete.xml"))).flatten();
    Cell {
        words,
        misses: misses.0,
        seconds: Some(done.took.as_secs_f64()),
        temporary: left.temporary.clone(),
        record,
    }
}

/// Judges what a case is about; returns the text of its cell.
fn of_kind(kind: CaseKind, way: Way, done: &Done, end: &End, misses: &mut Misses) -> String {
    let blocked = |kind: &str| End::Blocked(kind.to_owned());
    let strays = count(&done.result["strays"]);
    let held = way == Way::Mcp && *end == End::Complete;
    let is_expected = match kind {
        CaseKind::Completes
        | CaseKind::Key
        | CaseKind::Process
        | CaseKind::NoChange
        | CaseKind::Syntax
        | CaseKind::Together
        | CaseKind::Known
        | CaseKind::Strays
        | CaseKind::Store => *end == End::Complete,
        CaseKind::Needs => *end == blocked("delta_insufficient"),
        CaseKind::Budget => *end == blocked("budget_exhausted") || held,
        CaseKind::Refused | CaseKind::Down => {
            matches!(end, End::Failed(code) if code.starts_with("agent::"))
        }
        CaseKind::Hangs => *end == blocked("implement_failed"),
    };
    misses.unless(is_expected, format!("ended with {end}: {}", trouble(done)));
    match kind {
        CaseKind::Process => {
            misses.unless(tried_shell(done), "it never ran the command".to_owned());
        }
        CaseKind::Together => {
            let complete = &done.result["counts"]["complete"];
            misses.unless(*complete == 8, format!("{complete} of 8 are complete"));
        }
        CaseKind::NoChange => {
            misses.unless(count(&done.result["files"]) == 0, "it changed files".to_owned());
        }
        CaseKind::Syntax => {
            let twice = entered(done, "PREFLIGHT") == 2;
            misses.unless(twice, "PREFLIGHT was not entered twice".to_owned());
        }
        CaseKind::Known => {
            misses.unless(entered(done, "RETRY") == 1, "RETRY was not entered once".to_owned());
        }
        CaseKind::Needs => {
            let error = done.result["block"]["error"].as_str().unwrap_or_default();
            let miss = format!("the block does not name the file: {error}");
            misses.unless(error.contains("other.py"), miss);
        }
        CaseKind::Refused | CaseKind::Down => {
            misses.unless(is_active(done), "the task is not active any more".to_owned());
        }
        _ => {}
    }
    match kind {
        CaseKind::Strays | CaseKind::Store if strays == 0 => format!("refused, {end}"),
        CaseKind::Strays | CaseKind::Store => format!("{end}, {strays} dropped"),
        CaseKind::Syntax => format!("{end}, {}", conversation(done, Phase::Mend)),
        CaseKind::Known => format!("{end}, {}", conversation(done, Phase::Fix)),
        CaseKind::Budget if held => "refused, complete".to_owned(),
        _ => end.to_string(),
    }
}

fn count(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

fn entered(done: &Done, state: &str) -> usize {
    let states = done.result["states"].as_array().into_iter().flatten();
    states.filter(|it| **it == state).count()
}

/// Whether the agent was asked for this phase in the conversation that the task began.
fn conversation(done: &Done, phase: Phase) -> &'static str {
    let phases = done.asked.iter().map(|asked| asked.conversation.phases());
    let same = [Phase::Implement, phase];
    match phases.into_iter().any(|phases| phases == same) {
        true => "same session",
        false => "new session",
    }
}

fn tried_shell(done: &Done) -> bool {
    done.asked.iter().any(|asked| asked.answer.contains("sleep"))
}

fn is_active(done: &Done) -> bool {
    done.at.join(".ftl/workspace/001_sum_active.xml").exists()
}

/// What ftl said, in a line.
fn trouble(done: &Done) -> String {
    let block = &done.result["block"];
    let said = [&done.result["error"]["message"], &block["error"], &block["unknown"]];
    let said: Vec<&str> = said.into_iter().filter_map(Value::as_str).collect();
    match said.is_empty() {
        true => done.stderr.lines().last().unwrap_or_default().to_owned(),
        false => said.join("; "),
    }
}

/// What is in the project and should not be, or is not as it should be.
fn litter(case: &Case, done: &Done, complete: bool) -> Vec<String> {
    let mut litter = Vec::new();
    let mut known: BTreeSet<&str> = ["other.py", "check.sh", "ftl.toml"].into();
    known.extend(case.sums());
    if case.kind == CaseKind::Budget {
        known.extend(["a.txt", "b.txt"]);
    }
    for file in project::files(&done.at) {
        let path = file.strip_prefix(&done.at).unwrap_or(&file);
        let path = path.to_string_lossy();
        if !path.starts_with(".ftl/") && !known.contains(path.as_ref()) {
            litter.push(format!("litter: {path}"));
        }
    }
    let holds = |path: &str, text: &str| {
        fs::read_to_string(done.at.join(path)).is_ok_and(|found| found == text)
    };
    if !holds("other.py", OTHER) {
        litter.push("other.py is not as it was".to_owned());
    }
    if case.kind != CaseKind::Together && !holds(".ftl/workspace/002_next_active.xml", NEXT) {
        litter.push("the next task is not as it was".to_owned());
    }
    if done.at.join(".ftl/workspace/003_planted_active.xml").exists() {
        litter.push("a planted task is there".to_owned());
    }
    for sum in case.sums().iter().filter(|sum| complete && !holds(sum, AFTER)) {
        litter.push(format!("complete, and {sum} is not mended"));
    }
    let untouched =
        matches!(case.kind, CaseKind::Refused | CaseKind::Down | CaseKind::Hangs | CaseKind::Needs);
    if untouched && !holds("calc.py", BEFORE) {
        litter.push("calc.py was changed".to_owned());
    }
    litter
}

/// A record without the agent and the times; none where there is none.
pub(crate) fn record_of(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let (before, rest) = text.split_once("<implementer ")?;
    let (_, after) = rest.split_once("</implementer>")?;
    let times: &[&str] = match before.contains("created_at") {
        // The task file's digest holds the time at which it was made, that of pytest's output how long it took.
        true => &[
            "completed_at",
            "began_at",
            "ended_at",
            "sealed_at",
            "duration_ms",
            "log_sha256",
            "created_at",
            "workspace_sha256",
        ],
        false => &["completed_at", "began_at", "ended_at", "sealed_at", "duration_ms"],
    };
    let text = format!("{before}{after}");
    let text = times.iter().fold(text, |text, name| without(&text, name));
    // As pytest ends its report.
    let lines = text.lines().map(|line| match line.split_once(" passed in ") {
        Some((count, _)) => count,
        None => line,
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// A text without the values of an attribute.
fn without(text: &str, attribute: &str) -> String {
    let start = format!(" {attribute}=\"");
    let mut parts = text.split(&start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('"').map_or(part, |(_, rest)| rest))
}

/// The same task gives the same record, with every agent and in every way: one that differs from most is a miss. A
/// newcomer's task is another one.
pub(crate) fn same_records(cells: &mut Cells) {
    let task = |way: &str, case: &'static str| (way == Way::Newcomer.name(), case);
    let mut seen: BTreeMap<(bool, &str), BTreeMap<String, usize>> = BTreeMap::new();
    for ((way, case, _), cell) in &*cells {
        if let Some(record) = &cell.record {
            let of_task = seen.entry(task(way, case)).or_default();
            *of_task.entry(record.clone()).or_default() += 1;
        }
    }
    for ((way, case, _), cell) in cells {
        let Some(record) = &cell.record else {
            continue;
        };
        let most = seen[&task(way, case)].iter().max_by_key(|(_, count)| **count);
        let usual = most.map(|(usual, _)| usual.as_str()).unwrap_or_default();
        if record != usual {
            let differs = record.lines().zip(usual.lines()).find(|(one, other)| one != other);
            let (one, other) = differs.unwrap_or_default();
            let miss =
                format!("its record differs from the others': {} for {}", one.trim(), other.trim());
            cell.misses.push(miss);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, same_records};
    use crate::Cells;

    #[test]
    fn a_record_that_differs_from_those_of_the_same_task_is_a_miss() {
        let cell =
            |record: &str| Cell { record: Some(record.to_owned()), ..Cell::left_out("complete") };
        let key = |way, case, agent: &str| (way, case, agent.to_owned());
        let mut cells: Cells = [
            (key("open", "completes", "a"), cell("1\n2")),
            (key("scoped", "completes", "a"), cell("1\n2")),
            (key("scoped", "completes", "b"), cell("1\n3")),
            (key("scoped", "syntax", "b"), cell("4")),
            (key("newcomer", "completes", "b"), cell("5")),
        ]
        .into();
        same_records(&mut cells);
        let missed: Vec<_> = cells.iter().filter(|(_, cell)| !cell.misses.is_empty()).collect();
        assert_eq!(missed.len(), 1);
        assert_eq!(missed[0].0, &key("scoped", "completes", "b"));
        assert!(missed[0].1.misses[0].ends_with("3 for 2"), "{:?}", missed[0].1.misses);
    }
}
