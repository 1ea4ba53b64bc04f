//! What failed in a verify, as its output has it: bounded, with paths of the tree, and the parts of the output that
//! belong to it.

use ftl_analysis::failures::{FoundFailure, failures, locate, rerun, with_reported};
use ftl_model::{DeltaPath, RunFailure};
use ftl_text::{one_line, safe_text, shortened};

use super::reports::Reports;
use crate::run::site::Site;

/// Failures that a run keeps; of more only the number.
const MAX_FAILURES: usize = 100;
/// Characters of a message, and of a detail.
const MAX_MESSAGE: usize = 16 << 10;
/// Characters of the messages and details of a run, all together.
const MAX_TEXT: usize = 128 << 10;
/// Failures of which the parts of the output are kept.
const MAX_EXCERPTS: usize = 10;
/// Characters of the part of one failure.
const MAX_EXCERPT: usize = 3 << 10;

/// What failed.
#[derive(Debug, Default)]
pub(in crate::run) struct Failed {
    pub(in crate::run) failures: Vec<RunFailure>,
    pub(in crate::run) more: usize,
    pub(in crate::run) excerpt: String,
    pub(in crate::run) rerun: Option<String>,
}

/// Reads the failures from the `output` of `command` and its reports. An output without any gives the `error` line
/// alone.
pub(in crate::run) fn failed(
    site: &Site<'_>,
    command: &str,
    output: &str,
    reports: &Reports,
    error: Option<&str>,
) -> Failed {
    let mut found = with_reported(failures(output, command), reports.failures(site, command));
    locate(&mut found, |path| DeltaPath::parse(path).is_ok() && site.root().join(path).is_file());
    let mut room = MAX_TEXT;
    let kept = found.iter().take(MAX_FAILURES).map(|found| bounded(&found.failure, &mut room));
    let mut kept: Vec<RunFailure> = kept.collect();
    if let (true, Some(error)) = (kept.is_empty(), error) {
        kept.push(RunFailure { message: error.to_owned(), ..RunFailure::default() });
    }
    Failed {
        more: found.len().saturating_sub(MAX_FAILURES),
        excerpt: excerpt(site, output, &found),
        rerun: rerun(command, &found).map(|command| one_line(&command)),
        failures: kept,
    }
}

fn bounded(failure: &RunFailure, room: &mut usize) -> RunFailure {
    let mut take = |text: &str| {
        let text = shortened(&safe_text(text.as_bytes()), MAX_MESSAGE.min((*room).max(200)));
        *room = room.saturating_sub(text.len());
        text
    };
    RunFailure {
        test: failure.test.as_deref().map(one_line),
        path: failure.path.as_deref().map(one_line),
        line: failure.line,
        message: take(&failure.message),
        detail: failure.detail.as_deref().map(take),
    }
}

/// The parts of the output that belong to the first failures, each part once, with paths from the root.
fn excerpt(site: &Site<'_>, output: &str, found: &[FoundFailure]) -> String {
    let root = format!("{}/", site.root().display());
    let mut parts = Vec::new();
    let mut end = 0;
    for found in found.iter().take(MAX_EXCERPTS) {
        let range = found.excerpt.start.max(end)..found.excerpt.end;
        let Some(part) = output.get(range).filter(|part| !part.trim().is_empty()) else {
            continue;
        };
        end = found.excerpt.end;
        let part = safe_text(part.trim_end().replace(&root, "").as_bytes());
        parts.push(shortened(part.trim_start_matches('\n'), MAX_EXCERPT));
    }
    parts.join("\n")
}
