//! The recorded terminal of the readme: a task is written and built, as the program does it now.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ftl_testkit::program::Program;
use ftl_testkit::root;

use super::drawing::{Drawing, moving};
use super::terminal::{Terminal, timeless};
use super::troubleshooting::is_isolated;
use crate::support::{FTL, Project, has_tool};

const WIDTH: u16 = 96;
const TITLE: &str =
    "ftl new writes a task. ftl build shows what runs, then that the task is complete.";

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
    assert!(text.contains("\ncomplete  001_an-empty-basket"), "{text}");
    let done = Drawing::of(shown.lock().screen(), &timeless(&text));
    let drawn = moving(TITLE, WIDTH, &[live, done]);
    let path = root().join("docs/screens/first-task.svg");
    if fs::read_to_string(&path).unwrap_or_default() != drawn {
        fs::write(&path, drawn).unwrap();
        panic!("docs/screens/first-task.svg is drawn again: look at it");
    }
}
