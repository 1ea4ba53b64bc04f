//! What a project's tasks share of the errors that they met, and who judges where that is not sure.

use std::fs;

use serde_json::Value;

use super::schemas::assert_fits;
use crate::support::task;
use crate::support::{Finished, Project};

/// A project whose tasks pass once `notes.txt` says so, with these failures in a separate file.
fn project(known: &str) -> Project {
    super::project(&[])
        .file("ftl.toml", "[knowledge]\nfiles = [\"known.toml\"]\n")
        .file("known.toml", known)
}

/// A task that fails with this error until `notes.txt` holds the word `repaired`.
fn failing(project: &Project, id: &str, error: &str) {
    let verify = format!("grep -q repaired notes.txt || {{ echo '{error}'; false; }}");
    project.add(id, task().verify(&verify).budget(9));
}

fn entry(name: &str, rest: &str) -> String {
    format!("[[failure]]\nname = \"{name}\"\n{rest}\n")
}

const MEND: &str = "kind = \"command\"\nfix = \"echo repaired >>notes.txt\"";

fn build(project: &Project, id: &str) -> Value {
    let finished = project.build(&[id, "--isolate", "copy", "--agent", "echo x >>notes.txt"]);
    assert!(finished.code == Some(0) || finished.code == Some(3), "{finished:#?}");
    finished.json()
}

/// Kills the builder that [`build_in_reach`] started, the first time.
const KILL_ONCE: &str = "[ -e $OUT/once ] || { : >$OUT/once; kill -9 $(cat $OUT/pid); sleep 9; }";

/// The same build, whose process ID the agent and the fixes find in `$OUT/pid`.
fn build_in_reach(project: &Project, agent: &str) -> Finished {
    project.script(&format!(
        "echo $$ >$OUT/pid; \
         exec \"$FTL\" build 001 --isolate copy --agent '{agent}' --format json"
    ))
}

fn warnings(result: &Value) -> String {
    result["warnings"].to_string()
}

#[test]
fn a_second_task_with_the_same_error_completes_at_once() {
    let project = project("");
    let error = "FluxError: capacitor `C7` is empty after 12 s";
    failing(&project, "001_a", error);
    let first = build(&project, "001");
    assert_eq!(first["block"]["kind"], "discovery_needed", "{first:#}");
    let record = ".ftl/workspace/001_a_blocked.xml";
    let added = project
        .ftl([
            "knowledge",
            "add",
            "flux",
            "--from",
            record,
            "--fix-command",
            "echo repaired >>notes.txt",
        ])
        .ends(0);
    assert_eq!(added.stdout, "Added: flux to known.toml\n");

    failing(&project, "002_b", "FluxError: capacitor `C7` is empty after 97 s");
    let second = build(&project, "002");
    assert_eq!(second["outcome"], "complete", "{second:#}");
    let states = second["states"].to_string();
    assert!(states.contains("RETRY"), "{states}");
    assert_eq!(second["retry"]["failure"], "flux");
    let record = project.text(".ftl/workspace/002_b_complete.xml");
    assert!(record.contains("<utilized name=\"flux\" type=\"failure\"/>"), "{record}");
    assert!(!record.contains("<prior_knowledge>"), "what is shared stays where it is");
}

#[test]
fn a_task_s_own_failures_come_first_and_agents_get_all() {
    let shared = entry("shared", &format!("trigger = \"FluxError: empty\"\n{MEND}"));
    let project = project(&shared);
    let own = "<prior_knowledge><failure name=\"own\"><trigger>FluxError: empty</trigger>\
               <fix kind=\"command\">echo repaired by own >>notes.txt</fix></failure></prior_knowledge><delivered/>";
    failing(&project, "001_a", "FluxError: empty");
    let path = ".ftl/workspace/001_a_active.xml";
    let text = project.text(path);
    project.write(path, text.replace("<delivered/>", own));
    let result = build(&project, "001");
    assert_eq!(result["outcome"], "complete", "{result:#}");
    assert_eq!(result["retry"]["failure"], "own", "{result:#}");
    let request = project.path().join(".ftl/runs/001_a/1/requests/1");
    let request = if request.is_dir() { request } else { found(&project, "prompt.md") };
    let prompt = fs::read_to_string(request.join("prompt.md")).unwrap();
    assert!(prompt.contains("- own: `FluxError: empty`. Fix: "), "{prompt}");
    assert!(prompt.contains("- shared: `FluxError: empty`. Fix: "), "{prompt}");
    let json = fs::read_to_string(request.join("request.json")).unwrap();
    let json: Value = serde_json::from_str(&json).unwrap();
    let failures = &json["workspace"]["prior_knowledge"]["failures"];
    assert_eq!(failures[1]["name"], "shared", "{failures:#}");
}

