//! The page of all diagnostics: a list for each family of codes.

use std::fmt::Write as _;
use std::fs;

use ftl_testkit::{Result, root};

use crate::NOTE;

const TABLE: &str = "crates/ftl-cli/src/failure/messages.toml";

/// What a family's codes are about, in the order of the page.
const FAMILIES: &[(&str, &str)] = &[
    ("usage", "What was asked for can't be done. Exit code 2, and nothing was changed."),
    (
        "build",
        "A build could not start or continue. The task stays active. Exit code 1; after an interrupt 128 and the signal.",
    ),
    (
        "agent",
        "An agent could not reach its model. The task stays active, and nothing was charged. Exit code 1.",
    ),
    ("config", "`ftl.toml`, each problem at its place. Exit code 2."),
    ("store", "What `ftl` keeps in `.ftl`. Exit code 1."),
    ("reopen", "`ftl reopen`. Exit code 1."),
    ("plan", "`ftl plan` and `ftl workspace create`. Exit code 1."),
    ("knowledge", "Known failures that tasks share."),
    ("preflight", "`ftl preflight`. Exit code 1."),
    ("mcp", "`ftl mcp`. Exit code 1."),
    ("output", "What was to be printed or written. Exit code 1."),
    ("process", "Signals. Exit code 1."),
    ("project", "The current directory. Exit code 1."),
    ("scout", "A process that `ftl` starts for itself."),
    ("workers", "`ftl worker`, and requests that workers perform. Exit code 1."),
    (
        "workspace",
        "Problems of task files: `ftl workspace validate`, `ftl new`, and a build that blocks as `spec_invalid`.",
    ),
    ("xml", "Task files that are no XML, or more than XML 1.0 in UTF-8 without a DOCTYPE."),
];

/// Every message with what to do, from the program's own table.
pub(crate) fn page() -> Result<String> {
    let text = fs::read_to_string(root().join(TABLE))?;
    let all: toml::Table = text.parse()?;
    let mut page = format!(
        "{NOTE}\n\n# Messages\n\nEvery diagnostic has a code. This page says when each comes, and → what to do. `--format json` prints them as `error`\n\
         ([schema](schemas/failed.schema.json)). [Blocked tasks](blocks.md) are results, not errors.\n"
    );
    let mut written = 0;
    for (family, about) in FAMILIES {
        write!(page, "\n## `{family}::`\n\n{about}\n\n")?;
        let prefix = format!("{family}::");
        for (code, message) in all.iter().filter(|(code, _)| code.starts_with(&prefix)) {
            let text = |key: &str| -> Result<String> {
                let found = message.get(key).and_then(toml::Value::as_str);
                Ok(found.ok_or_else(|| format!("{TABLE}: `{code}` lacks `{key}`"))?.to_owned())
            };
            writeln!(page, "- `{code}`: {} → {}", text("when")?, text("do")?)?;
            written += 1;
        }
    }
    if written != all.len() {
        return Err(format!("{TABLE} has a code of a family that the page does not know").into());
    }
    Ok(page)
}
