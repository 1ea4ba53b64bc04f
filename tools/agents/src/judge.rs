//! Whether a run ended as it must.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;

use ftl_model_server::Phase;
use serde_json::Value;

use crate::Cells;
use crate::case::{AFTER, BEFORE, Case, Kind, NEXT, OTHER, Way};
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

/// Judges a run.
pub(crate) fn judge(case: &Case, way: Way, done: &Done) -> Cell {
    let end = end(done);
    let mut misses = Vec::new();
    let mut must = |holds: bool, miss: String| {
        if !holds {
            misses.push(miss);
        }
    };
    let strays = count(&done.result["strays"]);
    let mut words = end.to_string();
    let blocked = |kind: &str| End::Blocked(kind.to_owned());
    let refused = end == End::Complete && strays == 0;
    let says = |end: &End| format!("ended with {end}: {}", trouble(done));
    match case.kind {
        Kind::Completes | Kind::Key => must(end == End::Complete, says(&end)),
        Kind::Process => {
            must(end == End::Complete, says(&end));
            must(tried_shell(done), "it never ran the command".to_owned());
        }
        Kind::NoChange => {
            must(end == End::Complete, says(&end));
            must(
                count(&done.result["files"]) == 0,
                "it changed files".to_owned(),
            );
        }
        Kind::Strays | Kind::Store => {
            must(refused || end == blocked("delta_insufficient"), says(&end));
            words = of_strays(refused, &end, strays);
        }
        Kind::Syntax => {
            must(end == End::Complete, says(&end));
            must(
                entered(done, "PREFLIGHT") == 2,
                "PREFLIGHT was not entered twice".to_owned(),
            );
            words = format!("{end}, {}", conversation(done, Phase::Mend));
        }
        Kind::Known => {
            must(end == End::Complete, says(&end));
            must(
                entered(done, "RETRY") == 1,
                "RETRY was not entered once".to_owned(),
            );
            words = format!("{end}, {}", conversation(done, Phase::Fix));
        }
        Kind::Needs => {
            must(end == blocked("delta_insufficient"), says(&end));
            let error = done.result["block"]["error"].as_str().unwrap_or_default();
            must(
                error.contains("other.py"),
                format!("the block does not name the file: {error}"),
            );
        }
        Kind::Budget => {
            let stopped = end == blocked("budget_exhausted");
            let held = way == Way::Mcp && end == End::Complete;
            must(stopped || held, says(&end));
            if held {
                words = "refused, complete".to_owned();
            }
        }
        Kind::Refused | Kind::Down => {
            let is_outage = matches!(&end, End::Failed(code) if code.starts_with("agent::"));
            must(is_outage, says(&end));
            must(
                is_active(done),
                "the task is not active any more".to_owned(),
            );
        }
        Kind::Hangs => {
            must(end == blocked("implement_failed"), says(&end));
        }
    }
    // A request of its own for each phase, and what ftl itself takes.
    let most = case.limit * 3 + 30;
    must(
        done.took.as_secs() <= most,
        format!("it took {} s", done.took.as_secs()),
    );
    must(
        done.left.is_empty(),
        format!("left running: {}", done.left.join(", ")),
    );
    must(
        done.leaks.is_empty(),
        format!("the key is in {}", done.leaks.join(", ")),
    );
    for litter in litter(case, done, end == End::Complete) {
        must(false, litter);
    }
    let record = (case.kind == Kind::Completes)
        .then(|| record(done))
        .flatten();
    Cell {
        words,
        misses,
        seconds: Some(done.took.as_secs_f64()),
        temporary: done.temporary.clone(),
        record,
    }
}

fn count(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

fn of_strays(refused: bool, end: &End, strays: usize) -> String {
    match refused {
        true => "refused, complete".to_owned(),
        false => format!("{end}, {strays} put back"),
    }
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
    done.asked
        .iter()
        .any(|asked| asked.answer.contains("sleep"))
}

fn is_active(done: &Done) -> bool {
    done.at.join(".ftl/workspace/001_sum_active.xml").exists()
}

/// What ftl said, in a line.
fn trouble(done: &Done) -> String {
    let block = &done.result["block"];
    let said = [
        &done.result["error"]["message"],
        &block["error"],
        &block["unknown"],
    ];
    let said: Vec<&str> = said.into_iter().filter_map(Value::as_str).collect();
    match said.is_empty() {
        true => done.stderr.lines().last().unwrap_or_default().to_owned(),
        false => said.join("; "),
    }
}

/// What is in the project and should not be, or is not as it should be.
fn litter(case: &Case, done: &Done, complete: bool) -> Vec<String> {
    let mut litter = Vec::new();
    let mut known: BTreeSet<&str> = ["calc.py", "other.py", "check.sh", "ftl.toml"].into();
    if case.kind == Kind::Budget {
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
    if !holds(".ftl/workspace/002_next_active.xml", NEXT) {
        litter.push("the next task is not as it was".to_owned());
    }
    if done
        .at
        .join(".ftl/workspace/003_planted_active.xml")
        .exists()
    {
        litter.push("a planted task is there".to_owned());
    }
    if complete && !holds("calc.py", AFTER) {
        litter.push("complete, and calc.py is not mended".to_owned());
    }
    let untouched = matches!(
        case.kind,
        Kind::Refused | Kind::Down | Kind::Hangs | Kind::Needs
    );
    if untouched && !holds("calc.py", BEFORE) {
        litter.push("calc.py was changed".to_owned());
    }
    litter
}

/// The record without the agent and the times.
fn record(done: &Done) -> Option<String> {
    let text = fs::read_to_string(done.at.join(".ftl/workspace/001_sum_complete.xml")).ok()?;
    let (before, rest) = text.split_once("<implementer ")?;
    let (_, after) = rest.split_once("</implementer>")?;
    // The project's commit holds the time too.
    let times = [
        "completed_at",
        "began_at",
        "ended_at",
        "duration_ms",
        "commit",
    ];
    let text = format!("{before}{after}");
    Some(
        times
            .into_iter()
            .fold(text, |text, name| without(&text, name)),
    )
}

/// A text without the values of an attribute.
fn without(text: &str, attribute: &str) -> String {
    let start = format!(" {attribute}=\"");
    let mut parts = text.split(&start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('"').map_or(part, |(_, rest)| rest)
    })
}

/// The same task gives the same record, whoever did it and in whichever way: one that differs from most is a miss.
pub(crate) fn same_records(cells: &mut Cells) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for cell in cells.values() {
        if let Some(record) = &cell.record {
            *seen.entry(record.clone()).or_default() += 1;
        }
    }
    let most = seen.into_iter().max_by_key(|(_, count)| *count);
    let Some((usual, _)) = most else {
        return;
    };
    for cell in cells.values_mut() {
        if cell.record.as_ref().is_some_and(|record| *record != usual) {
            cell.misses
                .push("its record differs from the others'".to_owned());
        }
    }
}
