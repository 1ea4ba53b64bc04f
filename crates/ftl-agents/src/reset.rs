//! The time at which an agent's quota is said to reset, in the words of agents and model servers: a time of day
//! (`resets 3pm (Europe/Berlin)`), a date, a number of seconds since 1970, or a time to wait (`in 2 hours`).

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _, Zoned};
use regex::{Captures, Regex, RegexBuilder};

/// The words before a time or a wait.
const SIGN: &str = r#"(?:resets?|try(?:ing)? again|retry(?:ing)?|available|wait|resume)\b"#;

/// Seconds since 1970: `usage limit reached|1749924000`, `"resets_at":1777936568`.
static SECONDS_SINCE_1970: LazyLock<Regex> =
    LazyLock::new(|| build(r#"(?:limit reached\||reset(?:s|_|-)*at"?\s*[:=]\s*"?)(\d{10})\b"#));

/// `"resets_in_seconds":13872`, `retry-after: 120`.
static SECONDS: LazyLock<Regex> = LazyLock::new(|| {
    build(r#"(?:resets?_in_seconds|retry[-_]after(?:[-_]seconds)?)"?\s*[:=]\s*"?(\d{1,7})\b"#)
});

/// `try again in 5 days 22 hours 11 minutes`, `reset after 12h34m16s`, `"retryDelay": "34.07s"`.
static WAIT: LazyLock<Regex> = LazyLock::new(|| {
    let unit = "(?:days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|ms|m|seconds?|secs?|s)";
    build(&format!(
        r#"(?:{SIGN}(?:\s+(?:in|after|for))?\s+|(?:retry|reset)delay"?\s*[:=]\s*"?)((?:[\s,]*\d+(?:\.\d+)?\s*{unit})+)\b"#
    ))
});

/// `resets 2026-03-01T14:05:00Z`
static TIMESTAMP: LazyLock<Regex> = LazyLock::new(|| {
    build(&format!(
        r"{SIGN}[^\n]{{0,20}}?(\d{{4}}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(z|utc|[+-]\d\d:?\d\d)?"
    ))
});

/// `resets 8:30pm (Asia/Tokyo)`, `try again at Jul 5th, 2026 8:19 PM`, `resets Feb 3 at 10am`, `resets Mon 11:15`.
static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    let months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
    let date = format!(
        r"(?P<month>{months})[a-z]*\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?:(?P<year>\d{{4}}),?\s+)?"
    );
    let weekday = "(?:(?P<weekday>mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\\s+)";
    let time = r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?::\d\d)?\s*(?P<half>[ap]\.?m\b)?";
    build(&format!(
        r"{SIGN}(?:\s+(?:at|on|after))?\s+{weekday}?(?:{date})?(?:at\s+)?{time}(?:\s*\(?(?P<zone>[a-z]+/[a-z_/+0-9-]+|utc|gmt)\b)?"
    ))
});

fn build(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).case_insensitive(true).build().expect("because a test reads it")
}

/// How far in the past a time without a date may be that is not the next day's: agents print it again after it.
const STALE_HOURS: i64 = 1;

/// The time that a text names, seen from `now`. One that is over counts too.
pub(crate) fn reset(text: &str, now: &Zoned) -> Option<Timestamp> {
    let whole = |pattern: &Regex| pattern.captures(text)?[1].parse::<i64>().ok();
    if let Some(seconds) = whole(&SECONDS_SINCE_1970) {
        return Timestamp::from_second(seconds).ok();
    }
    if let Some(seconds) = whole(&SECONDS) {
        return now.timestamp().checked_add(seconds.seconds()).ok();
    }
    if let Some(found) = WAIT.captures(text) {
        let span: Span = found[1].trim().to_ascii_lowercase().parse().ok()?;
        return Some(now.checked_add(span).ok()?.timestamp());
    }
    if let Some(found) = TIMESTAMP.captures(text) {
        return timestamp(&found, now);
    }
    CLOCK.captures_iter(text).find_map(|found| clock(&found, now))
}

fn timestamp(found: &Captures<'_>, now: &Zoned) -> Option<Timestamp> {
    let at: DateTime = found[1].to_ascii_uppercase().parse().ok()?;
    let zone = found.get(2).map(|zone| zone.as_str().to_ascii_uppercase());
    match zone.as_deref() {
        None => at.to_zoned(now.time_zone().clone()).ok().map(|at| at.timestamp()),
        Some("Z" | "UTC") => TimeZone::UTC.to_timestamp(at).ok(),
        Some(offset) => format!("{at}{offset}").parse().ok(),
    }
}

fn clock(found: &Captures<'_>, now: &Zoned) -> Option<Timestamp> {
    let part = |name| found.name(name).map(|part| part.as_str());
    let number = |name| part(name).and_then(|text| text.parse::<i16>().ok());
    let hour = i8::try_from(number("hour")?).ok()?;
    let minute = number("minute");
    let hour = match part("half").map(|half| half.as_bytes()[0].to_ascii_lowercase()) {
        // A number alone is no time.
        None => minute.map(|_| hour)?,
        Some(b'p') => hour % 12 + 12,
        Some(_) => hour % 12,
    };
    let time = Time::new(hour, i8::try_from(minute.unwrap_or(0)).ok()?, 0, 0).ok()?;
    // An agent prints the zone that the system has; one that is not known here is the system's by another name.
    let zone = part("zone").and_then(|zone| match zone.contains('/') {
        true => TimeZone::get(zone).ok(),
        false => Some(TimeZone::UTC),
    });
    let now = zone.map_or_else(|| now.clone(), |zone| now.with_time_zone(zone));
    let at = |date: Date| date.to_datetime(time).to_zoned(now.time_zone().clone()).ok();
    let at = match part("month") {
        Some(month) => at(date(month, number("day")?, number("year"), &now)?)?,
        None => {
            let earliest = now.checked_sub(STALE_HOURS.hours()).ok()?;
            let first = at(earliest.date())?;
            let weekday = part("weekday").map(str::to_ascii_lowercase);
            let is_meant = |day: &Zoned| {
                let name = day.strftime("%a").to_string().to_ascii_lowercase();
                *day >= earliest && weekday.as_ref().is_none_or(|weekday| *weekday == name)
            };
            (0..8).filter_map(|days| first.checked_add(days.days()).ok()).find(is_meant)?
        }
    };
    Some(at.timestamp())
}

