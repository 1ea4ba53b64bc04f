//! The times in a build's events.

use std::fs;
use std::path::Path;
use std::time::Duration;

use ftl_testkit::Result;

/// How long the first request took, from the end of the plan to the event of the work.
pub(crate) fn request(events: &Path) -> Result<Duration> {
    let events_text = fs::read_to_string(events)?;
    between(&events_text).ok_or_else(|| format!("no request in {events_text}").into())
}

fn between(events_text: &str) -> Option<Duration> {
    let at = |kind: &str| {
        let kind = format!("\"type\":\"{kind}\"");
        let line = events_text.lines().find(|line| line.contains(&kind))?;
        let (_, at) = line.split_once("\"at\":\"")?;
        milliseconds(at.split_once('T')?.1.get(..12)?)
    };
    const DAY: u64 = 24 * 60 * 60 * 1000;
    let took = (at("implemented")? + DAY - at("planned")?) % DAY;
    Some(Duration::from_millis(took))
}

/// Of a time of day, such as `06:30:10.671`.
fn milliseconds(time: &str) -> Option<u64> {
    let mut parts = time.split([':', '.']).map(|part| part.parse::<u64>().ok());
    let mut next = || parts.next()?;
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    Some(((hours * 60 + minutes) * 60 + seconds) * 1000 + next()?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::between;

    #[test]
    fn a_request_lasts_from_the_plan_to_the_work() {
        let events_text = "{\"at\":\"2026-11-23T23:59:59.998Z\",\"type\":\"planned\"}\n\
                    {\"at\":\"2026-11-24T00:00:00.123Z\",\"type\":\"implemented\"}\n";
        assert_eq!(between(events_text), Some(Duration::from_millis(125)));
        assert_eq!(between("{}"), None);
    }
}
