//! Implementers on an overlay: what comes into the tree, what does not, and whose work it is.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::{assert_refused, project, task};
use crate::support::{FTL, Finished, Project, has_tool};

const A: &str = "001_a_active.xml";
pub(super) const RUN: &str = ".ftl/runs/001_a/1";

/// What a kernel must allow, asked without ftl: the namespaces, and an overlay over a directory.
const POSSIBLE: &str = "d=$(mktemp -d) && mkdir $d/l $d/u $d/w && \
    if [ $(id -u) = 0 ]; then set --; else set -- --user --map-current-user --keep-caps; fi && \
    unshare \"$@\" --mount --pid --fork --kill-child sh -c \
    'mount -t overlay o -o lowerdir=$0/l,upperdir=$0/u,workdir=$0/w,userxattr $0/l && \
     mount -t proc p /proc' $d && rm -rf $d";

pub(super) fn possible() -> bool {
    has_tool("overlays in namespaces", "sh", &["-c", POSSIBLE])
}

pub(super) fn build(project: &Project, agent: &str) -> Finished {
    let words = ["build", "001", "--isolate", "overlay", "--format", "json"];
    project.ftl(words.into_iter().chain(["--agent", agent]))
}

pub(super) fn script(project: &Project, script: &str) -> Finished {
    let shell = Program::new("sh", project.path()).without_cargo();
    Finished::of(shell.env("FTL", FTL).args(["-c", script]))
}

/// A project in git with a file besides the delta.
pub(super) fn with_git() -> Project {
    let project = project(&[A]);
    project.write("other.txt", "other\n");
    project.write(".gitignore", "*.log\nbuild/\n.env\n");
    project.commit();
    project
}

pub(super) fn log(project: &Project) -> String {
    let log = project.read(format!("{RUN}/requests/1/agent.log"));
    String::from_utf8(log).unwrap()
}

pub(super) fn warnings(finished: &Finished) -> String {
    finished.json()["warnings"].to_string()
}

#[test]
fn what_an_isolated_agent_writes_comes_into_the_tree() {
    if !possible() {
        return;
    }
    let project = with_git();
    let agent = "test \"$PWD\" = \"$FTL_ROOT\" && echo work >> notes.txt && chmod 755 notes.txt && \
                 grep -q 'cannot be renamed' \"$FTL_PROMPT\" && \
             git status --short && echo '{\"summary\": \"said\"}' > \"$FTL_REPLY\"";
    let finished = build(&project, agent);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let said = finished.json();
    assert_eq!(said["isolation"], "overlay");
    assert_eq!(said["delivered"], "said");
    assert_eq!(said["files"][0]["change"], "modified");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    let mode = fs::metadata(project.path().join("notes.txt")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o755);
    let record = project.read(".ftl/workspace/001_a_complete.xml");
    let record = String::from_utf8(record).unwrap();
    assert!(record.contains("isolation=\"overlay\""), "{record}");
}

#[test]
fn files_are_made_and_deleted_as_without_isolation() {
    if !possible() {
        return;
    }
    let project = project(&[]);
    let delta = "<delta>new/deep/a.txt</delta><delta>gone.txt</delta>";
    let text = task("", "true").replace("<delta>notes.txt</delta>", delta);
    project.write(format!(".ftl/workspace/{A}"), text);
    project.write("gone.txt", "here\n");
    let finished = build(&project, "mkdir -p new/deep; echo a > new/deep/a.txt; rm gone.txt");
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(project.read("new/deep/a.txt"), b"a\n");
    assert!(!project.path().join("gone.txt").exists());
}

