//! What a verify or preflight command left in the tree outside the delta. It is reported. Only a block that takes a
//! landing back undoes it: these commands are the project's own.

use ftl_model::{Finding, Scratch};
use ftl_text::shortened;
use ftl_tree::Watch;

use crate::run::Fault;
use crate::run::world::World;
use crate::text::{listed, one_line};

/// Paths in an event; the sentence counts the others.
const MAX_PATHS: usize = 100;
/// Characters of a command in a sentence.
const COMMAND_LENGTH: usize = 200;

/// What a command left outside the delta.
#[derive(Debug, Default)]
pub(in crate::run) struct Left {
    /// Where it changed files of the project.
    pub(in crate::run) finding: Option<Finding>,
    /// The same as a sentence.
    pub(in crate::run) warning: Option<String>,
    /// Those files.
    pub(in crate::run) written: Vec<String>,
    /// Everything else.
    pub(in crate::run) scratch: Vec<Scratch>,
}

/// What was left since the watch began, by a command that the sentence calls `by`.
pub(in crate::run) fn since(world: &World<'_>, watch: &Watch, by: &str) -> Result<Left, Fault> {
    let written = world.tree().written_since(watch)?;
    Ok(left(written.files, written.scratch, by))
}

/// What such a command changed outside the delta.
pub(in crate::run) fn left(mut files: Vec<String>, scratch: Vec<Scratch>, by: &str) -> Left {
    let (finding, warning) = match files.len() {
        0 => (None, None),
        count => {
            let noun = if count == 1 { "file" } else { "files" };
            let names = listed(&files);
            let warning = format!("{by} changed {count} {noun} outside the delta: {names}");
            (Some(Finding::TreeWritten), Some(warning))
        }
    };
    files.truncate(MAX_PATHS);
    Left { finding, warning, written: files, scratch }
}

/// How a sentence calls a preflight command. Secrets go first: half of one is not known for one.
pub(in crate::run) fn preflight_command(world: &World<'_>, command: &str) -> String {
    let hidden = world.site.secrets.hide(command);
    let command = shortened(&one_line(&hidden), COMMAND_LENGTH);
    format!("the preflight command `{command}`")
}
