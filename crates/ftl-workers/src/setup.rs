//! What a worker runs in a checkout before the agent.

use std::fs;
use std::path::Path;
use std::time::Duration;

use ftl_model::Digest;
use ftl_process::{Capture, Command, How, StartError};
use thiserror::Error;

use crate::protocol::MAX_LOG;

/// A command that prepares a checkout: installs dependencies, say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// For `sh -c`, at the top of the checkout.
    pub command: String,
    /// The files that it depends on, from the top.
    pub files: Vec<String>,
}

/// Why a checkout is not prepared.
#[derive(Debug, Error)]
pub enum SetupError {
    /// It could not be started.
    #[error("the setup command did not start: {0}")]
    Start(#[from] StartError),
    /// It failed.
    #[error("the setup command ended with {how}{}", said.as_deref().map_or_else(String::new, |said| format!(": {said}")))]
    Failed {
        /// How it ended.
        how: String,
        /// The last line that it printed.
        said: Option<String>,
    },
}

/// Runs the setup command, unless its files are as they were when it last succeeded in this checkout.
pub(crate) fn set_up(
    setup: &Setup,
    tree: &Path,
    log: &Path,
    limit: Duration,
) -> Result<(), SetupError> {
    let mut text = setup.command.clone();
    for file in &setup.files {
        let bytes = fs::read(tree.join(file)).unwrap_or_default();
        text.push_str(&format!("\n{file} {}", Digest::of(&bytes)));
    }
    let mark = tree.join(".git/ftl-setup");
    if fs::read_to_string(&mark).is_ok_and(|last| last == text) {
        return Ok(());
    }
    let command = Command::shell(&setup.command, []).dir(tree).time_limit(Some(limit));
    let ended = command.capture(Capture::default().spill_up_to(log, MAX_LOG)).run(|_| Ok(()))?;
    let how = match ended.how {
        _ if ended.timed_out => "a time-out".to_owned(),
        How::Exit(0) => {
            // Without the mark it runs again.
            drop(fs::write(&mark, text));
            return Ok(());
        }
        How::Exit(code) => format!("exit {code}"),
        How::Signal(signal) => format!("signal {signal}"),
    };
    let output = [ended.output.head, ended.output.tail].concat();
    let output = String::from_utf8_lossy(&output);
    let said = output.lines().rfind(|line| !line.trim().is_empty()).map(ftl_text::one_line);
    Err(SetupError::Failed { how, said })
}
