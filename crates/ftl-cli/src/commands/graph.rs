//! `ftl graph`.

use ftl_machine::graph::{dot, mermaid};

use crate::args::{GraphArgs, GraphFormat};
use crate::{CommandResult, output};

/// Prints the diagram of the states, as the machine itself walks them.
pub(crate) fn run(args: &GraphArgs) -> CommandResult {
    let diagram = match args.format {
        GraphFormat::Mermaid => mermaid(),
        GraphFormat::Dot => dot(),
    };
    output::result(&diagram).map(|()| 0)
}
