//! Hears of a build and passes on what is for people, and what is for programs.

use std::io;

use ftl_engine::result::EventLine;
use ftl_engine::run::Reporter;
use ftl_xml::terminal_text;

use super::events::Events;
use super::progress::Progress;
use crate::failure::Failure;

/// The reporter of every build of a command.
#[derive(Debug)]
pub(crate) struct Watcher {
    events: Events,
    /// Why the events are not complete.
    lost: Option<io::Error>,
    progress: Progress,
    /// Whether it was said that somebody else holds a lock.
    said_waiting: bool,
}

impl Watcher {
    pub(crate) fn new(events: Events) -> Self {
        Self {
            events,
            lost: None,
            progress: Progress::default(),
            said_waiting: false,
        }
    }

    /// Whether the events take standard output for themselves.
    pub(crate) fn has_standard_output(&self) -> bool {
        matches!(self.events, Events::StandardOutput)
    }

    /// Nothing goes on until the next build.
    pub(crate) fn rests(&mut self) {
        self.progress.rest();
        self.said_waiting = false;
    }

    /// Why the events are not complete, when they are not: whoever relies on them must know.
    pub(crate) fn loss(&self) -> Option<Failure> {
        let error = self.lost.as_ref()?;
        let message = format!("cannot write events to {}: {error}", self.events.name());
        let help = "the task itself went on: its record and its journal are complete";
        Some(Failure::failed("output::events", message).help(help))
    }

    fn say(&mut self, line: &str) {
        self.progress.rest();
        self.progress.tell(&terminal_text(line.as_bytes()));
    }
}

impl Reporter for Watcher {
    fn event(&mut self, line: &EventLine<'_>) {
        if self.lost.is_none() {
            self.lost = self.events.write(line).err();
        }
    }

    fn announce(&mut self, line: &str) {
        self.say(line);
    }

    fn warning(&mut self, text: &str) {
        self.say(&format!("warning: {text}"));
    }

    fn begins(&mut self, what: &str) {
        self.progress.begin(&terminal_text(what.as_bytes()));
    }

    fn waiting(&mut self, holder: Option<u32>) -> bool {
        if !self.said_waiting {
            self.said_waiting = true;
            let holder = holder.map_or_else(
                || "another builder".to_owned(),
                |pid| format!("process {pid}"),
            );
            self.say(&format!("waiting for {holder}"));
        }
        ftl_process::interrupted().is_none()
    }
}
