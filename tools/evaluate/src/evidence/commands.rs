//! Test commands of real workflows, as verify commands that pass.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ftl_analysis::findings::{masked_exit, may_hide_failure, runs_tests};
use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Reads the workflows of all repositories, and writes the part of docs/evaluation.md.
pub(super) fn run(directory: &str) -> Result {
    let mut commands: BTreeMap<String, String> = BTreeMap::new();
    let mut repositories = BTreeSet::new();
    for owner in fs::read_dir(directory)? {
        for repository in fs::read_dir(owner?.path())? {
            let repository = repository?.path();
            for command in commands_of(&repository)? {
                repositories.insert(repository.clone());
                commands.entry(command).or_insert_with(|| repository.display().to_string());
            }
        }
    }
    let hiding = |(command, _): &(&String, &String)| masked_exit(command).is_some();
    let hidden: Vec<_> = commands.iter().filter(hiding).collect();
    for (command, repository) in &hidden {
        println!("hides its exit code: `{command}` of {repository}");
    }
    let doubtful = commands.keys().filter(|it| may_hide_failure(it)).count();
    let lines = format!(
        "{METHOD}{} commands of {} repositories: {} hide their exit code, {doubtful} may hide a failure.\n",
        commands.len(),
        repositories.len(),
        hidden.len(),
    );
    println!("{lines}");
    crate::page::replace("commands", &lines)
}

/// The lines of workflows that run tests.
fn commands_of(repository: &Path) -> Result<Vec<String>> {
    let git = |words: &[&str]| Program::git(repository).args(words).output();
    let listed = git(&["ls-tree", "-r", "--name-only", "HEAD", ".github/workflows"])?;
    let mut commands = Vec::new();
    for path in String::from_utf8_lossy(&listed.stdout).lines() {
        let text = git(&["show", &format!("HEAD:{path}")])?;
        let lines = run_lines(&String::from_utf8_lossy(&text.stdout));
        commands.extend(lines.into_iter().filter(|line| runs_tests(line)));
    }
    Ok(commands)
}

/// The commands below `run:` keys, with what a backslash continues. An expression is a word.
fn run_lines(workflow: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut block: Option<usize> = None;
    let mut goes_on = false;
    for line in workflow.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if block.is_some_and(|at| indent <= at && !text.is_empty()) {
            block = None;
        }
        let key = text.trim_start_matches("- ").strip_prefix("run:").map(str::trim);
        let text = match (block, key) {
            (Some(_), _) => text,
            (None, Some(value)) if value.starts_with(['|', '>']) => {
                block = Some(indent);
                continue;
            }
            (None, Some(value)) => value.trim_matches(['"', '\'']),
            (None, None) => continue,
        };
        let (text, continues) = match text.strip_suffix('\\') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let text = without_expressions(text);
        match commands.last_mut().filter(|_| goes_on) {
            Some(last) => last.push_str(&text),
            None => commands.push(text),
        }
        goes_on = continues;
    }
    commands
}

fn without_expressions(text: &str) -> String {
    let mut parts = text.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + "value" + part.split_once("}}").map_or("", |(_, rest)| rest)
    })
}

const METHOD: &str = "\
## Test commands of real workflows

`cargo xtask evaluate evidence commands DIRECTORY` takes the lines of `.github/workflows` that run tests as verify commands. One that hides its exit code is
blocked where no experiment shows that it can fail; one that may hide a failure is run once more with the work broken. The shell of workflows sets `pipefail`, that of a
verify command does not.

";
