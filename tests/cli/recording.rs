//! The recorded terminal of the readme: a task is written and built, as the program does it now.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::drawing::{Drawing, moving, redrawn};
use super::terminal::{Terminal, timeless};
use super::troubleshooting::is_isolated;
use crate::support::{FTL, Project, has_tool};

const WIDTH: u16 = 96;
const TITLE: &str =
    "ftl new writes a task. ftl build shows what runs, then that the task is complete.";

const MANY: &str =
    "ftl build --all --jobs 3 shows a row for each task under way, then the results.";

/// Each command as it is typed, and what it prints.
const SCRIPT: &str = r#"
say() { printf '\033[2m$\033[0m %s\n' "$1"; eval "$1"; }
say "ftl new 'An empty basket costs nothing' --delta prices.py --verify 'python3 test_prices.py'"
say 'ftl build --agent my-agent'
"#;

/// A project whose test waits for the pipe `go`.
fn shop() -> Project {
    let project = Project::empty();
    let agent = "sed -i 's/reduce(add, prices)/sum(prices)/' prices.py";
    for (path, text) in [
        (
            "prices.py",
            "from functools import reduce\nfrom operator import add\n\n\n\
             def total(prices):\n    return reduce(add, prices)\n"
                .to_owned(),
        ),
        (
            "test_prices.py",
            "from prices import total\n\n\
             print('test_prices.py ..', flush=True)\n\
             assert total([]) == 0\nassert total([100, 250]) == 350\n\
             open('go').read()\nprint('2 passed')\n"
                .to_owned(),
        ),
        ("ftl.toml", format!("[agent.my-agent]\ncommand = \"{agent}\"\n")),
        (".gitignore", "go\n".to_owned()),
    ] {
        project.write(path, text);
    }
    project.commit();
    project.pipes(&["go"])
}

/// The files of many tasks, and what the agent says of each.
const WORK: [(&str, &str); 4] = [
    ("prices.py", "agent: reading prices.py"),
    ("basket.py", "agent: the tests of the basket pass"),
    ("euros.py", "agent: looking for where prices are printed"),
    ("receipt.py", "agent: reading basket.py"),
];

/// Four tasks, of which the last waits for two others, and a pipe for each that its agent waits for.
fn market() -> (Project, Scratch) {
    let project = Project::empty();
    let outside = Scratch::new("recording").unwrap();
    let dir = outside.path().display();
    let mut agent = String::from("case $1 in\n");
    for (file, does) in WORK {
        project.write(file, "\"\"\"Of the market.\"\"\"\n");
        let does = does.trim_start_matches("agent: ");
        writeln!(agent, "{file}) echo '{does}' ;;").unwrap();
    }
    writeln!(agent, "esac\nread go <{dir}/$1\necho 'DONE = True' >>$1").unwrap();
    fs::write(outside.path().join("agent"), agent).unwrap();
    Program::new("mkfifo", outside.path()).args(WORK.map(|(file, _)| file)).run().unwrap();
    project.write("ftl.toml", format!("[agent.my-agent]\ncommand = 'sh {dir}/agent $1'\n"));
    project.commit();
    for (objective, file, more) in [
        ("A discount in prices", "prices.py", &[][..]),
        ("An empty basket", "basket.py", &[]),
        ("Prices in euros", "euros.py", &[]),
        ("A receipt", "receipt.py", &["--depends", "1", "2"]),
    ] {
        let verify = format!("python3 {file}");
        let words = ["new", objective, "--delta", file, "--verify", &verify];
        project.ftl([&words[..], more].concat()).ends(0);
    }
    (project, outside)
}

#[test]
fn the_recording_in_the_readme_is_of_the_program() {
    if !has_tool("python3", "python3", &["--version"]) || !is_isolated() {
        return;
    }
    let project = shop();
    let directory = Path::new(FTL).parent().unwrap().display();
    let path = format!("{directory}:{}", std::env::var("PATH").unwrap());
    let shell = Program::new("sh", project.path()).args(["-c", SCRIPT]);
    let variables = [("PATH", path.as_str()), ("PYTHONDONTWRITEBYTECODE", "1")];
    let terminal = Terminal::of(shell, WIDTH, &variables);
    let is_verifying = |text: &str| text.contains("VERIFY") && text.contains("│ test_prices.py ..");
    let live = terminal.drawn(is_verifying, Drawing::of);
    project.write("go", "go\n");
    let shown = Arc::clone(&terminal.shown);
    let (code, text, _) = terminal.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("\n✓ 001 an-empty-basket"), "{text}");
    let done = Drawing::of(shown.lock().screen(), &timeless(&text));
    let drawn = moving(TITLE, WIDTH, &[live, done]);
    assert!(!redrawn("first-task.svg", &drawn), "first-task.svg is drawn again: look at it");
}

#[test]
fn the_recording_of_many_tasks_is_of_the_program() {
    if !has_tool("python3", "python3", &["--version"]) || !is_isolated() {
        return;
    }
    let (project, outside) = market();
    let words = ["build", "--all", "--jobs", "3", "--agent", "my-agent"];
    let variables = [("PYTHONDONTWRITEBYTECODE", "1")];
    let terminal = Terminal::start(&project, &words, WIDTH, &variables);
    let all_work = |text: &str| WORK.iter().take(3).all(|(_, does)| text.contains(does));
    let live = terminal.drawn(all_work, Drawing::of);
    for (number, (file, _)) in (1..).zip(WORK) {
        fs::write(outside.path().join(file), "go\n").unwrap();
        terminal.when_printed(&format!("✓ 00{number} "));
    }
    let shown = Arc::clone(&terminal.shown);
    let (code, text, _) = terminal.end();
    assert_eq!(code, Some(0), "{text}");
    let done = Drawing::of(shown.lock().screen(), &timeless(&text));
    let drawn = moving(MANY, WIDTH, &[live, done]);
    assert!(!redrawn("many-tasks.svg", &drawn), "many-tasks.svg is drawn again: look at it");
}
