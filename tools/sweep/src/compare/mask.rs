//! What two runs of the same program may say differently. Nothing else is masked.
//!
//! | masked | where |
//! |---|---|
//! | times | any RFC 3339 time that is not before the sweep's start |
//! | durations | `duration_ms` in JSON and XML, `, 0.6 s)` behind an exit code |
//! | process ids | the number behind `process`, those in parentheses of what was left running |
//! | lines about what takes longer than a second | those of standard error that end in ` …` |
//! | the digest of a sealed record, since it covers times | `sha256` of the event `sealed` |
//!
//! The path of the project needs no mask, as both programs work at the same one.

/// A number between two texts, in lines that hold a third.
struct Rule {
    within: &'static str,
    before: &'static str,
    after: &'static str,
    /// The characters of the number.
    of: fn(char) -> bool,
    shown: &'static str,
}

const fn duration(before: &'static str, after: &'static str) -> Rule {
    Rule { within: "", before, after, of: |c| c.is_ascii_digit() || c == '.', shown: "<duration>" }
}

const fn process(within: &'static str, before: &'static str, after: &'static str) -> Rule {
    Rule { within, before, after, of: |c| c.is_ascii_digit(), shown: "<pid>" }
}

const RULES: &[Rule] = &[
    duration("\"duration_ms\":", ""),
    duration("\"duration_ms\": ", ""),
    duration("duration_ms=\"", "\""),
    duration(", ", " s)"),
    process("", "process ", ""),
    process("left running: ", " (", ")"),
    Rule {
        within: "\"type\":\"sealed\"",
        before: "\"sha256\":\"",
        after: "\"",
        of: |c| c.is_ascii_hexdigit(),
        shown: "<digest of the record>",
    },
];

/// The digits of a time, `0` for each: the replacement where these match.
const TIME: &str = "0000-00-00T00:00:00";

/// What the program says on standard error, without the lines that only a slow machine shows.
pub(super) fn without_progress(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.ends_with(" …\n")).collect()
}

/// `text` with everything masked; `since` is the sweep's start, as [`TIME`] is written.
pub(super) fn masked(text: &str, since: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let line = without_times(line, since);
        RULES.iter().fold(line, |line, rule| rule.apply(line))
    });
    lines.collect()
}

impl Rule {
    fn apply(&self, text: String) -> String {
        if !text.contains(self.within) || !text.contains(self.before) {
            return text;
        }
        let mut masked = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(self.before) {
            let (before, value) = rest.split_at(at + self.before.len());
            masked.push_str(before);
            let behind = value.trim_start_matches(self.of);
            rest = if behind.len() < value.len() && behind.starts_with(self.after) {
                masked.push_str(self.shown);
                behind
            } else {
                value
            };
        }
        masked + rest
    }
}

fn without_times(text: &str, since: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match rest.get(..TIME.len()) {
            Some(time) if is_time(time) && time >= since => {
                masked.push_str("<time>");
                rest = &rest[TIME.len()..];
                rest = rest
                    .strip_prefix('.')
                    .map_or(rest, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
            }
            _ => {
                masked.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    masked
}

fn is_time(text: &str) -> bool {
    let fits = |(c, form): (char, char)| match form {
        '0' => c.is_ascii_digit(),
        form => c == form,
    };
    text.chars().zip(TIME.chars()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn masks_cover_nothing_but_what_must_differ() {
        let since = "2026-01-01T00:00:00";
        for (text, expected) in [
            ("at=\"2026-02-03T04:05:06Z\"", "at=\"<time>Z\""),
            ("2026-02-03T04:05:06.25Z", "<time>Z"),
            ("2001-02-03T04:05:06Z", "2001-02-03T04:05:06Z"),
            ("(exit 0, 0.6 s)", "(exit 0, <duration> s)"),
            ("within 0.5 s", "within 0.5 s"),
            ("{\"duration_ms\":12,\"exit\":1}", "{\"duration_ms\":<duration>,\"exit\":1}"),
            ("<v duration_ms=\"3\">", "<v duration_ms=\"<duration>\">"),
            ("held by process 12", "held by process <pid>"),
            (
                "{\"sha256\":\"ab1\",\"type\":\"sealed\"}",
                "{\"sha256\":\"<digest of the record>\",\"type\":\"sealed\"}",
            ),
            ("{\"sha256\":\"ab1\"}", "{\"sha256\":\"ab1\"}"),
            ("é 2026", "é 2026"),
        ] {
            assert_eq!(masked(text, since), expected);
        }
    }
}
