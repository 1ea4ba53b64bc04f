//! A budget of lines for each crate and tool, and for the tests. It may only fall.
//!
//! `lines.txt` has the budget. A commit that raises a number changes nothing else, so that its message is the reason.

use std::collections::BTreeMap;
use std::fs;

use ftl_testkit::program::Program;
use ftl_testkit::root;

use super::sources::tracked;

const BUDGET: &str = "tests/house/lines.txt";

type Lines = BTreeMap<String, usize>;

fn read(text: &str) -> Lines {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.map(|line| line.split_once(' ').unwrap());
    parts.map(|(count, part)| (part.to_owned(), count.parse().unwrap())).collect()
}

/// The crate or tool of a file, or the first directory.
fn part(file: &str) -> String {
    let depth = if file.starts_with("crates/") || file.starts_with("tools/") { 2 } else { 1 };
    file.split('/').take(depth).collect::<Vec<_>>().join("/")
}

fn counted() -> Lines {
    let mut lines = Lines::new();
    for file in tracked().iter().filter(|file| file.ends_with(".rs")) {
        let text = fs::read_to_string(root().join(file)).unwrap();
        *lines.entry(part(file)).or_default() += text.lines().count();
    }
    lines
}

/// The parts whose number is higher than before.
fn raised(before: &Lines, after: &Lines) -> Vec<String> {
    let is_more =
        |(part, count): &(&String, &usize)| before.get(*part).is_some_and(|it| it < *count);
    after.iter().filter(is_more).map(|(part, _)| part.clone()).collect()
}

#[test]
fn every_part_keeps_its_budget_of_lines() {
    let budget = read(&fs::read_to_string(root().join(BUDGET)).unwrap());
    let over = counted()
        .into_iter()
        .filter(|(part, count)| *count > budget.get(part).copied().unwrap_or_default());
    let over: Vec<String> = over.map(|(part, count)| format!("{count} {part}")).collect();
    assert!(over.is_empty(), "more lines than {BUDGET} allows:\n{}", over.join("\n"));
}

#[test]
fn a_commit_that_raises_a_budget_does_nothing_else() {
    let git = |words: &[&str]| Program::git(&root()).args(words).text().unwrap();
    let text = |commit: &str| git(&["show", &format!("{commit}:{BUDGET}")]);
    for commit in
        git(&["log", "--no-merges", "--format=%h", "--diff-filter=M", "--", BUDGET]).lines()
    {
        let raised = raised(&read(&text(&format!("{commit}^"))), &read(&text(commit)));
        let files = git(&["show", "--format=", "--name-only", commit]);
        let is_alone = raised.is_empty() || files.trim() == BUDGET;
        assert!(is_alone, "{commit} raises {} and changes other files", raised.join(", "));
    }
}

#[test]
fn a_raised_number_is_seen() {
    let (before, after) =
        (read("5 crates/a\n9 tests"), read("# why\n4 crates/a\n10 tests\n3 tools/new"));
    assert_eq!(raised(&before, &after), ["tests"]);
    assert_eq!(part("crates/ftl-cli/src/main.rs"), "crates/ftl-cli");
    assert_eq!(part("tests/cli/mod.rs"), "tests");
}
