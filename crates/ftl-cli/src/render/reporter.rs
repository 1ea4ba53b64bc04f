//! The engine's reporter on a command line: events go where `--events` says, everything else is shown
//! on standard error.
//!
//! On a terminal a region shows what goes on (`live`); elsewhere it is lines: those that are announced in
//! their fixed form, and what takes longer than a second. The result of a build is not reported here: see
//! `outcome.rs`.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};

use ftl_agents::Activity;
use ftl_engine::project::WorkspaceFile;
use ftl_engine::result::{AgentWait, CommandEvent, CommandLine, Counts, Doing, EventLine, Spent};
use ftl_engine::run::Reporter;
use ftl_engine::tasks::Line;
use ftl_machine::StateName;
use ftl_model::WorkspaceId;
use ftl_text::terminal_text;
use serde::Serialize;

use super::events::Events;
use super::live::Live;
use super::progress::Progress;
use super::verbosity::Verbosity;
use crate::failure::Failure;
use crate::output;

/// The reporter of every build of a command.
#[derive(Debug)]
pub(crate) struct BuildReporter {
    events: Events,
    /// Why the events are not complete.
    error: Option<io::Error>,
    verbosity: Verbosity,
    /// What is shown on a terminal.
    live: Option<Live>,
    progress: Progress,
    /// The task under way.
    task: Option<WorkspaceId>,
    /// Warnings that were shown, each of its task.
    warned: BTreeSet<(Option<WorkspaceId>, String)>,
    /// Lines of a task are a group of the log, as GitHub Actions folds them.
    has_groups: bool,
    /// Whether the holder of a lock has been named: the engine asks twenty times a second.
    named_holder: bool,
}

impl BuildReporter {
    pub(crate) fn new(events: Events, verbosity: Verbosity) -> Self {
        let live = if verbosity.quiet { None } else { Live::start(verbosity) };
        Self {
            events,
            error: None,
            verbosity,
            live,
            progress: Progress::default(),
            task: None,
            warned: BTreeSet::new(),
            has_groups: std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
            named_holder: false,
        }
    }

    /// Whether standard output carries the events, and nothing else may.
    pub(crate) fn uses_standard_output(&self) -> bool {
        matches!(self.events, Events::StandardOutput)
    }

    /// The build of a task begins.
    pub(crate) fn task(&mut self, task: &WorkspaceFile) {
        let id = task.id();
        self.task = Some(id.clone());
        if let Some(live) = &self.live {
            live.task(task);
        } else if self.in_lines() && self.verbosity.tasks > 1 {
            let name = terminal_text(format!("{} {}", id.seq(), id.slug()).as_bytes());
            match self.is_grouped() {
                true => output::message(&format!("::group::{name}")),
                false => output::message(&format!("{name}: started")),
            }
        }
    }

    /// Whether the lines of a task are a group: not of tasks side by side, whose lines are mixed.
    const fn is_grouped(&self) -> bool {
        self.has_groups && !self.verbosity.side_by_side && self.verbosity.tasks > 1
    }

    /// Shows the warnings of a result that were not shown when they came up.
    pub(crate) fn warn_late(&mut self, id: &WorkspaceId, warnings: &[String]) {
        let task = self.task.replace(id.clone());
        for text in warnings {
            if !self.warned.contains(&(self.task.clone(), text.clone())) {
                self.warning(text);
            }
        }
        self.task = task;
    }

    /// No task is built any more.
    pub(crate) fn ends_tasks(&mut self) {
        self.task = None;
    }

    /// So many tasks ended by now.
    pub(crate) fn count(&mut self, counts: Counts) {
        if let Some(live) = &self.live {
            live.count(counts);
        }
    }

    /// A build has ended; the next one may follow.
    pub(crate) fn finish(&mut self) {
        self.progress.finish(self.task.as_ref());
        if self.is_grouped() && self.in_lines() && self.task.is_some() {
            output::message("::endgroup::");
        }
        if let Some(live) = &self.live {
            live.pause();
        }
        self.named_holder = false;
    }

    /// A run in a child process has ended.
    pub(crate) fn finish_one(&mut self, id: &WorkspaceId) {
        self.progress.finish(Some(id));
        if let Some(live) = &self.live {
            live.finish(id);
        }
    }

    /// A child process reports something of its run.
    pub(crate) fn received(&mut self, id: &WorkspaceId, line: &Line) {
        self.task = Some(id.clone());
        if let Some(live) = &self.live {
            live.select(id);
        }
        match line {
            Line::Event { event } => {
                self.write(event);
            }
            Line::Announce { text } => self.announce(text),
            Line::Warning { text } => self.warning(text),
            Line::Entered { state, budget } => self.entered(*state, budget.as_ref()),
            Line::Begins { doing, command } => self.begins(*doing, command),
            Line::Printed { lines } => self.printed(lines),
            Line::Activity { text } => self.does(text),
            Line::Cost { usd } => self.cost(*usd),
            Line::Waiting => {
                if let Some(live) = &self.live {
                    live.waits();
                }
            }
            Line::Built(_) | Line::Failed(_) => {}
        }
    }

    /// Something happens to the command itself.
    pub(crate) fn happens(&mut self, what: CommandEvent<'_>) {
        self.task = None;
        self.write(&CommandLine::new(what));
    }

