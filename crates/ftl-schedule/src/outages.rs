//! Agents that can't be reached: how long nothing starts with them.

use std::collections::BTreeMap;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
/// The longest pause between two tries.
const LONGEST: u32 = 15;

/// That an agent could not be reached, as the one who asked it knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outage {
    /// When it is over, where the agent says so: since the command began.
    pub until: Option<Duration>,
    /// How long the agent is waited for. A longer outage is a limit: the user has to look.
    pub at_most: Duration,
}

/// The outage of an agent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pause {
    /// The longest time that the agent is waited for: since the command began.
    limit: Duration,
    /// Until then nothing starts with the agent.
    until: Duration,
    /// The last pause that was not named.
    minutes: u32,
    /// The pause is over and one task tries.
    is_tried: bool,
}

/// The outages under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Outages {
    by_agent: BTreeMap<usize, Pause>,
    is_given_up: bool,
}

impl Outages {
    /// A task could not reach its agent.
    pub(crate) fn add(&mut self, agent: usize, outage: Outage, now: Duration) {
        let named = outage.until.filter(|until| *until > now);
        let limit = now + outage.at_most;
        let new = Pause { limit, until: now, minutes: 0, is_tried: true };
        let pause = self.by_agent.entry(agent).or_insert(new);
        // A second pause only after a try: of tasks side by side all see the same outage.
        if pause.is_tried {
            pause.is_tried = false;
            if named.is_none() {
                pause.minutes = (pause.minutes * 2).clamp(1, LONGEST);
            }
            // A pause that no message named ends with the wait at the latest.
            pause.until = named.unwrap_or((now + MINUTE * pause.minutes).min(pause.limit));
        }
        pause.until = pause.until.max(named.unwrap_or_default());
    }

    /// When the agent's pause ends.
    pub(crate) fn until(&self, agent: usize) -> Option<Duration> {
        let pause = self.by_agent.get(&agent).filter(|pause| !pause.is_tried);
        pause.map(|pause| pause.until)
    }

    /// Nothing is tried again.
    pub(crate) fn give_up(&mut self) {
        self.is_given_up = true;
    }

    /// A task ended that reached its agent.
    pub(crate) fn end(&mut self, agent: usize) {
        self.by_agent.remove(&agent);
    }

    /// A task starts.
    pub(crate) fn start(&mut self, agent: usize) {
        if let Some(outage) = self.by_agent.get_mut(&agent) {
            outage.is_tried = true;
        }
    }

    /// Whether a task may start with this agent.
    pub(crate) fn lets_start(&self, agent: usize, now: Duration) -> bool {
        self.by_agent.get(&agent).is_none_or(|outage| now >= outage.until && !outage.is_tried)
    }

    /// When the next pause ends.
    pub(crate) fn next_try(&self) -> Option<Duration> {
        let paused = self.by_agent.values().filter(|outage| !outage.is_tried);
        paused.map(|outage| outage.until).min()
    }

    /// Whether an agent can't be reached for longer than it is waited for: then it is not tried again.
    pub(crate) fn is_given_up(&self, now: Duration) -> bool {
        let is_over =
            |pause: &Pause| !pause.is_tried && (now >= pause.limit || pause.until > pause.limit);
        self.is_given_up || self.by_agent.values().any(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::{MINUTE, Outage, Outages};

    const HOUR: Outage = Outage { until: None, at_most: MINUTE.saturating_mul(60) };

    #[test]
    fn pauses_double_up_to_a_quarter_of_an_hour_until_an_hour_is_over() {
        let mut outages = Outages::default();
        let mut now = MINUTE * 5;
        let mut pauses = Vec::new();
        while !outages.is_given_up(now) {
            outages.add(0, HOUR, now);
            // Another task that met the same outage does not lengthen it.
            outages.add(0, HOUR, now);
            assert!(!outages.lets_start(0, now));
            assert!(outages.lets_start(1, now), "another agent");
            let until = outages.next_try().unwrap();
            pauses.push((until - now).as_secs() / 60);
            now = until;
            if !outages.is_given_up(now) {
                assert!(outages.lets_start(0, now));
                outages.start(0);
                assert!(!outages.lets_start(0, now), "one tries");
            }
        }
        assert_eq!(pauses, [1, 2, 4, 8, 15, 15, 15]);
    }

    #[test]
    fn an_agent_that_is_reached_again_is_not_paused() {
        let mut outages = Outages::default();
        outages.add(0, HOUR, MINUTE);
        outages.end(0);
        assert!(outages.lets_start(0, MINUTE));
        assert_eq!(outages.next_try(), None);
    }

    #[test]
    fn a_quota_is_waited_for_until_it_resets_unless_that_is_too_long() {
        let mut outages = Outages::default();
        let until = |minutes: u32| Outage { until: Some(MINUTE * minutes), ..HOUR };
        outages.add(0, HOUR, MINUTE);
        // Another task that met the same outage knows when it ends.
        outages.add(0, until(30), MINUTE);
        assert_eq!(outages.until(0), Some(MINUTE * 30));
        outages.start(0);
        // A time that is over says nothing.
        outages.add(0, until(30), MINUTE * 30);
        assert_eq!(outages.until(0), Some(MINUTE * 32));
        assert!(!outages.is_given_up(MINUTE * 32));
        outages.start(0);
        outages.add(0, until(62), MINUTE * 33);
        assert!(outages.is_given_up(MINUTE * 33));
    }
}
