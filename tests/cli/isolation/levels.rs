//! Who can have a mounted workplace, what rights an agent has in it, and which setting of the level wins.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::{A, RUN, build, log, possible, with_git};
use crate::cli::{assert_refused, project};
use crate::support::{FTL, has_tool};

/// A PATH with what agents need, and without unshare.
fn without_unshare(tools: &Scratch) -> String {
    let tools = tools.path();
    for name in ["sh", "git", "cat"] {
        let found = Program::new("sh", Path::new("/")).args(["-c", &format!("command -v {name}")]);
        let found = found.text().unwrap();
        std::os::unix::fs::symlink(found.trim(), tools.join(name)).unwrap();
    }
    tools.display().to_string()
}

#[test]
fn a_mount_that_cannot_be_had_is_refused_before_anything_is_begun() {
    let project = project(&[A]);
    // No program is taken from the project itself.
    let tools = Scratch::new("tools").unwrap();
    let path = without_unshare(&tools);
    let with = |isolate: &str| {
        let build = format!(
            "PATH={path} \"$FTL\" build 001 {isolate} --agent 'echo work >> notes.txt' --format json"
        );
        project.script(&build)
    };
    let refused = with("--isolate bind");
    assert_refused(&refused, 1, "build::isolation", "unshare");
    let help = refused.json()["error"]["help"].to_string();
    assert!(help.contains("--isolate auto"), "{help}");
    assert_eq!(project.workspaces(), [A]);
    assert!(!project.path().join(RUN).exists());

    let fallen_back = with("--isolate auto").ends(0);
    let said = fallen_back.json();
    assert_eq!(said["isolation"], "copy");
    assert!(fallen_back.warnings().contains("unshare"), "{said}");
}

#[test]
fn the_option_wins_over_the_agents_configuration_and_that_over_all_agents() {
    if !possible() {
        return;
    }
    let all = "[agent]\nisolate = 'copy'\ndefault = 'mine'\n";
    let mine = "[agent.mine]\ncommand = 'tee -a notes.txt'\n";
    let own = "isolate = 'bind'\n";
    for (config, words, level) in [
        (format!("{all}{mine}"), &[][..], "copy"),
        (format!("{all}{mine}{own}"), &[], "bind"),
        (format!("{all}{mine}{own}"), &["--isolate", "copy"], "copy"),
        (format!("{all}{mine}"), &["--isolate", "auto"], "bind"),
    ] {
        let project = project(&[A]);
        project.write("ftl.toml", &config);
        let build = ["build", "001", "--format", "json"];
        let finished = project.ftl(build.iter().chain(words)).ends(0);
        assert_eq!(finished.json()["isolation"], level, "{config} {words:?}");
    }
    let project = project(&[A]);
    project.write("ftl.toml", "[agent]\nisolate = 'binds'\n");
    project.ftl(["build", "001"]).ends(2);
}

#[test]
fn the_current_tree_and_patches_have_no_isolation() {
    let project = project(&[A]);
    let finished = project.build(&["001"]);
    assert!(finished.json()["isolation"].is_null(), "{finished:#?}");
    let project = super::project(&[A]);
    let patch = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n before\n+work\n";
    project.write("a.patch", patch);
    let finished = project.build(&["001", "--patch", "a.patch"]).ends(0);
    assert!(finished.json()["isolation"].is_null(), "{finished:#?}");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

#[test]
fn an_isolated_agent_is_the_same_user_without_capabilities() {
    if !possible() {
        return;
    }
    let project = with_git();
    build(&project, "echo w >> notes.txt; id -u; cat /proc/self/status").ends(0);
    let own = fs::metadata(project.path()).unwrap().uid();
    let log = log(&project);
    assert_eq!(log.lines().next(), Some(own.to_string().as_str()), "{log}");
    // Root keeps CAP_SETFCAP (31), which a sandbox within needs.
    let kept = if own == 0 { 1_u64 << 31 } else { 0 };
    for (set, bits) in [("CapEff", kept), ("CapPrm", kept), ("CapBnd", kept), ("CapAmb", 0)] {
        assert!(log.contains(&format!("{set}:\t{bits:016x}")), "{log}");
    }
}

#[test]
fn an_isolated_agent_can_put_its_commands_into_a_sandbox() {
    // What a sandbox begins with: a user namespace in which one stays who one is.
    let sandbox = ["--user", "--map-current-user", "--mount", "true"];
    if !possible() || !has_tool("user namespaces", "unshare", &sandbox) {
        return;
    }
    let project = with_git();
    let agent = format!("unshare {} && echo work >> notes.txt", sandbox.join(" "));
    build(&project, &agent).ends(0);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

/// As a user who has no rights to mount.
#[test]
fn a_plain_user_is_isolated_too() {
    let plain = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let reaches = ["sh", "-c", "unshare --user --mount true && test -x \"$0\"", FTL];
    let words: Vec<&str> = plain.iter().chain(&reaches).copied().collect();
    if !possible() || !has_tool("setpriv as root, and user namespaces", "setpriv", &words) {
        return;
    }
    let project = with_git();
    let state = Scratch::new("state").unwrap();
    let dir = state.path().display();
    let build = format!(
        "chown -R 65534:65534 . {dir} && XDG_STATE_HOME={dir} HOME={dir} setpriv {} \"$FTL\" build 001 \
         --isolate bind --format json --agent \
         'id -u; grep CapEff /proc/self/status; echo work >> notes.txt; rm other.txt; mkdir target; \
          echo t > target/t'",
        plain.join(" ")
    );
    let finished = project.script(&build).ends(0);
    let said = finished.json();
    assert_eq!(said["isolation"], "bind");
    assert_eq!(said["strays"].to_string(), "[\"other.txt\"]");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    assert_eq!(project.read("other.txt"), b"other\n");
    assert!(!project.path().join("target").exists());
    assert_eq!(log(&project), "65534\nCapEff:\t0000000000000000\n");
}
