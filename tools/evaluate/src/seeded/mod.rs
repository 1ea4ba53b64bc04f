//! `cargo xtask evaluate seeded`: whether the request of a second attempt is enough to find what is wrong.
//!
//! The first attempt of a scripted agent writes a bug into a real project, so that its tests fail. Its second attempt
//! is given two requests: the one of today, and the error line alone. See [`reader`] for how it reads them.

mod reader;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use ftl_testkit::page::table;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::{Result, build};

use reader::{Sources, find};

/// The rows of `seeded.tsv`: a line of a project, what replaces it, and the command that fails then.
struct Bug<'a> {
    project: &'a str,
    verify: &'a str,
    file: &'a str,
    right: &'a str,
    wrong: &'a str,
}

/// What requests name, by [`reader::BugFound`], and the lines that were read for each.
#[derive(Default)]
struct Score {
    named: [usize; 4],
    lines_read: Vec<usize>,
}

/// Makes the requests for the bugs of the projects in `directories`, has both read, and writes the part of the page.
///
/// # Errors
///
/// A project is not at the commit that its bugs were made for.
pub(crate) fn run(directories: &[&str]) -> Result {
    let rows = fs::read_to_string(crate::ours().join("seeded.tsv"))?;
    let ftl = build::named_or_release()?;
    let mut scores: BTreeMap<(String, &str), Score> = BTreeMap::new();
    for directory in directories {
        let directory = Path::new(directory).canonicalize()?;
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scratch = Scratch::new("seeded")?;
        let root = scratch.path().join("project");
        Program::git(scratch.path()).args(["clone", "-q"]).args([&directory, &root]).run()?;
        symlink(directory.join("node_modules"), root.join("node_modules"))?;
        for bug in rows.lines().filter_map(bug).filter(|bug| bug.project == name) {
            let line = seed(&bug, &root, scratch.path())?;
            let prompt = second_request(&bug, &ftl, &root, scratch.path())?;
            Program::git(&root).args(["checkout", "-q", "."]).run()?;
            let Some(prompt) = prompt else {
                println!("{name} {}:{line} | the tests pass: {}", bug.file, bug.wrong);
                continue;
            };
            let (today, last_run) =
                prompt.split_once("\n## What the last run left").unwrap_or_default();
            let error = last_run.lines().find(|line| line.starts_with("- Its error: "));
            let sources = Sources::read(&root)?;
            for (request, text) in [("the error line", error.unwrap_or_default()), ("today", today)]
            {
                let found = find(text, &sources, bug.file, line);
                println!("{name} {}:{line} | {request} | {found:?}", bug.file);
                for project in [&name, "~all"] {
                    let score = scores.entry((project.to_owned(), request)).or_default();
                    score
                        .named
                        .iter_mut()
                        .zip(found.named)
                        .for_each(|(n, is)| *n += usize::from(is));
                    score.lines_read.push(found.lines_read);
                }
            }
        }
    }
    // The error line alone names next to nothing: its sum is enough.
    scores.retain(|(project, request), _| project == "~all" || *request == "today");
    let rows = scores.into_iter().map(|((project, request), mut score)| {
        score.lines_read.sort_unstable();
        let all = score.lines_read.len();
        let named = score.named.map(|named| format!("{named} of {all}"));
        let median = score.lines_read[all / 2].to_string();
        let first = [project.trim_start_matches('~').to_owned(), request.to_owned()];
        first.into_iter().chain(named).chain([median]).collect::<Vec<String>>()
    });
    let heads = ["project", "request", "a place", "the file", "the line", "read", "lines read"];
    crate::page::replace("seeded", &format!("{METHOD}{}", table(&heads, rows.collect::<Vec<_>>())))
}

fn bug(row: &str) -> Option<Bug<'_>> {
    let cells: Vec<&str> = row.split('\t').collect();
    let [project, verify, file, right, wrong] = cells.try_into().ok()?;
    Some(Bug { project, verify, file, right, wrong })
}

/// Writes the file with its bug beside the project, and returns the line of the bug.
fn seed(bug: &Bug<'_>, root: &Path, scratch: &Path) -> Result<usize> {
    let text = fs::read_to_string(root.join(bug.file))?;
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.trim() == bug.right);
    let at = at.ok_or_else(|| format!("{} has no line `{}`", bug.file, bug.right))?;
    let wrong = lines[at].replace(bug.right, bug.wrong);
    lines[at] = &wrong;
    fs::write(scratch.join("wrong"), lines.join("\n") + "\n")?;
    Ok(at + 1)
}

/// The prompt of the second attempt, after a first one that wrote the bug; none where the tests pass with it.
fn second_request(
    bug: &Bug<'_>,
    ftl: &Path,
    root: &Path,
    scratch: &Path,
) -> Result<Option<String>> {
    let runs = root.join(".ftl/runs/001_work");
    let (second, wrong) = (runs.join("2"), scratch.join("wrong"));
    let agent = format!(
        "cat >/dev/null; [ -e {} ] || cp {} {}",
        second.display(),
        wrong.display(),
        bug.file
    );
    let directory = Path::new(bug.file).parent().unwrap_or(Path::new(".")).to_string_lossy();
    let new = ["new", "Work", "--delta", &directory, "--verify", bug.verify, "--build"];
    let options = ["--isolate", "copy", "--attempts", "2", "--agent", &agent];
    Program::new(ftl, root).args(new).args(options).silent().code()?;
    let prompt = fs::read_to_string(second.join("requests/1/prompt.md"));
    fs::remove_dir_all(root.join(".ftl"))?;
    Ok(prompt.ok())
}

const METHOD: &str = "\
## The request of a second attempt

`cargo xtask evaluate seeded DIR…` writes bugs into real projects: a random line gets another operator, constant or condition, so that tests fail
(`tools/evaluate/corpus/seeded.tsv`). A scripted agent writes the bug at its first attempt. At the second it follows what its request names to functions,
300 lines at most (`lines read`: the median), and could repair a line that it has `read`. `a place`, `the file` and `the line` say what the request itself
names: any line of the project, the file with the bug, its line. For comparison, the request is the error line alone.

";
