//! What a build looks at beside the delta, and what it reports of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ftl_engine::run::{IGNORED_CACHES, SCRATCH_NAMES};
use ftl_testkit::program::Program;

use super::project;
use crate::support::task;
use crate::support::{FTL, Finished, Project};

const A: &str = "001_a_active.xml";

/// A repository whose directory `app` is the root.
fn below() -> Project {
    let project = Project::empty();
    project.write("app/notes.txt", "before\n");
    project.write("lib/old.txt", "old\n");
    project.write(format!("app/.ftl/workspace/{A}"), task().active());
    project.commit();
    project
}

fn build_in(project: &Project, dir: &str, agent: &str) -> Finished {
    let words = ["build", "001", "--format", "json", "--agent", agent];
    let program = Program::new(FTL, &project.path().join(dir));
    Finished::of(program.without_cargo().args(words))
}

#[test]
fn a_root_below_the_top_answers_for_the_whole_repository() {
    let agent = "echo work >>notes.txt; echo new >../lib/new.txt; echo x >>../lib/old.txt";
    let project = below();
    let finished = build_in(&project, "app", agent).ends(0);
    let said = finished.json();
    assert_eq!(said["strays"], serde_json::json!(["../lib/new.txt", "../lib/old.txt"]));
    let left = "outside the delta, and left out of the project: ../lib/new.txt, ../lib/old.txt";
    assert!(finished.warnings().contains(left), "{finished:#?}");
    let is_untouched = |project: &Project| {
        assert_eq!(project.read("lib/old.txt"), b"old\n");
        assert!(!project.path().join("lib/new.txt").exists());
    };
    is_untouched(&project);
    assert_eq!(project.read("app/notes.txt"), b"before\nwork\n");
    let kept = "app/.ftl/runs/001_a/1/quarantine/1/above-root/lib";
    assert_eq!(project.read(format!("{kept}/old.txt")), b"old\nx\n");
    assert_eq!(project.read(format!("{kept}/new.txt")), b"new\n");

    let project = below();
    project.write("app/ftl.toml", "[scope]\nstrays = \"block\"\n");
    let blocked = build_in(&project, "app", agent).ends(3).json();
    assert_eq!(blocked["block"]["kind"], "delta_insufficient", "{blocked:#}");
    is_untouched(&project);
    assert_eq!(project.read("app/notes.txt"), b"before\n");

    let project = below();
    project.write("app/ftl.toml", "[scope]\nwatch = \"root\"\n");
    build_in(&project, "app", agent).ends(0);
    assert_eq!(project.read("lib/old.txt"), b"old\nx\n");
}

#[test]
fn the_quarantine_is_named_wherever_strays_are() {
    let project = project(&[A]);
    let agent = "echo work >>notes.txt; echo new >stray.txt";
    let finished = build_in(&project, "", agent);
    let said = finished.json();
    let dir = ".ftl/runs/001_a/1/quarantine/1";
    assert_eq!(said["quarantine"], dir, "{finished:#?}");
    assert_eq!(project.read(format!("{dir}/stray.txt")), b"new\n");
    let record = project.text(said["workspace"].as_str().unwrap());
    assert!(record.contains(&format!("<quarantine path=\"{dir}\">")), "{record}");

    let project = super::project(&[A]);
    let finished = project.ftl(["build", "001", "--agent", agent]);
    let line = format!("left behind, and kept in {dir}: stray.txt\n");
    assert!(finished.stderr.contains(&line), "{finished:#?}");

    for configuration in ["", "[scope]\nstrays = \"block\"\n"] {
        let project = super::project(&[A]);
        project.write("ftl.toml", configuration);
        let said = build_in(&project, "", "echo w >>notes.txt").ends(0).json();
        assert!(said["quarantine"].is_null(), "{said:#}");
    }
}

