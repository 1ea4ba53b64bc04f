//! The builds, in tables by their ending.

mod budget;
mod commands;
mod complete;
mod going_on;
mod knowledge;
mod preflight;
mod quality;
mod retries;
mod several;
mod spec;
mod texts;
mod usage;
mod work;

use super::build::Build;
use super::seen::Seen;

/// How the builds of a table end, so that none of them comes to stand for something else.
pub(super) struct Ending {
    pub(super) name: &'static str,
    /// The exit code.
    code: &'static str,
    /// A part of the standard output.
    says: &'static str,
}

impl Ending {
    /// Whether a run without `--format` ended so.
    pub(super) fn is_of(&self, seen: &Seen) -> bool {
        let text = |name: &str| String::from_utf8_lossy(&seen[name]).into_owned();
        let code = self.code.is_empty() || text("exit code").trim() == self.code;
        code && text("standard output").contains(self.says)
    }
}

const fn ending(name: &'static str, code: &'static str, says: &'static str) -> Ending {
    Ending { name, code, says }
}

const COMPLETE: Ending = ending("complete", "0", "complete  001_task");

/// Every table with its ending; an ending may have several.
pub(super) const TABLES: &[(Ending, &[Build])] = &[
    (COMPLETE, complete::BUILDS),
    (COMPLETE, knowledge::BUILDS),
    (COMPLETE, texts::BUILDS),
    (COMPLETE, quality::COMPLETE),
    (COMPLETE, retries::COMPLETE),
    (COMPLETE, preflight::COMPLETE),
    (blocked("spec_invalid", "kind       spec_invalid"), spec::BUILDS),
    (blocked("budget_exhausted", "kind       budget_exhausted"), budget::BUILDS),
    (blocked("implement_failed", "kind       implement_failed"), work::FAILED),
    (blocked("delta_insufficient", "kind       delta_insufficient"), work::OUTSIDE),
    (blocked("preflight_exhausted", "kind       preflight_exhausted"), preflight::BLOCKED),
    (blocked("discovery_needed", "kind       discovery_needed"), retries::UNKNOWN),
    (blocked("retry_limit", "kind       retry_limit"), retries::LIMIT),
    (blocked("fix_failed", "kind       fix_failed"), retries::FIX_FAILED),
    (blocked("tree_changed", "kind       tree_changed"), quality::TREE_CHANGED),
    (blocked("idiom_violation", "kind       idiom_violation"), quality::IDIOMS),
    (blocked("exports_lost", "kind       exports_lost"), quality::EXPORTS_LOST),
    (blocked("verify_untrusted", "kind       verify_untrusted"), quality::UNTRUSTED),
    (ending("usage error", "2", ""), usage::BUILDS),
    (ending("fault", "1", ""), going_on::FAULTS),
    (ending("goes on", "0", "complete  001_task"), going_on::COMPLETE),
    (ending("interrupted", "130", ""), going_on::INTERRUPTED),
    (ending("dry run", "", "001_task"), several::DRY),
    (ending("several tasks", "", "001_task"), several::BUILDS),
    (ending("other commands", "", ""), commands::COMMANDS),
];

const fn blocked(name: &'static str, says: &'static str) -> Ending {
    ending(name, "3", says)
}
