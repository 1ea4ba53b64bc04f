//! The command line as people use it every day: options of every command, short names, help, and the small commands.

use ftl_testkit::program::Program;
use serde_json::json;

use super::schemas::assert_fits;
use super::terminal::Terminal;
use crate::support::{FTL, Finished, Project, task};

fn project() -> Project {
    let project = Project::empty();
    project.add("001_a", task().delta(&["a.txt"]).verify("grep -q x a.txt").budget(9));
    project
}

#[test]
fn alone_it_prints_the_status_in_a_project_and_else_the_help() {
    let project = project();
    let status = project.ftl(["status"]).stdout;
    assert_eq!(project.ftl([""; 0]).ends(0).stdout, status);
    assert_eq!(project.ftl(["ls"]).ends(0).stdout, status);
    let help = Project::empty().ftl([""; 0]).ends(0).stdout;
    for part in ["Usage: ftl", "Tasks:\n  new ", "Results:\n  status", "Examples:\n", "-C <DIR>"] {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn every_command_takes_the_common_options_before_and_after_its_name() {
    let project = project();
    let afar = Project::empty();
    let root = project.path().to_str().unwrap();
    let status = project.ftl(["status"]).stdout;
    for words in [
        &["-C", root, "status"][..],
        &["status", "-C", root],
        &["--root", root, "status", "-q"],
        &["-v", "--color", "never", "status", "--root", root],
    ] {
        let said = Finished::of(Program::new(FTL, afar.path()).without_cargo().args(words)).ends(0);
        assert_eq!(said.stdout.lines().next(), status.lines().next(), "{words:?}");
        assert!(said.stdout.contains("001_a"), "{words:?}: {said:#?}");
    }
    let gone = project.ftl(["-C", "nowhere", "status"]).ends(2);
    assert!(gone.stderr.contains("usage::directory"), "{gone:#?}");
    // What is printed to go on works from the directory of the user.
    let words = ["-C", root, "build", "-a", "false"];
    let blocked = Finished::of(Program::new(FTL, afar.path()).without_cargo().args(words)).ends(3);
    assert!(
        blocked.stdout.contains(&format!("next       ftl -C {root} reopen 001_a")),
        "{blocked:#?}"
    );
}

#[test]
fn short_options_and_usual_names_work_or_are_suggested() {
    let project = project();
    let planned = project.ftl(["run", "-n", "--all"]).ends(0);
    assert!(planned.stdout.starts_with("· 001 a  planned\n"), "{planned:#?}");
    project.add("002_b", task().delta(&["b.txt"]).verify("true"));
    project.ftl(["run", "--all", "-j", "2", "-a", "echo x >$1; echo said"]).ends(0);
    let log = project.ftl(["log", "1"]).ends(0);
    assert!(
        log.stdout.starts_with("==> .ftl/runs/001_a/1/requests/1/agent.log <==\nsaid\n"),
        "{log:#?}"
    );
    assert_eq!(project.ftl(["show", "1", "--log"]).stdout, log.stdout);
    for (words, meant) in [
        (&["list"][..], "`ftl status`"),
        (&["build", "--json"], "`--format json`"),
        (&["biuld"], "`build`"),
        (&["undo"], "`ftl reopen`"),
    ] {
        let refused = project.ftl(words).ends(2);
        assert!(refused.stderr.contains(meant), "{words:?}: {refused:#?}");
        assert!(!refused.stderr.contains("help: \n"), "{words:?}: {refused:#?}");
    }
}

#[test]
fn the_diff_is_a_diff_and_nothing_else() {
    let project = project();
    project.write("a.txt", "before\n");
    project.ftl(["build", "-a", "echo x >>$1"]).ends(0);
    let diff = project.ftl(["show", "1", "--diff"]).ends(0);
    let expected = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n before\n+x\n";
    assert_eq!((diff.stdout.as_str(), diff.stderr.as_str()), (expected, ""));
    // Another program reads it.
    project.write("a.txt", "before\n");
    project.write("d.patch", diff.stdout);
    Program::new("patch", project.path()).args(["-p1", "-i", "d.patch"]).silent().run().unwrap();
    assert_eq!(project.text("a.txt"), "before\nx\n");
}

#[test]
fn a_long_result_is_shown_by_a_pager_on_a_terminal_alone() {
    let project = project();
    project.write("a.txt", "before\n");
    project.ftl(["build", "-a", "echo x >>$1"]).ends(0);
    let pager = [("PAGER", "sed s/^/paged:/")];
    let (code, screen, _) = Terminal::start(&project, &["show", "1", "--diff"], 80, &pager).end();
    assert_eq!(code, Some(0));
    assert!(screen.contains("paged:"), "{screen}");
    let piped = Program::new(FTL, project.path()).without_cargo().args(["show", "1", "--diff"]);
    let piped = Finished::of(piped.env("PAGER", "sed s/^/paged:/"));
    assert!(!piped.stdout.contains("paged:"), "{piped:#?}");
}

#[test]
fn an_active_task_is_edited_and_a_finished_one_is_not() {
    let project = project();
    let words = ["edit", "1", "--budget", "12", "--delta", "b.txt", "--verify", "true"];
    let edited = project.ftl(words).ends(0);
    assert_eq!(edited.stdout, "Edited: .ftl/workspace/001_a_active.xml\n");
    let parsed = project.ftl(["workspace", "parse", ".ftl/workspace/001_a_active.xml"]).json();
    assert_eq!(
        (&parsed["budget"], &parsed["delta"], &parsed["verify"]),
        (&json!(12), &json!(["a.txt", "b.txt"]), &json!("true"))
    );
    assert!(project.ftl(["edit", "1"]).ends(0).stdout.starts_with("Unchanged: "));
    let refused = project.ftl(["edit", "1", "--delta", "../x"]).ends(2);
    assert!(refused.stderr.contains(".."), "{refused:#?}");
    project.ftl(["build", "-a", "echo x >$1"]).ends(0);
    let refused = project.ftl(["edit", "1", "--budget", "3"]).ends(2);
    assert!(refused.stderr.contains("ftl reopen"), "{refused:#?}");
    let active = project.ftl(["reopen", "1"]).ends(0);
    assert!(active.stdout.starts_with("Reopened: "));
    let refused = project.ftl(["reopen", "1"]).ends(2);
    assert!(refused.stderr.contains("ftl edit"), "{refused:#?}");
}

#[test]
fn complete_tasks_are_checked_at_any_time_and_a_broken_one_is_shown_until_it_passes() {
    let project = project();
    project.add("002_b", task().delta(&["b.txt"]).verify("grep -q x a.txt"));
    project.add("003_c", task().delta(&["c.txt"]).verify("test -e c.txt"));
    assert_eq!(project.ftl(["check"]).ends(0).stdout.lines().count(), 1);
    for number in ["1", "2", "3"] {
        project.ftl(["build", number, "-a", "echo x >$1"]).ends(0);
    }
    let passed = project.ftl(["check"]).ends(0);
    assert!(passed.stdout.starts_with("2 checks passed in "), "{passed:#?}");
    project.write("a.txt", "y\n");
    let broken = project.ftl(["check", "--format", "json"]).ends(3);
    let said = broken.json();
    assert_eq!(said["outcome"], "broken", "{said:#}");
    let failed: Vec<_> =
        said["check"].as_array().unwrap().iter().filter(|check| check["passed"] == false).collect();
    assert_eq!((failed.len(), &failed[0]["tasks"]), (1, &json!(["001_a", "002_b"])), "{said:#}");
    super::schemas::assert_fits("results", &said);
    let status = project.ftl(["status"]).stdout;
    assert_eq!(status.matches("  broken ").count(), 2, "{status}");
    assert!(status.contains("1 complete, 0 blocked, 2 broken"), "{status}");
    project.ftl(["check", "3"]).ends(0);
    project.ftl(["check", "1"]).ends(3);
    // A clone has no runs, and can check all the same.
    std::fs::remove_dir_all(project.path().join(".ftl/runs")).unwrap();
    project.ftl(["check"]).ends(3);
    project.write("a.txt", "x\n");
    project.ftl(["check"]).ends(0);
    assert!(!project.ftl(["status"]).stdout.contains("broken"));
    let refused = project.ftl(["check", "9"]).ends(2);
    assert!(refused.stderr.contains("no task `9`"), "{refused:#?}");
}

#[test]
fn a_project_in_which_nothing_was_done_is_refused_unless_that_is_said() {
    let project = project();
    project.write("a.txt", "x\n");
    project.commit();
    for words in [&["build"][..], &["build", "--tree"]] {
        let refused = project.ftl(words).ends(2);
        for word in ["usage::no_change", "--agent", "--patch", "--no-change"] {
            assert!(refused.stderr.contains(word), "{word}: {refused:#?}");
        }
    }
    assert_eq!(project.workspaces(), ["001_a_active.xml"]);
    assert!(!project.path().join(".ftl/runs/001_a/1/journal.jsonl").exists());
    let built = project.ftl(["build", "--no-change"]).ends(0);
    assert!(
        built.stdout.starts_with("✓ 001 a  ") && built.stdout.contains("no change"),
        "{built:#?}"
    );
    project.ftl(["build", "--no-change", "-a", "true"]).ends(2);
}

#[test]
fn strays_of_a_complete_task_can_be_taken() {
    let project = project();
    project.ftl(["build", "-a", "echo x >$1; echo note >NOTES.md"]).ends(0);
    assert!(!project.path().join("NOTES.md").exists());
    let taken = project.ftl(["take", "1", "NOTES.md"]).ends(0);
    assert_eq!(taken.stdout, "Took: NOTES.md\n");
    assert_eq!(project.text("NOTES.md"), "note\n");
    project.ftl(["take", "1"]).ends(2);
}

#[test]
fn changed_options_of_an_unfinished_run_have_the_names_that_were_typed() {
    let project = project();
    project.ftl(["build", "--isolate", "copy", "-a", "kill -INT $PPID; sleep 60"]).ends(130);
    let refused = project.ftl(["build", "-a", "echo x >$1"]).ends(1);
    assert!(refused.stderr.contains("`--agent` from `kill -INT"), "{refused:#?}");
    let refused = project.ftl(["build", "--tree"]);
    assert!(
        !refused.stderr.contains("can mend") && !refused.stderr.contains("lands"),
        "{refused:#?}"
    );
}

#[test]
fn an_objective_comes_from_standard_input_a_file_or_the_editor() {
    let project = Project::empty();
    project.write("goal.md", "Take a discount\n\nof ten percent\n");
    let of = |script: &str| {
        project.script(&format!("\"$FTL\" new {script} --delta a.txt --verify true")).ends(0);
        let name = project.workspaces().last().unwrap().clone();
        let task = format!(".ftl/workspace/{name}");
        project.ftl(["workspace", "parse", &task]).json()["objective"].as_str().unwrap().to_owned()
    };
    assert_eq!(of("@goal.md"), "Take a discount\n\nof ten percent");
    assert_eq!(of("- <goal.md"), "Take a discount\n\nof ten percent");
    project.write("editor.sh", "sed -i 's/^/Really /' \"$1\"\n");
    let script = "EDITOR='sh editor.sh' \"$FTL\" new -e 'go on' --delta a.txt --verify true";
    let made = project.script(script).ends(0);
    assert!(made.stdout.contains("really-go-on_active.xml"), "{made:#?}");
    for script in ["@gone.md", "- </dev/null"] {
        let refused = project.script(&format!("\"$FTL\" new {script} --delta a.txt --verify true"));
        assert_eq!(refused.code, Some(2), "{refused:#?}");
        assert!(refused.stderr.contains("usage::objective"), "{refused:#?}");
    }
}

#[test]
fn commands_that_change_something_print_one_object_for_a_program() {
    let project = Project::empty().file("a.txt", "a\n").committed();
    let json = ["--format", "json"];
    let of = |words: &[&str]| {
        let said = project.ftl([words, &json].concat()).ends(0).json();
        assert_fits("actions", &said);
        said
    };
    let words = ["new", "One", "--delta", "a.txt", "--verify", "grep -q x a.txt"];
    let made = of(&[&words[..], &["--allow", "*.lock"]].concat());
    assert_eq!(
        made["actions"],
        json!([{"action": "created", "target": ".ftl/workspace/001_one_active.xml"}])
    );
    let edited = of(&["edit", "1", "--budget", "9", "--allow", "snap/"]);
    assert_eq!(edited["actions"][0]["action"], "edited");
    assert_eq!(
        edited["notes"],
        json!(["files like `snap/` may change too now", "the budget is now 9"])
    );
    assert_eq!(of(&["drop", "1"])["actions"][0]["action"], "dropped");
    assert_eq!(of(&["reopen", "1"])["actions"][0]["action"], "reopened");
    let refused = project.ftl([&["reopen", "1"][..], &json].concat()).ends(2);
    assert_eq!(refused.json()["outcome"], "failed");

    // What the task allows lands, and nothing else.
    let agent = "echo x >a.txt; mkdir snap; echo 1 >snap/one; echo 2 >b.lock; echo 3 >stray";
    let built = project.build(&["1", "--agent", agent]).ends(0).json();
    assert_eq!(
        (&built["allowed"], &built["strays"]),
        (&json!(["b.lock", "snap/one"]), &json!(["stray"]))
    );
    let left = ["snap/one", "b.lock", "stray"].map(|path| project.path().join(path).exists());
    assert_eq!(left, [true, true, false]);
}
