//! Whether an agent failed because it could not reach a model: not logged in, no key, a quota, a server that is
//! down. Then nothing was tried, and the task is no worse for it.
//!
//! The words are agents' and model servers', and change with their versions; where none fits, the agent counts as
//! one that tried.

use std::sync::OnceLock;

use jiff::{Timestamp, Zoned};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::Agent;
use crate::OutageKind;
use crate::preset::OutagePattern;
use crate::reset::reset;

/// Lines at the end of an output that are looked at.
const LINES: usize = 40;
/// Characters of a line that are looked at and reported.
const LONGEST: usize = 400;

/// An agent that could not reach a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outage {
    /// What it lacked.
    pub kind: OutageKind,
    /// The line in which it said so.
    pub said: String,
    /// When its quota resets, where it said so.
    pub resets: Option<Timestamp>,
}

impl Outage {
    /// What an agent said of an outage. `errors` are what its stream calls errors, `text` is the end of what else it
    /// printed; the last line that fits is the one that ended it. A time without a date is the next one after `now`.
    #[must_use]
    pub fn of(agent: &Agent, errors: &[String], text: &str, now: &Zoned) -> Option<Self> {
        // A user's own command says by its patterns what an outage of it looks like.
        if agent.preset().is_none() && agent.outage.is_empty() {
            return None;
        }
        let own = agent.outages();
        let own: Vec<(OutageKind, Regex)> = own.iter().filter_map(compiled).collect();
        let general = if agent.preset().is_some() { general() } else { &[] };
        let lines: Vec<&str> = text.lines().collect();
        let end = lines[lines.len().saturating_sub(LINES)..].iter().copied();
        let said = errors.iter().flat_map(|error| error.lines()).chain(end);
        let said: Vec<String> =
            said.map(|line| line.trim().chars().take(LONGEST).collect()).collect();
        let fits = |line: &&String| {
            let patterns = own.iter().chain(general);
            let mut found = patterns.filter(|(_, pattern)| pattern.is_match(line));
            found.next().map(|(kind, _)| *kind)
        };
        let (kind, line) = said.iter().rev().find_map(|line| Some((fits(&line)?, line)))?;
        // An agent may wrap its lines.
        let mut lines = [line].into_iter().chain(said.iter().rev());
        let may_reset = matches!(kind, OutageKind::Quota | OutageKind::Server);
        let resets = may_reset.then(|| lines.find_map(|line| reset(line, now))).flatten();
        Some(Self { kind, said: line.clone(), resets })
    }
}

/// Whether a pattern of a configuration can be used.
///
/// # Errors
///
/// Why it can't: in a line.
pub fn check_outage(pattern: &str) -> Result<(), String> {
    if pattern.is_empty() {
        return Err("it is empty".to_owned());
    }
    let built = build(pattern).map(drop);
    built.map_err(|error| error.to_string().lines().last().unwrap_or_default().to_owned())
}

fn build(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).case_insensitive(true).size_limit(4 << 20).build()
}

fn compiled(pattern: &OutagePattern) -> Option<(OutageKind, Regex)> {
    Some((pattern.kind, build(&pattern.pattern).ok()?))
}

fn general() -> &'static [(OutageKind, Regex)] {
    #[derive(Deserialize)]
    struct File {
        outage: Vec<OutagePattern>,
    }
    static GENERAL: OnceLock<Vec<(OutageKind, Regex)>> = OnceLock::new();
    GENERAL.get_or_init(|| {
        let file: File =
            toml::from_str(include_str!("outages.toml")).expect("because a test reads the table");
        file.outage.iter().filter_map(compiled).collect()
    })
}

#[cfg(test)]
mod tests {
    use jiff::Zoned;

    use super::{Outage, OutageKind, general};
    use crate::{Agent, presets};

    fn of(agent: &Agent, errors: &[String], text: &str) -> Option<Outage> {
        let now: Zoned = "2026-07-03T14:00:00[UTC]".parse().unwrap();
        Outage::of(agent, errors, text, &now)
    }

