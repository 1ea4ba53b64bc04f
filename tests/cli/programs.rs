//! Which programs ftl runs for its own ends: none that the project brings along.

use ftl_testkit::program::Program;

use super::project;
use crate::support::{FTL, Finished, Project, task};

const TASK: &str = ".ftl/workspace/001_a_active.xml";

/// Programs that ftl may look for, each of which would leave the file `ran` beside the project.
const HELPERS: [&str; 9] =
    ["git", "sh", "python3", "python", "node", "npx", "tsc", "gofmt", "rustc"];

fn of(verify: &str) -> String {
    task().attributes("id=\"001-a\"").delta(&["a.py"]).verify(verify).active()
}

/// A clone in whose `bin` there is a program of each name, ignored by git. The root is below its top.
fn clone() -> Project {
    let clone = project(&[]);
    for name in HELPERS {
        clone.write(format!("bin/{name}"), "#!/bin/sh\n: >$RAN\nexit 0\n");
    }
    clone.write(".gitignore", "bin/\n");
    clone.write("in/a.py", "a = (\n");
    clone.write("in/a.js", "let a = (\n");
    clone.write("in/a.ts", "let a = (\n");
    clone.write("in/a.go", "package a (\n");
    clone.write("in/a.rs", "fn a( {\n");
    clone.write(format!("in/{TASK}"), of("true"));
    clone.commit();
    clone
}

/// Runs ftl below the clone's top with the clone's programs first on the `PATH`, by whole and by relative
/// paths.
fn ftl(clone: &Project, words: &[&str]) -> Finished {
    let path = std::env::var("PATH").unwrap();
    let at = clone.path().display();
    let shell = Program::new("/bin/sh", clone.path()).without_cargo();
    Finished::of(
        shell
            .env("PATH", format!("{at}/bin:../bin:{path}"))
            .env("RAN", format!("{at}/ran"))
            .env("FTL", FTL)
            .args(["-c", "chmod +x bin/*; cd in; exec \"$FTL\" \"$@\"", "ftl"])
            .args(words),
    )
}

fn ran(clone: &Project) -> bool {
    clone.path().join("ran").exists()
}

#[test]
fn reading_commands_run_nothing_that_a_clone_brings_along() {
    let clone = clone();
    for (words, code) in [
        (&["preflight", "."] as &[&str], 1),
        (&["preflight", "a.py", "a.ts"], 1),
        (&["preflight", "--checker", "toolchain", "."], 1),
        (&["workspace", "validate", TASK], 0),
        (&["build", "001", "--dry-run", "--tree"], 0),
        (&["new", "b", "--delta", "b.py", "--verify", "true"], 0),
        (&["status"], 0),
    ] {
        ftl(&clone, words).ends(code);
        assert!(!ran(&clone), "{words:?}");
    }
}

#[test]
fn a_build_runs_neither_git_nor_a_shell_nor_a_front_end_of_the_clone() {
    let clone = clone();
    let agent = "printf 'a = 2\\n' >a.py";
    let said = ftl(&clone, &["build", "001", "--agent", agent]).ends(0);
    assert!(!ran(&clone), "{said:#?}");
}

#[test]
fn an_agent_cannot_bring_a_shell_that_passes_its_verify() {
    let clone = clone();
    let clean = "rm -r ../bin";
    ftl(&clone, &["build", "001", "--dry-run"]).ends(0);
    clone.write(format!("in/{TASK}"), of("false"));
    let agent = format!(
        "{clean}; printf 'a = 2\\n' >a.py; mkdir ../bin; printf '#!/bin/sh\\nexit 0\\n' >../bin/sh; \
         chmod +x ../bin/sh"
    );
    ftl(&clone, &["build", "001", "--agent", &agent]).ends(3);
}

#[test]
fn programs_of_a_verify_are_found_by_its_own_path() {
    let clone = clone();
    clone.write("bin/check", "#!/bin/sh\n: >\"$RAN\"\n");
    clone.write(format!("in/{TASK}"), of("check"));
    let said = ftl(&clone, &["build", "001", "--agent", "printf 'a = 2\\n' >a.py"]).ends(0);
    assert!(ran(&clone), "{said:#?}");
}
