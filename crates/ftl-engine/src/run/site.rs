//! Where a run works: its settings, its project, its own directory. None of it changes on the way.
//!
//! A site knows no document and no state of the machine, so that a run whose document can't be read any
//! more can still be given up in order.

use std::path::Path;
use std::sync::Arc;

use ftl_process::{Capture, Command};
use ftl_store::{Layout, Run, Waiting};

use crate::run::Settings;
use crate::run::commands::secrets::Secrets;
use crate::run::effects::implementer::without_variables;
pub(super) use crate::run::files;

/// Where a run works.
pub(super) struct Site<'a> {
    pub(super) settings: &'a Settings,
    pub(super) layout: &'a Layout,
    /// The run's directory.
    pub(super) run: Run,
    /// What must not leave it.
    pub(super) secrets: Secrets,
}

impl Site<'_> {
    /// The project directory.
    pub(super) fn root(&self) -> &Path {
        self.layout.root()
    }

    /// A command of the workspace, in the root, that learns nothing of agents.
    pub(super) fn shell(&self, command: &str, log: &Path) -> Command {
        Command::shell(command, [])
            .dir(self.root())
            .env(without_variables(self.settings.commands.env.clone()))
            .time_limit(Some(self.settings.commands.limit))
            .grace(self.settings.grace)
            .capture(self.capture(log))
    }

    /// Keeps an output without its secrets, all of it in a file.
    pub(super) fn capture(&self, log: &Path) -> Capture {
        let filters = Arc::new(self.secrets.clone());
        Capture::default().spill(log).filtered(filters)
    }
}

/// What to do about a lock that another process holds.
pub(super) fn waiting<'w>(
    settings: &Settings,
    wait: &'w mut dyn FnMut(Option<u32>) -> bool,
) -> Waiting<'w> {
    if settings.start.wait { Waiting::While(wait) } else { Waiting::Refuse }
}
