//! The judge: a command that is asked about an error that is like known failures, but not like enough.
//!
//! It gets JSON on standard input and prints JSON. What it says goes into the event, so that a replay
//! asks nobody, and the same error is not judged twice in a run. A judge that fails has found nothing;
//! a warning says why.

use ftl_analysis::matching::{Candidate, MatchResult, Matched};
use ftl_machine::event::{JudgeVerdict, Verification};
use ftl_model::{Digest, Failure};
use ftl_process::{Capture, Command, Ended, How};
use serde::Serialize;

use super::Fault;
use super::implementer::without_variables;
use super::output::{self, left_behind};
use super::recorder::Recorder;
use super::secrets::written;
use super::settings::Judge;
use super::world::World;
use crate::protocol::{JudgeCandidate, JudgeReply, JudgeRequest};
use crate::text::{brief, one_line};

/// Bytes of an answer that are kept, from each end.
const KEPT: usize = 32 << 10;

/// What was asked, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Opinion {
    pub(super) matched: Option<Matched>,
    pub(super) verdict: Option<JudgeVerdict>,
    pub(super) warnings: Vec<String>,
}

/// Asks the judge, if there is one, and only where there is something to ask.
pub(super) fn ask(
    world: &mut World<'_>,
    verification: &Verification,
    lines: &[String],
    found: &MatchResult,
    recorder: &mut Recorder<'_>,
) -> Result<Opinion, Fault> {
    let Some(judge) = &world.site.settings.judge else {
        return Ok(Opinion::default());
    };
    if found.matched.is_some() || found.candidates.is_empty() {
        return Ok(Opinion::default());
    }
    let error = fingerprint(lines, &found.candidates);
    let known = world.judged.iter().find(|verdict| verdict.error == error);
    if let Some(verdict) = known.cloned() {
        return Ok(opinion(world, verdict, Vec::new()));
    }
    let ended = run(
        world,
        judge,
        verification,
        lines,
        &found.candidates,
        recorder,
    )?;
    let mut warnings = left_behind("the judge", &ended);
    let answer = answer(judge, &ended, &found.candidates);
    warnings.extend(answer.as_ref().err().map(|why| {
        let why = one_line(why);
        format!("the judge gave no verdict: {why}")
    }));
    warnings.extend(recorder.disturbance("the judge"));
    warnings.extend(world.site.secrets.warning());
    let (index, reason) = match answer {
        Ok((index, reason)) => (index, reason),
        Err(why) => (None, why),
    };
    let verdict = JudgeVerdict {
        error,
        index,
        reason: brief(&one_line(&reason)),
    };
    world.judged.push(verdict.clone());
    Ok(opinion(world, verdict, warnings))
}

/// The verdict as a match.
fn opinion(world: &World<'_>, verdict: JudgeVerdict, warnings: Vec<String>) -> Opinion {
    let failures = world.brief().workspace.failures();
    let failure = verdict.index.and_then(|index| failures.get(index));
    let matched = verdict.index.zip(failure).map(|(index, failure)| {
        let name = ftl_analysis::matching::name_of(failure).to_owned();
        let reason = match verdict.reason.as_str() {
            "" => String::new(),
            reason => format!(": {reason}"),
        };
        Matched {
            index,
            rationale: format!("matched {name} by the judge{reason}"),
            name,
        }
    });
    Opinion {
        matched,
        verdict: Some(verdict),
        warnings,
    }
}

/// The same error and the same question.
fn fingerprint(lines: &[String], candidates: &[Candidate]) -> String {
    let asked: Vec<usize> = candidates.iter().map(|candidate| candidate.index).collect();
    Digest::of(format!("{lines:?} {asked:?}").as_bytes()).to_string()
}

