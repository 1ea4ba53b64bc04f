//! The judge: a command that is asked about an error that is like known failures, but not like enough.
//!
//! What it says goes into the event, and the same error is not judged twice in a run. A judge that fails has found nothing;
//! a warning says why.

use ftl_analysis::matching::{Candidate, MatchResult, Matched};
use ftl_machine::event::{JudgeVerdict, Verification};
use ftl_model::{Digest, Failure};
use ftl_process::Ended;

use super::judge;
use crate::protocol::{JudgeCandidate, JudgeReply, JudgeRequest};
use crate::run::Fault;
use crate::run::commands::output::left_behind;
use crate::run::journal::recorder::Recorder;
use crate::run::settings::Judge;
use crate::run::world::World;
use crate::text::{brief, one_line};

/// What was asked, and the answer.
#[derive(Debug, Default)]
pub(in crate::run) struct Opinion {
    pub(in crate::run) matched: Option<Matched>,
    pub(in crate::run) verdict: Option<JudgeVerdict>,
    pub(in crate::run) warnings: Vec<String>,
}

/// Asks the judge, if there is one, and only where there is something to ask.
pub(in crate::run) fn ask(
    world: &mut World<'_>,
    verification: &Verification,
    lines: &[String],
    found: &MatchResult,
    recorder: &mut Recorder<'_>,
) -> Result<Opinion, Fault> {
    let Some(judge) = &world.site.settings.failures.judge else {
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
    let ended = run(world, judge, verification, lines, &found.candidates, recorder)?;
    let mut warnings = left_behind("the judge", &ended);
    let answer = answer(judge, &ended, &found.candidates);
    warnings.extend(answer.as_ref().err().map(|why| {
        let why = one_line(why);
        format!("the judge gave no verdict: {why}")
    }));
    warnings.extend(world.site.secrets.warning());
    let (index, reason) = match answer {
        Ok((index, reason)) => (index, reason),
        Err(why) => (None, why),
    };
    let verdict = JudgeVerdict { error, index, reason: brief(&one_line(&reason)) };
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
        Matched { index, rationale: format!("matched {name} by the judge{reason}"), name }
    });
    Opinion { matched, verdict: Some(verdict), warnings }
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
    judge::ask(world, judge, &request, recorder)
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
    let reply: JudgeReply = judge::answer(judge, ended)?;
    let reason = reply.reason.unwrap_or_default();
    let Some(name) = reply.matched else {
        return Ok((None, reason));
    };
    let named = candidates.iter().find(|candidate| candidate.name == name);
    let named = named.ok_or_else(|| format!("it was not asked about `{}`", brief(&name)))?;
    Ok((Some(named.index), reason))
}
