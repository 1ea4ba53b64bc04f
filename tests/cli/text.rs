//! What leaves ftl as text: nothing that a terminal obeys or that hides, and nothing without bounds.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::task;
use crate::support::{Finished, Project};

/// Characters and sequences that must not reach a terminal: how a shell's `printf` writes them.
const HARMFUL: &[&str] = &[
    r"\001",
    r"\007",
    r"\010",
    r"\013",
    r"\014",
    r"\016",
    r"\033",
    r"\177",
    r"\302\200",
    r"\302\205",
    r"\302\220",
    r"\302\233",
    r"\302\235",
    r"\302\237",
    r"\302\255",
    r"\315\217",
    r"\330\234",
    r"\341\205\237",
    r"\341\205\240",
    r"\341\236\264",
    r"\341\240\216",
    r"\342\200\213",
    r"\342\200\216",
    r"\342\200\217",
    r"\342\200\250",
    r"\342\200\251",
    r"\342\200\252",
    r"\342\200\253",
    r"\342\200\254",
    r"\342\200\255",
    r"\342\200\256",
    r"\342\201\240",
    r"\342\201\244",
    r"\342\201\246",
    r"\342\201\247",
    r"\342\201\250",
    r"\342\201\251",
    r"\342\201\252",
    r"\342\201\257",
    r"\343\205\244",
    r"\357\273\277",
    r"\357\276\240",
    r"\357\277\271",
    r"\357\277\276",
    r"\357\277\277",
    r"\357\267\220",
    r"\360\235\205\263",
    r"\363\240\200\201",
    r"\363\240\201\201",
    r"\363\240\201\277",
];

/// The same as characters; those that are bytes alone are none.
fn harmful() -> Vec<String> {
    let bytes = |word: &&str| {
        let octal = word.split('\\').filter(|part| !part.is_empty());
        let bytes = octal.map(|part| u8::from_str_radix(part, 8).unwrap());
        String::from_utf8(bytes.collect()).unwrap()
    };
    HARMFUL.iter().map(bytes).collect()
}

/// What XML can carry of it.
fn harmful_in_xml() -> Vec<String> {
    let is_char = |text: &String| {
        let c = text.chars().next().unwrap();
        c >= ' ' && c as u32 & 0xFFFE != 0xFFFE
    };
    harmful().into_iter().filter(is_char).collect()
}

fn assert_harmless(what: &str, text: &str) {
    for bad in harmful() {
        assert!(!text.contains(&bad), "{what} holds {bad:?}: {text:?}");
    }
    assert!(!text.contains('\r'), "{what} holds a carriage return");
}

/// Every file below `.ftl` that ftl wrote, with its text.
fn written(project: &Project) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![project.path().join(".ftl")];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                found.push((path.display().to_string(), text));
            }
        }
    }
    found
}

#[test]
fn control_characters_leave_by_no_way() {
    let all = HARMFUL.concat();
    let project = super::project(&[]);
    let verify =
        format!("printf 'error: {all}\\n'; printf '\\033]0;title\\007\\033[31mred\\n'; false");
    let verify = verify.replace('&', "&amp;");
    project.add("001_a", task().verify(&verify));
    let agent = format!(
        "echo x >> notes.txt; printf 'said {all}'; printf '{{\"summary\": \"s {all}\", \"needs\": [\"n{all}\"], \
         \"utilized\": [{{\"name\": \"u{all}\"}}]}}' >\"$FTL_REPLY\""
    );
    let words = ["build", "001", "--agent", &agent, "--format", "json", "--events", "events"];
    let finished = project.ftl(words).ends(3);
    assert_harmless("standard output", &finished.stdout);
    assert_harmless("standard error", &finished.stderr);
    let events = project.text("events");
    assert_harmless("the events", &events);
    for line in events.lines() {
        let _: Value = serde_json::from_str(line).unwrap();
    }
    for (path, text) in written(&project) {
        // What an agent wrote is kept as it wrote it.
        let exact = [".log", "reply.json", ".diff"];
        if !exact.iter().any(|end| path.ends_with(end)) {
            assert_harmless(&path, &text);
        }
    }
}

