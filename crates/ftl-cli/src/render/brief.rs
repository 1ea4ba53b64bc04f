//! The result of a task as people read it: a line if it is complete; if it is blocked, what failed, what was left behind,
//! and the commands that go on.
//!
//! Everything else that is known of it (states, budget, known failures) comes with `-v`, in JSON and in the record.

use std::io;

use ftl_engine::result::{
    BuildResult, ImplementerKind, OutcomeWord, PreflightResult, Usage, WorkspaceResult,
};
use ftl_machine::BlockKind;
use ftl_model::{CheckStatus, Diagnostic, LineCounts, WorkspaceId};
use ftl_text::{shortened, terminal_text};

use super::agent::dollars;
use super::duration;
use super::failures::{self, FEW};
use super::outcome::{LinesOf, Page};
use crate::output;
use crate::paths::Here;

/// Paths of one kind that are named; the others are counted.
const NAMED: usize = 5;
/// Places that are listed.
const PLACES: usize = 10;
/// Last lines of an implementer that failed.
const SAID: usize = 5;
/// Characters of an error in a list.
const ERROR: usize = 160;

/// The result of the only task of a command.
pub(crate) fn built(result: &BuildResult, is_verbose: bool) -> String {
    headline(result) + &below(result, is_verbose, result.next.len())
}

/// The result of one task among several: every line names it, the first with its slug.
pub(crate) fn any(result: &WorkspaceResult, is_verbose: bool) -> String {
    match result {
        WorkspaceResult::Built(result) => {
            let most = if is_verbose { result.next.len() } else { 1 };
            headline(result) + &numbered(&result.id, &below(result, is_verbose, most))
        }
        WorkspaceResult::Skipped(skipped) => {
            let cause = format!("{}: {}", skipped.outcome, skipped.cause);
            line(skipped.outcome, &skipped.id, [cause])
        }
        WorkspaceResult::Failed(failed) if failed.failed.outcome == OutcomeWord::Skipped => {
            line(OutcomeWord::Skipped, &failed.id, ["interrupted".to_owned()])
        }
        WorkspaceResult::Failed(failed) => {
            let message = one_line(&failed.failed.error.message);
            line(OutcomeWord::Failed, &failed.id, [format!("failed: {message}")])
        }
    }
}

/// `✗ 004 round-half-up  AssertionError: assert 2 == 3`, and the first command that goes on.
pub(crate) fn again(result: &BuildResult) -> String {
    let error = result.block.as_ref().map(|block| one_line(&block.error));
    let text = line(result.outcome, &result.id, error);
    let next = result.next.first().or(result.then.as_ref());
    let next = next.map(|next| labelled(&format!("next  {next}"))).unwrap_or_default();
    text + &numbered(&result.id, &next)
}

/// Where the strays of a complete task are, for standard error: a block has it in its result.
pub(crate) fn kept(result: &BuildResult) -> Option<String> {
    let dir = result.quarantine.as_ref().filter(|_| result.outcome == OutcomeWord::Complete)?;
    let here = Here::of(result);
    let strays: Vec<String> = result.strays.iter().map(|path| here.path(path)).collect();
    let text = format!("left behind, and kept in {}: {}", here.path(dir), strays.join(", "));
    Some(ftl_text::one_line(&text))
}

/// `in 56 s, 1200 tokens, $4.31`.
pub(crate) fn spent(milliseconds: u64, usage: Option<Usage>) -> String {
    let tokens = usage.and_then(|usage| usage.tokens).map(|tokens| format!(", {tokens} tokens"));
    let cost = usage.and_then(|usage| usage.cost).map(|cost| format!(", {}", dollars(cost)));
    let more: String = tokens.into_iter().chain(cost).collect();
    format!("in {}{more}", duration(milliseconds))
}

