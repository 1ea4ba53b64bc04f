//! All that is known of a run, for people: labelled lines that need no colour to be read, as `ftl show` and `ftl build -v`
//! print them.
//!
//! Programs read `--format json` instead: this text has no stable form. Valid checks, idioms that hold and
//! exports that are kept are left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use ftl_engine::result::{
    BlockResult, BuildResult, EarlierAttempt, OutcomeWord, PreflightResult, VerifyResult,
};
use ftl_machine::BlockKind;
use ftl_model::{CheckStatus, WorkspaceId};
use ftl_text::terminal_text;

use super::{agent, failures};
use crate::paths::Here;
use crate::{advice, output};

/// Columns of the labels.
const LABEL: usize = 10;

/// Of files, by their paths, the lines that came and went.
pub(crate) type LinesOf<'a> = BTreeMap<&'a str, (usize, usize)>;

/// Lines with labels, below a headline.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) text: String,
    pub(crate) here: Here,
}

impl Page {
    /// Begins with `blocked  001_models`, the outcome in colour where there are colours.
    pub(crate) fn new(outcome: OutcomeWord, id: &WorkspaceId) -> Self {
        Self::headed(outcome, id.as_str())
    }

    /// The same with another headline.
    pub(crate) fn headed(outcome: OutcomeWord, headline: &str) -> Self {
        let code = match outcome {
            OutcomeWord::Complete | OutcomeWord::Planned => "32",
            OutcomeWord::Blocked
            | OutcomeWord::Unfinished
            | OutcomeWord::Waiting
            | OutcomeWord::Limit => "33",
            OutcomeWord::Failed
            | OutcomeWord::Broken
            | OutcomeWord::Skipped
            | OutcomeWord::Dropped => "31",
        };
        let outcome = if output::colour(&io::stdout()) {
            format!("\u{1b}[1;{code}m{outcome}\u{1b}[0m")
        } else {
            outcome.to_string()
        };
        let headline = terminal_text(headline.as_bytes());
        Self { text: format!("{outcome}  {headline}"), here: Here::default() }
    }

    pub(crate) fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn end_headline(&mut self) {
        self.text.push('\n');
    }

    /// The attempts before this one, and the states of this one.
    pub(super) fn attempts_and_states(&mut self, result: &BuildResult) {
        for earlier in &result.earlier {
            self.earlier(earlier, result);
        }
        if !result.earlier.is_empty() {
            self.put("attempt", &format!("{}: this run", result.attempt));
        }
        let states: Vec<&str> = result.states.iter().map(|state| state.as_str()).collect();
        self.put("states", &states.join(" → "));
        let total =
            result.budget.total.map(|total| format!("{}/{total} calls", result.budget.used));
        self.optional("budget", total.as_deref());
    }

    /// Everything but the states. Files that `lines` knows are shown with the lines that came and went.
    pub(crate) fn details(&mut self, result: &BuildResult, lines: &LinesOf<'_>) {
        self.here = Here::of(result);
        if let Some(block) = &result.block {
            self.block(block, result.verify.last());
        }
        self.line("agent", &agent::summary(&result.implementer));
        if let Some(isolation) = result.isolation {
            self.put("isolation", isolation.as_str());
        }
        for file in &result.files {
            let counted = file.lines.map(|it| (it.added as usize, it.removed as usize));
            let counts = lines.get(file.path.as_str()).copied().or(counted);
            let counts = counts.map(|(added, removed)| format!("  +{added} -{removed}"));
            let counts = counts.unwrap_or_default();
            let path = self.here.path(file.path.as_str());
            self.put("file", &format!("{} {path}{counts}", file.change));
        }
        for path in &result.strays {
            self.path("stray", path);
        }
        if let Some(dir) = &result.quarantine {
            self.path("quarantine", dir);
            let take_in = advice::take_in(result.id.as_str());
            self.put(
                "",
                &format!(
                    "the strays are kept there, and the rest of the tree is as before; \
                     `{take_in}` adds them to the task"
                ),
            );
        }
        for path in &result.allowed {
            self.path("allowed", path);
        }
        let doubtful = |check: &&PreflightResult| check.status != CheckStatus::Valid;
        for check in result.preflight.iter().filter(doubtful) {
            self.check(check);
        }
        for verify in &result.verify {
            self.verify(verify);
        }
        self.evidence(&result.evidence);
        self.optional("retry", result.retry.rationale.as_deref());
        self.quality(&result.quality);
        if let Some(commit) = &result.commit {
            self.put("commit", &format!("{} on {}", commit.id, commit.branch));
        }
        for warning in &result.warnings {
            self.sentence("warning", warning);
        }
        if result.outcome == OutcomeWord::Complete {
            self.optional("delivered", result.delivered.as_deref());
        }
        let is_over = result.outcome != OutcomeWord::Unfinished;
        self.line(if is_over { "record" } else { "task" }, &result.workspace);
        for command in &result.next {
            self.line("next", command);
        }
        self.optional("then", result.then.as_deref());
    }