#[test]
fn strays_never_come_into_the_tree() {
    if !possible() {
        return;
    }
    let project = with_git();
    let agent = "echo work >> notes.txt; echo s > stray.txt; rm other.txt; mkdir d; echo y > d/y; \
                 echo '#!/bin/sh' > .git/hooks/pre-commit; echo > .ftl/workspace/002_x_active.xml";
    let finished = build(&project, agent);
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let said = finished.json();
    assert_eq!(said["block"]["kind"], "delta_insufficient");
    let strays = said["strays"].to_string();
    for stray in [
        "\"stray.txt\"",
        "\"other.txt\"",
        "\"d/y\"",
        "\".git/hooks/pre-commit\"",
        "\".ftl/workspace/002_x_active.xml\"",
    ] {
        assert!(strays.contains(stray), "{stray}: {strays}");
    }
    assert_eq!(project.read("other.txt"), b"other\n");
    for path in ["stray.txt", "d", ".git/hooks/pre-commit"] {
        assert!(!project.path().join(path).exists(), "{path}");
    }
    assert_eq!(project.workspaces(), ["001_a_blocked.xml"]);
    assert_eq!(project.read(format!("{RUN}/quarantine/1/d/y")), b"y\n");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

#[test]
fn strays_that_are_only_reported_are_taken_over() {
    if !possible() {
        return;
    }
    let project = with_git();
    project.write("ftl.toml", "[scope]\nstrays = 'report'\n");
    let finished = build(&project, "echo work >> notes.txt; mkdir d; echo y > d/y; rm other.txt");
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    assert_eq!(project.read("d/y"), b"y\n");
    assert!(!project.path().join("other.txt").exists());
}

#[test]
fn an_isolated_agent_is_the_same_user_without_capabilities() {
    if !possible() {
        return;
    }
    let project = with_git();
    let finished = build(&project, "echo w >> notes.txt; id -u; cat /proc/self/status");
    assert_eq!(finished.code, Some(0), "{finished:#?}");
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
    let finished = build(&project, &agent);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

#[test]
fn caches_pass_through_and_new_scratch_is_taken_over() {
    if !possible() {
        return;
    }
    let project = with_git();
    project.write("node_modules/old", "1");
    project.write("pkg/node_modules/m", "1");
    let agent = "echo work >> notes.txt; echo 2 > node_modules/old; echo 2 > pkg/node_modules/m; \
                 echo l > x.log; mkdir -p target/deep; echo t > target/deep/t";
    let finished = build(&project, agent);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    for (path, bytes) in [
        ("node_modules/old", "2\n"),
        ("pkg/node_modules/m", "2\n"),
        ("x.log", "l\n"),
        ("target/deep/t", "t\n"),
    ] {
        assert_eq!(project.read(path), bytes.as_bytes(), "{path}");
    }
    let scratch = finished.json()["scratch"].to_string();
    assert!(scratch.contains("\"target\""), "{scratch}");
}

#[test]
fn a_delta_file_that_becomes_another_thing_is_a_failure_and_not_followed() {
    if !possible() {
        return;
    }
    for agent in [
        "ln -sf ../outside notes.txt; echo x > ../outside 2>/dev/null; true",
        "rm notes.txt; mkdir notes.txt",
        "rm notes.txt; mkfifo notes.txt",
    ] {
        let project = with_git();
        let finished = build(&project, agent);
        assert_eq!(finished.code, Some(3), "{finished:#?}");
        let said = finished.json();
        assert_eq!(said["block"]["kind"], "implement_failed", "{agent}");
        assert_eq!(said["budget"]["used"], 2, "{agent}");
    }
}

#[test]
fn time_limits_and_leftovers_are_as_without_isolation() {
    if !possible() {
        return;
    }
    let project = with_git();
    let agent = "echo work >> notes.txt; sleep 1234 > /dev/null 2>&1 & setsid sleep 1235 & true";
    let finished = build(&project, agent);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let told = warnings(&finished);
    assert!(told.contains("had left") || told.contains("left running: sleep"), "{told}");

    let project = with_git();
    let limited = "\"$FTL\" build 001 --isolate overlay --agent-timeout 1 --format json --agent \
                   'trap \"echo told; exit 0\" TERM; echo work >> notes.txt; sleep 1236 & wait'";
    let finished = script(&project, limited);
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let error = finished.json()["block"]["error"].to_string();
    assert!(error.contains("did not end within 1 s"), "{error}");
    assert_eq!(log(&project), "told\n");
    assert!(!has_process("sleep\u{0}123"));
}

/// Whether a process has a command line that begins like this.
fn has_process(command: &str) -> bool {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.starts_with(command.as_bytes()))
}

/// A project, and a place outside of it with the pipes `started` and `go`.
pub(super) fn with_pipes() -> (Project, Scratch) {
    let outside = Scratch::new("pipes").unwrap();
    let pipes = Program::new("mkfifo", outside.path());
    pipes.args(["started", "go"]).run().unwrap();
    (with_git(), outside)
}

/// Writes the delta and a stray, says so, and waits; the second time it only works.
fn waiting(outside: &Path) -> String {
    let outside = outside.display();
    format!(
        "echo work >> notes.txt; [ -e {outside}/again ] || {{ echo stray > stray.txt; rm other.txt; \
         echo > {outside}/started; read go < {outside}/go; }}"
    )
}

fn stopped_by(project: &Project, outside: &Path, signal: &str) -> Finished {
    let agent = waiting(outside);
    let started = outside.join("started");
    let finished = script(
        project,
        &format!(
            "\"$FTL\" build 001 --isolate overlay --agent '{agent}' --format json & \
             read line < {}; kill -{signal} $!; wait $!",
            started.display()
        ),
    );
    fs::write(outside.join("again"), "").unwrap();
    finished
}

#[test]
fn an_interrupt_or_a_kill_leaves_the_tree_alone_and_asks_nothing() {
    if !possible() {
        return;
    }
    for (signal, exit) in
        [("INT", Some(130)), ("TERM", Some(143)), ("HUP", Some(129)), ("KILL", Some(137))]
    {
        let (project, outside) = with_pipes();
        let stopped = stopped_by(&project, outside.path(), signal);
        assert_eq!(stopped.code, exit, "{stopped:#?}");
        assert_eq!(project.read("notes.txt"), b"before\n", "{signal}");
        assert_eq!(project.read("other.txt"), b"other\n", "{signal}");
        assert!(!project.path().join("stray.txt").exists(), "{signal}");
        assert!(!is_mounted(project.path()), "{signal}");
        // What a person does now is theirs, whatever it is.
        project.write("mine.txt", "mine\n");
        project.write("other.txt", "mine\n");
        let again = build(&project, &waiting(outside.path()));
        assert_eq!(again.code, Some(0), "{signal}: {again:#?}");
        assert_eq!(project.read("notes.txt"), b"before\nwork\n");
        assert_eq!(project.read("mine.txt"), b"mine\n");
        assert_eq!(project.read("other.txt"), b"mine\n");
        let kept = |name: &str| project.read(format!("{RUN}/interrupted/1/{name}"));
        assert_eq!(kept("notes.txt"), b"before\nwork\n", "{signal}");
        assert_eq!(kept("stray.txt"), b"stray\n", "{signal}");
        let told = format!("{}{}", stopped.stderr, again.stderr);
        assert!(told.contains("interrupted/1"), "{signal}: {told}");
        let ours = outside.path().display().to_string();
        assert!(!has_process_with(&ours), "{signal}");
    }
}

fn has_process_with(word: &str) -> bool {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(word))
}

