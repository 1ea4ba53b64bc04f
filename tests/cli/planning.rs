//! `ftl plan`: from a goal to task files. The agents here are scripts.

use serde_json::{Value, json};

use crate::support::{Finished, Project};

fn project() -> Project {
    Project::empty()
        .file("calc.py", "def add(a, b):\n    return a - b\n")
        .file("text.py", "def up(text):\n    return text.lower()\n")
}

fn task(seq: &str, delta: &str, verify: &str, depends: &[&str]) -> Value {
    json!({
        "seq": seq, "slug": "task", "objective": format!("Mend {delta}"), "delta": [delta],
        "verify": verify, "depends": depends,
    })
}

fn good() -> Value {
    let calc = task("001", "calc.py", "grep -q 'a + b' calc.py", &[]);
    json!({ "tasks": [calc, task("002", "text.py", "grep -q upper text.py", &[])] })
}

/// An agent that gives these answers, one a request, and keeps its prompts.
fn agent(project: &Project, answers: &[String]) -> String {
    for (at, answer) in answers.iter().enumerate() {
        std::fs::write(project.outside(&format!("answer-{}", at + 1)), answer).unwrap();
    }
    "n=$FTL_ATTEMPT; cat >$OUT/prompt-$n; echo stray >>calc.py; echo new >new.txt; cat $OUT/answer-$n".to_owned()
}

fn plan(project: &Project, answers: &[String], words: &[&str]) -> Finished {
    let agent = agent(project, answers);
    let all = ["plan", "Mend everything", "--agent", &agent];
    project.ftl(all.iter().chain(words))
}

fn prompt(project: &Project, request: u32) -> String {
    std::fs::read_to_string(project.outside(&format!("prompt-{request}"))).unwrap()
}

#[test]
fn a_goal_becomes_tasks_that_are_built() {
    let project = project();
    let answer = format!("Here is the plan.\n\n```json\n{:#}\n```\n", good());
    let made = plan(&project, &[answer], &["--create"]).ends(0);
    for part in ["001_task", "fails now", "Created: ", "at once"] {
        assert!(made.stdout.contains(part), "{part}: {made:#?}");
    }
    assert_eq!(project.workspaces(), ["001_task_active.xml", "002_task_active.xml"]);
    let file = project.text(".ftl/workspace/002_task_active.xml");
    assert!(file.contains("<objective>Mend text.py</objective>"), "{file}");
    // Nothing is taken from the workplace.
    assert_eq!(project.text("calc.py"), "def add(a, b):\n    return a - b\n");
    assert!(!project.path().join("new.txt").exists());
    let prompt = prompt(&project, 1);
    for part in ["Mend everything", "calc.py", "\"required\"", "depends"] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    let agent = "sed -i 's/a - b/a + b/; s/lower/upper/' \"$@\"";
    let built = project.ftl(["build", "--all", "--agent", agent, "--jobs", "2"]).ends(0);
    assert!(built.stdout.contains("2 complete"), "{built:#?}");
}

#[test]
fn a_plan_is_shown_and_written_nowhere_unless_that_is_asked_for() {
    let project = project();
    let shown = plan(&project, &[good().to_string()], &[]).ends(0);
    assert!(shown.stdout.contains("001_task") && shown.stderr.contains("nothing was written"));
    assert!(!project.path().join(".ftl").exists(), "{shown:#?}");
    let file = project.outside("plan.json");
    let words = ["-o", file.to_str().unwrap(), "--format", "json"];
    let json = plan(&project, &[good().to_string()], &words).ends(0).json();
    assert_eq!(
        (&json["outcome"], &json["tasks"][1]["before"]),
        (&"planned".into(), &"failed".into())
    );
    assert_eq!(json["schedule"]["most_at_once"], 2);
    assert!(!project.path().join(".ftl").exists());
    project.ftl(["workspace", "create", "--plan", file.to_str().unwrap()]).ends(0);
    assert_eq!(project.workspaces().len(), 2);
    // Their numbers are taken now.
    plan(&project, &[good().to_string()], &["--create"]).ends(0);
    assert_eq!(project.workspaces()[2..], ["003_task_active.xml", "004_task_active.xml"]);
}

#[test]
fn the_problems_of_a_plan_go_back_twice() {
    let project = project();
    let twice = json!({"tasks": [
        task("001", "calc.py", "grep -q 'a + b' calc.py", &[]), task("002", "calc.py", "true", &[]),
    ]});
    let answers = ["I would rather not.".to_owned(), twice.to_string(), good().to_string()];
    plan(&project, &answers, &[]).ends(0);
    assert!(prompt(&project, 2).contains("holds no JSON object"));
    let third = prompt(&project, 3);
    assert!(third.contains("shares `calc.py` with `001_task`"), "{third}");
}

#[test]
fn a_plan_that_cannot_be_built_is_refused_by_name_and_nothing_is_written() {
    let tasks = |tasks: &[Value]| json!({ "tasks": tasks }).to_string();
    let many: Vec<Value> =
        (1..=500).map(|n| task(&format!("{n:03}"), &format!("f{n}.py"), "true", &[])).collect();
    for (answer, part) in [
        ("no plan at all".to_owned(), "holds no JSON object"),
        (tasks(&[task("001", "../out.py", "true", &[])]), "../out.py"),
        (tasks(&[task("001", "/etc/passwd", "true", &[])]), "/etc/passwd"),
        (tasks(&[task("001", "no/dir.py", "true", &[])]), "`no` does not exist"),
        (tasks(&[task("001", "calc.py", "no-such-program -x", &[])]), "no-such-program"),
        (tasks(&[task("001", "calc.py", "sh -c 'exit 127'", &[])]), "cannot run"),
        (
            tasks(&[
                task("001", "calc.py", "true", &["002"]),
                task("002", "text.py", "true", &["001"]),
            ]),
            "wait for each other",
        ),
        (
            tasks(&[task("001", "calc.py", "true", &[]), task("002", "calc.py", "true", &[])]),
            "neither depends on the other",
        ),
        (tasks(&[task("001", "calc.py", "true", &["009"])]), "depends on `009`"),
        (tasks(&many), "500 tasks"),
    ] {
        let project = project();
        let refused = plan(&project, &[answer.clone(), answer.clone(), answer], &["--create"]);
        let refused = refused.ends(1);
        assert!(refused.stderr.contains(part), "{part}: {refused:#?}");
        assert!(project.outside("prompt-3").exists(), "{part}: asked three times");
        assert!(!project.path().join(".ftl").exists(), "{part}: {refused:#?}");
    }
}

#[test]
fn an_agent_that_fails_is_quoted() {
    let project = project();
    let failed = project.ftl(["plan", "x", "--agent", "echo out of ideas; exit 3"]).ends(1);
    assert!(failed.stderr.contains("out of ideas"), "{failed:#?}");
    let missing = project.ftl(["plan", "x"]).ends(2);
    assert!(missing.stderr.contains("--agent"), "{missing:#?}");
}
