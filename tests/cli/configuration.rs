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
