//! The examples in the guide to task files work.

use std::fs;

use ftl_testkit::page::blocks;
use ftl_testkit::program::Program;

use crate::support::{Project, has_tool};

fn guide() -> String {
    fs::read_to_string(ftl_testkit::root().join("docs/workspace.md")).unwrap()
}

/// The file's name, as the document's own attributes have it.
fn name(document: &str) -> String {
    let attribute = |name: &str| {
        let rest = document.split(&format!(" {name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let id = attribute("id").replacen('-', "_", 1);
    format!(".ftl/workspace/{id}_{}.xml", attribute("status"))
}

/// A project with every document of the guide.
fn project() -> (Project, Vec<String>) {
    let project = Project::empty();
    let content = "LIMIT = 20\n# Callers must not read this one.\n_STEP = 5\n";
    project.write("limits.py", content);
    let mut names = Vec::new();
    for document in blocks(&guide(), "xml") {
        project.write(name(&document), &document);
        names.push(name(&document));
    }
    (project, names)
}

#[test]
fn every_document_of_the_guide_is_sound() {
    let (project, names) = project();
    assert!(names.len() >= 3);
    for name in names {
        project.ftl(["workspace", "parse", &name]).ends(0);
        project.ftl(["workspace", "validate", &name]).ends(0);
    }
}

#[test]
fn every_task_of_the_guide_can_be_built() {
    let (project, _) = project();
    for (task, agent) in [
        ("001", "echo hello >greeting.txt"),
        ("002", "printf 'def limit():\\n    return LIMIT\\n' >>limits.py"),
    ] {
        let built = project.build(&[task, "--agent", agent]);
        assert_eq!(built.json()["outcome"], "complete", "{built:#?}");
    }
}

#[test]
fn the_guides_plan_becomes_tasks_that_are_sound() {
    let (project, _) = project();
    let [plan] = blocks(&guide(), "json").try_into().unwrap();
    project.write("plan.json", plan);
    let created = project.ftl(["workspace", "create", "--plan", "plan.json"]).ends(0);
    assert!(!created.stdout.is_empty(), "{created:#?}");
    for line in created.stdout.lines() {
        let path = line.strip_prefix("Created: ").unwrap();
        project.ftl(["workspace", "validate", path]).ends(0);
    }
}

#[test]
fn the_guides_program_writes_a_sound_task() {
    if !has_tool("python3", "python3", &["--version"]) {
        return;
    }
    let (project, _) = project();
    let [program] = blocks(&guide(), "python").try_into().unwrap();
    Program::new("python3", project.path()).args(["-c", &program]).run().unwrap();
    project.ftl(["workspace", "validate", ".ftl/workspace/003_note_active.xml"]).ends(0);
}
