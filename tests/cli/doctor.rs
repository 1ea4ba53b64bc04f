//! `ftl doctor`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ftl_testkit::program::Program;
use serde_json::Value;

use super::project;
use super::schemas::assert_fits;
use crate::support::task;
use crate::support::{FTL, Finished, Project};

fn doctor(project: &Project, words: &[&str], variables: &[(&str, &str)]) -> Finished {
    let program = Program::new(FTL, project.path()).without_cargo().args(["doctor"]).args(words);
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
        .map(|check| (text(&check["state"]), text(&check["found"]), text(&check["help"])))
        .collect()
}

const JSON: [&str; 2] = ["--format", "json"];

#[test]
fn a_sound_project_has_nothing_that_keeps_it_from_being_built() {
    let project = project(&["001_a_active.xml", "002_b_complete.xml"]);
    project.commit();
    let finished = doctor(&project, &JSON, &[]).ends(0);
    assert_fits("doctor", &finished.json());
    assert_eq!(checks(&finished, "project")[0].0, "good");
    let tally = &checks(&finished, "tasks")[0].1;
    assert_eq!(tally, "1 active, 1 complete, 0 blocked");
    let top = project.path().canonicalize().unwrap();
    let repository = &checks(&finished, "repository")[0];
    assert_eq!(repository.1, top.display().to_string());
    assert!(checks(&finished, "git")[0].1.starts_with("git version"), "{finished:#?}");

    let shown = doctor(&project, &[], &[]).ends(0);
    assert!(shown.stdout.contains("tasks can be built"), "{shown:#?}");
}

#[test]
fn each_problem_is_reported_with_how_to_fix_it() {
    let project = project(&[]);
    project.write(".ftl/workspace/001_a_active.xml", "<workspace");
    project.write("ftl.toml", "[agent]\ndefualt = \"claude\"\n");
    let finished = doctor(&project, &JSON, &[]).ends(1);
    let (state, found, help) = checks(&finished, "configuration").remove(0);
    assert!(state == "problem" && found.contains("defualt"), "{found}");
    assert!(help.contains("default"), "{help}");
    let (state, found, help) = checks(&finished, "task").remove(0);
    assert!(state == "problem" && found.starts_with("001_a"), "{found}");
    assert!(help.contains("ftl workspace validate .ftl/workspace/001_a_active.xml"), "{help}");

    let shown = doctor(&project, &[], &[]).ends(1);
    assert!(shown.stdout.contains("2 problems prevent builds"), "{shown:#?}");
    let help = shown.stdout.lines().filter(|line| line.contains("to fix it: "));
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
    let finished = doctor(&project, &JSON, &[("PATH", &path)]).ends(1);
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
    let finished = doctor(&project, &JSON, &[("PATH", &path)]).ends(0);
    let found = &checks(&finished, "agent")[0].1;
    let place = program.display().to_string();
    assert!(found.starts_with("claude: ") && found.contains(&place), "{found}");
}

#[test]
fn a_run_that_was_killed_is_named_with_the_command_that_goes_on() {
    let project = project(&[]);
    project.add("001_a", task().verify("kill -9 $PPID; sleep 1"));
    let killed = project.ftl(["build", "001", "--agent", "echo x >>notes.txt"]);
    assert_ne!(killed.code, Some(0), "{killed:#?}");
    let finished = doctor(&project, &JSON, &[]).ends(0);
    let (state, found, help) = checks(&finished, "task").remove(0);
    assert!(state == "note" && found.starts_with("run 1 of 001_a"), "{found}");
    assert!(help.contains("ftl build 001_a"), "{help}");
}

/// A project with programs that are found alone, in front of the system's, and an empty home.
struct Machine {
    project: Project,
    tools: Project,
}

