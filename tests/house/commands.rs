//! Every command line of ftl in the pages is one that ftl takes: its command and each of its options are in
//! the command reference, which is generated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use ftl_testkit::root;

/// A command for packages, which the help does not list, and second names.
const HIDDEN: [&str; 4] = ["man", "log", "ls", "run"];

/// The options of each command, by its words without `ftl`.
type Commands = BTreeMap<String, BTreeSet<String>>;

fn commands() -> Commands {
    let reference = fs::read_to_string(root().join("docs/cli.md")).unwrap();
    let sections = reference.split("\n## `ftl").skip(1);
    let command = |section: &str| {
        let (name, help) = section.split_once('`').unwrap();
        // The examples are of other commands.
        let help = help.split("\nExamples:").next().unwrap();
        (name.trim().to_owned(), options(help).collect())
    };
    sections.map(command).collect()
}

/// Words of the form `--option`.
fn options(text: &str) -> impl Iterator<Item = String> {
    let is_inside = |char: char| char.is_ascii_lowercase() || char == '-';
    let words = text.split(move |char| !is_inside(char));
    let options = words.filter(|word| word.starts_with("--") && word.len() > 2);
    options.map(|word| word.trim_end_matches('-').to_owned())
}

/// What a shell takes as words, with all that is quoted left out.
fn unquoted(line: &str) -> String {
    let mut quote = None;
    let mut text = String::new();
    for char in line.chars() {
        match quote {
            Some(open) if open == char => quote = None,
            Some(_) => {}
            None if "'\"".contains(char) => quote = Some(char),
            None => text.push(char),
        }
    }
    text
}

/// Command lines of ftl: in the fenced blocks of shells, and between backticks.
fn lines(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut fence, mut is_shell) = (None, false);
    for line in page.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => {
                (fence, is_shell) = (Some(ticks), line[ticks..].starts_with("sh"));
            }
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            Some(_) if is_shell => found.push(line.split(" #").next().unwrap().to_owned()),
            Some(_) => {}
            None => {
                // A span that goes on in the next line is left out.
                let spans = line.split('`').skip(1).step_by(2);
                found.extend(spans.map(str::to_owned));
            }
        }
    }
    let commands = found.iter().flat_map(|line| line.split([';', '|', '&']));
    let commands = commands.map(|command| unquoted(command.trim()));
    commands.filter(|command| command.starts_with("ftl ")).collect()
}

/// What is wrong with a command line.
fn problem(line: &str, commands: &Commands) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let is_placeholder = |word: &str| word.chars().all(|char| char.is_ascii_uppercase());
    if HIDDEN.contains(&words[0])
        || is_placeholder(words[0])
        || words[0] == "help"
        || words[0].starts_with(['-', '0'])
    {
        return None;
    }
    let name = |count: usize| words.get(..count).map(|words| words.join(" "));
    let named = [2, 1].into_iter().filter_map(name);
    let Some(command) = named.into_iter().find(|name| commands.contains_key(name)) else {
        return Some(format!("no such command: {line}"));
    };
    let has_own = commands.keys().any(|it| it.starts_with(&format!("{command} ")));
    let is_one_of_them = |word: &&str| !word.starts_with(['-', '…']);
    if has_own && words.get(1).is_some_and(is_one_of_them) && !command.contains(' ') {
        return Some(format!("`ftl {command}` has no such command: {line}"));
    }
    let mut known = &commands[&command];
    for option in options(&words.join(" ")) {
        if !known.contains(&option) && !commands[""].contains(&option) {
            return Some(format!("`ftl {command}` takes no `{option}`: {line}"));
        }
        if option == "--build" {
            known = &commands["build"];
        }
    }
    None
}

#[test]
fn every_command_line_in_the_pages_is_one_that_ftl_takes() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    let docs = fs::read_dir(root().join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    let others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let pages: Vec<PathBuf> = docs.chain(others.map(|it| root().join(it))).collect();
    let (mut seen, mut wrong) = (0, Vec::new());
    for page in pages.iter().filter(|page| page.extension().is_some_and(|it| it == "md")) {
        let text = fs::read_to_string(page).unwrap();
        for line in lines(&text) {
            seen += 1;
            let problem = problem(&line, &commands);
            wrong.extend(problem.map(|problem| format!("{}: {problem}", page.display())));
        }
    }
    assert!(seen > 200, "{seen}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn command_lines_that_ftl_refuses_are_found() {
    let commands = commands();
    for line in [
        "ftl bild 001",
        "ftl build --agnet x",
        "ftl reopen 1 --fix-it --build",
        "ftl new x --build --delta y",
        "ftl workspace build",
    ] {
        assert!(problem(line, &commands).is_some(), "{line}");
    }
    for line in ["ftl reopen 1 --build --agent x", "ftl knowledge add a --rerun"] {
        assert_eq!(problem(line, &commands), None);
    }
    let page =
        "`ftl build` and\n```sh\nx; ftl show '--no' # ftl status\n```\n```text\nftl nothing\n```\n";
    assert_eq!(lines(page), ["ftl build", "ftl show "]);
}
