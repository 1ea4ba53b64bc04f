//! Reading task files, beside Python's ElementTree, and listing very many of them.
//!
//! The readers are timed by the program `read_rate`, whose lines are rendered here.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::page::reached;
use crate::sample::Sample;

/// How often all tasks are listed.
const ROUNDS: usize = 15;
/// Tasks that are listed.
const TASKS: usize = 10_000;
/// Bytes of each of them, nearly.
const BYTES: usize = 5_000;

/// Megabytes a second, of every document.
const LEAST_RATE: f64 = 150.0;
/// Milliseconds for the list.
const LONGEST_LIST: f64 = 300.0;

/// A row of what `read_rate` prints: microseconds of each reader.
struct WorkspaceRow {
    document: String,
    bytes: f64,
    read: f64,
    lowered: f64,
    /// None where there is no Python.
    element_tree: Option<f64>,
}

/// Measures and renders.
pub(crate) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    let rows = rows()?;
    let (listed, walked) = list(ftl, scratch)?;
    render(&rows, &listed, &walked)
}

fn rows() -> Result<Vec<WorkspaceRow>> {
    let printed = Program::cargo()
        .args(["run", "--quiet", "--release", "--package", "ftl-bench"])
        .args(["--bin", "read_rate"])
        .text()?;
    printed.lines().map(row).collect()
}

/// `usual 5012 11.9 13.1 70.5`
fn row(line: &str) -> Result<WorkspaceRow> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [document, bytes, read, lowered, element_tree] = words.as_slice() else {
        return Err(format!("`{line}` is no row of figures").into());
    };
    Ok(WorkspaceRow {
        document: (*document).to_owned(),
        bytes: bytes.parse()?,
        read: read.parse()?,
        lowered: lowered.parse()?,
        element_tree: element_tree.parse().ok(),
    })
}

/// Timings of the list, and of a plain read of the same files by one thread.
fn list(ftl: &Path, scratch: &Path) -> Result<(Sample, Sample)> {
    let directory = scratch.join(".ftl/workspace");
    fs::create_dir_all(&directory)?;
    for number in 1..=TASKS {
        let path = directory.join(format!("{number:05}_task_active.xml"));
        fs::write(path, task(number))?;
    }
    let (mut listed, mut walked) = (Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        listed.program(Program::new(ftl, scratch).args(["status", "--format", "json"]))?;
        walked.call(|| {
            for entry in fs::read_dir(&directory)? {
                std::hint::black_box(fs::read(entry?.path())?);
            }
            Ok(())
        })?;
    }
    Ok((listed, walked))
}

fn task(number: usize) -> String {
    let mut content = String::new();
    for line in 0.. {
        if content.len() + 700 >= BYTES {
            break;
        }
        content += &format!(
            "def f{line}(a, b):\n    if a &lt; b and b &gt; 3:  # \"x\"\n        return a\n"
        );
    }
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<workspace id="{number:05}-task" status="active" _schema_version="1.0" created_at="2026-01-18T01:30:56" depends="{before:05}">
  <objective>serve the users</objective>
  <implementation>
    <delta>src/routes.py</delta>
    <verify>pytest tests/test_routes.py -q</verify>
    <budget>5</budget>
  </implementation>
  <code_context path="src/routes.py" lines="1-60">
    <content>{content}</content>
    <exports>f0(), f1(), f2()</exports>
    <imports/>
  </code_context>
  <delivered></delivered>
</workspace>
"#,
        before = number - 1,
    )
}

fn render(rows: &[WorkspaceRow], listed: &Sample, walked: &Sample) -> Result<String> {
    let mut page = String::from(
        "## Task files\n\n`ftl` makes every check of XML 1.0 and keeps the positions of all parts; ElementTree (expat) builds its own tree. Both\n\
         figures are the fastest of many short rounds.\n\n\
         | document | bytes | read | MB/s | read as a task | ElementTree | times slower |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let theirs = row.element_tree;
        writeln!(
            page,
            "| {} | {} | {:.1} µs | {:.0} | {:.1} µs | {} | {} |",
            row.document,
            row.bytes,
            row.read,
            row.bytes / row.read,
            row.lowered,
            theirs.map_or("no python3".to_owned(), |time| format!("{time:.1} µs")),
            theirs.map_or("-".to_owned(), |time| format!("{:.1}", time / row.read)),
        )?;
    }
    let slowest = rows.iter().map(|row| row.bytes / row.read).fold(f64::INFINITY, f64::min);
    let usual = rows.first().and_then(|row| Some(row.element_tree? / row.read));
    let median = listed.median();
    write!(
        page,
        "\n| what | target | measured | met |\n|---|---|---|---|\n\
         | reading with every check on | ≥ {LEAST_RATE:.0} MB/s | {slowest:.0} MB/s, the slowest of the documents | {} |\n\
         | reading 5 KB, ElementTree's time over ftl's | ≥ 1 | {} | {} |\n\
         | `ftl status` over {TASKS} tasks of {} bytes, warm | ≤ {LONGEST_LIST:.0} ms | {median:.0} ms, the fastest {:.0} ms | {} |\n\n\
         A single thread that only reads the same {TASKS} files, without parsing them, takes {:.0} ms at its fastest.\n",
        reached(slowest >= LEAST_RATE),
        usual.map_or("no python3".to_owned(), |ratio| format!("{ratio:.1}")),
        usual.map_or("not measured", |ratio| reached(ratio >= 1.0)),
        task(1).len(),
        listed.fastest(),
        reached(median <= LONGEST_LIST),
        walked.fastest(),
    )?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::{BYTES, row, task};

    #[test]
    fn a_row_without_python_has_no_peer() {
        assert_eq!(row("usual 5012 11.9 13.1 70.5").unwrap().element_tree, Some(70.5));
        assert!(row("usual 5012 11.9 13.1 -").unwrap().element_tree.is_none());
        assert!(row("usual 5012").is_err());
    }

    #[test]
    fn a_task_has_the_size_that_is_promised() {
        assert!((BYTES - 300..BYTES + 300).contains(&task(7).len()), "{}", task(7).len());
    }
}
