//! The engine's reporter on a command line: events go where `--events` says, everything else is shown
//! on standard error.
//!
//! The result of a build is not reported here: see `outcome.rs`.

use std::io::{self, IsTerminal};

use ftl_agents::Activity;
use ftl_engine::result::EventLine;
use ftl_engine::run::Reporter;
use ftl_text::terminal_text;

use super::events::Events;
use super::progress::Progress;
use crate::failure::Failure;
use crate::output;

/// The reporter of every build of a command.
#[derive(Debug)]
pub(crate) struct BuildReporter {
    events: Events,
    /// Why the events are not complete.
    error: Option<io::Error>,
    progress: Progress,
    /// Whether the holder of a lock has been named: the engine asks twenty times a second.
    named_holder: bool,
}

impl BuildReporter {
    pub(crate) fn new(events: Events) -> Self {
        Self {
            events,
            error: None,
            progress: Progress::default(),
            named_holder: false,
        }
    }

    /// Whether standard output carries the events, and nothing else may.
    pub(crate) fn uses_standard_output(&self) -> bool {
        matches!(self.events, Events::StandardOutput)
    }

    /// A build has ended; the next one may follow.
    pub(crate) fn finish(&mut self) {
        self.progress.finish();
        self.named_holder = false;
    }

    /// Why the events are not complete, when they are not: whoever relies on them must know.
    pub(crate) fn failure(&self) -> Option<Failure> {
        let error = self.error.as_ref()?;
        let message = format!("cannot write events to {}: {error}", self.events.name());
        let help = "the task itself went on: its record and its journal are complete";
        Some(Failure::failed("output::events", message).help(help))
    }

    /// Shows a line that stays. What it says may come from an agent or a file.
    fn show(&mut self, line: &str) {
        self.progress.finish();
        output::message(&terminal_text(line.as_bytes()));
    }
}

impl Reporter for BuildReporter {
    fn event(&mut self, line: &EventLine<'_>) {
        // After a gap the later events would mislead: the first error ends the stream, not the build.
        if self.error.is_none() {
            self.error = self.events.write(line).err();
        }
    }

    fn announce(&mut self, line: &str) {
        self.show(line);
    }

    fn warning(&mut self, text: &str) {
        self.show(&format!("warning: {text}"));
    }

    fn begins(&mut self, what: &str) {
        let what = output::redactor().text(what);
        self.progress.begin(&terminal_text(what.as_bytes()));
    }

    fn activity(&mut self, activity: &Activity) {
        if !io::stderr().is_terminal() {
            return;
        }
        let line = output::redactor().text(&activity.line());
        let line = ftl_text::shortened(&line, 100);
        self.show(&format!("  {line}"));
    }

    fn waiting(&mut self, holder: Option<u32>) -> bool {
        if !self.named_holder {
            self.named_holder = true;
            let holder = holder.map_or_else(
                || "another builder".to_owned(),
                |pid| format!("process {pid}"),
            );
            self.show(&format!("waiting for {holder}"));
        }
        ftl_process::interrupted().is_none()
    }
}
