//! Which levels of isolation there are: what this `ftl` knows, and this machine allows.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// A level of isolation, as `--isolate` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Isolation {
    /// The implementer writes into the tree.
    Off,
    /// The implementer writes beside the tree.
    Overlay,
}

impl Isolation {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Overlay => "overlay",
        }
    }

    /// The options that ask `ftl` for it, where it knows any.
    pub(crate) fn options(self, ftl: &Path) -> Result<Vec<&'static str>> {
        Ok(if knows(ftl)? { vec!["--isolate", self.name()] } else { Vec::new() })
    }
}

/// The levels that can be gone through here. `FTL_ISOLATE` selects one.
pub(crate) fn available(ftl: &Path) -> Result<Vec<Isolation>> {
    let mut levels = vec![Isolation::Off];
    if knows(ftl)? {
        if allows_overlay(ftl)? {
            levels.push(Isolation::Overlay);
        } else {
            println!("skipped: this machine allows no overlay");
        }
    }
    if let Ok(only) = std::env::var("FTL_ISOLATE") {
        levels.retain(|level| level.name() == only);
    }
    Ok(levels)
}

fn knows(ftl: &Path) -> Result<bool> {
    let help = Program::new(ftl, Path::new(".")).args(["build", "--help"]).text()?;
    Ok(help.contains("--isolate"))
}

/// Whether a build with an overlay begins here.
fn allows_overlay(ftl: &Path) -> Result<bool> {
    let sandbox = crate::sandbox::Sandbox::new("overlay")?;
    sandbox.write(".ftl/workspace/001_t_active.xml", crate::strays_tasks::DOCUMENT)?;
    sandbox.write("src/a.py", "a = 1\n")?;
    let output = sandbox
        .program(ftl)
        .args(["build", "001", "--isolate", "overlay"])
        .args(["--agent", "echo 'a = 2' > src/a.py"])
        .output()?;
    Ok(output.status.code() == Some(0))
}
