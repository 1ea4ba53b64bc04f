//! Findings as code hosts and editors read them, and the files of a change.

use std::fs;
use std::path::Path;

use ftl_testkit::program::Program;
use serde_json::{Value, json};
use serde_sarif::sarif::Sarif;

use crate::support::{FTL, Finished, Project, has_tool};

const PREFLIGHT: [&str; 3] = ["preflight", "--checker", "embedded"];

/// Files with findings, among them names that a reader could take for something else.
fn project() -> Project {
    let project = Project::empty();
    project.write("good.py", "x = 1\n");
    project.write("bad.py", "x = 1\ny = é(:\n");
    project.write("src/a b,c:d%.json", "[1,\n");
    project.write("src/::error::é\n::warning::x.json", "{");
    project.write("notes.txt", "");
    project
}

fn check(project: &Project, words: &[&str]) -> Finished {
    project.ftl(PREFLIGHT.iter().chain(words))
}

/// A log that a reader of SARIF's schema reads without loss: a key that the schema lacks would be gone.
fn sarif(finished: &Finished) -> Value {
    let log = finished.json();
    let read: Sarif = serde_json::from_value(log.clone()).expect("because the log is SARIF");
    let written = serde_json::to_value(read).unwrap();
    assert_eq!(log, written);
    log["runs"][0].clone()
}

