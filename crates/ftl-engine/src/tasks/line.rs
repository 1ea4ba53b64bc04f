//! What a build beside others reports to the command that started it: one JSON object a line, from a child process to
//! its parent, of the same version.

use std::io::Write;

use ftl_agents::{Activity, OutageKind};
use ftl_machine::StateName;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::result::{BuildResult, Doing, ErrorText, EventLine, Spent};
use crate::run::{Fault, Reporter};

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// A line of the event stream.
    Event {
        /// The line.
        event: serde_json::Value,
    },
    /// A step, in its fixed form.
    Announce {
        /// What is announced.
        text: String,
    },
    /// A warning.
    Warning {
        /// What it says.
        text: String,
    },
    /// The run entered a state.
    Entered {
        /// Its name.
        state: StateName,
        /// Tool calls spent by then.
        budget: Option<Spent>,
    },
    /// A command begins.
    Begins {
        /// What it is for.
        doing: Doing,
        /// The command.
        command: String,
    },
    /// The command under way has printed these lines last.
    Printed {
        /// The lines.
        lines: Vec<String>,
    },
    /// An agent does something, as it says itself.
    Activity {
        /// What it says.
        text: String,
    },
    /// A lock is held by another process.
    Waiting,
    /// What the agent's requests cost so far.
    Cost {
        /// US dollars.
        usd: f64,
    },
    /// The last line: the task was built.
    Built(Box<Built>),
    /// The last line: the build could not begin or go on.
    Failed(Box<FailedChild>),
}

/// How a build ended, with what its JSON leaves out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Built {
    /// The result.
    pub result: BuildResult,
    /// Patches handed out so far.
    pub patches: u32,
    /// Whether another attempt may get over the block.
    pub may_try_again: bool,
}

impl Built {
    /// Of a result.
    #[must_use]
    pub fn of(result: BuildResult) -> Self {
        Self { patches: result.patches, may_try_again: result.may_try_again, result }
    }

    pub(super) fn into_result(self) -> BuildResult {
        let Self { result, patches, may_try_again } = self;
        BuildResult { patches, may_try_again, ..result }
    }
}

/// Why a build in a child process could not begin or go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FailedChild {
    /// What to tell the user.
    pub error: ErrorText,
    /// The exit code that it ends a command with.
    pub exit: u8,
    /// What the command waits for, or does without, to try again.
    pub obstacle: Option<Obstacle>,
}

/// Why a run did nothing that may do its work later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Obstacle {
    /// The agent could not reach a model.
    Outage {
        /// When its quota resets, in seconds since 1970; `None` unless it says so.
        resets: Option<i64>,
        /// Whether it lacks a quota: then it is waited for longer.
        is_quota: bool,
    },
    /// The program that performs requests waited in vain.
    Unreachable,
    /// There was no room for the run's slot.
    NoRoom,
}

impl Obstacle {
    /// Of a fault, if it is one.
    #[must_use]
    pub fn of(fault: &Fault) -> Option<Self> {
        match fault {
            Fault::Outage { resets, kind, .. } => Some(Self::Outage {
                resets: resets.map(Timestamp::as_second),
                is_quota: *kind == OutageKind::Quota || resets.is_some(),
            }),
            Fault::Performer { unreachable: true, .. } => Some(Self::Unreachable),
            Fault::NoRoom(_) => Some(Self::NoRoom),
            _ => None,
        }
    }
}

/// Reports a run as lines. A parent that is gone reads nothing, and has us end.
#[derive(Debug)]
pub struct LineReporter<W> {
    out: W,
    /// Whether a wait was reported: the engine reports it some twenty times a second.
    waits: bool,
}

impl<W: Write> LineReporter<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, waits: false }
    }

    /// Writes a line.
    pub fn write(&mut self, line: &Line) {
        if let Ok(mut bytes) = serde_json::to_vec(line) {
            bytes.push(b'\n');
            let _ = self.out.write_all(&bytes).and_then(|()| self.out.flush());
        }
    }
}

impl<W: Write> Reporter for LineReporter<W> {
    fn event(&mut self, line: &EventLine<'_>) {
        if let Ok(event) = serde_json::to_value(line) {
            self.write(&Line::Event { event });
        }
    }

    fn announce(&mut self, line: &str) {
        self.write(&Line::Announce { text: line.to_owned() });
    }

    fn warning(&mut self, text: &str) {
        self.write(&Line::Warning { text: text.to_owned() });
    }

    fn entered(&mut self, state: StateName, budget: Option<&Spent>) {
        self.waits = false;
        self.write(&Line::Entered { state, budget: budget.cloned() });
    }

    fn begins(&mut self, doing: Doing, command: &str) {
        self.waits = false;
        self.write(&Line::Begins { doing, command: command.to_owned() });
    }

    fn printed(&mut self, lines: &[String]) {
        self.write(&Line::Printed { lines: lines.to_vec() });
    }

    fn activity(&mut self, activity: &Activity) {
        self.write(&Line::Activity { text: activity.line() });
    }

    fn cost(&mut self, usd: f64) {
        self.write(&Line::Cost { usd });
    }

    fn waiting(&mut self, _: Option<u32>) -> bool {
        if !std::mem::replace(&mut self.waits, true) {
            self.write(&Line::Waiting);
        }
        ftl_process::interrupted().is_none()
    }
}