/// A date, in the year in which it is next where none is named.
fn date(month: &str, day: i16, year: Option<i16>, now: &Zoned) -> Option<Date> {
    const MONTHS: &str = "janfebmaraprmayjunjulaugsepoctnovdec";
    let month = i8::try_from(MONTHS.find(&month.to_ascii_lowercase())? / 3 + 1).ok()?;
    let day = i8::try_from(day).ok()?;
    if let Some(year) = year {
        return Date::new(year, month, day).ok();
    }
    let this_year = Date::new(now.year(), month, day).ok()?;
    let is_over = this_year < now.date().yesterday().ok()?;
    if is_over { Date::new(now.year() + 1, month, day).ok() } else { Some(this_year) }
}

#[cfg(test)]
mod tests {
    use jiff::Zoned;

    use super::reset;

    /// At Friday, 2026-07-03 14:00 in Berlin, 12:00 in UTC.
    fn at(text: &str) -> Option<String> {
        let now: Zoned = "2026-07-03T14:00:00[Europe/Berlin]".parse().unwrap();
        reset(text, &now).map(|at| at.to_string())
    }

    #[test]
    fn the_times_that_agents_print_are_read() {
        for (text, expected) in [
            // Claude Code, by version.
            ("Claude AI usage limit reached|1783090800", "2026-07-03T15:00:00Z"),
            (
                "Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).",
                "2026-07-03T18:00:00Z",
            ),
            ("5-hour limit reached ∙ resets 3pm", "2026-07-03T13:00:00Z"),
            ("You've hit your session limit · resets 8:30pm (Asia/Tokyo)", "2026-07-03T11:30:00Z"),
            ("You've hit your limit · resets 1:30am (Asia/Dhaka)", "2026-07-03T19:30:00Z"),
            ("You've hit your limit · resets 7pm (UTC)", "2026-07-03T19:00:00Z"),
            ("You've hit your weekly limit · resets Jul 6 at 10am", "2026-07-06T08:00:00Z"),
            ("You've hit your weekly limit · resets Feb 3, 10am", "2027-02-03T09:00:00Z"),
            ("You've hit your weekly limit · resets Mon 12:00am", "2026-07-05T22:00:00Z"),
            // Codex, by version and by how far away the time is.
            (
                "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 5 days 22 hours 11 minutes.",
                "2026-07-09T10:11:00Z",
            ),
            ("You've hit your usage limit. Try again at 4:29 AM.", "2026-07-04T02:29:00Z"),
            (
                "You've hit your usage limit. Upgrade to Plus to continue using Codex (https://chatgpt.com/explore/plus), or try again at Jul 5th, 2026 8:19 PM.",
                "2026-07-05T18:19:00Z",
            ),
            ("or try again at Aug 20, 2026, 7:38 AM", "2026-08-20T05:38:00Z"),
            (
                r#"{"type":"usage_limit_reached","resets_at":1783090800,"resets_in_seconds":10800}"#,
                "2026-07-03T15:00:00Z",
            ),
            (r#""resets_in_seconds":13872"#, "2026-07-03T15:51:12Z"),
            ("Rate limit reached. Please try again in 1.5s.", "2026-07-03T12:00:01.5Z"),
            // Gemini CLI.
            (
                "You have exhausted your capacity on this model. Your quota will reset after 12h34m16s.",
                "2026-07-04T00:34:16Z",
            ),
            ("Please retry in 2h47m56.584147483s.", "2026-07-03T14:47:56.584147483Z"),
            (r#""retryDelay": "34.25s""#, "2026-07-03T12:00:34.25Z"),
            // GitHub Copilot CLI.
            (
                "Please try again in 2 hours. Please review our Terms of Service",
                "2026-07-03T14:00:00Z",
            ),
            ("Please try again in 15 hours 23 minutes.", "2026-07-04T03:23:00Z"),
            ("Please wait 1 hours 33 minutes before trying again", "2026-07-03T13:33:00Z"),
            // Gateways.
            ("429 Too Many Requests, retry-after: 120", "2026-07-03T12:02:00Z"),
            ("quota exceeded, resets at 2026-07-03T13:05:00Z", "2026-07-03T13:05:00Z"),
            ("quota exceeded, resets at 2026-07-03 13:05", "2026-07-03T11:05:00Z"),
        ] {
            assert_eq!(at(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_time_that_is_just_over_is_not_the_next_days() {
        assert_eq!(at("resets 1:30pm").unwrap(), "2026-07-03T11:30:00Z");
        assert_eq!(at("resets 12:30pm").unwrap(), "2026-07-04T10:30:00Z");
    }

    #[test]
    fn other_numbers_are_no_times() {
        for text in [
            "You've hit your usage limit. Try again later.",
            "or wait for limits to reset (every 5h and every week.)",
            "API Error: 429 rate_limit_error",
            "retrying 4/5",
            "try again 3 times",
            "resets 99:99pm",
            "resets in 99999999999999999999 days",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}
