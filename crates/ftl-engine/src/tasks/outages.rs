//! Agents that can't be reached: how long they are waited for, and what is said of it.

use std::time::Duration;

use ftl_schedule::{Ending, Outage, Started};
use jiff::{RoundMode, Timestamp, Unit, Zoned, ZonedRound};

use super::Session;

/// How long an agent is waited for that can't be reached for another reason than its quota.
const UNREACHED: Duration = Duration::from_secs(60 * 60);

impl Session<'_> {
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

/// From now until a time in seconds since 1970; nothing where it is over.
fn seconds_until(at: i64) -> Duration {
    let seconds = at.saturating_sub(Timestamp::now().as_second());
    Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
}

/// The time of day so long from now, as a clock here shows it: the next whole minute.
#[must_use]
pub fn clock_in(pause: Duration) -> String {
    let now = Zoned::now();
    let at = now
        .checked_add(pause)
        .and_then(|at| at.round(ZonedRound::new().smallest(Unit::Minute).mode(RoundMode::Ceil)));
    let at = at.unwrap_or_else(|_| now.clone());
    let form = if at.date() == now.date() { "%H:%M" } else { "%a %H:%M" };
    at.strftime(form).to_string()
}
