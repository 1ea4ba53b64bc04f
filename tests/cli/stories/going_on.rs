//! A block that one command goes on from.

use ftl_testkit::program::Program;
use serde_json::Value;

use super::{build, is_complete, new, next, paste, widgets};
use crate::support::{FTL, Finished, Project};

#[test]
fn a_stray_that_belongs_to_the_task_is_taken_in() {
    // A copy has no second verify, in the workplace with its strays.
    for (isolate, configuration) in [("copy", "[scope]\nstrays = \"block\"\n"), ("bind", "")] {
        let project = widgets();
        project.write("ftl.toml", configuration);
        let verify = "grep -q LIMIT=4 widget.txt && grep -q helper util.txt";
        new(&project, &["Raise the limit", "--delta", "widget.txt", "--verify", verify]);
        let agent = "echo LIMIT=4 > widget.txt; echo helper=1 > util.txt";
        let blocked = build(&project, &["--isolate", isolate, "--agent", agent]);
        let next = next(&blocked);
        assert_eq!(blocked.json()["block"]["kind"], "delta_insufficient");
        // Without the strays first, where it is not known that the work needs them; then without an agent.
        let without =
            "ftl take 001_raise-the-limit && ftl reopen 001_raise-the-limit --build --tree";
        assert_eq!(next[0] == without, isolate == "copy", "{next:?}");
        let taken = next
            .iter()
            .position(|command| command.starts_with("ftl take") && command.contains("--take"));
        let asked = "ftl reopen 001_raise-the-limit --take util.txt --build --agent";
        let asked = next.iter().position(|command| command.starts_with(asked)).unwrap();
        assert!(taken.unwrap() < asked, "{next:?}");
        assert_eq!(project.read("util.txt"), b"NAME = 'x'\n");
        assert_eq!(project.read("widget.txt"), b"LIMIT = 3\n");
        is_complete(&paste(&project, &next[asked]));
        assert_eq!(project.read("util.txt"), b"helper=1\n");
        assert_eq!(project.read("widget.txt"), b"LIMIT=4\n");
        // The next agent does not hear that its file was left behind.
        let prompt = project.text(".ftl/runs/001_raise-the-limit/2/requests/1/prompt.md");
        let stray = "- It also changed util.txt, which now belongs to the task: continue from its current content\n";
        assert!(prompt.contains(stray), "{prompt}");
        assert!(!prompt.contains("that was left behind, and may not be changed"), "{prompt}");
    }
}

#[test]
fn a_patch_that_strays_goes_on_from_what_it_wrote() {
    let project = widgets();
    project.write("ftl.toml", "[scope]\nstrays = \"block\"\n");
    let verify = "grep -q BOUND widget.txt && grep -q y util.txt";
    new(&project, &["Rename", "--delta", "widget.txt", "--verify", verify]);
    project.write(
        "both.patch",
        "--- a/widget.txt\n+++ b/widget.txt\n@@ -1 +1 @@\n-LIMIT = 3\n+BOUND = 3\n\
         --- a/util.txt\n+++ b/util.txt\n@@ -1 +1 @@\n-NAME = 'x'\n+NAME = 'y'\n",
    );
    let blocked = build(&project, &["--patch", "both.patch"]);
    let next = next(&blocked);
    assert_eq!(blocked.json()["block"]["kind"], "delta_insufficient", "{blocked:#?}");
    assert!(next[1].ends_with("--take util.txt --build --tree"), "{next:?}");
    assert_eq!(project.read("widget.txt"), b"LIMIT = 3\n");
    assert_eq!(project.read("util.txt"), b"NAME = 'x'\n");
    is_complete(&paste(&project, &next[1]));
    assert_eq!(project.read("widget.txt"), b"BOUND = 3\n");
    assert_eq!(project.read("util.txt"), b"NAME = 'y'\n");
}

#[test]
fn a_file_that_an_agent_says_it_needs_comes_into_the_delta() {
    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "grep -q 4 util.txt"]);
    let agent = "grep -q util.txt \"$FTL_REQUEST\" && echo 4 > util.txt || \
                 echo '{\"needs\": [\"util.txt\"]}' > \"$FTL_REPLY\"";
    // The request names the file only once it is in the delta.
    let agent = agent.replace("grep -q util.txt \"$FTL_REQUEST\"", "test \"$2\" = util.txt");
    let blocked = build(&project, &["--agent", &agent]);
    let next = next(&blocked);
    assert!(next[0].starts_with("ftl reopen 001_raise --delta util.txt --build"), "{next:?}");
    is_complete(&paste(&project, &next[0]));
}

