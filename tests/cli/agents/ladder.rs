//! Several agents: the attempt after a verified failure is made by the next one.

use serde_json::Value;

use super::{TASK, install, on_path, project_with};
use crate::support::Project;

const USAGE: &str = r#"echo '{"type":"result","is_error":false,"result":"ok","total_cost_usd":0.25,"session_id":"s"}'"#;

/// A project with an agent that does it wrong, and one that does it right.
fn project() -> Project {
    let wrong = format!("cat >/dev/null; sed -i 's/a - b/a * b/' calc.py; {USAGE}");
    let project = project_with("claude", &wrong);
    install(&project, "pi", "cat >/dev/null; sed -i 's/a . b/a + b/' calc.py");
    project.write("ftl.toml", on_path(&project, &["claude", "pi"], ""));
    project
}

#[test]
fn a_stronger_agent_makes_the_attempt_after_a_failure_and_the_record_says_which() {
    for jobs in ["1", "2"] {
        let project = project();
        let task = project.text(format!(".ftl/workspace/{TASK}")).replace("calc.py", "other.py");
        project.write(".ftl/workspace/002_other_active.xml", task);
        project.write("other.py", "a + b\n# a - b\n");
        let words = ["build", "1", "2", "--agent", "claude", "--agent", "pi", "--jobs", jobs];
        let built = project.ftl(words.iter().chain(&["--format", "json"]));
        let results = built.json()["results"].clone();
        let is_first =
            |result: &&Value| result["run"].as_str().is_some_and(|run| run.starts_with("001"));
        let result = results.as_array().unwrap().iter().find(is_first).unwrap();
        assert_eq!(result["outcome"], "complete", "{built:#?}");
        assert_eq!((&result["attempt"], &result["implementer"]["name"]), (&2.into(), &"pi".into()));
        let earlier = &result["earlier"][0];
        assert_eq!((&earlier["agent"], &earlier["cost_usd"]), (&"claude".into(), &0.25.into()));
        let record = project.text(".ftl/workspace/001_sum_complete.xml");
        assert!(record.contains("name=\"pi\"") && record.contains("name=\"claude\""), "{record}");
        project.ftl(["report", "1", "-o", "report.html"]).ends(0);
        let page = project.text("report.html");
        assert!(page.contains("claude"), "{page}");
    }
}

#[test]
fn an_attempt_that_was_interrupted_goes_on_with_its_own_agent() {
    let project = project();
    let words = ["build", "1", "--agent", "claude", "--agent", "pi", "--isolate", "copy"];
    install(&project, "pi", "cat >/dev/null; kill -KILL $(cat $OUT/pid); sleep 9");
    project.script(&format!("echo $$ >$OUT/pid; exec \"$FTL\" {}", words.join(" ")));
    assert_eq!(project.workspaces(), [TASK]);
    install(&project, "pi", "cat >/dev/null; sed -i 's/a . b/a + b/' calc.py");
    let built = project.ftl(words.iter().chain(&["--format", "json"])).ends(0);
    assert_eq!(built.json()["implementer"]["name"], "pi", "{built:#?}");
}

#[test]
fn the_models_of_several_agents_are_for_the_configuration() {
    let words = ["build", "1", "--agent", "claude", "--agent", "pi", "--model", "m"];
    let refused = project().ftl(words).ends(2);
    assert!(refused.stderr.contains("`--model` is for one agent"), "{refused:#?}");
}
