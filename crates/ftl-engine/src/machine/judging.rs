//! QUALITY: what passed its verify must also be what was checked, follow the idioms and keep its
//! exports.

use super::event::{Event, ExportStatus, ExportVerdict, IdiomStatus, IdiomVerdict, Judged};
use super::sealing::Sealing;
use super::state::IllegalEvent;
use super::task::{HandOff, Task};
use super::{BlockKind, Outcome, State, StateName, Undecided};

/// Waiting for the judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Judging {
    pub(super) task: Task,
}

impl Judging {
    pub(super) fn enter(mut task: Task) -> State {
        task.enter(StateName::Quality);
        State::Judge(Self { task })
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Judged(judged) => Ok(self.judged(*judged)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Sealed(_) => Err(IllegalEvent {
                state: StateName::Quality,
                doing: "judging",
                event: event.name(),
            }),
        }
    }

    fn judged(self, judged: Judged) -> State {
        let mut task = self.task;
        let changed = changed_since_checked(&task, &judged);
        let violated = violated(&task, &judged.idioms);
        let lost = lost(&judged.exports);
        let untrusted = untrusted(&task);
        task.stands(&judged.delta);
        task.log.warn_all(judged.warnings);
        task.log.warn_all(doubts(&task));
        task.log.idioms = judged.idioms;
        task.log.exports = judged.exports;
        task.log.lines = judged.lines;
        if !changed.is_empty() {
            let words = tree_changed(&task, &changed);
            return task.block(BlockKind::TreeChanged, words);
        }
        if !violated.is_empty() {
            if task.plan.enforced {
                let words = violation(&task, &violated);
                return task.block(BlockKind::IdiomViolation, words);
            }
            task.log.warn_all(violated);
        }
        if !lost.is_empty() {
            let words = exports_lost(&task, &lost);
            return task.block(BlockKind::ExportsLost, words);
        }
        if !untrusted.is_empty() {
            let words = verify_untrusted(&task, &untrusted);
            return task.block(BlockKind::VerifyUntrusted, words);
        }
        task.enter(StateName::Complete);
        State::Seal(Sealing {
            verdict: task.verdict(Outcome::Complete),
        })
    }
}

/// Delta files whose bytes are not those that PREFLIGHT or RETRY saw last.
fn changed_since_checked(task: &Task, judged: &Judged) -> Vec<String> {
    let seen = |path| task.checked.get(path).cloned().flatten();
    let now = |path| judged.delta.bytes.get(path).cloned().flatten();
    task.plan
        .paths()
        .filter(|path| seen(path) != now(path))
        .map(ToString::to_string)
        .collect()
}

/// Idioms that are broken, or that nothing decides where that is to count as broken.
fn violated(task: &Task, idioms: &[IdiomVerdict]) -> Vec<String> {
    let undecided_counts = task.options.undecided == Undecided::Block;
    let broken = |idiom: &&IdiomVerdict| match idiom.verdict {
        IdiomStatus::Violated => true,
        IdiomStatus::Undecidable => undecided_counts,
        IdiomStatus::Satisfied | IdiomStatus::NotApplicable => false,
    };
    idioms.iter().filter(broken).map(describe).collect()
}

fn describe(idiom: &IdiomVerdict) -> String {
    let what = match idiom.verdict {
        IdiomStatus::Undecidable => "is undecided",
        IdiomStatus::Violated | IdiomStatus::Satisfied | IdiomStatus::NotApplicable => {
            "is violated"
        }
    };
    let place = idiom.places.iter().find(|place| place.new);
    let place = place.map(|at| format!(" ({}:{}:{})", at.path, at.line, at.column));
    format!(
        "{} idiom `{}` {what}{}",
        idiom.kind,
        idiom.text,
        place.unwrap_or_default()
    )
}

fn lost(exports: &[ExportVerdict]) -> Vec<String> {
    let gone = exports
        .iter()
        .filter(|export| export.verdict == ExportStatus::Lost);
    gone.map(|export| format!("`{}` of {}", export.name, export.path))
        .collect()
}

fn untrusted(task: &Task) -> Vec<String> {
    task.findings
        .intersection(&task.options.untrusted)
        .cloned()
        .collect()
}

fn doubts(task: &Task) -> Vec<String> {
    let harmless = task.findings.difference(&task.options.untrusted);
    harmless
        .map(|finding| format!("the verify is doubtful: {finding}"))
        .collect()
}

fn tree_changed(task: &Task, files: &[String]) -> HandOff {
    let files = files.join(", ");
    HandOff {
        error: format!("the delta changed after it was last checked: {files}"),
        unknown: "what the verify or a preflight command wrote into the delta".into(),
        discovery: "why these commands write the files that they judge".into(),
        reproduce: task.plan.verify.clone(),
    }
}

fn violation(task: &Task, violated: &[String]) -> HandOff {
    HandOff {
        error: violated.join("; "),
        unknown: "whether the idiom or the code is at fault".into(),
        discovery: "how this is written in this house".into(),
        reproduce: task.plan.verify.clone(),
    }
}

fn exports_lost(task: &Task, lost: &[String]) -> HandOff {
    HandOff {
        error: format!("exports are gone: {}", lost.join(", ")),
        unknown: "who uses these names".into(),
        discovery: "whether the names may go; `--allow-removed NAME` says that one may".into(),
        reproduce: task.plan.verify.clone(),
    }
}

fn verify_untrusted(task: &Task, findings: &[String]) -> HandOff {
    HandOff {
        error: format!(
            "the verify passed but can't be trusted: {}",
            findings.join(", ")
        ),
        unknown: "whether the task is done".into(),
        discovery: "a verify that fails when the task is not done".into(),
        reproduce: task.plan.verify.clone(),
    }
}
