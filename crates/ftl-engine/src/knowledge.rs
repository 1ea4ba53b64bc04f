//! Failures that a project shares: how one compares with an output, and how one is written.
//!
//! Which files hold them, and what they say, the caller reads.

use std::fmt::Write as _;
use std::path::Path;

use ftl_analysis::diagnosis::error_lines;
use ftl_analysis::matching::{
    self, Comparison, check_patterns, fits_passing, generalised, match_failure,
};
use ftl_analysis::pattern::{Dialect, Pattern};
use ftl_model::{DeltaPath, Failure, Remedy};
use ftl_store::{OsFiles, ensure_dir, replace};
use ftl_text::chars::is_plain;
use ftl_xml::Document;

use crate::project::{obstacle, read_below};

/// Bytes that a file of shared failures may have.
const LARGEST: u64 = 4 << 20;

/// An output beside known failures.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedOutput {
    /// The line that a person would quote.
    pub error: Option<String>,
    /// All lines that carry the error.
    pub error_lines: Vec<String>,
    /// The name of the failure that RETRY would take.
    pub applied: Option<String>,
    /// Each failure by itself, in their order.
    pub failures: Vec<Comparison>,
}

/// Compares an output with each failure; `passing` is an output of the same command where it passed.
#[must_use]
pub fn compare_output(output: &str, failures: &[Failure], passing: Option<&str>) -> ComparedOutput {
    let lines = error_lines(output);
    let applied = match_failure(output, &lines, failures).matched;
    let compared =
        failures.iter().map(|failure| matching::compare(output, &lines, failure, passing));
    ComparedOutput {
        error: lines.first().cloned(),
        applied: applied.map(|matched| matched.name),
        failures: compared.collect(),
        error_lines: lines,
    }
}

/// What is odd about a failure's pattern.
///
/// # Errors
///
/// Why the pattern cannot be used at all.
pub fn check(failure: &Failure, passing: Option<&str>) -> Result<Vec<String>, String> {
    if let Some(pattern) = &failure.pattern {
        Pattern::compile(pattern, Dialect::Python)?;
    }
    let mut warnings = check_patterns(std::slice::from_ref(failure));
    warnings.extend(passing.and_then(|passing| fits_passing(failure, passing)));
    Ok(warnings)
}

/// The error line of a blocked task's record, and a pattern made from it where it says enough; `None` for
/// any other document.
#[must_use]
pub fn error_of_block(document: &Document<'_>) -> Option<(String, Option<String>)> {
    let workspace = document.workspace().ok()?;
    if workspace.status.as_deref() != Some("blocked") {
        return None;
    }
    let delivered = workspace.delivered.trim_start();
    let error = delivered.strip_prefix("BLOCKED:")?;
    let error = error.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some((error.to_owned(), generalised(error, &[])))
}

/// A failure as an entry of a file.
#[must_use]
pub fn toml_entry(failure: &Failure) -> String {
    let mut entry = String::from("[[failure]]\n");
    let mut row = |key: &str, value: &str| {
        writeln!(entry, "{key} = {value}").expect("because a string takes any text");
    };
    row("name", &quoted(failure.name.as_deref().unwrap_or_default()));
    if !failure.trigger.trim().is_empty() {
        row("trigger", &quoted(&failure.trigger));
    }
    if let Some(pattern) = &failure.pattern {
        row("match", &quoted(pattern));
    }
    match failure.remedy() {
        Remedy::Prose(text) => row("fix", &quoted(text)),
        Remedy::Command(text) => {
            row("kind", "\"command\"");
            row("fix", &quoted(text));
        }
        Remedy::Patch(text) => {
            row("kind", "\"patch\"");
            row("fix", &quoted(text));
        }
        Remedy::Rerun => row("kind", "\"rerun\""),
    }
    if !failure.tags.is_empty() {
        let tags: Vec<String> = failure.tags.iter().map(|tag| quoted(tag)).collect();
        row("tags", &format!("[{}]", tags.join(", ")));
    }
    if failure.cost != 0 {
        row("cost", &failure.cost.to_string());
    }
    entry
}

/// A string of TOML: as it is between `'` where that will do, which keeps patterns legible.
fn quoted(text: &str) -> String {
    let needs_no_escape = |c: char| c != '\'' && !c.is_control() && is_plain(c);
    if text.chars().all(needs_no_escape) && text.contains(['\\', '"']) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() || !is_plain(c) => {
                write!(quoted, "\\U{:08X}", u32::from(c)).expect("because a string takes any text");
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Adds an entry to the end of a file below the root; one that is not there is made.
///
/// # Errors
///
/// The reason why it can't be, to follow a colon.
pub fn append(root: &Path, file: &str, entry: &str) -> Result<(), String> {
    let path = DeltaPath::parse(file).map_err(|problem| problem.to_string())?;
    if let Some(problem) = obstacle(root, &path) {
        return Err(format!("it {problem}"));
    }
    let full = root.join(&path);
    let mut text = match full.exists() {
        true => read_below(file, root, LARGEST)?,
        false => String::new(),
    };
    if !text.is_empty() {
        let ends = if text.ends_with('\n') { "\n" } else { "\n\n" };
        text.push_str(ends);
    }
    text.push_str(entry);
    if text.len() as u64 > LARGEST {
        return Err(format!("it would be larger than {} MiB", LARGEST >> 20));
    }
    if let Some(dir) = full.parent() {
        ensure_dir(&OsFiles, dir).map_err(|error| error.to_string())?;
    }
    replace(&OsFiles, &full, text.as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use ftl_model::Failure;

    use super::{append, quoted, toml_entry};

    #[test]
    fn strings_are_written_as_toml_reads_them() {
        for (text, written) in [
            ("plain", "\"plain\""),
            (r"a\d+ 'b'", r#""a\\d+ 'b'""#),
            (r#"a\d+ "b""#, r#"'a\d+ "b"'"#),
            ("two\nlines\t", "\"two\\nlines\\t\""),
            ("\u{7f}\u{200b}\u{e0041}", "\"\\U0000007F\\U0000200B\\U000E0041\""),
        ] {
            assert_eq!(quoted(text), written, "{text:?}");
        }
    }

    #[test]
    fn an_entry_is_added_at_the_end_and_what_was_there_stays() {
        let temp = tempfile::tempdir().unwrap();
        let failure = Failure {
            name: Some("db".into()),
            trigger: "database is locked".into(),
            fix_kind: Some("rerun".into()),
            tags: vec!["flaky".into()],
            cost: 7,
            ..Failure::default()
        };
        let entry = toml_entry(&failure);
        append(temp.path(), "known/db.toml", &entry).unwrap();
        append(temp.path(), "known/db.toml", &entry).unwrap();
        let text = std::fs::read_to_string(temp.path().join("known/db.toml")).unwrap();
        assert_eq!(
            entry,
            "[[failure]]\nname = \"db\"\ntrigger = \"database is locked\"\nkind = \"rerun\"\ntags = [\"flaky\"]\ncost = 7\n"
        );
        assert_eq!(text, format!("{entry}\n{entry}"));
        for path in ["../x.toml", "/x.toml", ".ftl/x.toml"] {
            assert!(append(temp.path(), path, &entry).is_err(), "{path}");
        }
    }
}
