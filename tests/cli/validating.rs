//! `ftl workspace validate`: every problem at once, each at its place.

use serde_json::Value;

use crate::support::{Finished, Project};

const A: &str = ".ftl/workspace/001_a_active.xml";

/// A task file in which each part is sound unless a case puts another in its place.
struct Task {
    attributes: &'static str,
    delta: &'static str,
    verify: &'static str,
    rest: &'static str,
}

const SOUND: Task = Task {
    attributes: "id=\"001-a\" status=\"active\"",
    delta: "<delta>src/a.py</delta>",
    verify: "<verify>python -m pytest -q</verify>",
    rest: "",
};

const fn root(attributes: &'static str) -> Task {
    Task { attributes, ..SOUND }
}

const fn delta(delta: &'static str) -> Task {
    Task { delta, ..SOUND }
}

const fn verify(verify: &'static str) -> Task {
    Task { verify, ..SOUND }
}

const fn rest(rest: &'static str) -> Task {
    Task { rest, ..SOUND }
}

impl Task {
    fn text(&self) -> String {
        let Self { attributes, delta, verify, rest } = self;
        format!(
            "<workspace {attributes}>\n<implementation>{delta}{verify}</implementation>\n\
             {rest}\n<delivered/>\n</workspace>\n"
        )
    }
}

fn project(task: &str) -> Project {
    let project = Project::empty();
    project.write("src/a.py", "import os\n\ndef f():\n    return os.name\n");
    project.write("bin.dat", [0xFF, 0xFE]);
    project.write(A, task);
    project
}

fn validate(project: &Project) -> Finished {
    project.ftl(["workspace", "validate", "--format", "json", A])
}

/// `severity code line` of each problem.
fn problems(finished: &Finished) -> Vec<String> {
    let said = finished.json();
    let problems = said["files"][0]["problems"].as_array().unwrap();
    let word = |problem: &Value, key: &str| problem[key].to_string().replace('"', "");
    problems
        .iter()
        .map(|p| format!("{} {} {}", word(p, "severity"), word(p, "code"), p["line"]))
        .collect()
}

#[test]
fn a_sound_task_has_no_problem() {
    let context = "<code_context path=\"src/a.py\" lines=\"1-4\"><content>import os\n\ndef f():\n    \
                   return os.name</content><exports>f()</exports></code_context>\
                   <code_context path=\"bin.dat\"><content>binary</content></code_context>\
                   <idioms><required regex=\"os\\.name\">use os.name</required></idioms>";
    let project = project(&Task { rest: context, ..SOUND }.text());
    let finished = project.ftl(["workspace", "validate", A]).ends(0);
    assert_eq!(finished.stdout, format!("{A}: no problems\n"));
    assert_eq!(finished.stderr, "");
    assert_eq!(problems(&validate(&project)), [""; 0]);
}

#[test]
fn every_class_of_problem_is_found_at_its_line() {
    let cases: &[(Task, &[&str])] = &[
        (root("id=\"001-b\" status=\"active\""), &["warning workspace::id 1"]),
        (root("id=\"001-a\" status=\"done\""), &["error workspace::status 1"]),
        (root("id=\"001-a\" status=\"active\" depends=\"009\""), &["warning workspace::depends 1"]),
        (
            root("id=\"001-a\" status=\"active\" statu=\"\""),
            &["warning workspace::unknown_attribute 1"],
        ),
        (delta("<delta>lib/a.py</delta>"), &["warning workspace::missing_directory 2"]),
        (delta("<delta>src</delta>"), &["error workspace::delta 2"]),
        (delta("<delta>../a.py</delta>"), &["error workspace::delta 2"]),
        (delta(""), &["error workspace::delta 2"]),
        (verify(""), &["error workspace::verify 2"]),
        (verify("<verify>no-such-program -q</verify>"), &["error workspace::verify_program 2"]),
        (verify("<verify>true 'open</verify>"), &["error workspace::shell_syntax 2"]),
        (verify("<verify>python3 || true</verify>"), &["warning workspace::masked_exit 2"]),
        (verify("<verify>test</verify><budget>2</budget>"), &["error workspace::budget 2"]),
        (verify("<verify>test</verify><budget>five</budget>"), &["error workspace::integer 2"]),
        (
            verify("<verify>test</verify><verify_source>no.py</verify_source>"),
            &["warning workspace::verify_source 2"],
        ),
        (
            verify("<verify>test</verify><preflight>make ; (</preflight>"),
            &["error workspace::shell_syntax 2"],
        ),
        (rest("<framework_confidence>high</framework_confidence>"), &["error workspace::number 3"]),
        (rest("<objektive>x</objektive>"), &["warning workspace::unknown_element 3"]),
        (
            rest("<idioms><required>be nice</required></idioms>"),
            &["warning workspace::undecided_idiom 3"],
        ),
        (rest("<idioms><required regex=\"(\">x</required></idioms>"), &["error workspace::rule 3"]),
        (
            rest(
                "<idioms><required regex=\"a\">x</required><forbidden regex=\"a\">y</forbidden></idioms>",
            ),
            &["error workspace::contradiction 3"],
        ),
        (
            rest(
                "<prior_knowledge><failure><trigger>t</trigger><match>[</match></failure></prior_knowledge>",
            ),
            &["warning workspace::match 3"],
        ),
        (
            rest("<code_context path=\"src/a.py\"><exports>f(), g()</exports></code_context>"),
            &["warning workspace::exports 3"],
        ),
        (
            rest(
                "<code_context path=\"src/a.py\" lines=\"1-1\"><content>import sys</content></code_context>",
            ),
            &["warning workspace::stale_context 3"],
        ),
        (rest("<code_context path=\"src/b.py\"/>"), &["warning workspace::stale_context 3"]),
    ];
    for (task, expected) in cases {
        let finished = validate(&project(&task.text()));
        assert_eq!(problems(&finished), *expected, "{}", task.text());
        assert_eq!(finished.code, Some(1), "{finished:#?}");
        assert_eq!(finished.stderr, "", "{finished:#?}");
    }
}