fn headline(result: &BuildResult) -> String {
    let mut parts: Vec<String> = match (&result.block, result.outcome) {
        (Some(block), _) => vec![format!("blocked: {}", title(block.kind, result))],
        (None, OutcomeWord::Complete) => Vec::new(),
        (None, outcome) => vec![outcome.to_string()],
    };
    if result.outcome != OutcomeWord::Planned {
        parts.push(duration(result.duration_of_all()));
    }
    if result.outcome == OutcomeWord::Complete {
        parts.extend(lines(result));
    }
    parts.extend(result.usage_of_all().and_then(|usage| usage.cost).map(dollars));
    line(result.outcome, &result.id, parts)
}

/// `+12 −3` of all files whose lines were counted; `no change` where none was touched.
fn lines(result: &BuildResult) -> Option<String> {
    if result.files.is_empty() {
        return Some("no change".to_owned());
    }
    let counts: Option<Vec<LineCounts>> = result.files.iter().map(|file| file.lines).collect();
    let counts = counts?;
    let sum = |of: fn(&LineCounts) -> u64| counts.iter().map(of).sum::<u64>();
    Some(format!("+{} \u{2212}{}", sum(|it| it.added), sum(|it| it.removed)))
}

/// `✓ 003 add-a-discount  8.1 s`.
fn line(outcome: OutcomeWord, id: &WorkspaceId, parts: impl IntoIterator<Item = String>) -> String {
    let (mark, code) = match outcome {
        OutcomeWord::Complete => ("✓", "32"),
        OutcomeWord::Planned => ("·", "32"),
        OutcomeWord::Skipped | OutcomeWord::Waiting => ("-", "33"),
        OutcomeWord::Blocked
        | OutcomeWord::Broken
        | OutcomeWord::Failed
        | OutcomeWord::Dropped
        | OutcomeWord::Unfinished
        | OutcomeWord::Limit => ("✗", "31"),
    };
    let mark = match output::colour(&io::stdout()) {
        true => format!("\u{1b}[1;{code}m{mark}\u{1b}[0m"),
        false => mark.to_owned(),
    };
    let name = format!("{} {}", id.seq(), id.slug());
    let parts = std::iter::once(name.trim_end().to_owned()).chain(parts);
    let parts: Vec<String> = parts.map(|part| terminal_text(part.as_bytes())).collect();
    format!("{mark} {}\n", parts.join("  "))
}

/// Why a task is blocked, as people say it. The error itself follows.
fn title(kind: BlockKind, result: &BuildResult) -> &'static str {
    match kind {
        BlockKind::SpecInvalid => "the task can't be built as it is written",
        BlockKind::BudgetExhausted => "its budget is spent",
        BlockKind::ImplementFailed => match result.implementer.kind {
            ImplementerKind::Agent => "the agent failed",
            ImplementerKind::Patch => "the patch failed",
            ImplementerKind::Tree => "nothing was done",
        },
        BlockKind::DeltaInsufficient => "it needs files outside its delta",
        BlockKind::PreflightExhausted => "the syntax check failed",
        BlockKind::DiscoveryNeeded => "the verify failed",
        BlockKind::RetryLimit => "the verify failed again after a known fix",
        BlockKind::FixFailed => "the known fix failed",
        BlockKind::TreeChanged => "a command changed the delta",
        BlockKind::IdiomViolation => "an idiom is violated",
        BlockKind::ExportsLost => "exports are lost",
        BlockKind::VerifyUntrusted => "the verify passed, but can't be trusted",
        BlockKind::LandConflict => "the project changed in the same places",
        BlockKind::LandBroken => "the verify fails together with other changes",
    }
}

/// What follows the headline: `next` is limited to so many commands.
fn below(result: &BuildResult, is_verbose: bool, next: usize) -> String {
    let mut page = Page::default();
    if is_verbose {
        page.attempts_and_states(result);
        page.details(result, &LinesOf::new());
        return page.text;
    }
    page.here = Here::of(result);
    if result.block.is_some() {
        page.what_failed(result);
        page.left_behind(result);
    }
    for command in result.next.iter().take(next) {
        page.line("next", command);
    }
    page.optional("then", result.then.as_deref());
    page.text
}

