//! Results in the forms of CI services: none of them is green for a task that is not complete.

use std::fs;

use ftl_testkit::program::Program;
use serde_json::Value;
use serde_sarif::sarif::Sarif;

use crate::support::{Finished, Project, has_tool, task};

const FORMATS: [&str; 6] = ["junit", "sarif", "github", "gitlab", "markdown", "in-toto"];

/// What the public description of GitLab's report requires, and what version 1 of in-toto's statement does.
const GITLAB: &str = include_str!("ci_formats/gitlab.schema.json");
const STATEMENT: &str = include_str!("ci_formats/statement.schema.json");

/// Reads a report as its own readers do; gives how many failures it has, and its text.
fn failures(format: &str, text: &str) -> usize {
    let json = || serde_json::from_str::<Value>(text).unwrap();
    let fits = |schema: &str, value: &Value| {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let errors = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> =
            errors.iter_errors(value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {value:#}");
    };
    match format {
        "junit" => {
            let document = ftl_xml::read(text.as_bytes()).unwrap();
            let root = document.root();
            let suites: Vec<_> = root.children_named("testsuite").collect();
            let mut failed = 0;
            for suite in &suites {
                let cases: Vec<_> = suite.children_named("testcase").collect();
                let number = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
                let of = cases.iter().filter(|case| case.child("failure").is_some()).count();
                assert_eq!((number("tests"), number("failures")), (cases.len(), of), "{text}");
                failed += of;
            }
            assert_eq!(root.attribute("failures").unwrap(), failed.to_string());
            failed
        }
        "sarif" => {
            let log = json();
            let read: Sarif = serde_json::from_value(log.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), log);
            let results = log["runs"][0]["results"].as_array().unwrap().clone();
            results.iter().filter(|result| result["level"] == "error").count()
        }
        "github" => text.lines().filter(|line| line.starts_with("::error file=")).count(),
        "gitlab" => {
            let report = json();
            fits(GITLAB, &report);
            report.as_array().unwrap().len()
        }
        "markdown" => text.matches('❌').count(),
        _ => {
            let statement = json();
            fits(STATEMENT, &statement);
            usize::from(statement["predicate"]["outcome"] != "complete")
        }
    }
}

/// A project whose task 001 is blocked with a kind.
fn blocked(kind: &str) -> (Project, Finished) {
    let project = Project::empty();
    project.write("m.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n");
    project.write("ftl.toml", "[scope]\nstrays = 'block'\n");
    project.commit();
    let (verify, agent) = match kind {
        "exports_lost" => ("true", "printf 'def f():\\n    return 1\\n' >m.py"),
        "delta_insufficient" => ("true", "echo '# x' >>m.py; echo s >stray.txt"),
        "preflight_exhausted" => ("true", "echo 'def (' >>m.py"),
        "implement_failed" => ("true", "exit 1"),
        _ => ("echo 'AssertionError: one <&> \"two\"'; false", "echo '# x' >>m.py"),
    };
    project.ftl(["new", "Drop g", "--delta", "m.py", "--verify", verify]).ends(0);
    let built = project.build(&["--agent", agent]).ends(3);
    assert_eq!(built.json()["block"]["kind"], kind, "{built:#?}");
    (project, built)
}

#[test]
fn a_blocked_task_is_a_failure_in_every_format() {
    for kind in [
        "exports_lost",
        "delta_insufficient",
        "preflight_exhausted",
        "implement_failed",
        "discovery_needed",
    ] {
        let (project, _) = blocked(kind);
        for format in FORMATS {
            let shown = project.ftl(["show", "--format", format]).ends(0).stdout;
            assert!(failures(format, &shown) > 0, "{kind}, {format}: {shown}");
            let name =
                if format == "markdown" { kind.replace('_', "\\_") } else { kind.to_owned() };
            assert!(shown.contains(kind) || shown.contains(&name), "{kind}, {format}: {shown}");
        }
        if kind == "preflight_exhausted" {
            let shown = project.ftl(["show", "--format", "github"]).stdout;
            assert!(shown.starts_with("::error file=m.py,line=7,col="), "{shown}");
        }
    }
}

#[test]
fn a_whole_build_is_one_report_in_each_format() {
    let project = Project::empty();
    let add = |number: u32, depends: &str, verify: &str| {
        let attributes = format!("depends=\"{depends}\"");
        let task = task().attributes(attributes).delta(&[&format!("{number}.txt")]).verify(verify);
        project.add(&format!("00{number}_t"), task.budget(9));
    };
    // The third breaks the first, and the fourth depends on a block.
    add(1, "", "test ! -e 3.txt");
    add(2, "", "echo 'error: a &amp; b'; false");
    add(3, "", "true");
    add(4, "002", "true");
    let reports: Vec<String> =
        FORMATS.iter().map(|format| format!("--report={format}={format}.out")).collect();
    let words = ["build", "--all", "--agent", "echo x >$1"];
    let words: Vec<&str> = words.into_iter().chain(reports.iter().map(String::as_str)).collect();
    project.ftl(words).ends(3);
    for (format, expected) in FORMATS.iter().zip([3, 3, 3, 3, 4, 1]) {
        let text = project.text(format!("{format}.out"));
        assert_eq!(failures(format, &text), expected, "{format}: {text}");
        assert!(text.contains("002"), "{format}: {text}");
    }
    let statement: Value = serde_json::from_str(&project.text("in-toto.out")).unwrap();
    let subjects = statement["subject"].as_array().unwrap();
    let delivered = subjects.iter().find(|subject| subject["name"] == "1.txt").unwrap();
    let digest = ftl_model::Digest::of(&project.read("1.txt")).to_string();
    assert_eq!(delivered["digest"]["sha256"], digest);
    assert!(!subjects.iter().any(|subject| subject["name"] == "2.txt"), "{subjects:#?}");
    assert_eq!(statement["predicate"]["checks"][0]["passed"], false);
    if has_tool("xmllint", "xmllint", &["--version"]) {
        Program::new("xmllint", project.path()).args(["--noout", "junit.out"]).run().unwrap();
    }
    let junit = project.text("junit.out");
    assert!(junit.contains(" time=\"") && junit.contains("a &amp; b"), "{junit}");
}

#[test]
fn a_complete_task_is_green_in_every_format() {
    let project = Project::empty();
    project.add("001_t", task().delta(&["a.txt"]).verify("true"));
    project.ftl(["build", "--agent", "echo x >$1", "--report", "junit=j.xml"]).ends(0);
    assert_eq!(failures("junit", &project.text("j.xml")), 0);
    for format in FORMATS {
        let shown = project.ftl(["show", "--format", format]).ends(0).stdout;
        assert_eq!(failures(format, &shown), 0, "{format}: {shown}");
    }
    for (report, message) in [
        ("junit", "write `junit=FILE`"),
        ("tap=x", "junit, sarif, github, gitlab, markdown, in-toto"),
    ] {
        let refused = project.ftl(["build", "--report", report]).ends(2);
        assert!(refused.stderr.contains(message), "{refused:#?}");
    }
    fs::create_dir(project.path().join("taken")).unwrap();
    project.add("002_t", task().delta(&["b.txt"]).verify("true"));
    project.ftl(["build", "--agent", "echo x >$1", "--report", "junit=taken"]).ends(1);
    assert!(project.workspaces().contains(&"002_t_complete.xml".to_owned()));
}
