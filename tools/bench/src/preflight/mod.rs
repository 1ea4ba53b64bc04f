//! `ftl preflight` beside the commands that people use for it.

mod cold;
mod corpus;
mod growth;
mod hostile;
mod peers;
mod tree;

use std::path::Path;

use ftl_testkit::Result;

use self::peers::Peers;

/// Measures and renders.
pub(super) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    let peers = Peers::install()?;
    let sections = [
        format!("Peers: {}.\n", peers.versions(scratch)),
        cold::section(ftl, &peers, scratch)?,
        tree::section(ftl, &peers, scratch)?,
        hostile::section(ftl, scratch)?,
        growth::section(ftl, scratch)?,
    ];
    Ok(format!("## Preflight\n\n{}", sections.join("\n")))
}
