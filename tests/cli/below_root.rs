//! Commands typed below the root, and projects below the top of a repository.

use std::path::Path;

use ftl_testkit::program::Program;

use crate::support::{FTL, Finished, Project};

/// Runs ftl in a directory of the project.
fn ftl_in(project: &Project, dir: &str, words: &[&str]) -> Finished {
    Finished::of(Program::new(FTL, &project.path().join(dir)).without_cargo().args(words))
}

/// A project whose `.ftl` is at the top.
fn shop() -> Project {
    let project = Project::empty();
    project.write("ftl.toml", "");
    project.write("shop/a.py", "A = 1\n");
    project.write("shop/b.py", "B = 1\n");
    project.write("shop/deep/c.py", "C = 1\n");
    project.write("shop/deep/made.log", "");
    project.write("lib/d.py", "D = 1\n");
    project.write(".gitignore", "*.log\n");
    project.write(".ftl/.gitignore", "/runs/\n/locks/\n");
    project.commit();
    project
}

#[test]
fn a_verify_that_is_typed_below_the_root_runs_there() {
    for (command, written) in [
        ("grep -q 2 a.py", "cd shop &amp;&amp; grep -q 2 a.py"),
        ("grep -q 2 a.py; test $? = 0", "cd shop &amp;&amp; (grep -q 2 a.py; test $? = 0)"),
    ] {
        let project = shop();
        let words = ["new", "Two", "--delta", "a.py", "--verify", command];
        let made = ftl_in(&project, "shop", &words);
        assert_eq!(made.stdout, "Created: ../.ftl/workspace/001_two_active.xml\n", "{made:#?}");
        let task = project.text(".ftl/workspace/001_two_active.xml");
        assert!(task.contains(&format!("<verify>{written}</verify>")), "{task}");
        ftl_in(&project, "shop", &["build", "--agent", "echo A = 2 > shop/a.py"]).ends(0);
    }
}

#[test]
fn every_path_of_a_result_is_as_it_is_typed_here() {
    let project = shop();
    let verify = "echo '  File \"shop/a.py\", line 1'; echo 'AssertionError: no'; false";
    ftl_in(&project, "", &["new", "Two", "--delta", "shop/a.py", "lib/d.py", "--verify", verify]);
    project.write("shop/a.py", "A = 2\n");
    project.write("lib/d.py", "D = 2\n");
    let built = ftl_in(&project, "shop", &["build", "-v"]).ends(3);
    for path in ["file       modified a.py", "file       modified ../lib/d.py"] {
        assert!(built.stdout.contains(path), "{path}: {}", built.stdout);
    }
    let of = |label: &str| {
        let line = built.stdout.lines().find(|line| line.trim_start().starts_with(label));
        line.unwrap_or_else(|| panic!("{label}: {}", built.stdout)).trim()[label.len()..].trim()
    };
    for label in ["log ", "record "] {
        assert!(project.path().join("shop").join(of(label)).is_file(), "{}", of(label));
    }
    let reproduce = Program::new("sh", &project.path().join("shop")).args(["-c", of("reproduce ")]);
    let again = Finished::of(reproduce);
    assert!(again.stdout.contains("AssertionError: no"), "{again:#?}");
    let shown = ftl_in(&project, "shop", &["show"]);
    let log = shown.stdout.lines().find(|line| line.trim_start().starts_with("logs "));
    let log = log.unwrap().split_whitespace().last().unwrap();
    assert!(project.path().join("shop").join(log).is_file(), "{log}");
}

#[test]
fn a_sentence_about_strays_names_them_as_they_are_typed_here() {
    let agent = "echo A = 2 > shop/a.py; echo D = 2 > lib/d.py";
    let strayed = |configuration: &str, exit: i32| {
        let project = shop().file("ftl.toml", configuration);
        ftl_in(&project, "", &["new", "Two", "--delta", "shop/a.py", "--verify", "true"]);
        ftl_in(&project, "shop", &["build", "--agent", agent]).ends(exit)
    };
    let blocked = strayed("[scope]\nstrays = 'block'\n", 3).stdout;
    assert!(blocked.contains("files outside the delta: ../lib/d.py"), "{blocked}");
    assert!(blocked.contains("stray      ../lib/d.py"), "{blocked}");
    assert!(blocked.contains("--take ../lib/d.py"), "{blocked}");
    assert!(!blocked.contains("reproduce"), "the verify never ran: {blocked}");
    let complete = strayed("", 0);
    assert_eq!(complete.stdout.lines().count(), 1, "{complete:#?}");
    assert!(complete.stderr.contains("1/quarantine/1: ../lib/d.py"), "{complete:#?}");
}

