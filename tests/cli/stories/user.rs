//! What a user does about a block of the user's work: the printed commands, run as they are printed.

use super::{build, is_complete, new, next, paste, widgets};
use crate::support::{Finished, Project};

/// The last line of a block's text.
fn then(project: &Project) -> String {
    let shown = project.ftl(["show", "1"]);
    let last = shown.stdout.lines().find(|line| line.trim_start().starts_with("then "));
    last.unwrap_or_else(|| panic!("{shown:#?}")).trim()["then".len()..].trim().to_owned()
}

/// The command in backticks of a sentence.
fn quoted(sentence: &str) -> &str {
    sentence.split('`').nth(1).unwrap()
}

fn blocked_by(verify: &str, text: &str) -> (Project, Finished) {
    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.py", "--verify", verify]);
    project.write("widget.py", text);
    let blocked = build(&project, &["--tree"]);
    (project, blocked)
}

#[test]
fn a_block_of_a_users_work_ends_with_what_the_user_does() {
    for (verify, wrong) in [
        ("grep -q 'LIMIT = 4' widget.py", "LIMIT = 5\n\n\ndef limit():\n    return LIMIT\n"),
        ("grep -q 'LIMIT = 4' widget.py", "LIMIT = (\n"),
    ] {
        let (project, blocked) = blocked_by(verify, wrong);
        let next = next(&blocked);
        let then = then(&project);
        // None of them ends in a usage error, or in the same block.
        for command in &next {
            let ran = paste(&project, command);
            let is_check = command.starts_with("ftl preflight");
            assert_eq!(ran.code, Some(i32::from(is_check)), "{command}: {ran:#?}");
        }
        assert_eq!(project.workspaces(), ["001_raise_active.xml"]);
        assert!(then.starts_with("fix what failed, and `ftl build 001_raise"), "{then}");
        project.write("widget.py", "LIMIT = 4\n\n\ndef limit():\n    return LIMIT\n");
        is_complete(&paste(&project, quoted(&then)));
    }
}

#[test]
fn a_task_file_that_cannot_be_read_is_validated_and_corrected() {
    let project = widgets();
    let task = ".ftl/workspace/001_a_active.xml";
    project.write(task, "<workspace status=\"active\"><implementation>");
    let blocked = build(&project, &["--tree"]);
    let next = next(&blocked);
    assert_eq!(next, [format!("ftl workspace validate {task}")], "{blocked:#?}");
    paste(&project, &next[0]).ends(1);
    let then = blocked.json()["then"].as_str().unwrap().to_owned();
    assert_eq!(then, "correct the task file, and `ftl build 001_a --tree`");
}

#[test]
fn a_record_that_no_build_can_use_is_validated_and_corrected() {
    let project = widgets();
    let name = "001_a_active.xml";
    let text = "<workspace status=\"active\"><implementation><delta>../x</delta>\
                <verify>true</verify></implementation><delivered/></workspace>";
    project.write(format!(".ftl/workspace/{name}"), text);
    let blocked = build(&project, &["--agent", "true"]);
    let next = next(&blocked);
    let ran = paste(&project, &next[0]).ends(1);
    assert!(ran.stderr.contains("`..`"), "{ran:#?}");
    let record = ".ftl/workspace/001_a_blocked.xml";
    let text = project.text(record);
    project.write(record, text.replace("<delta>../x</delta>", "<delta>widget.txt</delta>"));
    let then = blocked.json()["then"].as_str().unwrap().to_owned();
    let then = quoted(&then).replace("--agent true", "--agent 'echo 4 > widget.txt'");
    is_complete(&paste(&project, &then));
}

#[test]
fn a_stray_above_the_root_is_kept_and_belongs_to_no_delta() {
    let project = Project::empty();
    project.write("a/x.txt", "1\n");
    project.write("b/n.txt", "1\n");
    project.commit();
    let sub = |words: &[&str]| {
        let program =
            ftl_testkit::program::Program::new(crate::support::FTL, &project.path().join("a"));
        Finished::of(program.without_cargo().args(words))
    };
    sub(&["new", "Two", "--delta", "x.txt", "--verify", "grep -q 2 ../b/n.txt"]).ends(0);
    let agent = "echo 2 > x.txt; echo 2 > ../b/n.txt; echo 3 > ../b/new.txt";
    let blocked = sub(&["build", "1", "--format", "json", "--agent", agent]);
    let next = next(&blocked);
    let result = blocked.json();
    assert_eq!(result["block"]["kind"], "delta_insufficient", "{blocked:#?}");
    assert_eq!(result["strays"], serde_json::json!(["../b/n.txt", "../b/new.txt"]));
    assert!(next.iter().all(|command| !command.contains("--take")), "{next:?}");
    let kept = format!("a/{}/above-root/b", result["quarantine"].as_str().unwrap());
    assert_eq!(project.read(format!("{kept}/n.txt")), b"2\n");
    assert_eq!(project.read(format!("{kept}/new.txt")), b"3\n");

    // No spelling brings one into the delta, or to another place.
    for path in ["../b/n.txt", "above-root/b/n.txt"] {
        for words in [&["reopen", "1", "--take", path][..], &["take", "1", path]] {
            let refused = sub(words).ends(2);
            assert!(refused.stderr.contains("usage::"), "{words:?}: {refused:#?}");
        }
    }
    assert!(!project.path().join("a/above-root").exists());
    assert_eq!(project.read("a/x.txt"), b"1\n");
    assert_eq!(project.read("b/n.txt"), b"1\n");
    assert!(!project.path().join("b/new.txt").exists());
    // The user takes them, and then the work.
    let copied = project.script(&format!("cp {kept}/*.txt b/"));
    assert_eq!(copied.code, Some(0), "{copied:#?}");
    sub(&["take", "1"]).ends(0);
    is_complete(&sub(&["reopen", "1", "--build", "--tree"]));
    assert_eq!(project.read("a/x.txt"), b"2\n");
}