impl Page {
    /// The error, and the names, places and messages that belong to it.
    fn what_failed(&mut self, result: &BuildResult) {
        let Some(block) = &result.block else {
            return;
        };
        let verify = result.verify.last().filter(|verify| !verify.failures.is_empty());
        let failed = verify.filter(|_| block.failure.is_some() || !is_passed(result));
        let listed = failed.map(|it| failures::list(it, &self.here, FEW)).unwrap_or_default();
        let places = self.unparsed(result);
        let is_listed = failed.is_some_and(|it| {
            it.failures.iter().any(|failure| failure.message.contains(&block.error))
        });
        if places.is_empty() && (listed.is_empty() || block.failure.is_none() && !is_listed) {
            self.sentence("error", &block.error);
        }
        self.line("failed", &listed);
        self.line("failed", &places.join("\n"));
        let commands = result.preflight.iter().filter(|check| check.diagnostics.is_empty());
        for check in commands.filter(|check| check.status == CheckStatus::Invalid) {
            self.check(check);
        }
        self.quality(&result.quality);
        let said = block.last_lines.len().saturating_sub(SAID);
        self.line("said", &block.last_lines[said..].join("\n"));
        let log = block.log.as_deref().or(failed.and_then(|verify| verify.log.as_deref()));
        self.path("log", log.unwrap_or_default());
    }

    /// Where files do not parse: `PATH:LINE:COLUMN: MESSAGE`.
    fn unparsed(&self, result: &BuildResult) -> Vec<String> {
        let place = |check: &PreflightResult, found: &Diagnostic| {
            let path = self.here.path(&check.path);
            format!("{path}:{}:{}: {}", found.line, found.column, found.message)
        };
        let checks = result.preflight.iter();
        let found = checks.flat_map(|check| check.diagnostics.iter().map(move |it| (check, it)));
        found.take(PLACES).map(|(check, found)| place(check, found)).collect()
    }

    /// The files that no task was to change, and where they are.
    fn left_behind(&mut self, result: &BuildResult) {
        for path in result.strays.iter().take(NAMED) {
            self.path("stray", path);
        }
        if let Some(more) = result.strays.len().checked_sub(NAMED).filter(|&more| more > 0) {
            self.put("", &format!("and {more} more"));
        }
        self.path("quarantine", result.quarantine.as_deref().unwrap_or_default());
    }
}

/// Whether the last verify passed: then its failures are not why the task is blocked.
fn is_passed(result: &BuildResult) -> bool {
    result.verify.last().is_none_or(|verify| verify.exit == Some(0))
}

/// Lines of a task among several, each with its number.
fn numbered(id: &WorkspaceId, text: &str) -> String {
    let number = terminal_text(id.seq().as_bytes());
    text.lines().map(|line| format!("{number} {line}\n")).collect()
}

fn labelled(text: &str) -> String {
    format!("  {}\n", terminal_text(text.as_bytes()))
}

fn one_line(text: &str) -> String {
    shortened(&ftl_text::one_line(text), ERROR)
}

#[cfg(test)]
mod tests {
    use ftl_engine::result::{
        BlockResult, BuildResult, EvidenceResult, FileResult, ImplementerResult, OutcomeWord,
        QualityResult, RetryResult, RunId, Skipped, Spent, Usage, WorkspaceResult,
    };
    use ftl_machine::{BlockKind, StateName};
    use ftl_model::{Change, DeltaPath, LineCounts, WorkspaceId};

    use super::{again, any, built, spent};