#[test]
fn names_of_strays_are_exact_in_json_and_visible_to_people() {
    for name in [
        "C1 \\302\\233",
        "bidi \\342\\200\\256",
        "DEL \\177",
        "line \\012 feed",
        "tag \\363\\240\\201\\201",
    ] {
        let project = super::project(&[]);
        for id in ["001_a", "002_b"] {
            project.add(id, task());
        }
        let agent = format!("echo x >> notes.txt; : >\"$(printf '{name}.')\"");
        let json = project.build(&["001", "--agent", &agent]);
        assert_harmless(name, &json.stdout);
        let stray = json.json()["strays"][0].as_str().unwrap().to_owned();
        let printf = ftl_testkit::program::Program::new("sh", project.path());
        let exact = printf.args(["-c", &format!("printf '{name}.'")]).text().unwrap();
        assert_eq!(stray, exact, "JSON gives the name as it is");
        let human = project.ftl(["build", "002", "--agent", &agent]);
        assert_harmless(name, &human.stdout);
        assert_harmless(name, &human.stderr);
        assert_eq!(human.code, Some(0), "{human:#?}");
    }
}

#[test]
fn text_of_a_task_file_is_shown_safely_by_every_command() {
    let all = harmful_in_xml().concat();
    let project = super::project(&[]);
    let text = format!(
        "<workspace status=\"active\" id=\"{all}\" created_at=\"{all}\" depends=\"{all}\" odd=\"{all}\">\
         <objective>o {all}</objective><implementation><delta>d{all}</delta><verify>echo {all}</verify>\
         <budget>5</budget></implementation><code_context path=\"c{all}\" lines=\"1\"><exports>e{all}\
         </exports></code_context><idioms framework=\"f{all}\"><required rule=\"{all}\">i{all}</required>\
         </idioms><prior_knowledge><failure name=\"n{all}\" match=\"(\"><trigger>t{all}</trigger><fix>{all}\
         </fix></failure></prior_knowledge><unknown/></workspace>\n"
    );
    project.write(".ftl/workspace/001_a_active.xml", &text);
    project.write("refused.xml", text.replace("<budget>5", &format!("<budget>{all}")));
    project.write("ftl.toml", format!("[agent]\n\"x{all}\" = 1\n"));
    let task = ".ftl/workspace/001_a_active.xml";
    let commands: &[&[&str]] = &[
        &["status"],
        &["status", "--format", "json"],
        &["workspace", "parse", task],
        &["workspace", "parse", task, "--full"],
        &["workspace", "parse", "refused.xml"],
        &["workspace", "validate", task, "refused.xml"],
        &["workspace", "validate", task, "--format", "json"],
        &["build", "001", "--dry-run"],
        &["build", "001"],
        &["build", &all],
        &["preflight", &all],
    ];
    for words in commands {
        let finished = project.ftl(*words);
        assert_harmless(&format!("{words:?}"), &finished.stdout);
        assert_harmless(&format!("{words:?}"), &finished.stderr);
    }
    let finished = project.ftl(["workspace", "parse", task]);
    assert_eq!(finished.json()["objective"], format!("o {all}"), "the value is exact");
}

#[test]
fn rows_of_status_cannot_be_forged() {
    let project = Project::empty();
    let forged = "<workspace status=\"x&#10;004_done    complete\" id=\"3\"><implementation><delta>a</delta>\
                  </implementation></workspace>";
    project.write(".ftl/workspace/003_z_active.xml", forged);
    let finished = project.ftl(["status"]);
    assert_eq!(finished.stdout.lines().count(), 4, "{finished:#?}");
    assert!(!finished.stdout.contains("\n004"), "{finished:#?}");
}

#[test]
fn text_that_was_painted_over_is_no_error_line() {
    let project = super::project(&[]);
    let verify = r"printf 'error: 1 %%\rerror: 50 %%\rerror: it broke\b\b\b\b\bfailed\n'; false";
    project.add("001_a", task().verify(verify));
    let finished = project.build(&["001"]);
    let said = finished.json();
    assert_eq!(said["block"]["error"], "error: it failed", "{finished:#?}");
    assert_eq!(said["verify"][0]["output"], "error: it failed\n", "{finished:#?}");
}