fn is_mounted(path: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    mounts.contains(&path.display().to_string())
}

#[test]
fn what_a_person_does_meanwhile_is_theirs() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    let dir = outside.path().display();
    let agent = format!("echo work >> notes.txt; echo > {dir}/started; read go < {dir}/go");
    let meanwhile = format!(
        "\"$FTL\" build 001 --isolate overlay --agent '{agent}' --format json & \
         read line < {dir}/started; echo mine > mine.txt; echo mine >> other.txt; echo > {dir}/go; wait $!"
    );
    let finished = script(&project, &meanwhile);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.json()["strays"].to_string(), "[]");
    assert_eq!(project.read("mine.txt"), b"mine\n");
    assert_eq!(project.read("other.txt"), b"other\nmine\n");
}

#[test]
fn a_delta_file_that_both_wrote_is_not_overwritten() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    let dir = outside.path().display();
    let agent = format!("echo work >> notes.txt; echo > {dir}/started; read go < {dir}/go");
    let meanwhile = format!(
        "\"$FTL\" build 001 --isolate overlay --agent '{agent}' --format json & \
         read line < {dir}/started; echo mine > notes.txt; echo > {dir}/go; wait $!"
    );
    let finished = script(&project, &meanwhile);
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let block = finished.json()["block"].clone();
    assert_eq!(block["kind"], "implement_failed");
    let error = block["error"].to_string();
    assert!(error.contains(&format!("{RUN}/conflicts/1")), "{error}");
    assert_eq!(project.read("notes.txt"), b"mine\n");
    let kept = project.read(format!("{RUN}/conflicts/1/notes.txt"));
    assert_eq!(kept, b"before\nwork\n");
}

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
fn an_overlay_that_cannot_be_had_is_refused_before_anything_is_begun() {
    let project = project(&[A]);
    // No program is taken from the project itself.
    let tools = Scratch::new("tools").unwrap();
    let path = without_unshare(&tools);
    let with = |isolate: &str| {
        let build = format!(
            "PATH={path} \"$FTL\" build 001 {isolate} --agent 'echo work >> notes.txt' --format json"
        );
        script(&project, &build)
    };
    let refused = with("--isolate overlay");
    assert_refused(&refused, 1, "build::isolation", "unshare");
    let help = refused.json()["error"]["help"].to_string();
    assert!(help.contains("--isolate auto"), "{help}");
    assert_eq!(project.workspaces(), [A]);
    assert!(!project.path().join(RUN).exists());

    let fallen_back = with("--isolate auto");
    assert_eq!(fallen_back.code, Some(0), "{fallen_back:#?}");
    let said = fallen_back.json();
    assert_eq!(said["isolation"], "off");
    assert_eq!(said["warnings"].as_array().unwrap().len(), 1, "{said}");
    assert!(warnings(&fallen_back).contains("unshare"), "{said}");
}

