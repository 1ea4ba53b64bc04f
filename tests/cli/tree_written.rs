//! What verify and preflight commands change outside the delta: reported, and a block where policy says so.

use serde_json::{Value, json};

use crate::support::{Project, task};

const AGENT: &str = "echo work >>notes.txt";
const UNTRUSTED: &str = "[verify]\nuntrusted = ['tree_written']\n";

/// A project with a file beside the delta, and one task of these elements.
fn project(elements: &str) -> Project {
    let task = task().without_verify().elements(elements);
    super::project(&[]).file("other.txt", "before\n").task("001_a", task)
}

fn build(project: &Project, options: &[&str]) -> Value {
    let words = ["build", "001", "--format", "json", "--agent", AGENT];
    project.ftl([&words, options].concat()).json()
}

/// The sentences that name files which a command changed.
fn reported(said: &Value) -> Vec<&str> {
    let warnings = said["warnings"].as_array().unwrap().iter();
    let warnings = warnings.map(|warning| warning.as_str().unwrap());
    warnings.filter(|warning| warning.contains("outside the delta")).collect()
}

fn scratch(said: &Value) -> Vec<&str> {
    let paths = said["scratch"].as_array().unwrap().iter();
    paths.map(|one| one["path"].as_str().unwrap()).collect()
}

const CHANGED: &str = "the verify changed 1 file outside the delta: other.txt";

#[test]
fn a_verify_that_rewrites_a_file_of_the_project_is_a_warning_that_names_it() {
    for git in [false, true] {
        let project = project("<verify>echo more >>other.txt</verify>");
        if git {
            project.commit();
        }
        let said = build(&project, &[]);
        assert_eq!(said["outcome"], "complete", "{said:#}");
        assert_eq!(said["verify"][0]["findings"], json!(["tree_written"]));
        assert_eq!(reported(&said), [CHANGED], "{said:#}");
        assert_eq!(scratch(&said), [""; 0], "{said:#}");
        let record = project.text(said["workspace"].as_str().unwrap());
        assert!(record.contains("<finding>tree_written</finding>"), "{record}");
        assert!(record.contains(CHANGED), "{record}");
        assert_eq!(project.read("other.txt"), b"before\nmore\n", "nothing is undone");
    }
}

#[test]
fn a_command_that_removes_or_replaces_files_is_reported_too_and_counts_them() {
    let project = project(
        "<verify>rm -r docs other.txt; mkdir other.txt; echo 1 >other.txt/new; \
         for n in 1 2 3 4 5 6 7 8 9; do echo 2 >many/$n; done</verify>",
    );
    project.write("docs/guide.md", "a guide\n");
    for n in 1..=9 {
        project.write(format!("many/{n}"), "old\n");
    }
    project.commit();
    let said = build(&project, &[]);
    let sentence = "the verify changed 11 files outside the delta: docs/guide.md, many/1, many/2, \
                    many/3, many/4, many/5, many/6, many/7, many/8, many/9 and 1 more";
    assert_eq!(reported(&said), [sentence], "{said:#}");
    assert_eq!(scratch(&said), ["other.txt/new"], "{said:#}");
}

#[test]
fn files_that_git_does_not_track_are_scratch() {
    let verify = "<verify>echo 2 >>mine.txt &amp;&amp; echo new >new.txt &amp;&amp; mkdir .cache &amp;&amp; echo 1 >.cache/x</verify>";
    let project = project(verify);
    project.commit();
    project.write("mine.txt", "mine\n");
    let said = build(&project, &[]);
    assert_eq!(said["verify"][0]["findings"], json!([]), "{said:#}");
    assert_eq!(said["warnings"], json!([]), "{said:#}");
    assert_eq!(scratch(&said), [".cache", "mine.txt", "new.txt"]);
}

#[test]
fn without_git_what_was_not_there_is_scratch() {
    let project =
        project("<verify>mkdir out &amp;&amp; echo 1 >out/x &amp;&amp; echo 2 >target/x</verify>");
    project.write("target/x", "1\n");
    let said = build(&project, &[]);
    assert_eq!(said["verify"][0]["findings"], json!([]), "{said:#}");
    assert_eq!(scratch(&said), ["out", "target"], "{said:#}");
}