/// The directory of the first file of this name below `.ftl`.
fn found(project: &Project, name: &str) -> std::path::PathBuf {
    let mut open = vec![project.path().join(".ftl")];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.ends_with(name) {
                return dir;
            }
        }
    }
    panic!("no {name}")
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_its_place() {
    let good = entry("a", "trigger = \"x\"\nfix = \"y\"");
    for (what, lay, code, said) in [
        ("gone", "rm known.toml", "knowledge::unreadable", "there is no such file"),
        ("a pipe", "rm known.toml; mkfifo known.toml", "knowledge::unreadable", "regular"),
        ("a device", "ln -sf /dev/zero known.toml", "knowledge::unreadable", "leaves the root"),
        ("outside", "ln -sf /etc/passwd known.toml", "knowledge::unreadable", "leaves the root"),
        ("large", "truncate -s 5G known.toml", "knowledge::unreadable", "larger than 4 MiB"),
        ("no text", "printf '\\377' >known.toml", "knowledge::unreadable", "not UTF-8"),
        ("no TOML", "echo '[[' >known.toml", "config::syntax", "known.toml:1:3"),
        ("a word too many", "echo 'fixx = 1' >>known.toml", "config::unknown", "known.toml:5:1"),
        (
            "twice",
            "cat known.toml known.toml >k; mv k known.toml",
            "knowledge::twice",
            "known.toml:6:8",
        ),
    ] {
        let project = project(&good);
        project.add("001_a", task());
        let shell = ftl_testkit::program::Program::new("sh", project.path());
        shell.args(["-c", lay]).run().unwrap();
        let finished = project.build(&["001", "--tree"]);
        super::assert_refused(&finished, 2, code, said);
        assert_eq!(project.workspaces(), ["001_a_active.xml"], "{what}");
    }
}

#[test]
fn a_run_goes_on_only_with_the_failures_that_it_began_with() {
    let known = entry("flux", &format!("trigger = \"FluxError: empty\"\n{MEND}"));
    let project = project(&known);
    failing(&project, "001_a", "FluxError: empty");
    let agent = format!("echo x >>notes.txt; {KILL_ONCE}");
    assert_eq!(build_in_reach(&project, &agent).code, None);
    project
        .write("known.toml", format!("{known}{}", entry("more", "trigger = \"y\"\nfix = \"z\"")));
    let refused = build_in_reach(&project, &agent);
    super::assert_refused(&refused, 1, "build::changed", "options");
    project.write("known.toml", &known);
    let finished = build_in_reach(&project, &agent).ends(0);
    assert_eq!(finished.json()["retry"]["failure"], "flux");
}

#[test]
fn shared_failures_are_listed_and_tested() {
    let known = [
        entry("flux", &format!("trigger = \"FluxError: empty\"\ntags = [\"flaky\"]\n{MEND}")),
        entry("any", "match = \".\"\nkind = \"rerun\""),
        entry("disk", "trigger = \"No space left on device\"\nfix = \"make room\"\ncost = 7"),
    ];
    let project = project(&known.concat());
    let listed = project.ftl(["knowledge", "list"]).ends(0);
    for row in [
        "flux [flaky]  known.toml:2\n",
        "  trigger  FluxError: empty\n",
        "  rerun    the verify",
        "3 shared",
    ] {
        assert!(listed.stdout.contains(row), "{row}: {}", listed.stdout);
    }
    let listed = project.ftl(["knowledge", "list", "--format", "json"]).json();
    assert_fits("knowledge-list", &listed);
    assert_eq!(listed["failures"][2]["cost"], 7, "{listed:#}");
    assert_eq!(listed["failures"][1]["match"], ".", "{listed:#}");

    project.write("log", "building\nFluxError: empty\n");
    project.write("passing", "7 passed\n");
    let tested = project.ftl(["knowledge", "test", "log", "flux", "disk"]).ends(0);
    for row in [
        "error     FluxError: empty\n",
        "match     flux: matched flux by the text of its trigger\n",
        "no match  disk: its trigger does not occur; similarity 0.",
        "applied   flux\n",
    ] {
        assert!(tested.stdout.contains(row), "{row}: {}", tested.stdout);
    }
    let tested = project.ftl(["knowledge", "test", "log", "disk", "--format", "json"]).ends(1);
    assert_fits("knowledge-test", &tested.json());
    assert_eq!(tested.json()["applied"], Value::Null);
    assert_eq!(tested.json()["failures"][0]["matches"], false);
    let tested = project.ftl(["knowledge", "test", "log", "any", "--passing", "passing"]);
    assert!(tested.stderr.contains("fits any output"), "{tested:#?}");
    assert!(tested.stderr.contains("fits the output of a verify that passed"), "{tested:#?}");
    let unknown = project.ftl(["knowledge", "test", "log", "nothing", "--format", "json"]);
    super::assert_refused(&unknown, 2, "knowledge::unknown", "nothing");
}