    fn built_as(outcome: OutcomeWord, block: Option<BlockResult>) -> BuildResult {
        let id = WorkspaceId::new("001", "add-a-discount");
        BuildResult {
            v: 1,
            run: RunId::new(id.clone(), 1),
            outcome,
            id,
            workspace: ".ftl/workspace/001_add-a-discount_blocked.xml".into(),
            states: vec![StateName::Read, StateName::Plan],
            budget: Spent { total: Some(5), used: 1 },
            delivered: None,
            block,
            files: Vec::new(),
            strays: Vec::new(),
            quarantine: None,
            may_try_again: false,
            allowed: Vec::new(),
            isolation: None,
            duration_ms: 8100,
            usage: None,
            implementer: ImplementerResult::default(),
            base: None,
            scratch: Vec::new(),
            preflight: Vec::new(),
            verify: Vec::new(),
            evidence: EvidenceResult::default(),
            retry: RetryResult { count: 0, max: 1, failure: None, rationale: None },
            quality: QualityResult {
                enforced: true,
                idioms: Vec::new(),
                detected: None,
                exports: Vec::new(),
            },
            commit: None,
            utilized: Vec::new(),
            warnings: Vec::new(),
            attempt: 1,
            earlier: Vec::new(),
            next: match outcome {
                OutcomeWord::Blocked => vec!["ftl reopen 1 --build".into()],
                _ => Vec::new(),
            },
            then: None,
            problems: Vec::new(),
            source: Vec::new(),
            patches: 0,
            ways: Vec::new(),
        }
    }

    fn block() -> BlockResult {
        BlockResult {
            kind: BlockKind::SpecInvalid,
            error: "bad\u{1b}[31m path".into(),
            tried: Vec::new(),
            unknown: "two\nlines".into(),
            discovery: String::new(),
            reproduce: String::new(),
            near: Vec::new(),
            failure: None,
            last_lines: Vec::new(),
            log: None,
        }
    }

    #[test]
    fn a_complete_task_is_a_line() {
        let mut result = built_as(OutcomeWord::Complete, None);
        assert_eq!(built(&result, false), "✓ 001 add-a-discount  8.1 s  no change\n");
        let lines = |added, removed| FileResult {
            path: DeltaPath::parse("a.py").unwrap(),
            change: Change::Modified,
            sha256: None,
            lines: Some(LineCounts { added, removed }),
        };
        result.files = vec![lines(10, 3), lines(2, 0)];
        result.usage = Some(Usage { tokens: Some(1200), cost: Some(0.12) });
        let expected = "✓ 001 add-a-discount  8.1 s  +12 −3  $0.12\n";
        assert_eq!(built(&result, false), expected);
        assert_eq!(spent(56_000, result.usage), "in 56 s, 1200 tokens, $0.12");
    }

    #[test]
    fn a_block_shows_its_hand_off_and_with_more_the_words_of_the_machine() {
        let result = built_as(OutcomeWord::Blocked, Some(block()));
        let headline =
            "✗ 001 add-a-discount  blocked: the task can't be built as it is written  8.1 s\n";
        let brief = format!("{headline}  error      bad path\n  next       ftl reopen 1 --build\n");
        assert_eq!(built(&result, false), brief);
        let expected = "  states     READ → PLAN
  budget     1/5 calls
  kind       spec_invalid
  error      bad path
  unknown    two
             lines
  record     .ftl/workspace/001_add-a-discount_blocked.xml
  next       ftl reopen 1 --build
";
        assert_eq!(built(&result, true), format!("{headline}{expected}"));
        let closing = "✗ 001 add-a-discount  bad path\n001   next  ftl reopen 1 --build\n";
        assert_eq!(again(&result), closing);
    }

    #[test]
    fn a_task_that_was_not_built_says_why() {
        let skipped = WorkspaceResult::Skipped(Skipped {
            v: 1,
            outcome: OutcomeWord::Skipped,
            id: WorkspaceId::new("002", "b"),
            workspace: "002_b_active.xml".into(),
            cause: "waits for `001_a`".into(),
        });
        assert_eq!(any(&skipped, false), "- 002 b  skipped: waits for `001_a`\n");
    }
}