impl Machine {
    fn new(programs: &[(&str, &str)]) -> Self {
        let (project, tools) = (project(&["001_a_active.xml"]), Project::empty());
        fs::create_dir(tools.path().join("home")).unwrap();
        for (name, script) in programs {
            tools.write(name, format!("#!/bin/sh\n{script}\n"));
            let program = tools.path().join(name);
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        project.commit();
        Self { project, tools }
    }

    /// Runs ftl with this environment and no other.
    fn ftl(&self, words: &[&str], variables: &[(&str, &str)]) -> Finished {
        let path = format!("{}:/usr/bin:/bin", self.tools.path().display());
        let program = Program::new(FTL, self.project.path())
            .args(words)
            .without_env()
            .env("PATH", path)
            .env("HOME", self.tools.path().join("home"));
        let set = |program: Program, (name, value): &(&str, &str)| program.env(name, value);
        Finished::of(variables.iter().fold(program, set))
    }

    fn doctor(&self, words: &[&str], variables: &[(&str, &str)]) -> Finished {
        let words: Vec<&str> =
            ["doctor", "--format", "json"].iter().chain(words).copied().collect();
        self.ftl(&words, variables)
    }
}

/// What is said of an agent: state and found.
fn said(finished: &Finished, part: &str) -> Vec<String> {
    let all = checks(finished, "agent").into_iter();
    let fitting = all.filter(|(_, found, _)| found.contains(part));
    fitting.map(|(state, ..)| state).collect()
}

#[test]
fn a_login_is_reported_where_it_shows_and_is_never_called_sound_where_it_does_not() {
    let machine = Machine::new(&[("claude", "exit 1"), ("opencode", "exit 1")]);
    let named = ["--agent", "claude"];
    let out = machine.doctor(&named, &[]);
    assert_eq!(said(&out, "no login and no key was found"), ["note"], "{out:#?}");
    assert_fits("doctor", &out.json());
    let help = &checks(&out, "agent").into_iter().find(|it| it.0 == "note").unwrap().2;
    assert!(help.contains("/login"), "{help}");
    // Of the others nothing is said when one is named.
    assert!(said(&out, "opencode: whether").is_empty(), "{out:#?}");
    let out = machine.doctor(&named, &[("ANTHROPIC_API_KEY", "sk-not-a-key-at-all")]);
    assert_eq!(said(&out, "ANTHROPIC_API_KEY is set"), ["good"], "{out:#?}");
    assert!(!out.stdout.contains("sk-not"), "{out:#?}");
    let home = machine.tools.path().join("home/.claude");
    fs::create_dir(&home).unwrap();
    fs::write(home.join(".credentials.json"), r#"{"claudeAiOauth": {"x": "y"}}"#).unwrap();
    let out = machine.doctor(&named, &[]);
    assert_eq!(said(&out, ".credentials.json` holds `claudeAiOauth`"), ["good"], "{out:#?}");
    // Without a name, all that are installed are looked at.
    let out = machine.doctor(&[], &[]);
    assert_eq!(said(&out, "opencode: whether it is logged in is unknown"), ["note"], "{out:#?}");
    assert_eq!(said(&out, "claude: `"), ["good", "good"], "{out:#?}");
    let out = machine.doctor(&["--agent", "claud"], &[]).ends(2);
    assert!(out.stderr.contains("--agent claude"), "{out:#?}");
    let out = machine.doctor(&["--agent", "codex"], &[]);
    assert_eq!(
        (out.code, said(&out, "no program `codex`")),
        (Some(1), vec!["problem".to_owned()]),
        "{out:#?}"
    );
}

#[test]
fn an_agent_that_can_not_write_its_own_directory_is_refused_before_anything_is_begun() {
    let machine = Machine::new(&[("claude", "echo x >>notes.txt")]);
    machine.tools.write("file", "");
    let place = machine.tools.path().join("file").to_string_lossy().into_owned();
    let moved = [("CLAUDE_CONFIG_DIR", &*place)];
    let out = machine.doctor(&["--agent", "claude"], &moved);
    assert_eq!(
        (out.code, said(&out, "cannot be written")),
        (Some(1), vec!["problem".to_owned()]),
        "{out:#?}"
    );
    let built =
        machine.ftl(&["build", "001", "--agent", "claude", "--format", "json"], &moved).ends(1);
    assert_eq!(built.json()["error"]["code"], "agent::home", "{built:#?}");
    assert_eq!(machine.project.workspaces(), ["001_a_active.xml"]);
    assert!(!machine.project.path().join(".ftl/runs/001_a").exists());
    let built = machine.ftl(&["build", "001", "--agent", "claude", "--format", "json"], &[]);
    assert_ne!(built.json()["error"]["code"], "agent::home", "{built:#?}");
}

#[test]
fn the_tools_of_codex_are_tried_without_a_model() {
    let sandbox = "test \"$1\" = sandbox || exit 9; echo \"$*\" >>\"$0.words\"";
    let machine =
        Machine::new(&[("codex", &format!("{sandbox}; echo 'bwrap: no namespaces' >&2; exit 1"))]);
    let out = machine.doctor(&["--agent", "codex"], &[]).ends(1);
    assert_eq!(
        said(&out, "its tools don't work: `codex sandbox -- true` failed: bwrap: no namespaces"),
        ["problem"]
    );
    // Unless it is known to be used, it keeps nothing from being built.
    let out = machine.doctor(&[], &[]);
    assert_eq!(
        (out.code, said(&out, "don't work")),
        (Some(0), vec!["note".to_owned()]),
        "{out:#?}"
    );
    let machine = Machine::new(&[("codex", sandbox)]);
    let out = machine.doctor(&["--agent", "codex"], &[]);
    assert_eq!(
        (out.code, said(&out, "its tools work")),
        (Some(0), vec!["good".to_owned()]),
        "{out:#?}"
    );
    assert_eq!(machine.tools.read("codex.words"), b"sandbox -- true\n");
}
