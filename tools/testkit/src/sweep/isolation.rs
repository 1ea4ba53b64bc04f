//! Where workplaces are placed: the ways that this machine allows.

use std::path::Path;

use super::sandbox::Sandbox;
use crate::Result;

/// A place of the implementer's copy, as `--isolate` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// At the path of the copy.
    Copy,
    /// At the project's own path.
    Bind,
}

impl Isolation {
    /// The value of `--isolate`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Bind => "bind",
        }
    }

    /// The options that ask `ftl` for it.
    #[must_use]
    pub const fn options(self) -> [&'static str; 2] {
        ["--isolate", self.name()]
    }
}

/// Those that can be gone through here. `FTL_ISOLATE` selects one.
///
/// # Errors
///
/// `ftl` could not be started.
pub fn available(ftl: &Path) -> Result<Vec<Isolation>> {
    let mut levels = vec![Isolation::Copy];
    if allows_bind(ftl)? {
        levels.push(Isolation::Bind);
    } else {
        println!("skipped: this machine mounts no workplace");
    }
    if let Ok(only) = std::env::var("FTL_ISOLATE") {
        levels.retain(|level| level.name() == only);
    }
    Ok(levels)
}

/// Whether a build in a mounted workplace begins here.
fn allows_bind(ftl: &Path) -> Result<bool> {
    let sandbox = Sandbox::new("bind")?;
    let task = "<workspace status=\"active\"><implementation><delta>a</delta><verify>true</verify>\
                </implementation><delivered/></workspace>";
    sandbox.write(".ftl/workspace/001_t_active.xml", task)?;
    let build = sandbox.program(ftl).args(["build", "001", "--agent", "echo a > a"]);
    Ok(build.args(Isolation::Bind.options()).succeeds())
}