#[test]
fn preflight_finds_in_sarif_what_it_finds_in_json() {
    let project = project();
    let words = |format| [".", "notes.txt", "--format", format];
    let finished = check(&project, &words("sarif")).ends(1);
    let run = sarif(&finished);
    let results = run["results"].as_array().unwrap();

    let json = check(&project, &words("json")).json();
    let mut expected = Vec::new();
    for file in json["files"].as_array().unwrap() {
        for found in file["diagnostics"].as_array().unwrap() {
            expected.push((
                found["message"].clone(),
                found["line"].clone(),
                found["end_column"].clone(),
                found["start"].clone(),
            ));
        }
    }
    let region = |result: &Value| result["locations"][0]["physicalLocation"]["region"].clone();
    let annotations: Vec<_> = results
        .iter()
        .map(|result| {
            let region = region(result);
            let place = (region["startLine"].clone(), region["endColumn"].clone());
            let message = result["message"]["text"].clone();
            (message, place.0, place.1, region["byteOffset"].clone())
        })
        .collect();
    assert_eq!(annotations, expected);
    assert!(annotations.len() >= 3, "{annotations:?}");

    let uris: Vec<&str> = results
        .iter()
        .map(|result| &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        .map(|uri| uri.as_str().unwrap())
        .collect();
    assert!(uris.contains(&"src/a%20b%2Cc%3Ad%25.json"), "{uris:?}");
    assert!(uris.contains(&"src/%3A%3Aerror%3A%3A%C3%A9%0A%3A%3Awarning%3A%3Ax.json"), "{uris:?}");
    let rules = &run["tool"]["driver"]["rules"];
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let passed_over = &run["invocations"][0]["toolExecutionNotifications"];
    let place = &passed_over[0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(place, &json!({"uri": "notes.txt"}), "{passed_over}");
}

#[test]
fn a_clean_run_is_sarif_too() {
    let project = project();
    let finished = check(&project, &["good.py", "--format", "sarif"]).ends(0);
    assert_eq!(sarif(&finished)["results"], json!([]));
}

#[test]
fn problems_of_task_files_are_printed_in_both_forms() {
    let project = Project::empty();
    project.write(
        "001_x_active.xml",
        "<workspace status=\"active\">\n<implementation><delta>../x</delta></implementation></workspace>",
    );
    let words = ["workspace", "validate", "001_x_active.xml", "--format"];
    let of = |format| project.ftl(words.iter().chain(&[format]));
    let problems = of("json").json()["files"][0]["problems"].clone();
    let problems = problems.as_array().unwrap();

    let finished = of("sarif").ends(1);
    let run = sarif(&finished);
    let codes = |list: &[Value], key: &str| -> Vec<Value> {
        list.iter().map(|entry| entry[key].clone()).collect()
    };
    let results = run["results"].as_array().unwrap();
    assert_eq!(codes(results, "ruleId"), codes(problems, "code"));

    let finished = of("github").ends(1);
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines.len(), problems.len(), "{lines:#?}");
    for (line, problem) in lines.iter().zip(problems) {
        let severity = problem["severity"].as_str().unwrap();
        let (number, column) = (&problem["line"], &problem["column"]);
        let head = format!("::{severity} file=001_x_active.xml,line={number},col={column}");
        assert!(line.starts_with(&head), "{line}");
    }
}

#[test]
fn a_name_or_a_text_cannot_begin_a_new_workflow_command() {
    let project = project();
    let finished = check(&project, &[".", "notes.txt", "--format", "github"]).ends(1);
    let lines: Vec<&str> = finished.stdout.lines().collect();
    let first = "::error file=bad.py,line=2,col=7,endColumn=7,title=syntax::\
                 Expected an expression or a ')'";
    assert!(lines.contains(&first), "{lines:#?}");
    assert!(
        lines.contains(&"::notice file=notes.txt::unchecked: no checker for this kind of file"),
        "{lines:#?}"
    );
    for line in &lines {
        let properties = line.strip_prefix("::error file=").or(line.strip_prefix("::notice file="));
        let (name, rest) = properties.unwrap().split_once([',', ':']).unwrap();
        assert!(!name.contains([':', ',']), "{line}");
        assert!(rest.starts_with("line=") || rest.starts_with(':'), "{line}");
    }
    let names: Vec<&&str> = lines.iter().filter(|line| line.contains("%25.json")).collect();
    assert!(names[0].starts_with("::error file=src/a b%2Cc%3Ad%25.json,line="), "{names:?}");
}

fn git(directory: &Path, words: &[&str]) {
    Program::git(directory).args(words).run().unwrap();
}

/// A repository with a commit, and changes of every kind since.
fn changed() -> Project {
    let project = Project::empty();
    for name in ["old.py", "src/edited.py", "src/staged.py", "src/gone.py", "made.py"] {
        project.write(name, "def f(:\n");
    }
    project.write(".gitignore", "ignored.py\n");
    project.write("run.sh", "exit 3\n");
    project.commit();
    project.write("src/edited.py", "def g(:\n");
    project.write("src/staged.py", "x = 1\n");
    project.write("src/new.py", "y = 1\n");
    project.write("ignored.py", "def f(:\n");
    project.write("notes.txt", "");
    fs::remove_file(project.path().join("src/gone.py")).unwrap();
    git(project.path(), &["add", "src/staged.py"]);
    project
}

fn paths(finished: &Finished) -> Vec<String> {
    let json = finished.json();
    let files = json["files"].as_array().unwrap().clone();
    files.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn changes_since_a_revision_are_checked() {
    let project = changed();
    let of = |words: &[&str]| {
        let finished = check(&project, &[words, &["--format", "json"]].concat());
        assert!(matches!(finished.code, Some(0 | 1)), "{finished:#?}");
        paths(&finished)
    };
    let all = ["src/edited.py", "src/new.py", "src/staged.py"];
    assert_eq!(of(&["--changed"]), all);
    assert_eq!(of(&["--changed", "HEAD"]), all);
    assert_eq!(of(&["--changed=main", "."]), all.map(|path| format!("./{path}")));
    assert_eq!(of(&["src/new.py", "old.py", "--changed"]), ["src/new.py"]);

    git(project.path(), &["add", "--all"]);
    git(project.path(), &["commit", "--quiet", "--message", "after"]);
    assert_eq!(of(&["--changed"]), [""; 0]);
    assert_eq!(of(&["--changed", "HEAD~1"]), all);
}

#[test]
fn a_change_is_the_whole_repositorys_in_any_directory() {
    let project = changed();
    project.write("old.py", "x = 1\n");
    let below = Program::new(FTL, &project.path().join("src"))
        .without_cargo()
        .args(PREFLIGHT)
        .args(["--changed", "--format", "json"]);
    let paths = paths(&Finished::of(below));
    assert_eq!(paths, ["../old.py", "edited.py", "new.py", "staged.py"]);
}

#[test]
fn before_the_first_commit_every_file_is_a_change() {
    let project = Project::empty();
    project.write("a.py", "x = 1\n");
    git(project.path(), &["init", "--quiet"]);
    let finished = check(&project, &["--changed", "--format", "json"]);
    assert_eq!(paths(&finished), ["a.py"]);
}

#[test]
fn a_name_that_is_no_revision_is_refused_with_what_to_do() {
    let project = changed();
    let outside = Project::empty();
    outside.write("src/a.py", "");
    for (project, words, message) in [
        (&project, ["--changed", "src"], "`src` is not a revision"),
        (&project, ["--changed", "--help-me"], "unexpected argument"),
        (&outside, ["src", "--changed"], "is not in a git"),
        (&outside, ["gone", "--changed"], "`gone` does not exist"),
    ] {
        let finished = check(project, &words).ends(2);
        assert!(finished.stderr.contains(message), "{finished:#?}");
    }
}

#[test]
fn the_hooks_refuse_a_commit_with_invalid_files() {
    if !has_tool("pre-commit", "pre-commit", &["--version"]) {
        return;
    }
    let hooks = Project::empty();
    let path = ftl_testkit::root().join(".pre-commit-hooks.yaml");
    hooks.write(".pre-commit-hooks.yaml", fs::read(path).unwrap());
    hooks.commit();
    let project = Project::empty();
    project.write("good.py", "x = 1\n");
    project.write("bad.py", "x = (\n");
    project.write(".ftl/workspace/001_a_active.xml", "<workspace>");
    project.write(
        ".pre-commit-config.yaml",
        format!(
            "repos:\n  - repo: {}\n    rev: main\n    hooks:\n      - id: ftl-preflight\n      - id: ftl-validate\n",
            hooks.path().display()
        ),
    );
    project.commit();
    let run = |files: &[&str]| {
        let path = std::env::var("PATH").unwrap();
        let with_ftl = Path::new(FTL).parent().unwrap().display().to_string();
        let program = Program::new("pre-commit", project.path())
            .args(["run", "--files"])
            .args(files)
            .env("PATH", format!("{with_ftl}:{path}"))
            .env("PRE_COMMIT_HOME", hooks.path().join("cache"));
        Finished::of(program)
    };
    run(&["good.py"]).ends(0);
    for (file, found) in
        [("bad.py", "bad.py:"), (".ftl/workspace/001_a_active.xml", "001_a_active.xml: 1 error")]
    {
        let refused = run(&["good.py", file]).ends(1);
        assert!(refused.stdout.contains(found), "{refused:#?}");
    }
}

#[test]
fn junit_has_a_test_for_each_file() {
    let project = project();
    project.write("<&\">.py", "x = 1\n");
    let finished = check(&project, &[".", "--format", "junit"]).ends(1);
    let json = check(&project, &[".", "--format", "json"]).json();
    let counts = &json["summary"];
    let (invalid, unchecked) = (counts["invalid"].as_u64(), counts["unchecked"].as_u64());
    let document = ftl_xml::read(finished.stdout.as_bytes()).unwrap();
    let root = document.root();
    let number = |name: &str| root.attribute(name).unwrap().parse::<u64>().ok();
    assert_eq!(number("failures"), invalid);
    assert_eq!(number("skipped"), unchecked);
    let suite = root.child("testsuite").unwrap();
    let tests: Vec<_> = suite.children_named("testcase").collect();
    let files = json["files"].as_array().unwrap();
    assert_eq!(tests.len(), files.len());
    for (test, file) in tests.iter().zip(files) {
        let path = file["path"].as_str().unwrap().trim_start_matches("./");
        if !path.contains('\n') {
            assert_eq!(test.attribute("name").unwrap(), path);
        }
        assert_eq!(test.child("failure").is_some(), file["status"] == "invalid");
        assert_eq!(test.child("skipped").is_some(), file["status"] == "unchecked");
    }
    let failure = tests.iter().find_map(|test| test.child("failure")).unwrap();
    let first = files.iter().find(|file| file["status"] == "invalid").unwrap();
    let message = first["diagnostics"][0]["message"].as_str();
    assert_eq!(failure.attribute("message").as_deref(), message);
}
