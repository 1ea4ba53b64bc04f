//! One call of an agent: its prompt, its command, and its reports.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_agents::{
    Agent, Events, Outage, Report, Request as Wanted, Session, find, reply_in, version_of,
};
use ftl_machine::Phase;
use ftl_model::{AgentWork, DeltaPath};
use ftl_process::{Ended, Environment, How};
use ftl_store::write_out_later;
use jiff::Zoned;
use serde_json::Value;

use super::super::AgentListener;
use super::super::conversation::Conversation;
use super::super::conversation::new_id;
use super::super::prompt::{self, Facts, Shown};
use super::{Call, REPLY, is_in_git, performed, with_preset};
use crate::performer::Done;
use crate::run::Fault;
use crate::run::commands::output::{last_lines, text_of};
use crate::run::journal::recorder::Recorder;
use crate::run::site::files;
use crate::run::work::diff;
use crate::text::one_line;

/// Bytes of a file that a prompt shows as it is now.
const LONGEST_SHOWN: u64 = 64 << 10;
/// Bytes of a diff that a prompt shows.
const LONGEST_DIFF: usize = 64 << 10;
/// Lines of an agent that failed.
const LAST_LINES: usize = 5;

/// What a call reported.
pub(super) struct CallReport {
    pub(super) ended: Ended,
    pub(super) log: PathBuf,
    pub(super) work: AgentWork,
    /// What a performer reports.
    pub(super) done: Option<Done>,
    report: Report,
    events: Events,
}

impl Call<'_, '_> {
    /// Runs the agent, going on with an `earlier` conversation where there is one.
    pub(super) fn make(
        &self,
        earlier: Option<&str>,
        log: &str,
        recorder: &mut Recorder<'_>,
    ) -> Result<CallReport, Fault> {
        let (world, agent) = (self.world, self.agent);
        let settings = world.site.settings;
        let reply_file = self.dir.join(REPLY);
        // A reply of an interrupted request must not answer this one.
        let _ = fs::remove_file(&reply_file);
        let task = world.as_seen(&self.task(earlier.is_some(), &reply_file)?);
        let prompt_file = write_out_later(files(), self.dir, "prompt.md", task.as_bytes())?.path;
        let begun = new_id(&self.dir.to_string_lossy());
        let delta: Vec<&str> = world.brief().paths().map(DeltaPath::as_str).collect();
        let root = world.seen_root().to_string_lossy();
        let started = agent.command(&Wanted {
            delta: &delta,
            allowed: &settings.tree.allow,
            root: &root,
            in_git: !knows_of_git(agent) || is_in_git(world.site.root()),
            length: task.len(),
            session: earlier.map_or(Session::Begin(&begun), Session::Resume),
        });
        if let Some(policy) = &started.policy {
            write_out_later(files(), self.dir, "policy.toml", policy.as_bytes())?;
        }
        let env = self.environment(&started.env, &prompt_file, &reply_file);
        let version = version(agent, &env);
        let log = self.dir.join(log);
        let mut listener =
            AgentListener::new(agent.events(), world.site.root(), world.made.requests);
        let doing = super::doing(self.request.phase);
        let (ended, done) = match &settings.requests.performer {
            Some(performer) => {
                let conversations = performed::Conversations { earlier, begun: &begun };
                let shown = (doing, started.command.as_str());
                let run = performed::run;
                let (ended, done) =
                    run(self, performer, &conversations, &log, shown, recorder, &mut listener)?;
                (ended, Some(done))
            }
            None => {
                let called = (doing, &mut *recorder, Some(&mut listener));
                (super::run(world, &started.command, env, task.into_bytes(), &log, called)?, None)
            }
        };
        let report = listener.finish(recorder);
        let made = (agent.takes_session() || earlier.is_some()).then(|| earlier.unwrap_or(&begun));
        let hidden = world.site.secrets.hide(&started.command);
        let mut work = AgentWork {
            command: Some(hidden),
            worker: done
                .as_ref()
                .map(|done| one_line(&done.worker))
                .filter(|name| !name.is_empty()),
            version: report.version.clone().or(version),
            model: report.model.clone().or_else(|| agent.model.clone()),
            session: report.session.clone().or(made.map(str::to_owned)),
            resumed: earlier.is_some(),
            tokens: report.tokens,
            session_tokens: None,
            cost_usd: report.cost_usd,
            calls: report.calls,
            said: words(&report),
        };
        share(&mut work, agent, &world.conversation);
        Ok(CallReport { ended, log, work, done, report, events: agent.events() })
    }

