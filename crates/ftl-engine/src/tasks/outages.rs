//! Agents that can't be reached: how long they are waited for, and what is said of it.

use std::time::Duration;

use ftl_schedule::{Ending, Outage, Started, WaitsFor};
use ftl_text::terminal_text;
use jiff::{RoundMode, Timestamp, Unit, Zoned, ZonedRound};

use super::{Job, Session};
use crate::result::AgentWait;
use crate::run::Implementer;

/// How long an agent is waited for that can't be reached for another reason than its quota.
const UNREACHED: Duration = Duration::from_secs(60 * 60);

impl Session<'_> {
    /// Keeps what waits for an agent, for `ftl status`.
    pub(super) fn keep_waits(&self, waiting: &[(usize, WaitsFor)], now: Duration) {
        if let Some(job) = self.jobs.first() {
            crate::agent_waits::keep(&job.settings.layout, &agent_waits(self.jobs, waiting, now));
        }
    }

    /// Whether the command goes on after an outage: a single task's is the end of it, unless a wait was asked for.
    pub(super) fn waits_for_agents(&self, task: usize) -> bool {
        self.jobs.len() > 1 || self.jobs[task].settings.requests.waits_alone
    }

    /// A run could not reach its agent, as `said` says; its quota resets at a time in seconds since 1970.
    pub(super) fn outage(
        &mut self,
        started: Started,
        (resets, is_quota): (Option<i64>, bool),
        said: &str,
    ) {
        let now = self.began.elapsed();
        let job = &self.jobs[started.task()];
        let wait = job.settings_of(started.rung()).requests.quota_wait;
        let outage = Outage {
            until: resets.map(|at| now + seconds_until(at)),
            at_most: if is_quota { wait } else { UNREACHED },
        };
        let until = self.schedule.end(started, Ending::Outage(outage), now);
        let at = clock_in(until.unwrap_or(now).saturating_sub(now));
        let text = format!("{said}; nothing starts with it until {at}, and then one task tries");
        self.watcher.warns(job, &text);
    }
}

impl Job {
    /// The name of one of its agents.
    #[must_use]
    pub fn agent_name(&self, rung: u32) -> String {
        let name = match &self.settings_of(rung).implementer {
            Implementer::Agent(agent) => agent.name.clone(),
            Implementer::Patches(_) | Implementer::Tree { .. } => None,
        };
        name.map_or_else(|| "the agent".to_owned(), |name| terminal_text(name.as_bytes()))
    }
}

/// The tasks that wait for an agent, with when it is tried again.
#[must_use]
pub fn agent_waits(jobs: &[Job], waiting: &[(usize, WaitsFor)], now: Duration) -> Vec<AgentWait> {
    let of = |(task, waits): &(usize, WaitsFor)| {
        let WaitsFor::Agent { until, rung } = waits else { return None };
        let pause = until.map(|until| until.saturating_sub(now));
        let until = pause.and_then(|pause| Timestamp::now().checked_add(pause).ok());
        let until = until.and_then(|at| at.round(Unit::Second).ok()).map(|at| at.to_string());
        let job = &jobs[*task];
        Some(AgentWait { id: job.workspace.id().clone(), agent: job.agent_name(*rung), until })
    };
    waiting.iter().filter_map(of).collect()
}

/// From now until a time in seconds since 1970; nothing where it is over.
fn seconds_until(at: i64) -> Duration {
    let seconds = at.saturating_sub(Timestamp::now().as_second());
    Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
}

/// The time of day so long from now, as a clock here shows it: the next whole minute.
#[must_use]
pub fn clock_in(pause: Duration) -> String {
    let now = Zoned::now();
    let at = now.checked_add(pause).unwrap_or_else(|_| now.clone());
    clock_at(&at)
}

/// The same of a time.
#[must_use]
pub fn clock_at(at: &Zoned) -> String {
    let now = Zoned::now();
    let minute = ZonedRound::new().smallest(Unit::Minute).mode(RoundMode::Ceil);
    let at = at.round(minute).unwrap_or_else(|_| at.clone());
    let form = if at.date() == now.date() { "%H:%M" } else { "%a %H:%M" };
    at.strftime(form).to_string()
}
