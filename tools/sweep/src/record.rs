//! Records of tasks, read by a parser that shares no line with ours.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use ftl_testkit::Result;
use roxmltree::Document;

/// What differs between two records of the same build.
const FLEETING: [&str; 8] = [
    "began_at",
    "ended_at",
    "sealed_at",
    "completed_at",
    "blocked_at",
    "duration_ms",
    "log",
    "number",
];

/// The name and the text of a task's record in a directory of tasks, if it is sound and has so many runs; else what
/// is wrong. `task` is what its name begins with.
pub(crate) fn read(
    tasks: &Path,
    task: &str,
    runs: RangeInclusive<usize>,
) -> Result<std::result::Result<(String, String), String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(tasks).into_iter().flatten() {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name.starts_with(task));
    let [name] = names.as_slice() else {
        return Ok(Err(format!("the task's files are {names:?}")));
    };
    let record = fs::read_to_string(tasks.join(name))?;
    Ok(match Document::parse(&record) {
        Ok(document) if is_sound(&document, &runs) => Ok((name.clone(), record)),
        Ok(_) => Err(format!("`{name}` is no record of {runs:?} runs")),
        Err(error) => Err(format!("`{name}`: {error}")),
    })
}

fn is_sound(document: &Document, runs: &RangeInclusive<usize>) -> bool {
    let root = document.root_element();
    let count = |name: &str| root.children().filter(|child| child.has_tag_name(name)).count();
    let is_sealed = matches!(root.attribute("status"), Some("complete" | "blocked"));
    root.has_tag_name("workspace")
        && is_sealed
        && runs.contains(&count("run"))
        && count("delivered") == 1
}

/// A record without what is never the same twice.
pub(crate) fn steady(record: &str) -> String {
    let mut steady = record.to_owned();
    // Of a task that was reopened, the document holds the times of the run before.
    let is_second = record.matches("<run ").count() > 1;
    let of_second = is_second.then_some("workspace_sha256");
    for name in FLEETING.into_iter().chain(of_second) {
        let begin = format!(" {name}=\"");
        let mut from = 0;
        while let Some(at) = steady[from..].find(&begin) {
            let start = from + at + begin.len();
            let end = steady[start..].find('"').map_or(steady.len(), |end| start + end);
            steady.replace_range(start..end, "");
            from = start;
        }
    }
    steady.lines().map(without_processes).collect()
}

/// Of the line that names processes, nothing but its words.
fn without_processes(line: &str) -> String {
    let names_some = line.contains("left running");
    let plain = |letter: &char| !names_some || !letter.is_ascii_digit();
    line.chars().filter(plain).chain(['\n']).collect()
}

#[cfg(test)]
mod tests {
    use super::steady;

    #[test]
    fn times_and_numbers_of_runs_do_not_tell_records_apart() {
        let record =
            "<run number=\"2\" began_at=\"x\"><verify duration_ms=\"7\" exit=\"0\"/></run>\n";
        let steadied =
            "<run number=\"\" began_at=\"\"><verify duration_ms=\"\" exit=\"0\"/></run>\n";
        assert_eq!(steady(record), steadied);
    }
}