#[test]
fn added_knowledge_is_read_again_and_refused_where_it_cannot_be() {
    let project =
        project("# ours\n[[failure]]\nname = \"old\"\ntrigger = \"x\"\nfix = \"y\" # why\n");
    let odd = "a\"b'\\d \u{e9}\n\tx";
    project
        .ftl([
            "knowledge",
            "add",
            "odd",
            "--trigger",
            odd,
            "--fix",
            odd,
            "--match",
            r"b'\\d|\bq\b",
            "--tag",
            "flaky",
            "--cost",
            "9",
        ])
        .ends(0);
    let listed = project.ftl(["knowledge", "list", "--format", "json"]).json();
    let (old, new) = (&listed["failures"][0], &listed["failures"][1]);
    assert_eq!(old["name"], "old");
    assert_eq!((&new["trigger"], &new["fix"]), (&odd.into(), &odd.into()), "{new:#}");
    assert_eq!(new["match"], r"b'\\d|\bq\b");
    let text = project.text("known.toml");
    assert!(text.starts_with("# ours\n") && text.contains("# why\n"), "{text}");

    project.ftl(["knowledge", "add", "wide", "--match", "", "--trigger", "t", "--rerun"]).ends(0);
    let wide = project.ftl(["knowledge", "add", "wider", "--match", ".", "--rerun"]);
    assert!(wide.stderr.contains("fits any output"), "{wide:#?}");
    for (words, code) in [
        (&["odd", "--trigger", "x", "--fix", "y"][..], "knowledge::twice"),
        (&["bad", "--trigger", "x", "--fix", "y", "--match", "("], "knowledge::match"),
        (&["bad", "--trigger", "x", "--fix", "y", "--file", "other.toml"], "knowledge::file"),
        (&["bad", "--trigger", "x", "--fix", " "], "knowledge::entry"),
        (&["bad", "--from", "known.toml", "--fix", "y"], "xml::"),
    ] {
        let before = project.read("known.toml");
        let refused = project.ftl([&["knowledge", "add"], words].concat());
        assert!(refused.code == Some(2) || code == "xml::", "{refused:#?}");
        assert!(refused.stderr.contains(code), "{code}: {refused:#?}");
        assert_eq!(project.read("known.toml"), before);
    }
}

#[test]
fn a_pattern_that_says_too_little_is_warned_of_where_it_is_used() {
    let known = entry("any", &format!("match = \"o\"\n{MEND}"));
    let project = project(&known);
    failing(&project, "001_a", "boom");
    let path = ".ftl/workspace/001_a_active.xml";
    let text = project.text(path);
    project.write(path, text.replace("grep -q", "echo 'all good'; grep -q"));
    let result = build(&project, "001");
    assert_eq!(result["outcome"], "complete", "{result:#}");
    let warning = "the pattern `o` of the failure `any` fits the output of a verify that passed";
    assert!(warnings(&result).contains(warning), "{result:#}");

    let project = self::project(&entry("any", "match = \".\"\nkind = \"rerun\""));
    failing(&project, "001_a", "boom");
    let result = build(&project, "001");
    assert!(warnings(&result).contains("fits any output"), "{result:#}");
}

/// An error, and a trigger that is like it but not like enough.
const NEAR: (&str, &str) = (
    "FluxError: the main capacitor of the left engine lost its charge while docking",
    "the capacitor must be charged before docking",
);

