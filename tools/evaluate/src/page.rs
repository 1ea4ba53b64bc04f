//! lab/evaluation.md and its parts, each of which is measured by itself.

use std::fs;

use ftl_testkit::page::with_part;
use ftl_testkit::{Result, root};

/// Lines as they were printed.
pub(crate) fn verbatim(lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let lines = lines.into_iter().map(|line| format!("{}\n", line.as_ref()));
    format!("```text\n{}```\n", lines.collect::<String>())
}

/// What follows are parts that are measured by themselves.
const PARTS: &str = "\n<!-- part ";

/// Writes the page with a new beginning; the parts that are measured by themselves stay.
pub(crate) fn write(beginning: &str) -> Result {
    let path = root().join("lab/evaluation.md");
    let page = fs::read_to_string(&path)?;
    let parts = page.find(PARTS).map_or("", |at| &page[at..]);
    Ok(fs::write(path, format!("{beginning}{parts}"))?)
}

/// Writes a part that is measured by itself, in its place or at the end.
pub(crate) fn replace(name: &str, body: &str) -> Result {
    let path = root().join("lab/evaluation.md");
    Ok(fs::write(&path, with_part(&fs::read_to_string(&path)?, name, body))?)
}
