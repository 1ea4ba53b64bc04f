//! The lines that are announced while a run goes on, in forms that programs may rely on.
//!
//! They are part of ftl's interface: a rewording here breaks programs that parse them. Free text belongs to
//! warnings and records, see `wording.rs`.

use ftl_machine::event::WorkspaceRead;
use ftl_machine::{Event, State, StateName};
use ftl_model::CheckStatus;

/// The line that announces an event, where it has one. `after` is the state that the event led to.
pub(in crate::run) fn announcement(event: &Event, after: &State) -> Option<String> {
    match event {
        Event::WorkspaceRead(read) => after.is_in(StateName::Plan).then(|| budget_read(read)),
        Event::Implemented(_) => Some(budget_spent(after)),
        Event::FileChecked(check) => Some(preflight(check.status, check.path.as_str())),
        Event::CommandChecked(ran) => {
            let status = if ran.passed { CheckStatus::Valid } else { CheckStatus::Invalid };
            after.plan().commands.get(ran.index).map(|command| preflight(status, command))
        }
        Event::FailureMatched(matched) => {
            let known = matched.known.as_ref().filter(|_| after.is_in(StateName::Retry))?;
            let (attempt, max) = (after.retries(), matched.max);
            Some(format!("Retry: attempt {attempt}/{max}, {}", known.rationale))
        }
        Event::WorkspaceRefused(_)
        | Event::Planned(_)
        | Event::TestsRead(_)
        | Event::LandingConflicted(_)
        | Event::OldTestsTried(_)
        | Event::BrokenTried(_)
        | Event::Confirmed(_)
        | Event::Mended(_)
        | Event::Verified(_)
        | Event::FixApplied(_)
        | Event::Judged(_)
        | Event::Edited(_)
        | Event::Sealed(_) => None,
    }
}

fn budget_read(read: &WorkspaceRead) -> String {
    let framework = read.framework.as_deref().filter(|name| !name.is_empty());
    let files = read.delta.join(", ");
    format!("Budget: 1/{}, Delta: {files}, Framework: {}", read.budget, framework.unwrap_or("none"))
}

fn budget_spent(after: &State) -> String {
    let names: Vec<&str> = after.log().utilized.iter().map(|used| used.name.as_str()).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    format!("Budget: {}/{}, Utilized: {names}", after.log().after_implement, after.budget().total)
}

fn preflight(status: CheckStatus, subject: &str) -> String {
    let word = match status {
        CheckStatus::Valid => "pass",
        CheckStatus::Invalid => "fail",
        CheckStatus::Unchecked => "skip",
    };
    format!("Preflight: {word} for {subject}")
}
