//! The next steps after a block, as data: what a person can do about it, filled in from what the run knows.
//!
//! The caller knows what to type for each.

use std::collections::BTreeSet;

use ftl_analysis::findings::masked_exit;
use ftl_machine::{Block, Misfit, Outside, Reason, SpecProblem, Unretried, Verdict};
use ftl_model::{DeltaPath, Finding};

use super::attempts::may_try_again;
use crate::author::new::carrying_budget;
use crate::author::take::is_takable;
use crate::project::verify_files;
use crate::result::WayOn;
use crate::run::settings::{Implementer, Settings};
use crate::run::site::Site;

/// So many paths a command names, of so many bytes each at most: a person types no more.
const MOST: usize = 100;
const LONGEST: usize = 4096;
/// So many files an implementer deletes on purpose: of more, none is proposed for the delta.
const MOST_DELETED: usize = 5;

/// What can be done about a block: first what asks no agent again, each in the order of likelihood.
pub(in crate::run) fn on(
    block: &Block,
    verdict: &Verdict,
    settings: &Settings,
    site: Option<&Site<'_>>,
) -> Vec<WayOn> {
    let mut ways = by_reason(block, verdict, site);
    let is_agent = matches!(settings.implementer, Implementer::Agent(_));
    if !is_agent {
        for_user(&mut ways);
    }
    if is_agent && settings.series.attempts == 1 && may_try_again(block.kind(), verdict) {
        ways.push(WayOn::Attempts);
    }
    ways.sort_by_key(asks_again);
    ways
}

/// Whether an agent is asked once more.
const fn asks_again(way: &WayOn) -> bool {
    match way {
        WayOn::Correct
        | WayOn::CorrectRecord
        | WayOn::Repair { .. }
        | WayOn::Work
        | WayOn::Take(_)
        | WayOn::VerifyWork(_)
        | WayOn::Accept(_)
        | WayOn::AllowRemoved(_)
        | WayOn::Check(_) => false,
        WayOn::Again { .. }
        | WayOn::Add(_)
        | WayOn::TakeAndAdd(..)
        | WayOn::Budget(_)
        | WayOn::Verify(_)
        | WayOn::Attempts => true,
    }
}

/// Whether the last verify printed something: one that ended without a word has no error that could be known
/// again, since every other such failure would look the same.
pub(in crate::run) fn says_why(verdict: &Verdict) -> bool {
    verdict.log.verify.last().is_none_or(|verify| {
        verify.exit.is_none() || verify.timed_out || !verify.output.trim().is_empty()
    })
}

/// Without an agent the same build ends in the same block: the user has to do something first.
fn for_user(ways: &mut Vec<WayOn>) {
    let again = ways.iter().find_map(|way| match way {
        WayOn::Again { has_work } => Some(*has_work),
        _ => None,
    });
    if let Some(has_work) = again {
        ways.retain(|way| !matches!(way, WayOn::Again { .. }));
        ways.push(WayOn::Repair { has_work });
    }
}

