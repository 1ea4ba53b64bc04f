//! `ftl.toml` at work.

use ftl_testkit::program::Program;

use super::{assert_refused, bytes, project};
use crate::support::{FTL, Finished, Project, task};

const A: &str = "001_a_active.xml";

fn configured(text: &str) -> Project {
    let project = project(&[A]);
    project.write("ftl.toml", text);
    project
}

#[test]
fn a_mistake_is_pointed_at_and_stops_the_build() {
    let project = configured("[verfy]\ntimeout = 1\n[scope]\nstrays = 'x'\n");
    let before = bytes(&project);
    let finished = project.build(&["001"]);
    assert_refused(&finished, 2, "config::unknown", "did you mean `verify`?");
    for place in ["ftl.toml:1:2", "ftl.toml:4:10"] {
        assert!(finished.stderr.contains(place), "{finished:#?}");
    }
    assert_eq!(bytes(&project), before);
}

#[test]
fn the_default_agent_is_taken_unless_the_tree_is_asked_for() {
    let agent = "[agent]\ndefault = 'mine'\n[agent.mine]\ncommand = 'echo agent > notes.txt'\n";
    for (words, expected) in [
        (&["build", "001"][..], "agent\n"),
        (&["build", "001", "--tree"], "before\n"),
        (&["build", "001", "--agent", "echo other > notes.txt"], "other\n"),
    ] {
        let project = configured(agent);
        project.ftl(words).ends(0);
        assert_eq!(project.read("notes.txt"), expected.as_bytes(), "{words:?}");
    }
}

#[test]
fn a_clean_environment_reaches_the_agent_and_a_set_one_the_verify() {
    let project = configured(
        "[agent.mine]\ncommand = 'echo \"$KEPT-$DROPPED-$GIVEN\" > notes.txt'
         env = { mode = 'clean', pass = ['PATH', 'KEPT'], set = { GIVEN = '3' } }
         [verify]\nenv.set.ANSWER = 'yes'\n",
    );
    project.add("001_a", task().verify("test \"$ANSWER-$DROPPED\" = yes-2"));
    let ftl = Program::new(FTL, project.path()).without_cargo();
    let ftl = ftl.env("KEPT", "1").env("DROPPED", "2");
    Finished::of(ftl.args(["build", "001", "--agent", "mine"])).ends(0);
    assert_eq!(project.read("notes.txt"), b"1--3\n");
}

#[test]
fn another_file_is_named_by_the_variable_or_the_option_and_the_option_wins() {
    let project = configured("nonsense");
    project.write("good.toml", "[quality]\nundecided = 'warn'\n");
    let run = |variable: &str, words: &[&str]| {
        let ftl = Program::new(FTL, project.path()).env("FTL_CONFIG", variable);
        Finished::of(ftl.args(["build", "001", "--dry-run"]).args(words)).code
    };
    assert_eq!(run("", &[]), Some(2));
    assert_eq!(run("good.toml", &[]), Some(0));
    assert_eq!(run("ftl.toml", &["--config", "good.toml"]), Some(0));
    assert_eq!(run("nowhere.toml", &[]), Some(2));
}

/// A home with a user's own configuration.
fn with_home(project: &Project, text: &str) -> Vec<(&'static str, String)> {
    let home = project.outside("home");
    std::fs::create_dir_all(home.join("ftl")).unwrap();
    std::fs::write(home.join("ftl/config.toml"), text).unwrap();
    vec![("XDG_CONFIG_HOME", home.display().to_string())]
}