    /// `1: claude, blocked (discovery_needed), budget 3/6, $0.0100: the error line`.
    fn earlier(&mut self, earlier: &EarlierAttempt, result: &BuildResult) {
        let EarlierAttempt { attempt, kind, budget, .. } = earlier;
        let total = budget.total.unwrap_or_default();
        let now = result.implementer.name.as_ref().or(result.implementer.command.as_ref());
        let other = earlier.agent.as_ref().filter(|agent| Some(*agent) != now);
        let agent = other.map_or_else(String::new, |agent| format!("{agent}, "));
        let mut parts =
            vec![format!("{attempt}: {agent}blocked ({kind}), budget {}/{total}", budget.used)];
        parts.extend(agent::cost(earlier.tokens, earlier.cost_usd));
        self.put("attempt", &format!("{}: {}", parts.join(", "), earlier.error));
    }

    fn block(&mut self, block: &BlockResult, verify: Option<&VerifyResult>) {
        self.line("kind", block.kind.as_str());
        let is_of_verify = block.failure.is_some();
        match is_of_verify {
            true => self.line("error", &block.error),
            false => self.sentence("error", &block.error),
        }
        if let Some(verify) = verify {
            self.put("failed", &failures::list(verify, &self.here, failures::LINES));
            self.put("printed", &failures::printed(verify, &self.here));
        }
        for tried in &block.tried {
            self.line("tried", tried);
        }
        for near in &block.near {
            self.line("near", near);
        }
        self.sentence("unknown", &block.unknown);
        self.sentence("find out", &block.discovery);
        let reproduce = self.here.command(&block.reproduce);
        self.line("reproduce", &reproduce);
        if !block.last_lines.is_empty() {
            self.line("said", &block.last_lines.join("\n"));
        }
        if !block.last_lines.is_empty() || block.kind == BlockKind::ImplementFailed {
            self.path("log", block.log.as_deref().unwrap_or_default());
        }
        self.optional("failure", block.failure.as_ref().map(|known| known.xml.as_str()));
    }

    pub(super) fn check(&mut self, check: &PreflightResult) {
        let path = match check.checker.as_str() {
            "command" => check.path.clone(),
            _ => self.here.path(&check.path),
        };
        let line = format!("{} {path}", check.status);
        match &check.reason {
            Some(reason) => self.put("preflight", &format!("{line}: {reason}")),
            None => self.put("preflight", &line),
        }
        for found in &check.diagnostics {
            let at = format!("{path}:{}:{}", found.line, found.column);
            self.put("", &format!("{at}: {}", found.message));
        }
    }

    fn verify(&mut self, verify: &VerifyResult) {
        let end = match (verify.timed_out, verify.exit, verify.signal) {
            (true, ..) => "ran out of time".to_owned(),
            (false, Some(exit), _) => format!("exit {exit}"),
            (false, None, signal) => format!("signal {}", signal.unwrap_or_default()),
        };
        let tenths = verify.duration_ms as f64 / 1000.0;
        self.put("verify", &format!("{} ({end}, {tenths:.1} s)", verify.command));
        if !verify.with.is_empty() {
            self.put("", &format!("verified with {}", verify.with.join(", ")));
        }
        for finding in &verify.findings {
            self.line("finding", finding.as_str());
        }
        if verify.exit != Some(0) {
            self.path("log", verify.log.as_deref().unwrap_or_default());
        }
    }

    /// A path from the root, unless it is empty.
    pub(crate) fn path(&mut self, label: &str, path: &str) {
        if !path.is_empty() {
            let path = self.here.path(path);
            self.put(label, &path);
        }
    }

    /// A sentence of ftl's that may name files.
    pub(super) fn sentence(&mut self, label: &str, text: &str) {
        let text = self.here.sentence(text);
        self.line(label, &text);
    }

    /// A line of a text that may be absent.
    pub(crate) fn optional(&mut self, label: &str, text: Option<&str>) {
        self.line(label, text.unwrap_or_default());
    }

    /// A line of a text, unless it is empty.
    pub(crate) fn line(&mut self, label: &str, text: &str) {
        if !text.is_empty() {
            self.put(label, text);
        }
    }

    /// A label and a text, whose further lines stand below its first.
    pub(crate) fn put(&mut self, label: &str, text: &str) {
        let text = terminal_text(text.as_bytes());
        for (number, line) in text.trim_end().lines().enumerate() {
            let label = if number == 0 { label } else { "" };
            let _ = writeln!(self.text, "  {label:LABEL$} {line}");
        }
    }
}
