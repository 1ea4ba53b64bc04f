//! What a worker runs in a checkout before the agent.

use std::fs;
use std::path::Path;
use std::time::Duration;

use ftl_engine::run::Setup;
use ftl_process::{Capture, Command, How, StartError};
use thiserror::Error;

use crate::git::{BaseError, of_user};
use crate::protocol::MAX_LOG;

/// Why a checkout is not prepared.
#[derive(Debug, Error)]
pub enum SetupError {
    /// It could not be started.
    #[error("the setup command did not start: {0}")]
    Start(#[from] StartError),
    /// Its files could not be listed.
    #[error(transparent)]
    Git(#[from] BaseError),
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
    // As in a `.gitignore`: a glob without `/` is about a name anywhere.
    let glob = |glob: &String| match glob.contains('/') {
        true => format!(":(glob){}", glob.trim_start_matches('/')),
        false => format!(":(glob)**/{glob}"),
    };
    let globs: Vec<String> = setup.when.iter().map(glob).collect();
    let words = ["ls-files", "--stage", "-z", "--"].into_iter();
    let words: Vec<&str> = words.chain(globs.iter().map(String::as_str)).collect();
    let text = [setup.command.as_bytes(), b"\n", &of_user(tree, &words)?].concat();
    let mark = tree.join(".git/ftl-setup");
    if fs::read(&mark).is_ok_and(|last| last == text) {
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
