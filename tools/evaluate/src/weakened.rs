//! What the findings about weakened tests say of real commits: each one is printed, for a person to judge.

use std::path::Path;

use ftl_analysis::quality::{ChangedFile, weakened_tests};
use ftl_model::Weakening;
use ftl_testkit::Result;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use serde_json::json;

/// Commits of a repository that are read, evenly over those that change or delete tests.
const COMMITS: usize = 200;
/// Where tests may be.
const TESTS: [&str; 4] = [":(icase)*test*", ":(icase)*spec*", "*.snap", "*.rs"];
/// Bytes of a file that is read: larger ones are generated.
const LARGEST: usize = 1 << 20;

const SUFFIXES: [&str; 14] = [
    "py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "rs", "snap", "ambr",
    "golden",
];

/// Parts of paths of files that tests read.
const DATA: [&str; 3] = ["test", "spec", "fixture"];

/// A file that a commit changed.
pub(crate) struct CommitFile {
    pub(crate) path: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// Prints each finding in the commits of `repositories` as a line of JSON, and the numbers of commits at the end.
///
/// # Errors
///
/// Git fails.
pub(crate) fn print(repositories: &[&str]) -> Result {
    for repository in repositories {
        let (mut read, mut found) = (0, 0);
        let commits = commits(Path::new(repository))?;
        for commit in &commits {
            let files = files(Path::new(repository), commit)?;
            let weakened = weakened(&files);
            read += usize::from(!files.is_empty());
            found += usize::from(weakened.iter().any(|(certain, _)| *certain));
            for (certain, it) in weakened {
                let Weakening { kind, path, line, test, before, after } = it;
                println!(
                    "{}",
                    json!({
                        "repository": repository, "commit": commit, "kind": kind, "path": path, "line": line,
                        "test": test, "before": before, "after": after, "certain": certain,
                    })
                );
            }
        }
        println!("{}", json!({"repository": repository, "commits": read, "with_findings": found}));
    }
    Ok(())
}

/// Each finding, with whether it is certain.
fn weakened(files: &[CommitFile]) -> Vec<(bool, Weakening)> {
    let changed: Vec<ChangedFile<'_>> = files
        .iter()
        .map(|file| ChangedFile {
            path: &file.path,
            before: file.before.as_deref(),
            after: file.after.as_deref(),
        })
        .collect();
    let found = weakened_tests(&changed, "");
    let certain = found.certain.into_iter().map(|it| (true, it));
    certain.chain(found.uncertain.into_iter().map(|it| (false, it))).collect()
}

fn commits(repository: &Path) -> Result<Vec<String>> {
    let words = ["log", "--no-merges", "--diff-filter=MD", "--format=%H", "--"];
    let listed = Program::git(repository).args(words).args(TESTS).text()?;
    let all: Vec<&str> = listed.lines().collect();
    let stride = (all.len() / COMMITS).max(1);
    Ok(all.into_iter().step_by(stride).map(str::to_owned).collect())
}

/// The sources, snapshots and data of tests that a commit changed.
pub(crate) fn files(repository: &Path, commit: &str) -> Result<Vec<CommitFile>> {
    let words = [
        "diff-tree",
        "-r",
        "--root",
        "--no-commit-id",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "-z",
    ];
    let output = Program::git(repository).args(words).args([commit]).output()?;
    let raw = String::from_utf8_lossy(&output.stdout);
    let mut parts = raw.split('\0');
    let mut changes = Vec::new();
    while let (Some(heading), Some(path)) = (parts.next(), parts.next()) {
        let ids: Vec<&str> = heading.split(' ').skip(2).take(2).collect();
        // Of the others, those that tests may read.
        let is_data = DATA.iter().any(|word| path.to_ascii_lowercase().contains(word));
        if let (true, &[before, after]) = (is_source(path) || is_data, ids.as_slice()) {
            changes.push((path.to_owned(), before.to_owned(), after.to_owned()));
        }
    }
    // A commit that changes only new files weakens nothing, and one that changes very many moves them.
    let sources = changes.iter().filter(|(path, ..)| is_source(path)).count();
    if sources > 200 || changes.iter().all(|(_, before, _)| is_none(before)) {
        return Ok(Vec::new());
    }
    let ids = changes.iter().flat_map(|(_, before, after)| [before, after]);
    let mut blobs = blobs(repository, ids.filter(|id| !is_none(id)))?.into_iter();
    let mut next = |id: &str| if is_none(id) { None } else { blobs.next().flatten() };
    let files = changes.into_iter().map(|(path, before, after)| {
        let before = next(&before);
        CommitFile { path, before, after: next(&after) }
    });
    Ok(files.collect())
}

fn is_source(path: &str) -> bool {
    let suffix = Path::new(path).extension();
    suffix.is_some_and(|suffix| SUFFIXES.iter().any(|known| suffix == *known))
}

fn is_none(id: &str) -> bool {
    id.bytes().all(|byte| byte == b'0')
}

/// The texts of objects, in their order; `None` of those that are too large or no text.
fn blobs<'i>(
    repository: &Path,
    ids: impl Iterator<Item = &'i String>,
) -> Result<Vec<Option<String>>> {
    let scratch = Scratch::new("weakened")?;
    let list: String = ids.map(|id| format!("{id}\n")).collect();
    let program = Program::git(repository).args(["cat-file", "--batch"]);
    let mut rest = program.input(&list, scratch.path())?.output()?.stdout;
    let mut texts = Vec::new();
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let heading = String::from_utf8_lossy(&rest[..end]).into_owned();
        let size = heading.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        let Some(size) = size.filter(|_| heading.contains(" blob ")) else {
            texts.push(None);
            rest.drain(..=end);
            continue;
        };
        let bytes = rest[end + 1..end + 1 + size].to_vec();
        texts.push(String::from_utf8(bytes).ok().filter(|text| text.len() <= LARGEST));
        rest.drain(..end + 2 + size);
    }
    Ok(texts)
}
