//! `ftl knowledge`: the failures that a project shares, `[knowledge] files`.
//!
//! How an error is compared with a failure, the analysis knows. Here are files, tables and words.

mod add;
mod list;
mod test;

use std::path::Path;

use ftl_engine::project::{Layout, find, read_regular};

pub(crate) use add::run as add;
pub(crate) use list::run as list;
pub(crate) use test::run as test;

use crate::config::Config;
use crate::failure::Failure;
use crate::globals;
use crate::output;

/// Largest output that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The project, and what it configures.
struct Project {
    layout: Layout,
    config: Config,
}

impl Project {
    fn load() -> Result<Self, Failure> {
        let layout = find(globals::root(), None)?;
        let config = Config::load(globals::config(), layout.root())?;
        let redactor = output::secrets_of(std::env::vars_os(), &config.redact_off);
        output::hide(&redactor);
        Ok(Self { layout, config })
    }

    fn root(&self) -> &Path {
        self.layout.root()
    }
}

/// The text of a file that is named on the command line.
fn read_named(path: &Path) -> Result<String, Failure> {
    let unreadable = |why: String| {
        let message = format!("cannot read `{}`: {why}", path.display());
        Failure::usage("knowledge::output", message)
    };
    let bytes = if path == Path::new("-") { read_input() } else { read_regular(path, LARGEST) };
    let bytes = bytes.map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > LARGEST {
        return Err(unreadable(format!("it is larger than {} MiB", LARGEST >> 20)));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_input() -> std::io::Result<Vec<u8>> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(LARGEST + 1);
    input.read_to_end(&mut bytes)?;
    Ok(bytes)
}