/// Git prints paths line by line, of which a name may hold some.
#[test]
fn a_root_whose_name_holds_a_line_feed_is_built_in() {
    let build = |project: &Project, root: &str| {
        let agent = "echo work >>notes.txt; echo stray >stray.txt; echo changed >old.txt";
        let strayed = build_in(project, root, agent).ends(0);
        let strays = serde_json::json!(["old.txt", "stray.txt"]);
        assert_eq!(strayed.json()["strays"], strays, "{root:?}");
        let left = "outside the delta, and left out of the project: old.txt, stray.txt";
        assert_eq!(strayed.json()["warnings"], serde_json::json!([left]), "{root:?}");
        assert!(!project.path().join(root).join("stray.txt").exists());
        assert_eq!(project.read(format!("{root}/old.txt")), b"old\n");

        let again = format!("{root}/.ftl/workspace/002_b_active.xml");
        project.write(again, task().active());
        let program = Program::new(FTL, &project.path().join(root)).without_cargo();
        Finished::of(program.args(["build", "002", "--agent", "echo more >>notes.txt"])).ends(0);
        assert_eq!(project.read(format!("{root}/notes.txt")), b"before\nwork\nmore\n", "{root:?}");
    };
    for root in ["line\nfeed", "line\nfeed\n/be\nlow\n"] {
        let top = root.split('/').next().unwrap();
        for with_git in [false, true] {
            let project = Project::empty();
            project.write(format!("{root}/notes.txt"), "before\n");
            project.write(format!("{root}/old.txt"), "old\n");
            project.write(format!("{root}/.ftl/workspace/{A}"), task().active());
            if with_git {
                let top = project.path().join(top);
                for words in [
                    &["init", "--quiet"][..],
                    &["add", "-A"],
                    &["commit", "--quiet", "--message", "c"],
                ] {
                    Program::git(&top).args(words).run().unwrap();
                }
            }
            build(&project, root);
        }
    }
}

/// After `.ftl` is removed, the next build begins with run 1 again, and nothing of the older run 1 counts.
#[test]
fn an_older_run_of_the_same_number_says_nothing_of_the_tree() {
    let project = project(&[A]);
    let agent = "echo work >>notes.txt";
    build_in(&project, "", agent).ends(0);
    fs::remove_dir_all(project.path().join(".ftl")).unwrap();
    project.write(".gitignore", "*.log\n");
    project.commit();
    project.add("001_a", task());
    build_in(&project, "", &format!("{agent}; echo 1 >my.log")).ends(0);
}

#[test]
fn allowed_files_stay_cost_nothing_and_are_reported() {
    let project = project(&[A]);
    project.write("ftl.toml", "[scope]\nallow = [\"*.lock\"]\n");
    let agent = "grep -F '*.lock' \"$FTL_PROMPT\" >/dev/null && echo work >>notes.txt; mkdir sub; echo 1 >sub/my.lock";
    let finished = build_in(&project, "", agent).ends(0);
    let said = finished.json();
    assert_eq!(said["allowed"], serde_json::json!(["sub/my.lock"]));
    assert_eq!(said["strays"], serde_json::json!([]));
    assert_eq!(said["budget"]["used"], 3, "READ, one file, VERIFY");
    assert_eq!(project.read("sub/my.lock"), b"1\n");
    let record = project.text(said["workspace"].as_str().unwrap());
    assert!(record.contains("<allowed path=\"sub/my.lock\""), "{record}");

    let project = super::project(&[A]);
    project.write("ftl.toml", "[scope]\nallow = [\"*.lock\"]\n");
    let finished = project.ftl(["build", "001", "-v", "--agent", agent]);
    assert!(finished.stdout.contains("allowed    sub/my.lock"), "{finished:#?}");
    // What may change does not stand for the work itself.
    let project = super::project(&[A]);
    project.write("ftl.toml", "[scope]\nallow = [\"*.lock\"]\n");
    let said = build_in(&project, "", "echo 1 >my.lock").json();
    assert_eq!(said["block"]["kind"], "implement_failed", "{said:#}");
}

#[test]
fn a_fix_may_consist_of_an_allowed_file() {
    let project = project(&[]);
    project.write("ftl.toml", "[scope]\nallow = [\"*.lock\"]\n");
    let verify = "test -e my.lock || { echo ERROR: the lock file is missing; exit 1; }";
    project.add(
        "001_a",
        task().verify(verify).rest(
            "<prior_knowledge><failure name=\"lock\"><trigger>the lock file is missing</trigger>\
             <fix kind=\"command\">echo 1 >my.lock</fix></failure></prior_knowledge>",
        ),
    );
    let finished = build_in(&project, "", "echo work >>notes.txt").ends(0);
    assert_eq!(finished.json()["allowed"], serde_json::json!(["my.lock"]));
}