#[test]
fn a_delta_takes_directories_and_globs_and_says_what_they_mean() {
    let project = shop();
    let delta_of = |dir: &str, delta: &[&str]| {
        let words = [&["new", "Two", "--verify", "true", "--delta"], delta].concat();
        let made = ftl_in(&project, dir, &words).ends(0);
        let path = made.stdout.trim().strip_prefix("Created: ").unwrap();
        let path = project.path().join(dir).join(path);
        let parsed = project.ftl([Path::new("workspace"), Path::new("parse"), &path]).json();
        (parsed["delta"].clone(), made.stderr)
    };
    let (delta, said) = delta_of("", &["shop"]);
    assert_eq!(delta, serde_json::json!(["shop/a.py", "shop/b.py", "shop/deep/c.py"]));
    assert_eq!(said, "delta: 3 files\n  shop/a.py\n  shop/b.py\n  shop/deep/c.py\n");
    assert_eq!(delta_of("", &["shop/*.py"]).0, serde_json::json!(["shop/a.py", "shop/b.py"]));
    let (delta, _) = delta_of("shop", &["**/*.py", "../lib"]);
    let all = ["shop/a.py", "shop/b.py", "shop/deep/c.py", "lib/d.py"];
    assert_eq!(delta, serde_json::json!(all));
    assert_eq!(delta_of("shop", &["new.py"]).1, "");
    for number in 0..60 {
        project.write(format!("many/{number}.py"), "");
    }
    let (_, said) = delta_of("", &["many"]);
    assert_eq!((said.lines().count(), said.lines().last()), (52, Some("  and 10 more")));
    let none = project.ftl(["new", "x", "--delta", "shop/*.rb", "--verify", "true"]).ends(2);
    assert!(none.stderr.contains("`shop/*.rb` matches no file"), "{none:#?}");
}

#[test]
fn a_project_below_the_top_of_a_repository_is_announced_and_found_from_there() {
    let project = Project::empty();
    project.write("packages/tab/a.py", "A = 1\n");
    project.commit();
    let words = ["new", "Two", "--delta", "a.py", "--verify", "true"];
    let made = ftl_in(&project, "packages/tab", &words);
    assert!(made.stderr.contains("a new project begins in `packages/tab`"), "{made:#?}");
    let again = ftl_in(&project, "packages/tab", &words);
    assert_eq!(again.stderr, "", "{again:#?}");
    let listed = project.ftl(["status"]);
    assert!(listed.stdout.starts_with("packages/tab:\n"), "{listed:#?}");
    assert!(listed.stdout.contains("001_two"), "{listed:#?}");
    let listed = project.ftl(["status", "--format", "json"]).json();
    let path = listed["workspaces"][0]["path"].as_str().unwrap();
    assert_eq!(path, "packages/tab/.ftl/workspace/001_two_active.xml");
    assert!(project.path().join(path).is_file());
}

#[test]
fn every_command_takes_an_id_a_number_or_a_path() {
    let project = shop();
    ftl_in(&project, "", &["new", "Two", "--delta", "shop/a.py", "--verify", "true"]);
    let path = ".ftl/workspace/001_two_active.xml";
    for task in ["1", "001", "001-two", "001_two", path] {
        for words in [
            &["workspace", "parse"][..],
            &["workspace", "validate"],
            &["show"],
            &["report", "-o", "target/x.html"],
        ] {
            std::fs::create_dir_all(project.path().join("target")).unwrap();
            ftl_in(&project, "", &[words, &[task]].concat()).ends(0);
        }
    }
    ftl_in(&project, "", &["workspace", "validate"]).ends(0);
    let sealed = ftl_in(&project, "shop", &["workspace", "block", "1", "--reason", "why"]);
    assert_eq!(sealed.stdout, "Blocked: ../.ftl/workspace/001_two_blocked.xml\n", "{sealed:#?}");
}

#[test]
fn a_misspelt_file_in_a_verify_is_reported_before_anything_is_built() {
    let project = shop();
    let make = |verify: &str, delta: &str| {
        ftl_in(&project, "", &["new", "Two", "--delta", delta, "--verify", verify]).stderr
    };
    let said = make("grep A shop/aa.py", "shop/b.py");
    assert!(said.contains("did you mean `grep A shop/a.py`?"), "{said}");
    assert_eq!(make("grep A shop/aa.py", "shop/aa.py"), "");
    assert_eq!(make("grep A shop/a.py", "shop/b.py"), "");
}