    /// Writes an event; of several tasks, with the one that it is of.
    fn write(&mut self, line: &impl Serialize) {
        let task = self.task.as_ref().filter(|_| self.verbosity.tasks > 1);
        // After a gap the later events would mislead: the first error ends the stream, not the build.
        if self.error.is_none() {
            self.error = self.events.write(line, task).err();
        }
    }

    /// An agent does something, as it says itself.
    fn does(&mut self, line: &str) {
        let line = output::redactor().text(line);
        if let Some(live) = &self.live {
            live.activity(&line);
        } else if !self.verbosity.quiet && (self.verbosity.verbose || io::stderr().is_terminal()) {
            self.show(&format!("  {}", ftl_text::shortened(&line, 100)));
        }
    }

    /// What tasks wait for that are not begun.
    pub(crate) fn says_waits(&mut self, line: String, for_agents: &[AgentWait]) {
        if let Some(live) = &self.live {
            live.says_waits(line);
        }
        if !for_agents.is_empty() {
            self.happens(CommandEvent::Waits { tasks: for_agents });
        }
    }

    /// Prints something that stays, above what a terminal shows live.
    pub(crate) fn above(&self, print: impl FnOnce()) {
        match &self.live {
            Some(live) => live.above(print),
            None => print(),
        }
    }

    /// Whether nothing but results and diagnostics is printed.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.verbosity.quiet
    }

    /// Whether all that is known is printed.
    pub(crate) const fn is_verbose(&self) -> bool {
        self.verbosity.verbose
    }

    /// Why the events are not complete, when they are not: a program that relies on them must know.
    pub(crate) fn failure(&self) -> Option<Failure> {
        let error = self.error.as_ref()?;
        let message = format!("cannot write events to {}: {error}", self.events.name());
        let help = "the task itself went on: its record and its journal are complete";
        Some(Failure::failed("output::events", message).help(help))
    }

    /// Shows a line that stays. What it says may come from an agent or a file.
    fn show(&mut self, line: &str) {
        let line = terminal_text(line.as_bytes());
        let line = match &self.task {
            Some(id) if self.verbosity.tasks > 1 => {
                format!("{} {line}", terminal_text(id.seq().as_bytes()))
            }
            Some(_) | None => line,
        };
        self.above(|| output::message(&line));
    }

    /// Whether progress is reported in lines.
    const fn in_lines(&self) -> bool {
        self.live.is_none() && !self.verbosity.quiet
    }
}

/// What is done, as the line of something that takes longer than a second.
fn sentence(doing: Doing, command: &str) -> String {
    match doing {
        Doing::Agent | Doing::Mend => "waiting for the implementer".to_owned(),
        Doing::Fix => format!("applying the fix: {command}"),
        Doing::Preflight => format!("preflight: {command}"),
        Doing::Broken => "verify, with the work broken".to_owned(),
        Doing::OldTests => "verify, with the tests as they were".to_owned(),
        Doing::Baseline => "verify, before anything is written".to_owned(),
        Doing::Verify => format!("verify: {command}"),
        Doing::Check => format!("check: {command}"),
        Doing::Judge => "asking the judge".to_owned(),
    }
}

impl Reporter for BuildReporter {
    fn event(&mut self, line: &EventLine<'_>) {
        self.write(line);
    }

    fn announce(&mut self, line: &str) {
        self.progress.finish(self.task.as_ref());
        if self.in_lines() {
            self.show(line);
        }
    }

    fn warning(&mut self, text: &str) {
        self.warned.insert((self.task.clone(), text.to_owned()));
        self.show(&format!("warning: {text}"));
    }

    fn entered(&mut self, state: StateName, budget: Option<&Spent>) {
        if let Some(live) = &self.live {
            live.entered(state, budget);
        } else if self.verbosity.verbose {
            self.show(&format!("state: {state}"));
        }
    }

    fn begins(&mut self, doing: Doing, command: &str) {
        let command = output::redactor().text(command);
        if let Some(live) = &self.live {
            live.begins(doing, command);
        } else if self.verbosity.verbose {
            self.show(&format!("{doing}: {command}"));
        } else if self.in_lines() {
            let what = terminal_text(sentence(doing, &command).as_bytes());
            let number = self.task.as_ref().filter(|_| self.verbosity.tasks > 1);
            let what = match number {
                Some(id) => format!("{} {what}", terminal_text(id.seq().as_bytes())),
                None => what,
            };
            self.progress.begin(self.task.as_ref(), &what);
        }
    }

    fn printed(&mut self, lines: &[String]) {
        if let Some(live) = &self.live {
            live.printed(lines);
        } else if let Some(line) = lines.last().filter(|_| self.verbosity.verbose) {
            self.show(&format!("  | {line}"));
        }
    }

    fn cost(&mut self, usd: f64) {
        if let Some(live) = &self.live {
            live.cost(usd);
        }
    }

    fn activity(&mut self, activity: &Activity) {
        self.does(&activity.line());
    }

    fn waiting(&mut self, holder: Option<u32>) -> bool {
        if !self.named_holder {
            self.named_holder = true;
            if !self.verbosity.quiet {
                self.show(&waiting_for(holder));
            }
        }
        ftl_process::interrupted().is_none()
    }
}

/// That a command waits for a lock, and for whom.
pub(crate) fn waiting_for(holder: Option<u32>) -> String {
    let holder =
        holder.map_or_else(|| "another builder".to_owned(), |pid| format!("process {pid}"));
    format!("waiting for {holder}")
}
