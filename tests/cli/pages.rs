//! Tables of the docs that the program prints itself, in other words.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ftl_testkit::page::blocks;
use ftl_testkit::random::{Draw, Rng, seed};
use ftl_testkit::{root, scratch};
use serde_json::Value;

use crate::support::{FTL, Finished, Project, task};

#[test]
fn the_table_of_agents_says_what_ftl_agents_lists() {
    let listed = Project::empty().ftl(["agents", "--format", "json"]).json();
    let page = fs::read_to_string(ftl_testkit::root().join("docs/agents.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `") && line.matches(" | ").count() == 7)
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .filter(|row: &Vec<&str>| row[0] != "`--agent`")
        .collect();
    let agents = listed["agents"].as_array().unwrap();
    assert_eq!(rows.len(), agents.len(), "{rows:#?}");
    for agent in agents {
        let text = |key: &str| agent[key].as_str().unwrap();
        let yes = |key: &str| if agent[key] == true { "yes" } else { "no" };
        let choices = match (&agent["model"], &agent["effort"]) {
            (Value::Bool(true), Value::Bool(true)) => "both",
            (Value::Bool(true), _) => "model",
            _ => "no",
        };
        let name = format!("`{}`", text("name"));
        let row = rows.iter().find(|row| row[0] == name).expect(&name);
        let [_, title, install, _, chosen, session, files, says] = row[..] else {
            panic!("{row:?}");
        };
        assert_eq!(title, text("title"), "{name}");
        assert_eq!(install, format!("`{}`", text("install")), "{name}");
        assert_eq!(chosen, choices, "{name}");
        assert_eq!(session, yes("sessions"), "{name}");
        assert_eq!(says, yes("events"), "{name}");
        // One is given them otherwise than by a rule, which the page alone says.
        let gets_files =
            files == yes("scoped") || (yes("scoped"), files) == ("no", "its files alone");
        assert!(gets_files, "{name}: {files}");
    }
}

/// Commands that are drawn.
const DRAWN: usize = 40;

/// Refusals that are about the project, and not about the command.
const OF_THE_STATE: [&str; 6] = [
    "usage::workspace",
    "usage::commit",
    "usage::depends",
    "usage::no_change",
    "usage::config_exists",
    "knowledge::",
];

/// Command lines of ftl in the pages, as a reader would paste them: those of shell blocks, and spans without a
/// placeholder. Servers, and what needs one, are tried by other tests.
fn pasted() -> Vec<String> {
    let mut all = Vec::new();
    let pages = fs::read_dir(root().join("docs")).unwrap();
    let pages = pages
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "md"));
    let mut pages: Vec<_> = pages.filter(|path| !path.ends_with("cli.md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    for page in pages {
        let text = fs::read_to_string(page).unwrap();
        let shell = blocks(&text, "sh").concat();
        all.extend(shell.lines().map(|line| line.split("  #").next().unwrap().trim().to_owned()));
        let spans =
            text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
        all.extend(spans.map(str::to_owned));
    }
    let is_placeholder = |line: &str| {
        let mut words = line.split(|c: char| !c.is_ascii_alphabetic());
        words.any(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    all.retain(|line| {
        let is_ftl = line.starts_with("ftl ") && line.len() > 5 && !line.contains("${");
        is_ftl
            && !is_placeholder(line)
            && !line.contains(['…', '\n'])
            && !["worker", "mcp", "hook", "--connect", "--workers"]
                .iter()
                .any(|word| line.contains(word))
    });
    all.sort();
    all.dedup();
    all
}

/// A project in which the pages' commands find what they name.
fn shop() -> Project {
    let project = Project::empty()
        .file("prices.py", "def total(prices):\n    return sum(prices)\n")
        .file("calc.py", "def add(a, b):\n    return a - b\n")
        .file("parse.py", "NAMES = 'a-z'\n")
        .file("test_prices.py", "from prices import total\nassert total([1]) == 1\n")
        .file("tests/test_parse.py", "import parse\n")
        .file("draft.py", "x = 1\n")
        .file("src/app.py", "x = 1\n")
        .file("goal.md", "A goal\n")
        .file("ftl.toml", "[knowledge]\nfiles = ['known.toml']\n")
        .file("known.toml", "")
        .file(".gitignore", "__pycache__\n");
    project
        .add("001_a", task().delta(&["prices.py"]).verify("grep -q discount prices.py").budget(9));
    project.add(
        "004_import",
        task().delta(&["calc.py"]).verify("echo 'FluxError: empty'; false").budget(9),
    );
    project.commit();
    project.git(&["branch", "-M", "main"]);
    let bin = project.outside("bin");
    fs::create_dir_all(bin.join(".config/fish/completions")).unwrap();
    for (name, does) in [
        ("claude", "echo discount >>prices.py"),
        ("my-agent", "mkdir -p src; echo x=1 >>src/util.py; echo y=2 >>calc.py"),
    ] {
        fs::write(bin.join(name), format!("#!/bin/sh\n{does}\n")).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    project
}

fn in_shell(project: &Path, tools: &Path, line: &str) -> Finished {
    let ftl = Path::new(FTL).parent().unwrap().display().to_string();
    let path = format!("{}:{ftl}:{}", tools.display(), std::env::var("PATH").unwrap());
    let shell = ftl_testkit::program::Program::new("sh", project).without_cargo();
    Finished::of(shell.env("PATH", path).env("HOME", tools.as_os_str()).args(["-c", line]))
}

#[test]
fn commands_drawn_from_the_pages_run_as_they_are_written() {
    let original = shop();
    let tools = original.outside("bin");
    in_shell(original.path(), &tools, "ftl build 1 4 --agent my-agent");
    let seed = seed().unwrap();
    let (mut rng, mut left) = (Rng::with_seed(seed), pasted());
    assert!(left.len() >= DRAWN, "{left:#?}");
    let (mut wrong, mut run) = (Vec::new(), 0);
    while run < DRAWN {
        let line = left.swap_remove(rng.below(left.len()));
        let project = Project::empty();
        scratch::copy(original.path(), project.path()).unwrap();
        let said = in_shell(project.path(), &tools, &line);
        let has = |text: &str| said.stderr.contains(text);
        // A span that only names a command or an option.
        if has("required arguments were not")
            || has("a value is required")
            || has("a command is missing")
        {
            continue;
        }
        run += 1;
        // A task that is not in the right state for it is no fault of the page.
        let is_of_the_state = OF_THE_STATE.iter().any(|code| has(code));
        let ended = match said.code {
            Some(0 | 1 | 3) => !has("panicked"),
            Some(2) => is_of_the_state,
            _ => false,
        };
        if !ended {
            wrong.push(format!("{line}\n{said:#?}"));
        }
    }
    assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
}