#[test]
fn the_option_wins_over_the_agents_configuration_and_that_over_all_agents() {
    if !possible() {
        return;
    }
    let all = "[agent]\nisolate = 'off'\ndefault = 'mine'\n";
    let mine = "[agent.mine]\ncommand = 'tee -a notes.txt'\n";
    let own = "isolate = 'overlay'\n";
    for (config, words, level) in [
        (format!("{all}{mine}"), &[][..], "off"),
        (format!("{all}{mine}{own}"), &[], "overlay"),
        (format!("{all}{mine}{own}"), &["--isolate", "off"], "off"),
        (format!("{all}{mine}"), &["--isolate", "auto"], "overlay"),
    ] {
        let project = project(&[A]);
        project.write("ftl.toml", &config);
        let build = ["build", "001", "--format", "json"];
        let finished = project.ftl(build.iter().chain(words));
        assert_eq!(finished.code, Some(0), "{config}: {finished:#?}");
        assert_eq!(finished.json()["isolation"], level, "{config} {words:?}");
    }
    let project = project(&[A]);
    project.write("ftl.toml", "[agent]\nisolate = 'overlays'\n");
    let refused = project.ftl(["build", "001"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
}

#[test]
fn the_tree_as_it_stands_has_no_isolation_and_patches_say_that_they_have_none() {
    let project = project(&[A]);
    let finished = project.ftl(["build", "001", "--format", "json"]);
    assert!(finished.json()["isolation"].is_null(), "{finished:#?}");
    for (isolate, told) in [(&[][..], false), (&["--isolate", "overlay"], true)] {
        if told && !possible() {
            continue;
        }
        let project = super::project(&[A]);
        let patch = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n before\n+work\n";
        project.write("a.patch", patch);
        let words = ["build", "001", "--patch", "a.patch", "--format", "json"];
        let finished = project.ftl(words.iter().chain(isolate));
        assert_eq!(finished.code, Some(0), "{finished:#?}");
        assert_eq!(finished.json()["isolation"], "off");
        assert_eq!(warnings(&finished).contains("not on an overlay"), told);
        assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    }
}

#[test]
fn a_file_of_another_owner_is_in_the_way_of_isolation() {
    let project = project(&[A]);
    let owned = Program::new("chown", project.path()).args(["1:1", "notes.txt"]);
    if !possible() || !has_tool("root", "sh", &["-c", "test $(id -u) = 0"]) || !owned.succeeds() {
        return;
    }
    let finished = build(&project, "true");
    assert_refused(&finished, 1, "build::isolation", "another user");
}

/// As `nobody`, who has no rights to mount.
#[test]
fn a_plain_user_is_isolated_too() {
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let reaches = ["sh", "-c", "unshare --user --mount true && test -x \"$0\"", FTL];
    let words: Vec<&str> = nobody.iter().chain(&reaches).copied().collect();
    if !possible() || !has_tool("setpriv as root, and user namespaces", "setpriv", &words) {
        return;
    }
    let project = with_git();
    let state = Scratch::new("state").unwrap();
    let dir = state.path().display();
    let build = format!(
        "chown -R 65534:65534 . {dir} && XDG_STATE_HOME={dir} HOME={dir} setpriv {} \"$FTL\" build 001 \
         --isolate overlay --format json --agent \
         'id -u; grep CapEff /proc/self/status; echo work >> notes.txt; rm other.txt; mkdir target; \
          echo t > target/t'",
        nobody.join(" ")
    );
    let finished = script(&project, &build);
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let said = finished.json();
    assert_eq!(said["isolation"], "overlay");
    assert_eq!(said["strays"].to_string(), "[\"other.txt\"]");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    assert_eq!(project.read("other.txt"), b"other\n");
    assert!(!project.path().join("target").exists());
    assert_eq!(log(&project), "65534\nCapEff:\t0000000000000000\n");
}

#[test]
fn mends_and_fixes_that_are_commands_are_isolated_too() {
    if !possible() {
        return;
    }
    let project = project(&[]);
    let text = "<workspace status=\"active\"><implementation><delta>a.py</delta>\
                <verify>grep -q good a.py || { echo 'Error: it is bad'; exit 1; }</verify><budget>9</budget>\
                </implementation><prior_knowledge><failure name=\"bad\"><trigger>it is bad</trigger>\
                <fix kind=\"command\">echo good = 1 >> a.py; echo s > stray.txt</fix></failure>\
                </prior_knowledge></workspace>";
    project.write(format!(".ftl/workspace/{A}"), text);
    let agent = "case $FTL_PHASE in implement) echo 'a = (' > a.py;; *) echo 'a = 1' > a.py;; esac";
    let finished = build(&project, agent);
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let said = finished.json();
    assert_eq!(said["block"]["kind"], "fix_failed", "{said}");
    assert_eq!(said["strays"].to_string(), "[\"stray.txt\"]");
    assert!(!project.path().join("stray.txt").exists());
    assert_eq!(project.read("a.py"), b"a = 1\ngood = 1\n");
}
