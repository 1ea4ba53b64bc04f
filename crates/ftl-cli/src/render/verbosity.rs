//! How much a build prints.

use crate::args::BuildOptions;

/// How much is printed, and of how many tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verbosity {
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    pub(crate) tasks: usize,
    /// Whether several can be under way.
    pub(crate) side_by_side: bool,
}

impl Verbosity {
    pub(crate) fn of(options: &BuildOptions, tasks: usize, side_by_side: bool) -> Self {
        Self { quiet: options.quiet, verbose: options.verbose, tasks, side_by_side }
    }
}
