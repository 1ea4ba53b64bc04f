//! `ftl graph`.

use ftl_machine::graph::{DOT, MERMAID};

use crate::args::{GraphArgs, GraphFormat};
use crate::{CommandResult, output};

/// Prints the diagram of the states.
pub(crate) fn run(args: &GraphArgs) -> CommandResult {
    let diagram = match args.format {
        GraphFormat::Mermaid => MERMAID,
        GraphFormat::Dot => DOT,
    };
    output::result(diagram).map(|()| 0)
}
