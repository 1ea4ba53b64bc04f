//! Real commits that change tests, each built as an agent's work in the project as it was before it.
//!
//! What ftl says of the tests as they were is compared with the same experiment made by git alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ftl_testkit::page::table;
use ftl_testkit::parallel;
use ftl_testkit::{Result, build};

use super::replay::{Built, Replay};

/// Commits that are built at a time.
const WORKERS: usize = 2;

/// Repository, commit, and a verify command that passes with it.
struct DrawnCommit<'a> {
    name: &'a str,
    commit: &'a str,
    verify: &'a str,
}

/// How a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Complete, and the tests as they were pass by git too.
    Silent,
    /// Complete, though they fail.
    Missed,
    /// Blocked with a test that fails as it was; they fail by git too.
    Blocked,
    /// The same, without a test's name.
    Nameless,
    /// Blocked though they pass.
    WronglyBlocked,
    /// Blocked by something that is no experiment.
    Other,
    /// The verify does not pass in the workplace's project.
    NotRun,
}

/// Replays the commits, or those of one repository, and writes the part of docs/evaluation.md.
pub(super) fn run(directory: &str, of: Option<&str>) -> Result {
    let list = fs::read_to_string(crate::ours().join("evidence.tsv"))?;
    let rows: Vec<DrawnCommit<'_>> = list.lines().filter_map(row).collect();
    let rows: Vec<DrawnCommit<'_>> =
        rows.into_iter().filter(|row| of.is_none_or(|it| it == row.name)).collect();
    let ftl = build::named_or_release()?;
    let ended = parallel::map(
        WORKERS,
        &rows,
        || Ok(()),
        |(), row| {
            let replay = Replay::of(Path::new(directory), row.name, &ftl)?;
            let (ended, why) = replayed(&replay, row)?;
            println!("{ended:?} | {} {} | {why}", row.name, &row.commit[..10]);
            Ok(ended)
        },
    )?;
    let mut tallies: BTreeMap<&str, Vec<Ended>> = BTreeMap::new();
    for (row, ended) in rows.iter().zip(&ended) {
        tallies.entry(row.name).or_default().push(*ended);
    }
    let mut lines: Vec<Vec<String>> = vec![cells("all", &ended)];
    lines.extend(tallies.iter().map(|(name, ended)| cells(name, ended)));
    lines.iter().for_each(|line| println!("{}", line.join("  ")));
    if of.is_some() {
        return Ok(());
    }
    let heads =
        ["repository", "commits", "silent", "blocked, with a test", "without", "wrong", "missed"];
    crate::page::replace("evidence", &format!("{METHOD}{}", table(&heads, lines)))
}

fn row(line: &str) -> Option<DrawnCommit<'_>> {
    let [name, commit, verify] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
    Some(DrawnCommit { name, commit, verify })
}

fn cells(name: &str, ended: &[Ended]) -> Vec<String> {
    let count = |kinds: &[Ended]| ended.iter().filter(|it| kinds.contains(it)).count();
    let ran = ended.len() - count(&[Ended::NotRun]);
    let counts = [
        ran,
        count(&[Ended::Silent]),
        count(&[Ended::Blocked]),
        count(&[Ended::Nameless]),
        count(&[Ended::WronglyBlocked, Ended::Other]),
        count(&[Ended::Missed]),
    ];
    [name.to_owned()].into_iter().chain(counts.map(|it| it.to_string())).collect()
}

/// Replays a commit, and says why it ended so.
fn replayed(replay: &Replay, row: &DrawnCommit<'_>) -> Result<(Ended, String)> {
    let parent = format!("{}^", row.commit);
    replay.check_out(&parent)?;
    let range = ["diff", "--no-renames", &parent, row.commit];
    let delta = replay.git_lines(&[&range[..], &["--name-only"]].concat())?;
    let patch = replay.beside("patch");
    let to = format!("--output={}", patch.display());
    replay.git_lines(&[&range[..], &["--binary", &to]].concat())?;
    let agent = format!("git apply --whitespace=nowarn {}", patch.display());
    let (built, _) = replay.build(&delta, row.verify, &agent, &[])?;
    fs::remove_dir_all(replay.root.join(".ftl"))?;
    let passes = old_tests_pass(replay, row, &parent)?;
    Ok(judged(&built, passes))
}

/// The experiment by git alone: the commit, with the tests of its parent.
fn old_tests_pass(replay: &Replay, row: &DrawnCommit<'_>, parent: &str) -> Result<bool> {
    replay.check_out(row.commit)?;
    let range = ["diff", "--name-only", "--no-renames", "--diff-filter=MD", parent, row.commit];
    let old: Vec<String> =
        replay.git_lines(&range)?.into_iter().filter(|path| is_test(path)).collect();
    for path in &old {
        replay.git_lines(&["checkout", parent, "--", path])?;
    }
    Ok(old.is_empty() || replay.passes(row.verify)?)
}

/// By the conventions of pytest and of the runners of JavaScript, seen from the path alone.
fn is_test(path: &str) -> bool {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_of_tests =
        directories.split('/').any(|it| matches!(it, "test" | "tests" | "spec" | "__tests__"));
    let stem = name.split('.').next().unwrap_or_default();
    let is_named = stem == "test" || stem == "conftest" || stem.starts_with("test_");
    let is_named = is_named || stem.ends_with("_test") || name.contains(".test.");
    is_of_tests || is_named || matches!(name, "tox.ini" | "pytest.ini" | ".mocharc.json")
}

fn judged(built: &Built, passes: bool) -> (Ended, String) {
    let Some(block) = &built.block else {
        let ended = if passes { Ended::Silent } else { Ended::Missed };
        return (ended, built.evidence.old_tests.clone().unwrap_or_default());
    };
    let why = format!("{}: {}", block.kind, block.error);
    if built.verify.last().is_some_and(|it| it.exit != Some(0)) {
        return (Ended::NotRun, why);
    }
    let is_ours = built.evidence.old_tests.as_deref() == Some("failed");
    let test = built.evidence.failures.iter().find_map(|it| it.test.clone());
    match (is_ours && block.kind == "verify_untrusted", passes, test) {
        (false, ..) => (Ended::Other, why),
        (true, true, test) => (Ended::WronglyBlocked, format!("{why} | {test:?}")),
        (true, false, None) => (Ended::Nameless, why),
        (true, false, Some(test)) => (Ended::Blocked, format!("{why} | {test}")),
    }
}

const METHOD: &str = "\
## Real commits that change tests

`cargo xtask evaluate evidence commits DIRECTORY` builds real commits as an agent's work: the project is as it was before the commit, the delta are its files,
and the verify command runs the tests that it changes (`tools/evaluate/corpus/evidence.tsv`; the commits were drawn by chance, among those that change a test
that was there and a source, and whose tests pass here). `silent`: complete, and the tests as they were pass too when git alone puts them back. `blocked`:
they fail, and a test that fails is named, or none (`without`). `wrong`: blocked for anything else. `missed`: complete, though they fail.

";