fn run(project: &Project, env: &[(&'static str, String)], words: &[&str]) -> Finished {
    let ftl = Program::new(FTL, project.path()).without_cargo();
    let ftl = env.iter().fold(ftl, |ftl, (name, value)| ftl.env(name, value));
    Finished::of(ftl.args(words))
}

#[test]
fn the_users_file_holds_in_every_project_and_the_projects_file_wins_over_it() {
    let project = super::during_requests::with_pipes(&[A]);
    let user = "[agent]\ndefault = 'mine'\n[agent.mine]\ncommand = 'echo user > notes.txt'\n[build]\njobs = 3\n";
    let env = with_home(&project, user);
    run(&project, &env, &["build", "001"]).ends(0);
    assert_eq!(project.read("notes.txt"), b"user\n");

    project.write(
        "ftl.toml",
        "[agent.mine]\ncommand = 'echo project > notes.txt'\n[build]\nattempts = 2\n",
    );
    let said = run(&project, &env, &["config"]).ends(0).stdout;
    let home = project.outside("home").display().to_string();
    for line in [
        "agent.mine.command = \"echo project > notes.txt\"  # ftl.toml".to_owned(),
        format!("agent.default = \"mine\"  # {home}/ftl/config.toml"),
        format!("build.jobs = 3  # {home}/ftl/config.toml"),
        "build.attempts = 2  # ftl.toml".to_owned(),
        "verify.timeout = \"10m\"  # default".to_owned(),
    ] {
        assert!(said.lines().any(|printed| printed == line), "{line}: {said}");
    }
    assert_eq!(run(&project, &env, &["config", "build.jobs"]).stdout.lines().count(), 1);
    let json = run(&project, &env, &["config", "agent", "--format", "json"]).json();
    assert_eq!(json["settings"].as_array().unwrap().len(), 4, "{json:#}");
    let unknown = run(&project, &env, &["config", "build.job"]).ends(2);
    assert!(unknown.stderr.contains("did you mean `build.jobs`?"), "{unknown:#?}");
}

#[test]
fn the_problems_of_both_files_are_reported_at_once_and_a_project_decides_about_its_tasks() {
    let project = super::during_requests::with_pipes(&[A]);
    project.write("ftl.toml", "[build]\nattempts = 0\njob = 2\n");
    let env = with_home(&project, "[scope]\nstrays = 'block'\n[verify]\nuntrusted = []\n");
    let refused = run(&project, &env, &["build", "001"]).ends(2);
    for place in ["ftl.toml:2:12", "ftl.toml:3:1", "config.toml:1:2", "config.toml:4:1"] {
        assert!(refused.stderr.contains(place), "{place}: {refused:#?}");
    }
    assert!(refused.stderr.contains("for a project to decide"), "{refused:#?}");
}

#[test]
fn a_directory_with_a_configuration_is_a_root() {
    let project = Project::empty();
    project.write("ftl.toml", "[build]\nattempts = 2\n");
    project.write("sub/a.txt", "");
    project.commit();
    let ftl = |words: &[&str]| {
        let program = Program::new(FTL, &project.path().join("sub")).without_cargo();
        Finished::of(program.args(words)).ends(0)
    };
    let made = ftl(&["new", "Do it", "--delta", "a.txt", "--verify", "grep -q x a.txt"]);
    assert_eq!(made.stdout, "Created: ../.ftl/workspace/001_do-it_active.xml\n");
    assert_eq!(project.workspaces(), ["001_do-it_active.xml"]);
    ftl(&["build", "-a", "echo x > sub/a.txt"]);
}

#[test]
fn editors_get_schemas_that_know_what_the_readers_know() {
    let schema = |name: &str| {
        let path = ftl_testkit::root().join(format!("docs/schemas/{name}.schema.json"));
        let text = std::fs::read_to_string(path).unwrap();
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        jsonschema::meta::validate(&schema).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    let config = schema("config");
    let example = std::fs::read_to_string(ftl_testkit::root().join("ftl.toml.example")).unwrap();
    let all: String = example
        .lines()
        .map(|line| line.strip_prefix("#:").unwrap_or(line).to_owned() + "\n")
        .collect();
    for text in
        [&*example, &*all, "[agent.x]\ntimeout = 90\n[quality]\njudge = { command = 'c' }\n"]
    {
        let value: serde_json::Value =
            serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        let errors: Vec<String> = config
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0], "{value:#}");
    }
    for text in
        ["[buld]\n", "[build]\njobs = 0\n", "[build]\ncheck = 'x'\n", "[agent.x]\nmodle = 'a'\n"]
    {
        let value = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        assert!(!config.is_valid(&value), "{text}");
    }
    let plan = schema("plan");
    let project = Project::empty();
    for (text, is_taken) in [
        (
            r#"{"objective": "o", "tasks": [{"seq": "001", "slug": "a", "delta": ["a.py"], "verify": "true", "depends": "none"}]}"#,
            true,
        ),
        (
            r#"{"tasks": [{"seq": "002", "slug": "b", "delta": ["b.py"], "verify": "true", "depends": ["001"], "budget": 7}]}"#,
            true,
        ),
        (r#"{"tasks": [{"slug": "a"}]}"#, false),
        (r#"{"tasks": [{"seq": "../1", "slug": "a"}]}"#, false),
        (r#"{"tasks": [{"seq": "001", "slug": "a", "delta": "a.py"}]}"#, false),
    ] {
        project.write("plan.json", text);
        let made = project.ftl(["workspace", "create", "--plan", "plan.json"]);
        assert_eq!(made.code == Some(0), is_taken, "{text}: {made:#?}");
        assert_eq!(plan.is_valid(&serde_json::from_str(text).unwrap()), is_taken, "{text}");
    }
}
