//! Asking an agent for a plan: in a workplace as a request of a task has one, but nothing is taken from it, and no run
//! and no journal knows of it.

use std::path::PathBuf;

use ftl_agents::{Agent, Events, Listener, Outage, Report, Request, Session};
use ftl_model::WorkspaceId;
use ftl_process::{Capture, Command, Ended, Environment, Group, Observer, Trail, View};
use ftl_store::{Files, Lock, Runs, Turn, read_regular, write_out_later};
use ftl_tree::Tree;
use ftl_tree::workplace::Workplace;
use jiff::Zoned;

use crate::run::commands::output::{last_lines, text_of};
use crate::run::commands::secrets::{Secrets, redacting};
use crate::run::effects::implementer::agent::{failure_of, is_in_git, with_preset};
use crate::run::effects::implementer::new_id;
use crate::run::journal::reporter::NullReporter;
use crate::run::landing::tree_lock::{LockedTree, open};
use crate::run::site::{Site, files};
use crate::run::work::placing::{Placed, place};
use crate::run::work::workplace;
use crate::run::{Fault, Settings, without_variables};

/// The file that the agent writes, from the root.
pub(crate) const PLAN_FILE: &str = "ftl-plan.json";
/// Bytes of a plan that are read.
const LONGEST: u64 = 4 << 20;
/// The number of the workplace: no build has so many tasks under way.
const NUMBER: u32 = 999;

/// The workplace in which an agent plans.
pub(crate) struct Planning<'s> {
    settings: &'s Settings,
    tree: Tree,
    place: Workplace,
    placed: Placed,
    /// Beside the copy: what the agent is given, and what it printed.
    dir: PathBuf,
    _lock: Lock,
}

/// What an agent gave for a plan.
pub(crate) struct Proposal {
    /// Where the plan should be: the file that it wrote, else the end of what it said.
    pub(crate) text: String,
    /// Why it counts as failed, if it does.
    pub(crate) failure: Option<String>,
    /// That it could not reach a model.
    pub(crate) outage: Option<Outage>,
    pub(crate) last_lines: Vec<String>,
    pub(crate) report: Report,
}

impl<'s> Planning<'s> {
    /// Makes the workplace equal to the project.
    pub(crate) fn open(settings: &'s Settings) -> Result<Self, Fault> {
        let (dir, lock) = workplace::claim(settings, &settings.layout, NUMBER)?;
        let tree = refreshable(settings)?;
        let placed = place(settings, &tree)?;
        let place = Workplace::open(&dir.join("copy"), placed.placement())?;
        let mut planning = Self { settings, tree, place, placed, dir, _lock: lock };
        planning.refresh()?;
        Ok(planning)
    }

    /// What was written in the workplace goes.
    pub(crate) fn refresh(&mut self) -> Result<(), Fault> {
        workplace::refresh(&mut self.place, &self.tree)
    }