    fn environment(
        &self,
        preset: &[(&'static str, String)],
        prompt: &Path,
        reply: &Path,
    ) -> Environment {
        let world = self.world;
        with_preset(&world.site.settings.requests.env, preset)
            .set("FTL_PROMPT", world.seen(prompt))
            .set("FTL_PHASE", self.request.phase.as_str())
            .set("FTL_ATTEMPT", self.request.attempt.to_string())
            .set("FTL_ROOT", world.seen_root())
            .set("FTL_WORKSPACE", world.seen(&absolute(&world.source.path)))
            .set("FTL_REQUEST", world.seen(self.request_file))
            .set("FTL_REPLY", world.seen(reply))
    }

    /// The prompt. An agent without the conversation is shown the files as they are now.
    fn task(&self, goes_on: bool, reply: &Path) -> Result<String, Fault> {
        let world = self.world;
        let settings = world.site.settings;
        let is_first = self.request.phase == Phase::Implement;
        let is_there = |path: &DeltaPath| world.tree().len(path).is_ok_and(|found| found.is_some());
        let last = super::last_run(world).filter(|_| is_first);
        let stale = !is_first || last.is_some();
        let now = match stale && !goes_on {
            true => self.shown()?,
            false => Vec::new(),
        };
        let diff = match is_first || goes_on {
            true => None,
            false => self.diff()?,
        };
        let text = prompt::write(&Facts {
            brief: world.brief(),
            request: self.request,
            allowed: &settings.tree.allow,
            tests: self.tests,
            failure: self.failure,
            strays: world.conversation.strays(),
            last: last.as_ref(),
            verify: super::last_verify(world, self.request)
                .filter(|_| self.request.verification.is_some() || last.is_some()),
            is_there: &is_there,
            reply: &reply.to_string_lossy(),
            goes_on,
            now: &now,
            diff: diff.as_deref(),
        });
        Ok(world.site.secrets.hide(&text))
    }

    /// The delta's files that are there, as they are now.
    fn shown(&self) -> Result<Vec<Shown>, Fault> {
        let tree = self.world.tree();
        let mut shown = Vec::new();
        for path in self.request.plan.paths() {
            let text = match tree.len(path)? {
                None => continue,
                Some(length) if length > LONGEST_SHOWN => None,
                Some(_) => {
                    let bytes = tree.read(path)?.unwrap_or_default();
                    String::from_utf8(bytes).ok()
                }
            };
            shown.push(Shown { path: path.to_string(), text });
        }
        Ok(shown)
    }

    /// What was done to the delta so far.
    fn diff(&self) -> Result<Option<String>, Fault> {
        let Ok(before) = self.world.before() else {
            return Ok(None);
        };
        let text = diff::so_far(self.world.tree(), before, self.request.plan.paths())?;
        Ok((!text.is_empty() && text.len() <= LONGEST_DIFF).then_some(text))
    }
}

impl CallReport {
    /// Whether the agent ended without having done or said anything: a conversation could not be continued.
    pub(super) fn has_not_begun(&self) -> bool {
        let report = &self.report;
        let said_nothing = report.words.is_none() || report.failed;
        let failed = !matches!(self.ended.how, How::Exit(0)) || !report.errors.is_empty();
        failed && said_nothing && report.calls.unwrap_or(0) == 0 && !self.ended.timed_out
    }

    /// A reply at the end of what the agent said.
    pub(super) fn reply(&self, agent: &Agent) -> Option<Value> {
        let report = &self.report;
        let said = || match self.events {
            // Without an answer of a model, the reply is one that it printed from elsewhere: from the prompt, say.
            Events::Text if self.outage(agent).is_some() => None,
            Events::Text => reply_in(agent.answer_in(&text_of(&self.ended))),
            _ => report.words.as_deref().and_then(reply_in),
        };
        report.reply.clone().or_else(said)
    }

    /// That none of the agent's calls of tools succeeded, in a sentence.
    pub(super) fn useless_tools(&self, agent: &Agent) -> Option<String> {
        let said = self.report.no_call_succeeded()?;
        let first = said.lines().next().unwrap_or_default();
        let said = ftl_text::shortened(&one_line(first), 300);
        let preset = agent.preset().filter(|preset| !preset.tries.is_empty());
        let more = preset.map_or_else(String::new, |preset| {
            format!("; `ftl doctor --agent {}` tries its tools", preset.name)
        });
        Some(format!(
            "no call of a tool that the agent made succeeded; the last one said: {said}{more}"
        ))
    }

    /// That the agent could not reach a model. One that called tools could, and one that ended well without a
    /// word of an error had nothing to do.
    pub(super) fn outage(&self, agent: &Agent) -> Option<Outage> {
        let report = &self.report;
        let ended_well = matches!(self.ended.how, How::Exit(0)) && !self.ended.timed_out;
        if ended_well && !report.failed && report.words.is_some() && report.errors.is_empty() {
            return None;
        }
        if report.calls.unwrap_or(0) > 0 {
            return None;
        }
        let text = match self.events {
            Events::Text => text_of(&self.ended),
            _ => report.text.join("\n"),
        };
        // Such as a failed look-up of prices, beside an answer.
        if ended_well && agent.was_answered(&text) == Some(true) {
            return None;
        }
        Outage::of(agent, &report.errors, &text, &Zoned::now())
    }

    /// What it said last, for people: of an agent that prints JSON its errors and words.
    pub(super) fn last_lines(&self) -> Vec<String> {
        let report = &self.report;
        if self.events == Events::Text {
            return last_lines(&self.ended);
        }
        let said = report.text.iter().chain(&report.errors);
        let said = said.chain(report.words.iter().filter(|_| !report.failed));
        let mut lines: Vec<String> = said
            .flat_map(|text| text.lines())
            .map(one_line)
            .filter(|line| !line.trim().is_empty())
            .map(|line| ftl_text::shortened(&line, 300))
            .collect();
        lines.dedup();
        if lines.is_empty() && report.calls.is_none() {
            return last_lines(&self.ended);
        }
        lines.split_off(lines.len().saturating_sub(LAST_LINES))
    }
}

/// Whether its command depends on there being a repository; else none is looked for.
fn knows_of_git(agent: &Agent) -> bool {
    let preset = agent.preset();
    preset.is_some_and(|preset| !preset.without_git.is_empty())
}

/// Of an agent that counts whole conversations, this request's share.
fn share(work: &mut AgentWork, agent: &Agent, conversation: &Conversation) {
    if !agent.counts_sessions() {
        return;
    }
    work.session_tokens = work.tokens;
    if work.resumed {
        let before = conversation.tokens();
        work.tokens = work.tokens.zip(before).map(|(all, before)| all.minus(before));
    }
}

fn words(report: &Report) -> Option<String> {
    let words = report.words.as_ref()?;
    Some(ftl_text::shortened(&ftl_text::safe_text(words.trim().as_bytes()), 2000))
}

/// The version that is installed, of an agent that may not print it.
fn version(agent: &Agent, env: &Environment) -> Option<String> {
    let preset = agent.preset()?;
    let variables = env.resolve();
    let path = variables.get(std::ffi::OsStr::new("PATH"))?;
    version_of(&find(&preset.program, path)?, &preset.package)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
