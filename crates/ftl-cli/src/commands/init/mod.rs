//! `ftl init`: a commented `ftl.toml`; with an agent, what it needs to work on tasks.

mod doorway;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use ftl_engine::project::{display_path, find};

use super::refuse_in_request;
use crate::args::InitArgs;
use crate::config::FILE;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Every key with what it means; a test holds it against the reader.
const EXAMPLE: &str = include_str!("../../../ftl.toml.example");

const HEAD: &str = "\
# Configuration of ftl. Every key is optional, and command-line options override it.
# Remove the `#` in front of the tables and keys that you need: as it is, this file sets `[build]` alone.
";

/// Writes the configuration file, or what an agent needs.
pub(crate) fn run(args: &InitArgs) -> CommandResult {
    match args.agent {
        Some(agent) => doorway::write(agent, args.dry_run),
        None => {
            let layout = find(globals::root(), None)?;
            refuse_in_request(layout.root())?;
            write(&layout.root().join(FILE))
        }
    }
}

/// Writes the file where there is none: an existing one stays.
fn write(path: &Path) -> CommandResult {
    let shown = display_path(path);
    let written = File::create_new(path)
        .and_then(|mut file| file.write_all(template().as_bytes()).and(file.sync_all()));
    match written {
        Ok(()) => output::did("Created", output::path(&shown)).map(|()| 0),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("`{}` is there already, and is left as it is", shown.display());
            Err(Failure::usage("usage::config_exists", message)
                .help("edit it; `ftl doctor` says whether it can be used"))
        }
        Err(error) => {
            let message = format!("cannot write `{}`: {error}", shown.display());
            Err(Failure::failed("store::file", message)
                .help("check that the directory can be written, or name another with `--root`"))
        }
    }
}

/// The table that is no comment.
const SET: &str = "[build]";
/// The lines of another one that are none.
const SET_LINES: [&str; 3] = ["[verify]", "untrusted = ", "evidence = "];

/// The example with every table and key but those of `[build]` and what a verify must show as a comment: what is prose there begins with
/// `# `, what is a key with `#` alone.
fn template() -> String {
    let body = EXAMPLE.lines().skip_while(|line| !line.is_empty());
    let mut text = HEAD.to_owned();
    let mut is_set = false;
    for line in body {
        if line.starts_with('[') {
            is_set = line == SET;
        }
        match line.strip_prefix("#:") {
            Some(default) => text.extend(["#", default]),
            None if is_set || SET_LINES.iter().any(|set| line.starts_with(set)) => {
                text.push_str(line)
            }
            None if line.is_empty() || line.starts_with('#') => text.push_str(line),
            None => text.extend(["#", line]),
        }
        text.push('\n');
    }
    text
}
