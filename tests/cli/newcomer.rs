//! The first commands of docs/agents.md, typed as they stand there. The agent is a script of a real one's name;
//! `cargo xtask agents` types them with the real ones.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use ftl_testkit::page::blocks;
use ftl_testkit::program::Program;

use crate::support::{FTL, Finished, Project};

/// The commands, from the page's first block behind this title.
fn commands() -> Vec<String> {
    let page = fs::read_to_string(ftl_testkit::root().join("docs/agents.md")).unwrap();
    let (_, rest) = page.split_once("## A first task with your agent").unwrap();
    blocks(rest, "sh")[0].lines().map(str::to_owned).collect()
}

#[test]
fn the_first_commands_of_the_page_complete_a_first_task() {
    let (project, tools) = (Project::empty(), Project::empty());
    project.write("calc.py", "def add(a, b):\n    return a - b\n");
    project.commit();
    let said = r#"{"type":"result","subtype":"success","is_error":false,"result":"Done."}"#;
    let agent = format!("cat >/dev/null; sed -i 's/a - b/a + b/' calc.py; echo '{said}'");
    for (name, script) in
        [("claude", &*agent), ("pytest", "grep -q 'a + b' calc.py && echo '1 passed in 0.01s'")]
    {
        tools.write(name, format!("#!/bin/sh\n{script}\n"));
        let program = tools.path().join(name);
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink(FTL, tools.path().join("ftl")).unwrap();
    let path = format!("{}:/usr/bin:/bin", tools.path().display());
    let commands = commands();
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in &commands {
        let typed = Program::new("sh", project.path())
            .without_cargo()
            .args(["-c", command])
            .env("PATH", &path);
        let typed = Finished::of(typed).ends(0);
        if command.starts_with("ftl agents") {
            let mut lines = typed.stdout.lines();
            let line = lines.find(|line| line.starts_with("claude ")).unwrap();
            assert!(line.contains("  installed"), "{line}");
        }
    }
    assert_eq!(project.workspaces(), ["001_fix-the-sum_complete.xml"], "{commands:?}");
}