    /// Asks for a plan: the k-th time.
    pub(crate) fn ask(
        &mut self,
        agent: &Agent,
        prompt: &str,
        attempt: u32,
    ) -> Result<Proposal, Fault> {
        self.refresh()?;
        let secrets = Secrets::new(&self.settings.redactor);
        let prompt = secrets.hide(prompt);
        // It replaces that of the request before.
        let prompt_file = write_out_later(files(), &self.dir, "prompt.md", prompt.as_bytes())?.path;
        let view = self.view()?;
        let root = self.seen(view.as_ref());
        let shown_root = root.to_string_lossy().into_owned();
        let id = new_id(&shown_root);
        let started = agent.command(&Request {
            delta: &[PLAN_FILE],
            allowed: &[],
            root: &shown_root,
            in_git: is_in_git(self.tree.root()),
            length: prompt.len(),
            session: Session::Begin(&id),
        });
        if let Some(policy) = &started.policy {
            let file = self.place.tree(&self.tree)?.root().join("policy.toml");
            files().write_unsynced(&file, policy.as_bytes(), None)?;
        }
        let env = with_preset(&self.settings.requests.env, &started.env)
            .set("FTL_PROMPT", &prompt_file)
            .set("FTL_PHASE", "plan")
            .set("FTL_ATTEMPT", attempt.to_string())
            .set("FTL_ROOT", &root)
            .set("FTL_REPLY", root.join(PLAN_FILE));
        let words = ["ftl", PLAN_FILE].map(std::ffi::OsStr::new);
        let command = Command::shell(&started.command, words)
            .input(prompt.into_bytes())
            .time_limit(Some(self.settings.requests.limit));
        let mut listener = PlanListener(Listener::new(agent.events()));
        let command = self.placed(command, env, "agent.log", view);
        let ended = uninterrupted(command.run_observed(&mut listener)?)?;
        let report = listener.0.finish(&mut |_| {});
        let file = self.place.tree(&self.tree)?.root().join(PLAN_FILE);
        let text = read_regular(&file, LONGEST)
            .ok()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        // All of it: a plan may be longer than what is kept of an output.
        let log = read_regular(&self.dir.join("agent.log"), LONGEST);
        let log = log.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let said = match agent.events() {
            Events::Text => log.unwrap_or_else(|_| text_of(&ended)),
            _ => report.text.join("\n"),
        };
        let words = match agent.events() {
            Events::Text => agent.answer_in(&said).to_owned(),
            _ => report.words.clone().unwrap_or_default(),
        };
        let failure = failure_of("the agent", &ended, self.settings.requests.limit);
        let outage = match text.is_none() && report.calls.unwrap_or(0) == 0 {
            true => Outage::of(agent, &report.errors, &said, &Zoned::now()),
            false => None,
        };
        Ok(Proposal {
            text: text.unwrap_or(words),
            // One that said what it cannot reach is no planner, whatever its exit code.
            outage: outage.filter(|_| failure.is_some() || report.failed),
            failure,
            last_lines: last_lines(&ended),
            report,
        })
    }

    /// Runs a verify command once on the project as it is, in the workplace.
    pub(crate) fn before(&mut self, command: &str) -> Result<Ended, Fault> {
        let view = self.view()?;
        let env = without_variables(self.settings.commands.env.clone());
        let command = Command::shell(command, []).time_limit(Some(self.settings.commands.limit));
        uninterrupted(self.placed(command, env, "before.log", view).run(|_| Ok(()))?)
    }

    fn view(&self) -> Result<Option<View>, Fault> {
        Ok(self.placed.view(&self.place.mounts(&self.tree)?, &self.dir.join("report")))
    }

    /// The root as a command sees it.
    fn seen(&self, view: Option<&View>) -> PathBuf {
        let copy = self.place.tree(&self.tree).map(|copy| copy.root().to_owned());
        match view {
            Some(_) => self.tree.root().to_owned(),
            None => copy.unwrap_or_else(|_| self.tree.root().to_owned()),
        }
    }

    /// A command that is to run in the workplace.
    fn placed(&self, command: Command, env: Environment, log: &str, view: Option<View>) -> Command {
        let capture = Capture::default().spill(self.dir.join(log));
        let command = command
            .dir(self.seen(view.as_ref()))
            .env(env)
            .grace(self.settings.grace)
            .capture(capture.filtered(redacting(&self.settings.redactor)));
        match view {
            Some(view) => command.within(view),
            None => command,
        }
    }
}

fn uninterrupted(ended: Ended) -> Result<Ended, Fault> {
    match ended.interrupted {
        Some(signal) => Err(Fault::Interrupted(signal)),
        None => Ok(ended),
    }
}

/// The project's tree, after what a killed build left there was undone. Where nothing was ever built, nothing is locked:
/// a plan writes nothing.
fn refreshable(settings: &Settings) -> Result<Tree, Fault> {
    let layout = &settings.layout;
    let run = Runs::new(files(), layout, &WorkspaceId::new("000", "plan")).next()?;
    let site = Site { settings, layout, run, secrets: Secrets::new(&settings.redactor) };
    if !layout.ftl_dir().is_dir() {
        return open(&site, &[]);
    }
    layout.prepare(files())?;
    Ok(LockedTree::enter(&site, &[], Some(Turn::Refresh), &mut NullReporter)?.into_tree())
}

/// Reads what an agent prints.
struct PlanListener(Listener);

impl Observer for PlanListener {
    fn starts(&mut self, _: &Trail) -> std::io::Result<()> {
        Ok(())
    }

    fn started(&mut self, _: &Group) -> std::io::Result<()> {
        Ok(())
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.0.hear(bytes, &mut |_| {});
    }
}