/// A project with one failure that is like the error, and a judge that runs this script.
fn judged(judge: &str) -> Project {
    let project = project(&entry("flux", &format!("trigger = \"{}\"\n{MEND}", NEAR.1)));
    project.write(
        "ftl.toml",
        format!("[knowledge]\nfiles = [\"known.toml\"]\n[retry]\njudge = {{ command = '''{judge}''', timeout = 2 }}\n"),
    );
    failing(&project, "001_a", NEAR.0);
    project
}

/// Reports each call in a file that git and ftl call scratch, and keeps what it was asked.
const TALLY: &str = "mkdir -p target; cat >target/asked; echo asked >>target/calls; ";

fn calls(project: &Project) -> usize {
    let calls = fs::read_to_string(project.path().join("target/calls"));
    calls.map_or(0, |calls| calls.lines().count())
}

#[test]
fn a_judge_decides_where_likeness_does_not() {
    let says =
        r#"echo thinking; echo '{"match": "flux", "reason": "the same part"}'; echo noise >&2"#;
    let project = judged(&format!("{TALLY}{says}"));
    let result = build(&project, "001");
    assert_eq!(result["outcome"], "complete", "{result:#}");
    assert_eq!(result["retry"]["failure"], "flux");
    assert_eq!(result["retry"]["rationale"], "matched flux by the judge: the same part");
    assert_eq!(calls(&project), 1);
    let asked: Value = serde_json::from_slice(&project.read("target/asked")).unwrap();
    assert_fits("judge-request", &asked);
    assert_eq!(asked["error"], NEAR.0, "{asked:#}");
    assert_eq!(asked["candidates"][0]["trigger"], NEAR.1, "{asked:#}");
    let score = asked["candidates"][0]["score"].as_f64().unwrap();
    assert!((0.30..0.55).contains(&score), "{score}");
}

#[test]
fn a_judge_that_says_no_or_fails_is_no_match() {
    for (what, says, warning) in [
        ("no", r#"echo '{"match": null, "reason": "another part"}'"#, None),
        ("an exit code", "exit 3", Some("it ended with exit 3")),
        ("a signal", "kill -9 $$", Some("signal 9")),
        ("silence", "true", Some("what it printed is no verdict")),
        ("prose", "echo yes", Some("what it printed is no verdict")),
        ("another name", r#"echo '{"match": "other"}'"#, Some("it was not asked about `other`")),
        ("too long", "sleep 30", Some("it did not end within 2 s")),
    ] {
        let project = judged(&format!("{TALLY}{says}"));
        let result = build(&project, "001");
        assert_eq!(result["block"]["kind"], "discovery_needed", "{what}: {result:#}");
        assert_eq!(calls(&project), 1, "{what}");
        let warned = warnings(&result);
        match warning {
            Some(warning) => {
                let whole = format!("the judge gave no verdict: {warning}");
                assert!(
                    warned.contains("the judge gave no verdict: ") && warned.contains(warning),
                    "{whole}: {warned}"
                );
            }
            None => assert!(!warned.contains("judge"), "{warned}"),
        }
    }
}

#[test]
fn a_judge_is_not_asked_where_something_matches_or_nothing_is_like_the_error() {
    for (error, kind) in [(NEAR.1, None), ("Segmentation fault", Some("discovery_needed"))] {
        let project = judged(&format!("{TALLY}exit 1"));
        failing(&project, "001_a", error);
        let result = build(&project, "001");
        assert_eq!(result["block"]["kind"].as_str(), kind, "{result:#}");
        assert_eq!(calls(&project), 0, "{error}");
    }
}

#[test]
fn the_same_error_is_judged_once_in_a_run_also_by_a_build_that_goes_on() {
    let says = r#"echo '{"match": "flux"}'"#;
    let project = judged(&format!("{TALLY}{says}"));
    // The fix does not help; it may be tried twice.
    let fix = format!(
        "kind = \"command\"\ntags = [\"flaky\"]\nfix = '''echo y >>notes.txt; {KILL_ONCE}'''"
    );
    project.write("known.toml", entry("flux", &format!("trigger = \"{}\"\n{fix}", NEAR.1)));
    let killed = build_in_reach(&project, "echo x >>notes.txt");
    assert_eq!(killed.code, None, "{killed:#?}");
    assert_eq!(calls(&project), 1);
    let result = build(&project, "001");
    assert_eq!(result["block"]["kind"], "retry_limit", "{result:#}");
    assert_eq!(result["retry"]["count"], 2, "{result:#}");
    assert_eq!(calls(&project), 1, "{result:#}");
}
