//! Levels of isolation: those that this machine allows.

use std::path::Path;

use super::sandbox::Sandbox;
use crate::Result;

/// A level of isolation, as `--isolate` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// The implementer writes into the tree.
    Off,
    /// The implementer writes beside the tree.
    Overlay,
}

impl Isolation {
    /// The value of `--isolate`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Overlay => "overlay",
        }
    }

    /// The options that ask `ftl` for it.
    #[must_use]
    pub const fn options(self) -> [&'static str; 2] {
        ["--isolate", self.name()]
    }
}

/// The levels that can be gone through here. `FTL_ISOLATE` selects one.
///
/// # Errors
///
/// `ftl` could not be started.
pub fn available(ftl: &Path) -> Result<Vec<Isolation>> {
    let mut levels = vec![Isolation::Off];
    if allows_overlay(ftl)? {
        levels.push(Isolation::Overlay);
    } else {
        println!("skipped: this machine allows no overlay");
    }
    if let Ok(only) = std::env::var("FTL_ISOLATE") {
        levels.retain(|level| level.name() == only);
    }
    Ok(levels)
}

/// Whether a build with an overlay begins here.
fn allows_overlay(ftl: &Path) -> Result<bool> {
    let sandbox = Sandbox::new("overlay")?;
    let task = "<workspace status=\"active\"><implementation><delta>a</delta><verify>true</verify>\
                </implementation><delivered/></workspace>";
    sandbox.write(".ftl/workspace/001_t_active.xml", task)?;
    let build = sandbox.program(ftl).args(["build", "001", "--agent", "echo a > a"]);
    Ok(build.args(Isolation::Overlay.options()).succeeds())
}