#[test]
fn no_rule_that_comes_later_hides_a_stray() {
    for rule in [
        "echo hidden.py >>.git/info/exclude",
        "echo hidden.py >>.gitignore",
        "echo hidden.py >>\"$XDG_CONFIG_HOME/git/ignore\"",
    ] {
        let project = project(&[A]);
        project.commit();
        let home = Project::empty();
        home.write("git/ignore", "");
        let agent = format!("echo work >>notes.txt; {rule}; echo evil >hidden.py");
        let words = ["build", "001", "--format", "json", "--agent", &agent];
        let program = Program::new(FTL, project.path()).without_cargo().args(words);
        let finished = Finished::of(program.env("XDG_CONFIG_HOME", home.path()));
        let said = finished.ends(0).json();
        let strays = said["strays"].as_array().unwrap();
        assert!(strays.contains(&"hidden.py".into()), "{rule}: {strays:?}");
        assert!(!project.path().join("hidden.py").exists(), "{rule}");
        let kept = project.read(".ftl/runs/001_a/1/quarantine/1/hidden.py");
        assert_eq!(kept, b"evil\n", "{rule}");
    }
}

#[test]
fn scratch_is_reported_where_a_command_changed_it() {
    let project = project(&[A]);
    project.write(".gitignore", "out/\n.ftl/\n");
    project.commit();
    project.write("out/old", "1");
    project.write("node_modules/m/x.js", "1");
    let said = build_in(&project, "", "echo work >>notes.txt").json();
    assert_eq!(said["scratch"], serde_json::json!([]), "{said:#}");
    assert_eq!(said["warnings"], serde_json::json!([]), "{said:#}");

    project.add("002_b", task().verify("echo 2 >out/new; echo 2 >node_modules/m/x.js"));
    let words = ["build", "002", "--format", "json", "--agent", "echo work >>notes.txt"];
    let said = project.ftl(words).ends(0).json();
    let scratch = said["scratch"].as_array().unwrap();
    let paths: Vec<_> = scratch.iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["node_modules", "out"]);
    assert_eq!(project.read("node_modules/m/x.js"), b"2\n");

    // An implementer's never comes into the project.
    project.add("003_c", task());
    let agent = "echo work >>notes.txt; echo 3 >out/third; echo 3 >node_modules/m/x.js";
    let words = ["build", "003", "--format", "json", "--agent", agent];
    let finished = project.ftl(words).ends(0);
    assert_eq!(finished.json()["scratch"], serde_json::json!([]), "{finished:#?}");
    assert!(finished.warnings().contains("left as they are in the project: node_modules"));
    assert!(!project.path().join("out/third").exists());
    assert_eq!(project.read("node_modules/m/x.js"), b"2\n");
}

#[test]
fn neither_a_planted_repository_nor_the_mode_of_the_root_comes_into_the_project() {
    let project = project(&[A]);
    project.commit();
    fs::create_dir(project.path().join("src")).unwrap();
    let root = || fs::metadata(project.path()).unwrap().permissions().mode() & 0o7777;
    let mode = root();
    let agent =
        "echo work >>notes.txt; mkdir -p src/.git/hooks; echo x >src/.git/config; chmod 777 .";
    let finished = build_in(&project, "", agent).ends(0);
    let said = finished.json();
    assert_eq!(said["strays"], serde_json::json!(["."]), "{finished:#?}");
    assert!(!project.path().join("src/.git").exists());
    assert_eq!(root(), mode);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

/// The list of names that count as scratch is the one in the guide.
#[test]
fn the_guide_lists_the_names_of_scratch() {
    let guide = fs::read_to_string(ftl_testkit::root().join("docs/scope.md")).unwrap();
    let mut rows = guide.lines().filter(|line| line.starts_with("- `"));
    for names in [&IGNORED_CACHES[..], &SCRATCH_NAMES] {
        let row = rows.next().unwrap();
        let named: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert_eq!(named, names, "docs/scope.md lists other names");
    }
    assert_eq!(rows.next(), None);
}
