//! Agents that can't be reached: how long nothing starts with them.

use std::collections::BTreeMap;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
/// The longest pause between two tries.
const LONGEST: u32 = 15;
/// An outage that lasts this long is a limit: the user has to look.
const GIVEN_UP: Duration = Duration::from_secs(60 * 60);

/// The outage of an agent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Outage {
    since: Duration,
    /// Until then nothing starts with the agent.
    until: Duration,
    minutes: u32,
    /// The pause is over and one task tries.
    is_tried: bool,
}

/// The outages under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Outages {
    by_agent: BTreeMap<usize, Outage>,
    is_given_up: bool,
}

impl Outages {
    /// A task could not reach its agent.
    pub(crate) fn add(&mut self, agent: usize, now: Duration) {
        let pause = |minutes: u32| now + MINUTE * minutes;
        match self.by_agent.get_mut(&agent) {
            None => {
                let outage = Outage { since: now, until: pause(1), minutes: 1, is_tried: false };
                self.by_agent.insert(agent, outage);
            }
            // A second pause only after a try: of tasks side by side all see the same outage.
            Some(outage) if outage.is_tried => {
                let minutes = (outage.minutes * 2).min(LONGEST);
                *outage =
                    Outage { since: outage.since, until: pause(minutes), minutes, is_tried: false };
            }
            Some(_) => {}
        }
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

    /// Whether an agent could not be reached for so long that it is not tried again.
    pub(crate) fn is_given_up(&self, now: Duration) -> bool {
        let is_over = |outage: &Outage| !outage.is_tried && now >= outage.since + GIVEN_UP;
        self.is_given_up || self.by_agent.values().any(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::{MINUTE, Outages};

    #[test]
    fn pauses_double_up_to_a_quarter_of_an_hour_until_an_hour_is_over() {
        let mut outages = Outages::default();
        let mut now = MINUTE * 5;
        let mut pauses = Vec::new();
        while !outages.is_given_up(now) {
            outages.add(0, now);
            // Another task that met the same outage does not lengthen it.
            outages.add(0, now);
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
        outages.add(0, MINUTE);
        outages.end(0);
        assert!(outages.lets_start(0, MINUTE));
        assert_eq!(outages.next_try(), None);
    }
}
