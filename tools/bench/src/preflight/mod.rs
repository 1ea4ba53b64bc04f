//! `ftl preflight` beside the commands that people use for it.

mod cold;
mod corpus;
mod growth;
mod hostile;
mod peers;
mod size;
mod tree;

use std::path::Path;

use ftl_testkit::Result;

use self::peers::Peers;

/// Measures and renders.
pub(super) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    let peers = Peers::install()?;
    let sections = [
        format!("Peers: {}.\n", peers.versions(scratch)),
        tree::section(ftl, &peers, scratch)?,
        growth::section(ftl, scratch)?,
    ];
    Ok(format!("## Preflight\n\n{}", sections.join("\n")))
}

/// Measures and renders the cost of every language.
pub(super) fn languages(ftl: &Path, scratch: &Path) -> Result<String> {
    let sections = [
        cold::section(ftl, &Peers::install()?, scratch)?,
        hostile::section(ftl, scratch)?,
        size::section(scratch)?,
    ];
    Ok(format!("## Languages\n\n{}", sections.join("\n")))
}