#[test]
fn the_delta_has_a_separate_block() {
    let project = project("<verify>echo more >>notes.txt</verify>");
    project.write("ftl.toml", UNTRUSTED);
    project.commit();
    let said = build(&project, &[]);
    assert_eq!(said["block"]["kind"], "tree_changed", "{said:#}");
    assert_eq!(said["verify"][0]["findings"], json!([]), "{said:#}");
    assert_eq!(reported(&said), [""; 0], "{said:#}");
}

#[test]
fn policy_makes_it_a_block_whichever_command_it_was() {
    for elements in [
        "<verify>echo more >>other.txt</verify>",
        "<verify>true</verify><preflight>echo more >>other.txt</preflight>",
    ] {
        let project = project(elements);
        project.write("ftl.toml", UNTRUSTED);
        project.commit();
        let said = build(&project, &[]);
        assert_eq!(said["block"]["kind"], "verify_untrusted", "{said:#}");
        let error = "the verify passed but can't be trusted: tree_written (other.txt)";
        assert_eq!(said["block"]["error"], error);
    }
}

#[test]
fn a_preflight_command_is_named_with_what_it_changed_and_left() {
    let project = project(
        "<verify>true</verify><preflight>echo more >>other.txt; echo 1 >left.txt</preflight>",
    );
    project.commit();
    let said = build(&project, &[]);
    assert_eq!(said["outcome"], "complete", "{said:#}");
    let sentence = "the preflight command `echo more >>other.txt; echo 1 >left.txt` changed 1 file \
                    outside the delta: other.txt";
    assert_eq!(reported(&said), [sentence], "{said:#}");
    assert!(said["warnings"].to_string().contains("doubtful: tree_written"), "{said:#}");
    assert_eq!(scratch(&said), ["left.txt"]);
}

/// No request, and so no snapshot, comes before this verify.
#[test]
fn a_build_of_the_current_tree_is_looked_at_as_well() {
    let project = project("<verify>echo more >>other.txt</verify>");
    let said = project.build(&["001", "--tree"]).json();
    assert_eq!(said["outcome"], "complete", "{said:#}");
    assert_eq!(reported(&said), [CHANGED], "{said:#}");
}

/// The verify that passes in the end writes nothing; the one before it did.
#[test]
fn files_that_a_failed_verify_wrote_count_after_the_retry() {
    let verify =
        "grep -q fixed notes.txt || { echo more >>other.txt; echo ERROR: not fixed yet; exit 1; }";
    let known = "<prior_knowledge><failure name=\"unfixed\"><trigger>ERROR: not fixed yet</trigger>\
         <fix kind=\"command\">echo fixed >>notes.txt</fix></failure></prior_knowledge>";
    let project = project("");
    project.add("001_a", task().verify(verify).budget(9).rest(known));
    project.write("ftl.toml", UNTRUSTED);
    project.commit();
    let said = build(&project, &[]);
    assert_eq!(said["verify"][1]["findings"], json!([]), "{said:#}");
    assert_eq!(said["block"]["kind"], "verify_untrusted", "{said:#}");
}

/// It runs where the agent will work, and what it writes there is not the agent's.
#[test]
fn the_verify_before_the_work_is_looked_at_as_well() {
    let project =
        project("<verify>if ! grep -q work notes.txt; then echo more >>other.txt; fi</verify>");
    project.commit();
    let said = build(&project, &["--baseline"]);
    let sentence = "the verify before the work changed 1 file outside the delta: other.txt";
    assert_eq!(reported(&said), [sentence], "{said:#}");
    assert!(said["warnings"].to_string().contains("doubtful: tree_written"), "{said:#}");
    assert_eq!(said["strays"], json!([]), "{said:#}");
}

/// Another ftl may seal or edit tasks while a verify runs: task files are not watched.
#[test]
fn a_task_that_is_sealed_during_a_verify_is_not_the_verifys_doing() {
    let sealed = "sed 's,active,complete,; s,<delivered/>,<delivered>b</delivered><run outcome=\"complete\"/>,'";
    let file = ".ftl/workspace/002_b_active.xml";
    let project = project("<verify>sh change.sh</verify>");
    project.write("change.sh", format!("{sealed} {file} >made; cat made >{file}; rm made\n"));
    project.add("002_b", task());
    project.commit();
    let said = build(&project, &[]);
    assert_eq!(reported(&said), Vec::<&str>::new(), "{said:#}");
}