#[test]
fn a_budget_that_was_too_small_is_named_so_that_it_suffices() {
    for (budget, agent) in [
        ("1", "true"),
        ("2", "echo 4 > widget.txt; echo 4 > util.txt"),
        ("3", "echo 4 > widget.txt; echo 4 > util.txt"),
    ] {
        let project = widgets();
        let words = ["Raise", "--verify", "grep -q 4 widget.txt util.txt", "--delta"];
        new(&project, &[&words[..], &["widget.txt", "util.txt"]].concat());
        let task = ".ftl/workspace/001_raise_active.xml";
        let text = project.text(task);
        let budget = format!("<budget>{budget}</budget>");
        project.write(task, text.replace("<budget>7</budget>", &budget));
        let blocked = build(&project, &["--agent", agent]);
        let next = next(&blocked);
        assert_eq!(blocked.json()["block"]["kind"], "budget_exhausted");
        assert!(next[0].starts_with("ftl reopen 001_raise --budget "), "{next:?}");
        let agent = "echo 4 > widget.txt; echo 4 > util.txt";
        is_complete(&paste(
            &project,
            &format!("{} --agent '{agent}'", next[0].split(" --agent").next().unwrap()),
        ));
    }
}

#[test]
fn a_mistyped_verify_is_corrected() {
    let project = widgets();
    project.write(
        ".ftl/workspace/001_a_active.xml",
        "<workspace status=\"active\"><implementation><delta>widget.txt</delta>\
         <verify>grpe -q 4 widget.txt</verify></implementation><delivered/></workspace>",
    );
    let paid = "echo paid > paid; echo 4 > widget.txt";
    let blocked = build(&project, &["--agent", paid]);
    let result = blocked.json();
    assert_eq!(result["block"]["kind"], "spec_invalid", "{result:#}");
    assert!(!project.path().join("paid").exists(), "no agent was asked");
    let problems = result["problems"].to_string();
    assert!(problems.contains("workspace::verify_program"), "{result:#}");
    assert!(blocked.stderr.contains("did you mean `grep`?"), "{blocked:#?}");
    assert!(blocked.stderr.contains("grpe -q 4 widget.txt"), "at its place: {blocked:#?}");
    let next = next(&blocked);
    assert!(
        next[0].starts_with("ftl reopen 001_a --verify 'grep -q 4 widget.txt' --build"),
        "{next:?}"
    );
    let command = next[0].replace("echo paid > paid; ", "");
    is_complete(&paste(&project, &command));
}

#[test]
fn an_agent_that_failed_is_shown_with_its_last_words_and_asked_again() {
    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "grep -q 4 widget.txt"]);
    // It fails once, and what the last run left is in the second prompt.
    let agent = "if grep -q 'What the last run left' \"$FTL_PROMPT\"; then echo 4 > widget.txt; \
                 else echo one; echo 'cannot log in: no key' >&2; exit 9; fi";
    let blocked = build(&project, &["--agent", agent]);
    let next = next(&blocked);
    let block = blocked.json()["block"].clone();
    assert_eq!(block["kind"], "implement_failed");
    let lines = block["last_lines"].as_array().unwrap();
    assert!(lines.contains(&Value::from("cannot log in: no key")), "{block:#}");
    let log = block["log"].as_str().unwrap();
    assert!(project.read(log).ends_with(b"no key\n"), "{log}");
    is_complete(&paste(&project, &next[0]));
}

#[test]
fn an_export_that_may_go_is_let_go() {
    let project = widgets();
    new(&project, &["Drop it", "--delta", "widget.py", "--verify", "true"]);
    let blocked = build(&project, &["--agent", "echo LIMIT=4 > widget.py"]);
    assert_eq!(blocked.json()["block"]["kind"], "exports_lost");
    let next = next(&blocked);
    assert!(next[0].contains("--allow-removed 'widget.py:limit()'"), "{next:?}");
    is_complete(&paste(&project, &next[0]));
}

#[test]
fn commands_are_as_they_are_typed_in_the_current_directory() {
    let project = widgets();
    project.write("sub/x", "");
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "grep -q h util.txt"]);
    let agent = "echo LIMIT=4 > widget.txt; echo h=1 > util.txt";
    let words = ["build", "001", "--format", "json", "--allow-removed", "*", "--agent", agent];
    let below = Program::new(FTL, &project.path().join("sub"));
    let blocked = Finished::of(below.without_cargo().args(words));
    let command = &next(&blocked)[0];
    assert!(command.contains("--take ../util.txt"), "{command}");
    is_complete(&paste(&project, &format!("cd sub && {command}")));

    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "false"]);
    let afar = Project::empty();
    let root = project.path().to_str().unwrap();
    let words = ["build", "001", "--root", root, "--format", "json", "--agent", "exit 1"];
    let blocked = Finished::of(Program::new(FTL, afar.path()).without_cargo().args(words));
    let command = &next(&blocked)[0];
    assert!(command.contains(&format!("--root {root}")), "{command}");
    paste(&afar, command).ends(3);
}