    fn kind(text: &str) -> Option<OutageKind> {
        let agent = Agent { name: Some("claude".into()), ..Agent::default() };
        of(&agent, &[], text).map(|outage| outage.kind)
    }

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(general().len(), 5);
        for preset in presets() {
            let all = preset.outage.iter().filter_map(super::compiled).count();
            assert_eq!(all, preset.outage.len(), "{}", preset.name);
        }
    }

    #[test]
    fn the_messages_of_an_outage_are_distinguished_from_other_failures() {
        use OutageKind::{Key, Login, Quota, Server, Version};
        for (text, expected) in [
            ("Not logged in · Please run /login", Some(Login)),
            ("Please sign in to continue", Some(Login)),
            ("[API Error: 401 Incorrect API key provided]", Some(Key)),
            ("Invalid API key · Fix external API key", Some(Key)),
            ("unexpected status 401 Unauthorized: bad key", Some(Key)),
            ("litellm.AuthenticationError: OpenAIException", Some(Key)),
            ("Missing environment variable: `OPENAI_API_KEY`", Some(Key)),
            ("API Error: 429 rate_limit_error", Some(Quota)),
            ("You've hit your usage limit. Try again later", Some(Quota)),
            ("Credit balance is too low", Some(Quota)),
            ("connect ECONNREFUSED 127.0.0.1:9", Some(Server)),
            ("API Error: Connection error.", Some(Server)),
            ("Unable to connect. Is the computer able to access the url?", Some(Server)),
            ("stream disconnected before completion: error sending request", Some(Server)),
            ("503 Service Unavailable", Some(Server)),
            ("error: unknown option '--permission-prompts'", Some(Version)),
            ("error: unexpected argument '--x' found", Some(Version)),
            ("aider: error: unrecognized arguments: --x", Some(Version)),
            ("Unknown arguments: session-id, sessionId", Some(Version)),
            ("Error: No such option: --prompt-file", Some(Version)),
            ("I could not find the function", None),
            ("the parser now reports an unknown option", None),
            ("assertion failed: 401 lines", None),
            ("wrote 12 files", None),
            ("", None),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }

    #[test]
    fn a_command_of_ones_own_has_the_outages_that_its_patterns_say() {
        let own = |outage: &[&str]| Agent {
            command: Some("mine".into()),
            outage: outage.iter().map(|&pattern| pattern.to_owned()).collect(),
            ..Agent::default()
        };
        assert_eq!(of(&own(&[]), &[], "401 Unauthorized"), None);
        let found = of(&own(&["gateway is asleep"]), &[], "a\nthe Gateway is asleep\n");
        assert_eq!(found.unwrap().said, "the Gateway is asleep");
    }

    #[test]
    fn the_last_line_that_fits_is_reported() {
        let agent = Agent { name: Some("codex".into()), ..Agent::default() };
        let errors = [
            "Reconnecting… 1/5 (connection refused)".to_owned(),
            "exceeded retry limit, last status: 429".to_owned(),
        ];
        let outage = of(&agent, &errors, "").unwrap();
        assert_eq!((outage.kind, outage.said.as_str()), (OutageKind::Quota, errors[1].as_str()));
    }
    #[test]
    fn the_reset_of_a_quota_is_read_from_its_line_or_another_one() {
        let agent = Agent { name: Some("claude".into()), ..Agent::default() };
        for (text, resets) in [
            ("resets 4pm\nYou've hit your limit · resets 3pm", Some("2026-07-03T15:00:00Z")),
            (
                "You've hit your usage limit. Upgrade\nor try again in 5 minutes.",
                Some("2026-07-03T14:05:00Z"),
            ),
            ("API Error: 429 rate_limit_error", None),
            ("Not logged in; try again in 5 minutes", None),
        ] {
            let found = of(&agent, &[], text).unwrap().resets.map(|at| at.to_string());
            assert_eq!(found.as_deref(), resets, "{text}");
        }
    }
}
