//! Agents by name: where they are found, and how they are started.
//!
//! The agents here are scripts with the real ones' names that print what those print. A PATH in the configuration finds
//! them, so that no test starts a real agent of this machine.

mod ladder;
mod outages;
mod prompts;
mod reports;
pub(super) mod sessions;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::{Finished, Project};

const TASK: &str = "001_sum_active.xml";

/// A project with a broken sum, a task to fix it, and an agent of this name that runs this script.
fn project_with(name: &str, script: &str) -> Project {
    let project = Project::empty();
    project.write("calc.py", "def add(a, b):\n    return a - b\n");
    let task = "<workspace status=\"active\"><objective>Fix the sum</objective><implementation>\
                <delta>calc.py</delta><verify>grep -q 'a + b' calc.py</verify><budget>7</budget></implementation>\
                <prior_knowledge><failure name=\"sign\"><trigger>no sum here</trigger><fix>Add, and do not multiply\
                </fix></failure></prior_knowledge><delivered/></workspace>\n";
    project.write(format!(".ftl/workspace/{TASK}"), task);
    install(&project, name, script);
    project.write("ftl.toml", on_path(&project, &[name], ""));
    project
}

/// Puts a script where an agent's program is looked for.
fn install(project: &Project, name: &str, script: &str) {
    let path = project.path().join("target/bin").join(name);
    project.write(format!("target/bin/{name}"), format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A configuration by which these agents are found.
fn on_path(project: &Project, names: &[&str], more: &str) -> String {
    let bin = project.path().join("target/bin");
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let agent =
        |name: &&str| format!("[agent.{name}]\nenv = {{ set = {{ PATH = '{path}' }} }}\n{more}\n");
    names.iter().map(agent).collect()
}

fn build(project: &Project, words: &[&str]) -> Finished {
    let all = ["build", "001", "--format", "json", "--events", "target/events"];
    project.ftl(all.iter().chain(words))
}

fn events(project: &Project, kind: &str) -> Vec<Value> {
    let text = project.text("target/events");
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["type"] == kind).collect()
}

/// What an agent was asked in a request of the first run.
fn prompt(project: &Project, request: u32) -> String {
    let path = format!(".ftl/runs/001_sum/1/requests/{request}/prompt.md");
    project.text(path)
}

const INIT: &str = r#"echo '{"type":"system","subtype":"init","session_id":"s-1","model":"model-x","claude_code_version":"2.1.330"}'"#;

#[test]
fn aider_makes_no_repository_where_there_is_none_and_no_author_in_one() {
    let script = "git config user.name >\"$OUT/name\"; sed -i 's/a - b/a + b/' calc.py";
    for in_git in [false, true] {
        let project = project_with("aider", script);
        if in_git {
            project.commit();
        }
        let built = build(&project, &["--agent", "aider"]).ends(0);
        let reported = built.json()["implementer"]["command"].to_string();
        assert_eq!(reported.contains(" --no-git "), !in_git, "{reported}");
        assert_eq!(fs::read(project.outside("name")).unwrap(), b"aider\n");
    }
}

#[test]
fn agents_are_listed_with_what_they_support_and_what_is_installed() {
    let project = project_with("claude", "exit 0");
    let config = on_path(&project, &["claude", "codex"], "");
    project.write("ftl.toml", format!("{config}[agent.mine]\ncommand = 'my-agent'\n"));
    let listed = project.ftl(["agents", "--format", "json"]).json();
    let agents = listed["agents"].as_array().unwrap();
    let named = |name: &str| agents.iter().find(|agent| agent["name"] == name).unwrap();
    assert!(named("claude")["installed"].as_str().unwrap().ends_with("/bin/claude"));
    assert!(named("codex")["installed"].is_null());
    assert_eq!(named("gemini")["effort"], false);
    assert_eq!(named("codex")["contained"], true);
    assert_eq!(named("gemini")["contained"], false);
    assert_eq!(named("mine")["command"], "my-agent");
    let table = project.ftl(["agents"]).ends(0);
    assert!(table.stdout.contains("npm install --global @openai/codex"), "{table:#?}");
}

#[test]
fn the_nearest_name_is_proposed_for_a_mistyped_agent() {
    let project = project_with("claude", "exit 0");
    let refused = build(&project, &["--agent", "cluade"]).ends(2);
    assert!(refused.stderr.contains("--agent claude"), "{refused:#?}");
    let refused = build(&project, &["--agent", "./agnet.sh --quick"]).ends(2);
    assert!(refused.stderr.contains("there is no program `./agnet.sh`"), "{refused:#?}");
    // What is no agent's name is a command, and the shell says that there is none.
    let blocked = build(&project, &["--agent", "no-such-program"]);
    assert_eq!(blocked.json()["block"]["kind"], "implement_failed", "{blocked:#?}");
}