fn run(
    world: &World<'_>,
    judge: &Judge,
    verification: &Verification,
    lines: &[String],
    candidates: &[Candidate],
    recorder: &mut Recorder<'_>,
) -> Result<Ended, Fault> {
    let site = &world.site;
    let failures = world.brief().workspace.failures();
    let request = JudgeRequest {
        v: 1,
        command: &verification.command,
        error: verification.error.as_deref(),
        error_lines: lines,
        output: &verification.output,
        candidates: candidates
            .iter()
            .filter_map(|candidate| Some(asked(candidate, failures.get(candidate.index)?)))
            .collect(),
    };
    let request = input(world, &request);
    let log = output::next_log(site, "judge")?;
    let env = without_variables(site.settings.agent_env.clone());
    let command = Command::shell(&judge.command, [])
        .dir(site.root())
        .env(env)
        .input(request)
        .time_limit(Some(judge.limit))
        .grace(site.settings.grace)
        .capture(site.capture(&log))
        .separate_stderr(Capture::bounded(KEPT, KEPT));
    recorder.reporter().begins("asking the judge");
    site.run_child(&command, Some(&log), recorder)
}

/// What the judge reads: without secrets, a line.
fn input(world: &World<'_>, request: &impl Serialize) -> Vec<u8> {
    let text = written(&world.site.settings.redactor, request);
    let mut bytes = text.get().as_bytes().to_vec();
    bytes.push(b'\n');
    bytes
}

fn asked<'f>(candidate: &'f Candidate, failure: &'f Failure) -> JudgeCandidate<'f> {
    JudgeCandidate {
        index: candidate.index,
        name: &candidate.name,
        trigger: &failure.trigger,
        fix: &failure.fix,
        score: (candidate.score * 100.0).round() / 100.0,
        rationale: &candidate.rationale,
    }
}

/// Which candidate it is, and why; or why there is no verdict.
fn answer(
    judge: &Judge,
    ended: &Ended,
    candidates: &[Candidate],
) -> Result<(Option<usize>, String), String> {
    if ended.timed_out {
        return Err(format!(
            "it did not end within {} s",
            judge.limit.as_secs_f64()
        ));
    }
    match ended.how {
        How::Exit(0) => {}
        How::Exit(code) => return Err(format!("it ended with exit {code}")),
        How::Signal(signal) => return Err(format!("it was ended by signal {signal}")),
    }
    let output = [&ended.output.head[..], &ended.output.tail[..]].concat();
    let reply = reply(&output)?;
    let reason = reply.reason.unwrap_or_default();
    let Some(name) = reply.matched else {
        return Ok((None, reason));
    };
    let named = candidates.iter().find(|candidate| candidate.name == name);
    let named = named.ok_or_else(|| format!("it was not asked about `{}`", brief(&name)))?;
    Ok((Some(named.index), reason))
}

/// All that it printed is JSON, or else the last line is: judges tell what they do.
fn reply(output: &[u8]) -> Result<JudgeReply, String> {
    let text = String::from_utf8_lossy(output);
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    serde_json::from_str(&text)
        .or_else(|_| serde_json::from_str(last))
        .map_err(|error| format!("what it printed is no verdict: {error}"))
}

#[cfg(test)]
mod tests {
    use super::reply;

    #[test]
    fn a_verdict_is_all_that_was_printed_or_its_last_line() {
        for text in [
            r#"{"match": "db", "reason": "r"}"#,
            "{\n  \"match\": \"db\",\n  \"reason\": \"r\"\n}\n",
            "thinking …\n{not json}\n{\"match\": \"db\", \"reason\": \"r\"}\n\n",
        ] {
            let reply = reply(text.as_bytes()).unwrap();
            assert_eq!(reply.matched.as_deref(), Some("db"), "{text}");
            assert_eq!(reply.reason.as_deref(), Some("r"), "{text}");
        }
        assert_eq!(reply(br#"{"match": null}"#).unwrap().matched, None);
        for text in ["", "db", "[]", r#"{"reason": "no key"}"#, r#"{"match": 1}"#] {
            let why = reply(text.as_bytes()).unwrap_err();
            assert!(why.starts_with("what it printed is no verdict: "), "{why}");
        }
    }
}
