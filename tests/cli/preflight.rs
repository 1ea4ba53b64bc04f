//! `ftl preflight`.

use serde_json::{Value, json};
use xtask::program::Program;

use crate::support::{FTL, Finished, Project};

/// Embedded only: what is installed must not matter.
const PREFLIGHT: [&str; 3] = ["preflight", "--checker", "embedded"];

fn project() -> Project {
    let project = Project::empty();
    project.write("src/good.py", "x = 1\n");
    project.write("src/bad.py", "def f(:\n");
    project.write("src/notes.txt", "");
    project.write("src/made/bad.json", "{");
    project.write("src/.gitignore", "made\n");
    project
}

fn verdicts(said: &Value) -> Vec<(String, String)> {
    let files = said["files"].as_array().unwrap();
    let word = |file: &Value, key: &str| file[key].as_str().unwrap().to_owned();
    let verdict = |file: &Value| (word(file, "path"), word(file, "status"));
    files.iter().map(verdict).collect()
}

fn check(project: &Project, words: &[&str]) -> Finished {
    project.ftl(PREFLIGHT.iter().chain(words))
}

#[test]
fn directories_are_walked_as_ignore_files_say_and_named_files_are_always_judged() {
    let words = [
        "--format",
        "json",
        "src",
        "src/notes.txt",
        "src/made/bad.json",
    ];
    let finished = check(&project(), &words);
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    let said = finished.json();
    let expected = [
        ("src/bad.py", "invalid"),
        ("src/good.py", "valid"),
        ("src/notes.txt", "unchecked"),
        ("src/made/bad.json", "invalid"),
    ];
    let expected = expected.map(|(path, status)| (path.to_owned(), status.to_owned()));
    assert_eq!(verdicts(&said), expected);
    assert_eq!(
        said["summary"],
        json!({"valid": 1, "invalid": 2, "unchecked": 1})
    );
    let bad = &said["files"][0];
    assert_eq!(bad["language"], "python");
    assert_eq!(bad["checker"], "embedded");
    assert_eq!(bad["diagnostics"][0]["line"], 1);
    assert!(said["files"][2]["reason"].is_string(), "{said:#}");
}

#[test]
fn people_read_a_line_for_each_finding_and_a_count() {
    let finished = check(&project(), &["src"]);
    assert!(
        finished.stdout.starts_with("src/bad.py:1:"),
        "{finished:#?}"
    );
    assert!(
        finished
            .stdout
            .ends_with("1 valid, 1 invalid, 0 unchecked\n"),
        "{finished:#?}"
    );
}

#[test]
fn what_nobody_could_check_is_a_finding_only_when_strict() {
    let project = project();
    assert_eq!(check(&project, &["src/notes.txt"]).code, Some(0));
    assert_eq!(
        check(&project, &["src/notes.txt", "--strict"]).code,
        Some(1)
    );
    assert_eq!(check(&project, &["src/good.py", "--strict"]).code, Some(0));
}

#[test]
fn a_language_is_given_by_name_or_by_extension() {
    let project = project();
    for (language, code) in [("json", 1), (".py", 0)] {
        let words = ["src/notes.txt", "src/good.py", "--language", language];
        assert_eq!(check(&project, &words).code, Some(code), "{language}");
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let project = project();
    for (words, input, code) in [
        (&["--language", "json"][..], "{}", 0),
        (&["--language", "json"], "{", 1),
        (&["any/where.py"], "x = 1", 0),
        (&["any/where.py"], "x = ", 1),
        (&[], "", 2),
        (&["a.py", "b.py"], "", 2),
    ] {
        let script = format!("printf %s '{input}' | \"$0\" \"$@\"");
        let shell = Program::new("sh", project.path()).args(["-c", &script, FTL]);
        let finished = Finished::of(shell.args(PREFLIGHT).args(["--stdin"]).args(words));
        assert_eq!(finished.code, Some(code), "{words:?}: {finished:#?}");
    }
}

#[test]
fn what_is_not_there_is_a_usage_error_and_nothing_is_judged() {
    let finished = check(
        &project(),
        &["src/good.py", "gone.py", "lost", "--format", "json"],
    );
    super::assert_refused(&finished, 2, "usage::missing_file", "`gone.py`");
    assert!(
        finished.json()["error"]["message"]
            .to_string()
            .contains("`lost`")
    );
}