fn by_reason(block: &Block, verdict: &Verdict, site: Option<&Site<'_>>) -> Vec<WayOn> {
    let again = WayOn::Again { has_work: true };
    match &block.reason {
        Reason::DocumentRefused(_) => vec![WayOn::Correct],
        Reason::NoBudget
        | Reason::BudgetTooSmall { .. }
        | Reason::Overspent { .. }
        | Reason::VerifyUnaffordable => vec![budget(verdict)],
        Reason::Unbuildable(SpecProblem::NoProgram(missing)) => match &missing.near {
            Some(near) => vec![WayOn::Verify(corrected(&verdict.plan.verify, &missing.name, near))],
            None => vec![WayOn::CorrectRecord],
        },
        Reason::Unbuildable(_) => vec![WayOn::CorrectRecord],
        Reason::ImplementerFailed(_) | Reason::Idle => vec![WayOn::Again { has_work: false }],
        Reason::OutsideDelta(outside) => {
            // Whether the work needs what it left behind is not known yet.
            let without = matches!(outside, Outside::Strays(_)).then_some(WayOn::Work);
            without.into_iter().chain(of_outside(outside, site)).collect()
        }
        Reason::LeftBehind { left, .. } => of_outside(&Outside::Strays(left.clone()), site),
        Reason::PreflightFailing { first, .. } => {
            let file = first.as_ref().filter(|entry| entry.check.is_some());
            let check = file.map(|entry| WayOn::Check(entry.subject.clone()));
            check.into_iter().chain([again]).collect()
        }
        Reason::VerifyFailed { why, .. } => match why {
            Unretried::CallsSpent { .. } => vec![budget(verdict)],
            Unretried::FixFailed(Misfit::Outside(outside)) => of_outside(outside, site),
            Unretried::RetriesSpent { .. } | Unretried::NoKnownFix(_) | Unretried::FixFailed(_) => {
                let command = &verdict.plan.verify;
                let meant =
                    site.and_then(|site| verify_files::corrected(command, site.root(), &|_| false));
                // A hidden exit code hides the error, too: `pytest | grep Ran` fails without a word.
                let shown = || masked_exit(command).map(|masked| WayOn::VerifyWork(masked.instead));
                let verify = meant.map(WayOn::Verify).or_else(shown);
                verify.into_iter().chain([again]).collect()
            }
        },
        Reason::ExportsLost(exports) => {
            let names: BTreeSet<String> =
                exports.iter().map(|export| format!("{}:{}", export.path, export.name)).collect();
            vec![WayOn::AllowRemoved(names.into_iter().collect()), again]
        }
        Reason::VerifyUntrusted(findings) => {
            let masked = findings.contains(&Finding::MaskedExit);
            let masked = masked.then(|| masked_exit(&verdict.plan.verify)).flatten();
            let verify = masked.map(|masked| WayOn::VerifyWork(masked.instead));
            let accept = WayOn::Accept(findings.clone());
            // As long as the command hides its exit code, every run ends in this block.
            let again = verify.is_none().then_some(again);
            verify.into_iter().chain([accept]).chain(again).collect()
        }
        // What wrote into the delta writes the same once more, and nothing differs then.
        Reason::TreeChanged(_) => vec![WayOn::Work],
        Reason::IdiomsViolated(_) | Reason::LandConflict(_) | Reason::LandBroken(_) => {
            vec![again]
        }
    }
}

/// A budget that carries everything that a run may spend, and more than this one spent.
fn budget(verdict: &Verdict) -> WayOn {
    let planned = verdict.plan.files.len().max(verdict.files.len()).max(1);
    let more = verdict.used.saturating_add(2);
    WayOn::Budget(carrying_budget(planned).max(more))
}

/// The command with its first word replaced.
fn corrected(command: &str, name: &str, near: &str) -> String {
    command.replacen(name, near, 1)
}

/// Strays that lie in quarantine can be taken in; what is only needed, or was deleted, comes into the delta.
fn of_outside(outside: &Outside, site: Option<&Site<'_>>) -> Vec<WayOn> {
    let (Outside::Strays(paths) | Outside::Needs(paths)) = outside;
    let plain = |path: &str| DeltaPath::parse(path).is_ok();
    let can_be_typed =
        |path: &&String| path.len() < LONGEST && plain(path.trim_start_matches("../"));
    let paths = paths.iter().filter(can_be_typed).take(MOST);
    let paths: Vec<String> = paths.cloned().collect();
    let (mut take, mut add) = (Vec::new(), Vec::new());
    for path in paths {
        let is_stray = matches!(outside, Outside::Strays(_));
        match site.filter(|_| is_stray) {
            Some(site) if is_takable(&site.run, &path) => take.push(path),
            _ if path.starts_with("../") => {}
            _ => add.push(path),
        }
    }
    let is_dir = |path: &String| site.is_some_and(|site| site.root().join(path).is_dir());
    add.retain(|path| !is_dir(path));
    if matches!(outside, Outside::Strays(_)) && (add.len() > MOST_DELETED || add.iter().any(is_own))
    {
        add.clear();
    }
    match (take.is_empty(), add.is_empty()) {
        (true, true) => vec![WayOn::Again { has_work: true }],
        (false, true) => vec![WayOn::Take(take)],
        (true, false) => vec![WayOn::Add(add)],
        (false, false) => vec![WayOn::TakeAndAdd(take, add)],
    }
}

/// Whether no task is about this file, so that it was deleted with all others: ftl's configuration.
fn is_own(path: &String) -> bool {
    path == "ftl.toml"
}
