//! The recorded terminals of the documentation: tasks are written and built, as the program does it now.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ftl_testkit::program::Program;
use ftl_testkit::root;
use ftl_testkit::scratch::Scratch;

use super::drawing::{Drawing, moving};
use super::terminal::{Terminal, timeless};
use super::troubleshooting::is_isolated;
use crate::support::{FTL, Project, has_tool, task};

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
    keep("first-task.svg", &moving(TITLE, WIDTH, &[live, done]));
}

fn keep(name: &str, drawn: &str) {
    let path = root().join("docs/screens").join(name);
    if fs::read_to_string(&path).unwrap_or_default() != drawn {
        fs::write(&path, drawn).unwrap();
        panic!("docs/screens/{name} is drawn again: look at it");
    }
}

const SEVERAL: &str =
    "Three agents work at the same time. Each task is complete once it has landed and passed.";

/// Four tasks, of which the last waits for the third. Two agents wait for pipes in `$GO`.
fn tasks() -> Project {
    let project = Project::empty();
    let agent =
        "echo editing $1; [ ! -p $GO/$1 ] || read go < $GO/$1; echo 'def show(): pass' >> $1";
    project.write("ftl.toml", format!("[agent.my-agent]\ncommand = \"{agent}\"\n"));
    for (name, attributes) in [
        ("001_models", ""),
        ("002_routes", ""),
        ("003_forms", ""),
        ("004_admin", "depends=\"003\""),
    ] {
        let file = format!("{}.py", &name[4..]);
        project.write(&file, "");
        let verify = format!("grep -q show {file}");
        project.add(name, task().delta(&[&file]).verify(&verify).attributes(attributes).budget(9));
    }
    project.committed()
}

#[test]
fn the_recording_of_many_tasks_is_of_the_program() {
    if !is_isolated() {
        return;
    }
    let (project, pipes) = (tasks(), Scratch::new("pipes").unwrap());
    Program::new("mkfifo", pipes.path()).args(["routes.py", "forms.py"]).run().unwrap();
    let go = |file: &str| fs::write(pipes.path().join(file), "go\n").unwrap();
    let directory = Path::new(FTL).parent().unwrap().display();
    let path = format!("{directory}:{}", std::env::var("PATH").unwrap());
    let command = "printf '\\033[2m$\\033[0m ftl build --all --jobs 3 --agent my-agent\\n'; \
                   ftl build --all --jobs 3 --agent my-agent";
    let shell = Program::new("sh", project.path()).args(["-c", command]);
    let variables = [("PATH", path.as_str()), ("GO", pipes.path().to_str().unwrap())];
    let terminal = Terminal::of(shell, WIDTH, &variables);
    let is_under_way = |text: &str| {
        ["001   record", "editing routes.py", "editing forms.py", "[1/4]", "004 waits"]
            .iter()
            .all(|part| text.contains(part))
    };
    let live = terminal.drawn(is_under_way, Drawing::of);
    go("routes.py");
    terminal.when(|text| text.contains("002   record"));
    go("forms.py");
    let shown = Arc::clone(&terminal.shown);
    let (code, text, _) = terminal.end();
    assert_eq!(code, Some(0), "{text}");
    let done = Drawing::of(shown.lock().screen(), &timeless(&text));
    keep("many-tasks.svg", &moving(SEVERAL, WIDTH, &[live, done]));
}
