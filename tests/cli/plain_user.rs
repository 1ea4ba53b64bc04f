//! What rights keep from a user, who is no superuser: directories that an agent closed, or the user.

use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::isolation::{RUN, possible, with_git};
use crate::support::{FTL, Finished, Project, has_tool, task};

const PLAIN: [&str; 3] = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/// A project that belongs to a plain user, and a state directory of theirs.
struct Theirs {
    project: Project,
    state: Scratch,
    as_user: String,
}

impl Theirs {
    /// `None` where the tests run as root and cannot become another user.
    fn new(project: Project, state: Scratch) -> Option<Self> {
        let is_root = Program::new("sh", Path::new(".")).args(["-c", "test $(id -u) = 0"]);
        let mut as_user = String::new();
        if is_root.succeeds() {
            let reaches = ["sh", "-c", "unshare --user --mount true && test -x \"$0\"", FTL];
            let words: Vec<&str> = PLAIN.iter().chain(&reaches).copied().collect();
            if !has_tool("setpriv, and user namespaces", "setpriv", &words) {
                return None;
            }
            let owned = ["-R", "65534:65534", ".", &state.path().display().to_string()];
            Program::new("chown", project.path()).args(owned).run().unwrap();
            as_user = format!("setpriv {}", PLAIN.join(" "));
        }
        Some(Self { project, state, as_user })
    }

    /// Runs a script whose last command, or one in the background, is `ftl_build`: it builds the task as the
    /// user.
    fn run(&self, commands: &str) -> Finished {
        let (state, user) = (self.state.path().display(), &self.as_user);
        self.project.script(&format!(
            "ftl_build() {{ exec env XDG_STATE_HOME={state} HOME={state} {user} \"$FTL\" build 001 \
                 --format json \"$@\"; }}; {commands}"
        ))
    }
}

/// Leaves directories that even their owner may not change.
const CLOSES: &str = "echo work >> notes.txt; mkdir -p vendor/x@v1/y shut; echo f > vendor/x@v1/y/f; \
                      echo g > vendor/x@v1/g; rm -f vendor/x@v1/g; echo s > shut/s; \
                      chmod 555 vendor/x@v1/y vendor/x@v1; chmod 0 shut";

#[test]
fn strays_in_directories_that_are_read_only_are_quarantined() {
    if !possible() {
        return;
    }
    // On the file system of the project, and on another one.
    for state in [Scratch::new("state"), Scratch::in_memory("state")] {
        let Some(theirs) = Theirs::new(with_git(), state.unwrap()) else {
            return;
        };
        let finished = theirs.run(&format!("ftl_build --isolate bind --agent '{CLOSES}'")).ends(0);
        assert!(!finished.json()["strays"].as_array().unwrap().is_empty(), "{finished:#?}");
        let kept = |path| theirs.project.read(format!("{RUN}/quarantine/1/{path}"));
        assert_eq!(kept("vendor/x@v1/y/f"), b"f\n");
        assert_eq!(kept("shut/s"), b"s\n");
        assert!(!theirs.project.path().join("vendor").exists());
    }
}

#[test]
fn a_file_in_a_directory_that_is_read_only_stays_as_it_is() {
    let Some(theirs) = Theirs::new(with_git(), Scratch::new("state").unwrap()) else {
        return;
    };
    let agent = "echo work >> notes.txt; echo stray >> closed/keep.txt";
    let finished = theirs.run(&format!(
        "mkdir closed; echo mine > closed/keep.txt; chown -R $(stat -c %u:%g notes.txt) closed; \
         chmod 555 closed; ftl_build --isolate copy --agent '{agent}'"
    ));
    assert_eq!(finished.json()["strays"][0], "closed/keep.txt", "{finished:#?}");
    assert_eq!(theirs.project.read("closed/keep.txt"), b"mine\n");
    let mode = theirs.project.script("stat -c %a closed");
    assert_eq!(mode.stdout, "555\n");
    assert_eq!(
        theirs.project.read(format!("{RUN}/quarantine/1/closed/keep.txt")),
        b"mine\nstray\n"
    );
}

#[test]
fn a_planted_repository_that_is_read_only_is_quarantined() {
    if !possible() {
        return;
    }
    for state in [Scratch::new("state"), Scratch::in_memory("state")] {
        let Some(theirs) = Theirs::new(with_git(), state.unwrap()) else {
            return;
        };
        let agent = "echo work >> notes.txt; git init -q sub; chmod -R a-w sub";
        let finished = theirs.run(&format!("ftl_build --isolate bind --agent '{agent}'")).ends(0);
        let head = theirs.project.path().join(RUN).join("quarantine/1/sub/.git/HEAD");
        assert!(head.is_file(), "{finished:#?}");
    }
}

#[test]
fn a_request_that_was_stopped_is_kept_though_its_directories_are_read_only() {
    if !possible() {
        return;
    }
    for (signal, state) in [("TERM", Scratch::new("state")), ("KILL", Scratch::in_memory("state"))]
    {
        let Some(theirs) = Theirs::new(with_git(), state.unwrap()) else {
            return;
        };
        let outside = Scratch::new("pipes").unwrap();
        let pipes = outside.path().display();
        let agent = format!(
            "[ -e {pipes}/again ] || {{ {CLOSES}; echo > {pipes}/started; read go < {pipes}/go; }}; \
             echo work >> notes.txt"
        );
        let build = format!("ftl_build --isolate bind --agent '{agent}'");
        theirs.run(&format!(
            "mkfifo -m 666 {pipes}/started {pipes}/go; chmod 755 {pipes}; \
             {build} & read line < {pipes}/started; kill -{signal} $!; wait $!; touch {pipes}/again"
        ));
        theirs.run(&build).ends(0);
        let kept = |path| theirs.project.read(format!("{RUN}/interrupted/1/{path}"));
        assert_eq!(kept("vendor/x@v1/y/f"), b"f\n", "{signal}");
        assert_eq!(kept("notes.txt"), b"before\nwork\n", "{signal}");
    }
}

#[test]
fn build_outputs_that_are_read_only_are_in_the_way_of_no_later_task() {
    if !possible() {
        return;
    }
    for state in [Scratch::new("state"), Scratch::in_memory("state")] {
        let Some(theirs) = Theirs::new(with_git(), state.unwrap()) else {
            return;
        };
        let agent = "echo work >> notes.txt; mkdir -p target/x; echo t > target/x/t; \
                     chmod 555 target/x target";
        let build = format!("ftl_build --isolate bind --agent '{agent}'");
        theirs.run(&build).ends(0);
        let again = format!("\"$FTL\" reopen 001 >&2 || exit 9; {build}");
        theirs
            .run(&again.replace("\"$FTL\" reopen", "env XDG_STATE_HOME=/nowhere \"$FTL\" reopen"));
        assert!(!theirs.project.path().join("target").exists());
    }
}

#[test]
fn a_delta_file_is_written_where_its_directory_takes_no_new_name() {
    if !possible() {
        return;
    }
    let project = with_git();
    project.add("001_a", task().delta(&["sub/notes.txt"]));
    project.write("sub/notes.txt", "before\n");
    let Some(theirs) = Theirs::new(project, Scratch::new("state").unwrap()) else {
        return;
    };
    let build = "chmod 555 sub; ftl_build --isolate bind --agent 'echo work >> sub/notes.txt'";
    theirs.run(build).ends(0);
    assert_eq!(theirs.project.read("sub/notes.txt"), b"before\nwork\n");
    theirs.run("chmod 755 sub");
}