/// A build that blocks: how, what its agent does the first time and from then on (none: the user edits the tree),
/// and the words of `ftl new` behind the objective.
type Blocked = (&'static str, bool, &'static str, &'static str, &'static [&'static str]);

const DONE: &str = "sed -i '/^def ($/d; s/bound()/limit()/; s/3/4/' widget.py widget.txt";
const CHECKED: [&str; 5] =
    ["--delta", "widget.py", "widget.txt", "--verify", "grep -q 4 widget.py"];

const BLOCKS: &[Blocked] = &[
    ("discovery_needed", true, "echo '# x' >> widget.py", DONE, &CHECKED),
    ("discovery_needed", false, "echo '# x' >> widget.py", DONE, &CHECKED),
    ("implement_failed", true, "exit 1", DONE, &CHECKED),
    ("implement_failed", true, "true", DONE, &CHECKED),
    ("preflight_exhausted", true, "echo 'def (' >> widget.py", DONE, &CHECKED),
    ("preflight_exhausted", false, "echo 'def (' >> widget.py", DONE, &CHECKED),
    ("delta_insufficient", true, "sed -i s/3/4/ widget.py; echo y > new.txt", DONE, &CHECKED),
    ("delta_insufficient", true, "sed -i s/3/4/ widget.py; echo y > util.txt", DONE, &CHECKED),
    ("exports_lost", true, "sed -i 's/3/4/; s/limit()/bound()/' widget.py", DONE, &CHECKED),
    ("exports_lost", false, "sed -i 's/3/4/; s/limit()/bound()/' widget.py", DONE, &CHECKED),
    (
        "budget_exhausted",
        true,
        DONE,
        DONE,
        &["--delta", "widget.py", "widget.txt", "--verify", "false", "--budget", "3"],
    ),
    (
        "verify_untrusted",
        true,
        DONE,
        DONE,
        &["--delta", "widget.py", "widget.txt", "--verify", "python3 -c 'import widget' || true"],
    ),
    (
        "verify_untrusted",
        false,
        DONE,
        DONE,
        &["--delta", "widget.py", "widget.txt", "--verify", "python3 -c 'import widget' | tail -1"],
    ),
];

/// A project in which the first build of task 001 has blocked.
fn blocked((kind, has_agent, first, then, words): Blocked) -> (Project, Finished) {
    let project = widgets();
    project.write("ftl.toml", "[scope]\nstrays = \"block\"\n");
    project.commit();
    new(&project, &[&["Raise the limit"], words].concat());
    let agent = format!("if test -e $OUT/again; then {then}; else {first}; fi");
    let finished = match has_agent {
        true => build(&project, &["--agent", &agent]),
        false => {
            paste(&project, &agent);
            build(&project, &["--tree"])
        }
    };
    assert_eq!(finished.json()["block"]["kind"], kind, "{finished:#?}");
    project.mark("again");
    (project, finished)
}

fn leads_on(has_agent: bool) {
    for &block in BLOCKS.iter().filter(|block| block.1 == has_agent) {
        let (first, finished) = blocked(block);
        let mut first = Some(first);
        let error = finished.json()["block"]["error"].as_str().unwrap().to_owned();
        let commands = next(&finished);
        assert!(!commands.is_empty(), "{finished:#?}");
        for command in &commands {
            let project = first.take().unwrap_or_else(|| blocked(block).0);
            let followed = paste(&project, command);
            // It finds what is wrong, or goes on to a result.
            let is_check = command.starts_with("ftl preflight");
            let ends = if is_check { [0, 1] } else { [0, 3] };
            assert!(ends.map(Some).contains(&followed.code), "{command}: {followed:#?}");
            let is_same = followed.code == Some(3) && followed.stdout.contains(&error);
            assert!(!is_same, "{command}: {followed:#?}");
        }
    }
}

#[test]
fn every_next_command_leads_on_from_the_block_of_an_agent() {
    leads_on(true);
}

#[test]
fn every_next_command_leads_on_from_the_block_of_a_user() {
    leads_on(false);
}

#[test]
fn an_agent_that_deleted_everything_is_not_offered_every_file_as_its_delta() {
    for (deleted, is_offered) in
        [("rm -rf *", false), ("rm ftl.toml", false), ("rm util.txt widget.py", true)]
    {
        let project = widgets();
        project.write("ftl.toml", "[scope]\nstrays = \"block\"\n");
        for number in 1..=5 {
            project.write(format!("docs/{number}.txt"), "text\n");
        }
        project.commit();
        new(&project, &["Raise", "--delta", "widget.txt", "--verify", "true"]);
        let agent = format!("{deleted}; echo 4 > widget.txt");
        let blocked = build(&project, &["--agent", &agent]);
        assert_eq!(blocked.json()["block"]["kind"], "delta_insufficient", "{blocked:#?}");
        for path in ["util.txt", "widget.py", "ftl.toml", "docs/5.txt"] {
            assert!(project.path().join(path).exists(), "{deleted}: {path}");
        }
        let next = next(&blocked);
        let offers = |text: &str| next.iter().any(|command| command.contains(text));
        assert_eq!(offers("--delta util.txt widget.py"), is_offered, "{next:?}");
        assert_eq!(offers("--delta"), is_offered, "{next:?}");
    }
}
