//! How much a build prints.

use crate::args::BuildOptions;
use crate::globals;

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
        let quiet = options.quiet || globals::is_quiet();
        let verbose = (options.verbose || globals::is_verbose()) && !options.quiet;
        Self { quiet: quiet && !options.verbose, verbose, tasks, side_by_side }
    }
}
