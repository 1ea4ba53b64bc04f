//! `[setup]`: the command that makes dependencies equal to their manifests runs where manifests are part of the work.

use crate::support::Project;

/// The dependencies are what the manifest says, and what was installed when is kept outside.
const INSTALL: &str = "cp needs.txt node_modules/made; cat needs.txt >>$OUT/ran";

const AGENT: &str = "cat node_modules/made >>$OUT/seen; for path; do echo new >$path; done";

fn project(delta: &str, verify: &str, run: &str) -> Project {
    let project = Project::empty();
    project.write("ftl.toml", format!("[setup]\nrun = '{run}'\nwhen = ['needs.*']\n"));
    project.write(".gitignore", "node_modules\n");
    for file in ["needs.txt", "code.txt", "node_modules/made"] {
        project.write(file, "old\n");
    }
    project.ftl(["new", "Need it", "--verify", verify, "--delta", delta]).ends(0);
    project.commit();
    project
}

fn made(project: &Project) -> String {
    project.text("node_modules/made")
}

/// What was written to a file in `$OUT`.
fn outside(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.outside(name)).unwrap_or_default()
}

#[test]
fn manifests_that_land_are_installed_before_the_verify() {
    let project = project("needs.txt", "grep -q new node_modules/made", INSTALL);
    let result = project.ftl(["build", "1", "--agent", AGENT, "--format", "json"]).ends(0).json();
    assert_eq!(
        (made(&project), outside(&project, "ran")),
        ("new\n".into(), "new\n".into()),
        "{result:#}"
    );
}

#[test]
fn other_work_installs_nothing() {
    let project = project("code.txt", "grep -q new code.txt", INSTALL);
    project.ftl(["build", "1", "--agent", AGENT]).ends(0);
    assert_eq!((made(&project), outside(&project, "ran")), ("old\n".into(), String::new()));
}

#[test]
fn work_that_is_taken_out_again_takes_its_dependencies_along_and_comes_with_them_to_the_next_workplace()
 {
    let project = project("needs.txt", "echo error: never; false", INSTALL);
    project.ftl(["build", "1", "--agent", AGENT]).ends(3);
    assert_eq!((made(&project), outside(&project, "ran")), ("old\n".into(), "new\nold\n".into()));
    project.ftl(["reopen", "1"]).ends(0);
    project.ftl(["build", "1", "--agent", AGENT]).ends(3);
    assert_eq!(outside(&project, "seen"), "old\nnew\n");
    assert_eq!(
        (made(&project), outside(&project, "ran")),
        ("old\n".into(), "new\nold\nnew\nnew\nold\n".into())
    );
}

#[test]
fn a_build_that_is_killed_leaves_the_next_one_to_install_what_the_project_needs() {
    let verify = "test -e $OUT/killed || { touch $OUT/killed; kill -9 $(cat $OUT/pid); sleep 9; }; grep -q old node_modules/made";
    let project = project("needs.txt", verify, INSTALL);
    let script = format!("echo $$ >$OUT/pid; exec \"$FTL\" build 1 --agent '{AGENT}'");
    let killed = project.script(&script);
    assert_eq!((killed.code, made(&project)), (None, "new\n".to_owned()));
    project.ftl(["build", "1", "--restart", "--agent", AGENT]);
    assert!(outside(&project, "ran").starts_with("new\nold\n"), "{}", outside(&project, "ran"));
    assert_eq!(made(&project), "old\n");
}

#[test]
fn a_setup_that_fails_fails_the_verify() {
    let project =
        project("needs.txt", "touch $OUT/verified", "echo error: no such package; exit 3");
    let result = project.ftl(["build", "1", "--agent", AGENT, "--format", "json"]).ends(3).json();
    assert!(result["block"].to_string().contains("no such package"), "{result:#}");
    let warnings = result["warnings"].to_string();
    assert!(warnings.contains("failed, so that the verify did not run"), "{warnings}");
    assert_eq!(outside(&project, "verified"), "");
    assert_eq!(project.read("needs.txt"), b"old\n");
}
