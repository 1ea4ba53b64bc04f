//! The lines that are said aloud, in fixed forms.

use super::event::{CheckStatus, Event, WorkspaceRead};
use super::{State, StateName};

impl Event {
    /// The line that announces the event, where it has one. `after` is the state that the event
    /// led to.
    #[must_use]
    pub fn emit(&self, after: &State) -> Option<String> {
        match self {
            Self::WorkspaceRead(read) => {
                after.stands_in(StateName::Plan).then(|| budget_read(read))
            }
            Self::Implemented(_) => Some(budget_spent(after)),
            Self::FileChecked(check) => Some(preflight(check.status, check.path.as_str())),
            Self::CommandChecked(ran) => {
                let status = if ran.passed {
                    CheckStatus::Valid
                } else {
                    CheckStatus::Invalid
                };
                after
                    .plan()
                    .commands
                    .get(ran.index)
                    .map(|command| preflight(status, command))
            }
            Self::FailureMatched(matched) => {
                let known = matched
                    .known
                    .as_ref()
                    .filter(|_| after.stands_in(StateName::Retry))?;
                let (attempt, max) = (after.retries(), matched.max);
                Some(format!(
                    "Retry: attempt {attempt}/{max}, {}",
                    known.rationale
                ))
            }
            Self::WorkspaceRefused(_)
            | Self::Planned(_)
            | Self::TestsRead(_)
            | Self::Mended(_)
            | Self::Verified(_)
            | Self::FixApplied(_)
            | Self::Judged(_)
            | Self::Sealed(_) => None,
        }
    }
}

fn budget_read(read: &WorkspaceRead) -> String {
    let framework = read.framework.as_deref().filter(|name| !name.is_empty());
    let files = read.delta.join(", ");
    format!(
        "Budget: 1/{}, Delta: {files}, Framework: {}",
        read.budget,
        framework.unwrap_or("none")
    )
}

fn budget_spent(after: &State) -> String {
    let names: Vec<&str> = after
        .log()
        .utilized
        .iter()
        .map(|used| used.name.as_str())
        .collect();
    let names = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    };
    format!(
        "Budget: {}/{}, Utilized: {names}",
        after.log().after_implement,
        after.budget().total
    )
}

fn preflight(status: CheckStatus, subject: &str) -> String {
    let word = match status {
        CheckStatus::Valid => "pass",
        CheckStatus::Invalid => "fail",
        CheckStatus::Unchecked => "skip",
    };
    format!("Preflight: {word} for {subject}")
}
