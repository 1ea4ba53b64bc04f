//! Judges: commands of the project that are asked what no rule decides.
//!
//! A judge gets a line of JSON on standard input and prints JSON. What it says goes into the event, so that a
//! replay runs no judge.

use ftl_process::{Capture, Command, Ended, How};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::implementer::without_variables;
use crate::result::Doing;
use crate::run::Fault;
use crate::run::commands::output;
use crate::run::commands::secrets::written;
use crate::run::journal::recorder::Recorder;
use crate::run::settings::Judge;
use crate::run::world::World;

/// Bytes of an answer that are kept, from each end.
const KEPT: usize = 32 << 10;

/// Asks a judge, in the root and with the agent's environment.
pub(in crate::run) fn ask(
    world: &World<'_>,
    judge: &Judge,
    request: &impl Serialize,
    recorder: &mut Recorder<'_>,
) -> Result<Ended, Fault> {
    let site = world.site;
    let log = output::next_log(site, "judge")?;
    let env = without_variables(site.settings.requests.env.clone());
    let command = Command::shell(&judge.command, [])
        .dir(site.root())
        .env(env)
        .input(input(world, request)?)
        .time_limit(Some(judge.limit))
        .grace(site.settings.grace)
        .capture(site.capture(&log))
        .separate_stderr(Capture::bounded(KEPT, KEPT));
    recorder.begins(Doing::Judge, &judge.command);
    site.run_child(&command, recorder)
}

/// What the judge reads: without secrets, a line.
fn input(world: &World<'_>, request: &impl Serialize) -> Result<Vec<u8>, Fault> {
    let text = written(&world.site.settings.redactor, request)?;
    let mut bytes = text.get().as_bytes().to_vec();
    bytes.push(b'\n');
    Ok(bytes)
}

/// What it answered, or why there is no verdict.
pub(in crate::run) fn answer<T: DeserializeOwned>(
    judge: &Judge,
    ended: &Ended,
) -> Result<T, String> {
    if ended.timed_out {
        return Err(format!("it did not end within {} s", judge.limit.as_secs_f64()));
    }
    match ended.how {
        How::Exit(0) => {}
        How::Exit(code) => return Err(format!("it ended with exit {code}")),
        How::Signal(signal) => return Err(format!("it was ended by signal {signal}")),
    }
    reply(&[&ended.output.head[..], &ended.output.tail[..]].concat())
}

/// All that it printed is JSON, or else the last line is: judges tell what they do.
fn reply<T: DeserializeOwned>(output: &[u8]) -> Result<T, String> {
    let text = String::from_utf8_lossy(output);
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    serde_json::from_str(&text)
        .or_else(|_| serde_json::from_str(last))
        .map_err(|error| format!("what it printed is no verdict: {error}"))
}

#[cfg(test)]
mod tests {
    use super::reply;
    use crate::protocol::JudgeReply;

    #[test]
    fn a_verdict_is_all_that_was_printed_or_its_last_line() {
        for text in [
            r#"{"match": "db", "reason": "r"}"#,
            "{\n  \"match\": \"db\",\n  \"reason\": \"r\"\n}\n",
            "thinking …\n{not json}\n{\"match\": \"db\", \"reason\": \"r\"}\n\n",
        ] {
            let reply: JudgeReply = reply(text.as_bytes()).unwrap();
            assert_eq!(reply.matched.as_deref(), Some("db"), "{text}");
            assert_eq!(reply.reason.as_deref(), Some("r"), "{text}");
        }
        let none: JudgeReply = reply(br#"{"match": null}"#).unwrap();
        assert_eq!(none.matched, None);
        for text in ["", "db", "[]", r#"{"reason": "no key"}"#, r#"{"match": 1}"#] {
            let why = reply::<JudgeReply>(text.as_bytes()).unwrap_err();
            assert!(why.starts_with("what it printed is no verdict: "), "{why}");
        }
    }
}