/// That a record can be read by every command that reads records.
fn assert_readable(project: &Project, finished: &Finished) {
    assert_eq!(finished.code, Some(3), "{}", finished.stderr);
    let record = ".ftl/workspace/001_a_blocked.xml";
    let parsed = project.ftl(["workspace", "parse", record]).ends(0);
    let delivered = parsed.json()["delivered"].as_str().unwrap().to_owned();
    assert!(delivered.len() < 20_000, "{} bytes", delivered.len());
    assert!(delivered.starts_with("BLOCKED: "), "{delivered}");
    let listed = project.ftl(["status", "--format", "json"]).json();
    assert!(listed["workspaces"][0].get("problem").is_none(), "{listed}");
}

#[test]
fn a_record_of_a_thousand_deep_strays_can_be_read_again() {
    let project = super::project(&[]);
    project.write("ftl.toml", "[scope]\nstrays = 'block'\n");
    project.add("001_a", task());
    let agent = "echo x >> notes.txt; d=$(printf '%0100d' 0); \
                 for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; \
                 do mkdir $d; cd $d; done; seq 1000 | sed \"s/^/$d-/\" | xargs touch";
    let finished = project.ftl(["build", "001", "--agent", agent]);
    assert!(finished.stdout.len() < 8 << 20);
    assert_readable(&project, &finished);
}

#[test]
fn a_record_of_an_endless_reply_can_be_read_again() {
    let project = super::project(&[]);
    project.add("001_a", task());
    let agent = "echo x >> notes.txt; { printf '{\"needs\": [\"a\"'; head -c 1040000 /dev/zero | \
                 sed 's/\\x00/,\"b\"/g' | head -c 1040000 | sed 's/,[^,]*$//'; printf ']}'; } >\"$FTL_REPLY\"";
    let finished = project.ftl(["build", "001", "--agent", agent]);
    assert_readable(&project, &finished);
    let one = Project::empty();
    one.write("notes.txt", "before\n");
    one.add("001_a", task());
    let agent = "echo x >> notes.txt; { printf '{\"summary\": \"'; head -c 1000000 /dev/zero | tr '\\0' '&'; \
                 printf '\", \"needs\": [\"'; head -c 40000 /dev/zero | tr '\\0' '&'; printf '\"]}'; } >\"$FTL_REPLY\"";
    let finished = one.ftl(["build", "001", "--agent", agent]);
    assert_readable(&one, &finished);
}

#[test]
fn a_record_of_the_largest_task_can_be_read_again() {
    let project = super::project(&[]);
    let text = task().verify("printf 'error: no\\n'; false").active();
    let padding = "x".repeat((4 << 20) - 200 - text.len() - "<!---->".len());
    project.write(".ftl/workspace/001_a_active.xml", format!("{text}<!--{padding}-->"));
    let finished = project.ftl(["build", "001"]);
    assert_readable(&project, &finished);
    let record = project.text(".ftl/workspace/001_a_blocked.xml");
    assert!(record.contains("<verified passed=\"false\""), "its account is kept too");
}

#[test]
fn a_diagnostic_can_point_anywhere_in_a_line_of_any_length() {
    let project = Project::empty();
    for length in [0, 1, 200, 65_535, 65_536, 200_000] {
        for fill in ["x", "\u{202e}"] {
            let mut text = "<workspace status=\"active\"><objective>".to_owned();
            let _ = write!(text, "{}</wrong>", fill.repeat(length));
            project.write(".ftl/workspace/001_a_active.xml", text);
            let task = ".ftl/workspace/001_a_active.xml";
            for words in [
                &["workspace", "parse", task][..],
                &["workspace", "validate", task],
                &["workspace", "block", task, "--reason", "x"],
            ] {
                let finished = project.ftl(words).ends(1);
                assert!(
                    finished.stderr.contains("</wrong>"),
                    "{length} {fill}: {}",
                    finished.stderr
                );
                assert!(
                    finished.stderr.len() < 8_000,
                    "{length} {fill}: {}",
                    finished.stderr.len()
                );
            }
        }
    }
    project.write("ftl.toml", format!("[verify]\n{} = 1", "k".repeat(70_000)));
    project.ftl(["preflight", "."]).ends(2);
}
