//! `ftl doctor`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ftl_testkit::program::Program;
use serde_json::Value;

use super::schemas::assert_fits;
use super::{project, task};
use crate::support::{FTL, Finished, Project};

fn doctor(project: &Project, words: &[&str], variables: &[(&str, &str)]) -> Finished {
    let program = Program::new(FTL, project.path())
        .without_cargo()
        .args(["doctor"])
        .args(words);
    let set = |program: Program, (name, value): &(&str, &str)| program.env(name, value);
    Finished::of(variables.iter().fold(program, set))
}

/// The checks of a topic: state, found, help.
fn checks(finished: &Finished, topic: &str) -> Vec<(String, String, String)> {
    let json = finished.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = json["checks"].as_array().unwrap();
    let of_topic = all.iter().filter(|check| check["topic"] == topic);
    of_topic
        .map(|check| {
            (
                text(&check["state"]),
                text(&check["found"]),
                text(&check["help"]),
            )
        })
        .collect()
}

const JSON: [&str; 2] = ["--format", "json"];

#[test]
fn a_sound_project_has_nothing_that_keeps_it_from_being_built() {
    let project = project(&["001_a_active.xml", "002_b_complete.xml"]);
    project.commit();
    let finished = doctor(&project, &JSON, &[]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_fits("doctor", &finished.json());
    assert_eq!(checks(&finished, "project")[0].0, "good");
    let tally = &checks(&finished, "tasks")[0].1;
    assert_eq!(tally, "1 active, 1 complete, 0 blocked");
    let top = project.path().canonicalize().unwrap();
    let repository = &checks(&finished, "repository")[0];
    assert_eq!(repository.1, top.display().to_string());
    assert!(
        checks(&finished, "git")[0].1.starts_with("git version"),
        "{finished:#?}"
    );

    let shown = doctor(&project, &[], &[]);
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    assert!(
        shown
            .stdout
            .contains("nothing keeps tasks from being built"),
        "{shown:#?}"
    );
}

#[test]
fn each_problem_is_told_with_how_to_mend_it() {
    let project = project(&[]);
    project.write(".ftl/workspace/001_a_active.xml", "<workspace");
    project.write("ftl.toml", "[agent]\ndefualt = \"claude\"\n");
    let finished = doctor(&project, &JSON, &[]);
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    let (state, found, help) = checks(&finished, "configuration").remove(0);
    assert!(state == "problem" && found.contains("defualt"), "{found}");
    assert!(help.contains("default"), "{help}");
    let (state, found, help) = checks(&finished, "task").remove(0);
    assert!(state == "problem" && found.starts_with("001_a"), "{found}");
    assert!(
        help.contains("ftl workspace validate .ftl/workspace/001_a_active.xml"),
        "{help}"
    );

    let shown = doctor(&project, &[], &[]);
    assert_eq!(shown.code, Some(1), "{shown:#?}");
    assert!(shown.stdout.contains("2 problems keep tasks"), "{shown:#?}");
    let help = shown
        .stdout
        .lines()
        .filter(|line| line.contains("to mend it: "));
    assert!(help.count() >= 2, "{shown:#?}");
}

#[test]
fn a_state_directory_that_cannot_be_written_is_a_problem() {
    let project = project(&["001_a_active.xml"]);
    project.write("file", "");
    let place = project.path().join("file");
    let set = format!("XDG_STATE_HOME={}", place.display());
    let program = Program::new("env", project.path()).without_cargo();
    let finished = Finished::of(program.args([&set, FTL, "doctor"]).args(JSON));
    let (state, found, help) = checks(&finished, "state").remove(0);
    assert!(state == "problem" && found.contains("file/ftl"), "{found}");
    assert!(help.contains("XDG_STATE_HOME"), "{help}");
    assert_eq!(finished.code, Some(1), "{finished:#?}");
}

#[test]
fn the_agent_that_is_used_by_default_must_be_there() {
    let project = project(&["001_a_active.xml"]);
    project.write("ftl.toml", "[agent]\ndefault = \"claude\"\n");
    let tools = Project::empty();
    let path = format!("{}:/usr/bin:/bin", tools.path().display());
    let finished = doctor(&project, &JSON, &[("PATH", &path)]);
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    let agents = checks(&finished, "agent");
    assert!(
        agents
            .iter()
            .any(|(state, found, _)| state == "problem" && found.contains("`claude` by default")),
        "{agents:?}"
    );

    tools.write("claude", "#!/bin/sh\nexit 1\n");
    let program = tools.path().join("claude");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let finished = doctor(&project, &JSON, &[("PATH", &path)]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let found = &checks(&finished, "agent")[0].1;
    let place = program.display().to_string();
    assert!(
        found.starts_with("claude: ") && found.contains(&place),
        "{found}"
    );
}

#[test]
fn a_run_that_was_killed_is_named_with_the_command_that_goes_on() {
    let project = project(&[]);
    project.write(
        ".ftl/workspace/001_a_active.xml",
        task("", "kill -9 $PPID; sleep 1"),
    );
    let killed = project.ftl(["build", "001", "--agent", "echo x >>notes.txt"]);
    assert_ne!(killed.code, Some(0), "{killed:#?}");
    let finished = doctor(&project, &JSON, &[]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let (state, found, help) = checks(&finished, "task").remove(0);
    assert!(
        state == "note" && found.starts_with("run 1 of 001_a"),
        "{found}"
    );
    assert!(help.contains("ftl build 001_a"), "{help}");
}