#[test]
fn problems_of_all_files_are_drawn_on_the_source_in_one_run() {
    let project = project(
        &Task {
            delta: "<delta>/etc/passwd</delta>",
            verify: "<verify>python3 || true</verify>",
            ..SOUND
        }
        .text(),
    );
    let other = ".ftl/workspace/002_b_active.xml";
    project.write(other, "<workspace>\n<delta>\u{1b}]0;x\u{7}");
    let finished = project.ftl(["workspace", "validate", A, other]).ends(1);
    let expected =
        format!("{A}: 1 error, 1 warning\n{other}: 1 error\n2 files: 2 errors, 1 warning\n");
    assert_eq!(finished.stdout, expected);
    for part in [
        "workspace::delta",
        "`/etc/passwd` is absolute",
        "001_a_active.xml:2:24",
        "help: name one file",
        "workspace::masked_exit",
        "xml::character",
        "002_b_active.xml:2:8",
    ] {
        assert!(finished.stderr.contains(part), "{part}: {finished:#?}");
    }
    assert!(!finished.stderr.contains(['\u{1b}', '\u{7}']), "{finished:#?}");
}

#[test]
fn a_task_that_cannot_be_drawn_is_reported_with_its_place() {
    let project = project("");
    project.write(A, b"<workspace>\n\xFF</workspace>");
    let finished = project.ftl(["workspace", "validate", A]).ends(1);
    assert!(finished.stderr.contains("001_a_active.xml:2:1"), "{finished:#?}");
}

#[test]
fn files_that_are_not_there_are_all_named_and_nothing_is_judged() {
    let project = project(&SOUND.text());
    let finished =
        project.ftl(["workspace", "validate", "--format", "json", "x.xml", A, "y.xml"]).ends(2);
    let message = finished.json()["error"]["message"].to_string();
    assert!(message.contains("`x.xml`") && message.contains("`y.xml`"), "{message}");
}

#[test]
fn a_record_is_not_held_against_the_project_that_it_changed() {
    let project = project("");
    let record = Task {
        attributes: "id=\"001-a\" status=\"complete\"",
        rest: "<code_context path=\"gone.py\"><content>x</content><exports>y</exports></code_context>",
        ..SOUND
    };
    let path = ".ftl/workspace/001_a_complete.xml";
    project.write(path, record.text());
    project.ftl(["workspace", "validate", path]).ends(0);
}

#[test]
fn an_error_is_what_a_build_would_block_on_and_a_warning_is_not() {
    let blocking = [
        delta("<delta>src</delta>"),
        delta("<delta>a?.py</delta>"),
        delta("<delta>a</delta><delta>./a</delta>"),
        delta(""),
        verify("<verify> </verify>"),
        verify("<verify>test</verify><budget>2</budget>"),
        verify("<verify>test</verify><budget>0</budget>"),
        verify("<verify>test</verify><budget>x</budget>"),
        root("id=\"001-a\" status=\"blocked\""),
        root("id=\"001-a\""),
        rest("<idioms><forbidden regex=\"*\">x</forbidden></idioms>"),
        rest("<idioms><required>Use a.</required><forbidden>a</forbidden></idioms>"),
        rest("<unclosed>"),
    ];
    let harmless = [
        SOUND,
        delta("<delta>new/a.py</delta>"),
        verify("<verify>test || true</verify><verify_source>../x</verify_source>"),
        verify("<verify>test</verify><budget>3</budget>"),
        root("id=\"x\" status=\"active\" unknown=\"\""),
        rest("<idioms confidence=\"7\"><required rule=\"unheard\">x</required></idioms>"),
        rest("<prior_knowledge><failure><match>[</match></failure></prior_knowledge>"),
        rest("<other/>lost"),
    ];
    for (tasks, blocks) in [(&blocking[..], true), (&harmless[..], false)] {
        for task in tasks {
            let project = project(&task.text());
            let found = problems(&validate(&project));
            let has_error = found.iter().any(|problem| problem.starts_with("error"));
            assert_eq!(has_error, blocks, "{found:?} in {}", task.text());
            let built = project.build(&[A, "--dry-run", "--agent", "true"]);
            let outcome = if blocks { "blocked" } else { "planned" };
            assert_eq!(built.json()["outcome"], outcome, "{}", task.text());
        }
    }
}
