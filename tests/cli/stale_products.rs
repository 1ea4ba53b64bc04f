//! Build products of work that was dropped: no verify passes on them.
//!
//! In each project the verify builds `stray.*` with a real build tool, and passes only on a product of the
//! version that an agent made of it. The products pass through the view, and no task has that file in its
//! delta, so that the verify has to fail.

use ftl_testkit::program::Program;

use super::isolation::{possible, script, with_pipes};
use super::task;
use crate::support::{FTL, Finished, Project, has_tool};

/// A build tool in a project.
struct Tool {
    /// Shows that it is there.
    probe: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// Builds, and passes where the product is of the stray version.
    verify: &'static str,
    /// Makes the stray version.
    stray: &'static str,
}

const MAKE: Tool = Tool {
    probe: "make --version",
    files: &[
        ("Makefile", "target/out: stray.txt\n\tmkdir -p target\n\tcp stray.txt $@\n"),
        ("stray.txt", "first\n"),
    ],
    verify: "make -s && grep -q STRAY target/out",
    stray: "echo STRAY >> stray.txt",
};

const OTHERS: &[Tool] = &[
    Tool {
        probe: "cargo --version",
        files: &[
            ("Cargo.toml", "[workspace]\nmembers = ['one', 'two']\nresolver = '2'\n"),
            ("one/Cargo.toml", "[package]\nname = 'one'\nedition = '2021'\n"),
            ("one/src/lib.rs", "pub const ONE: u8 = 1;\n"),
            (
                "two/Cargo.toml",
                "[package]\nname = 'two'\nedition = '2021'\n[dependencies]\none.path = '../one'\n",
            ),
            ("two/src/lib.rs", "#[test]\nfn it_is_stray() {\n    assert_eq!(one::ONE, 2);\n}\n"),
        ],
        verify: "cargo test --quiet --offline",
        stray: "sed -i 's/1;/2;/' one/src/lib.rs",
    },
    Tool {
        probe: "ninja --version",
        files: &[
            (
                "build.ninja",
                "builddir = target\nrule copy\n  command = cp $in $out\nbuild target/out: copy stray.txt\n",
            ),
            ("stray.txt", "first\n"),
        ],
        verify: "ninja && grep -q STRAY target/out",
        stray: "echo STRAY >> stray.txt",
    },
    Tool {
        probe: "python3 --version",
        files: &[("stray.py", "VALUE = 1\n"), ("__pycache__/.keep", "")],
        verify: "python3 -c 'import stray; assert stray.VALUE == 2'",
        stray: "echo 'VALUE = 2' > stray.py",
    },
    Tool {
        probe: "tsc --version",
        files: &[
            (
                "tsconfig.json",
                "{\"compilerOptions\": {\"incremental\": true, \"outDir\": \"target\"}, \
                 \"files\": [\"stray.ts\"]}\n",
            ),
            ("stray.ts", "export const value = 1;\n"),
        ],
        verify: "tsc && grep -q 2 target/stray.js",
        stray: "echo 'export const value = 2;' > stray.ts",
    },
    Tool {
        probe: "go version",
        files: &[
            ("go.mod", "module stray\n"),
            ("stray.go", "package stray\n\nconst Value = 1\n"),
            (
                "stray_test.go",
                "package stray\n\nimport \"testing\"\n\nfunc TestStray(t *testing.T) {\n\
                 \tif Value != 2 {\n\t\tt.Fatal(Value)\n\t}\n}\n",
            ),
        ],
        verify: "GOCACHE=$PWD/.cache/go go test ./...",
        stray: "sed -i s/1/2/ stray.go",
    },
];

impl Tool {
    fn is_there(&self) -> bool {
        possible() && has_tool(self.probe, "sh", &["-c", self.probe])
    }

    /// Fills a project in git that was built once; without that, its caches would not pass through.
    fn lay_out(&self, project: &Project) {
        for (path, text) in self.files {
            project.write(path, text);
        }
        project.write(".gitignore", "target/\n.cache/\n__pycache__/\nCargo.lock\n");
        project.write(".ftl/workspace/001_a_active.xml", self.task("notes.txt"));
        project.write(".ftl/workspace/002_b_active.xml", self.task("second.txt"));
        project.commit();
        self.build(project);
    }

    fn task(&self, delta: &str) -> String {
        let verify = self.verify.replace('&', "&amp;");
        task("", &verify).replace("notes.txt", delta)
    }

    fn build(&self, project: &Project) {
        let verified = Finished::of(self.shell(project).args(["-c", self.verify]));
        assert_eq!(verified.code.map(|code| code == 0), Some(false), "{verified:#?}");
    }

    fn shell(&self, project: &Project) -> Program {
        Program::new("sh", project.path()).without_cargo()
    }

    /// An agent that strays and builds.
    fn strays(&self) -> String {
        format!("echo work >> notes.txt; {}; {}", self.stray, self.verify)
    }
}

fn project() -> Project {
    super::project(&[])
}

fn build(project: &Project, agent: &str) -> Finished {
    project.ftl(["build", "001", "--isolate", "overlay", "--format", "json", "--agent", agent])
}

/// That the verify failed, and so found no product of the stray version.
fn assert_not_stale(finished: &Finished) {
    let kind = finished.json()["block"]["kind"].clone();
    assert_eq!(kind, "discovery_needed", "{finished:#?}");
}

fn reopened_after_a_stray(tool: &Tool) {
    let project = project();
    tool.lay_out(&project);
    let strayed = build(&project, &tool.strays());
    assert_eq!(strayed.json()["block"]["kind"], "delta_insufficient", "{strayed:#?}");
    let again = ["reopen", "001", "--build", "--isolate", "overlay", "--format", "json", "--agent"];
    assert_not_stale(&project.ftl(again.into_iter().chain(["echo work >> notes.txt"])));
}

#[test]
fn products_of_a_stray_are_built_again_after_a_reopening() {
    for tool in [&MAKE].into_iter().chain(OTHERS).filter(|tool| tool.is_there()) {
        reopened_after_a_stray(tool);
    }
}

#[test]
fn products_of_a_stray_are_built_again_for_the_next_task() {
    if !MAKE.is_there() {
        return;
    }
    let project = project();
    MAKE.lay_out(&project);
    let agent = format!("case $1 in notes.txt) {};; *) echo work > $1;; esac", MAKE.strays());
    let words = ["build", "--all", "--isolate", "overlay", "--format", "json", "--agent", &agent];
    let built = project.ftl(words);
    assert_eq!(built.code, Some(3), "{built:#?}");
    assert_eq!(project.workspaces(), ["001_a_blocked.xml", "002_b_blocked.xml"]);
}

#[test]
fn new_scratch_of_a_request_that_strays_or_fails_stays_out_of_the_tree() {
    if !MAKE.is_there() {
        return;
    }
    for (end, kind) in [("true", "delta_insufficient"), ("exit 1", "implement_failed")] {
        let project = project();
        MAKE.lay_out(&project);
        std::fs::remove_dir_all(project.path().join("target")).unwrap();
        let blocked = build(&project, &format!("{}; {end}", MAKE.strays()));
        assert_eq!(blocked.json()["block"]["kind"], kind, "{blocked:#?}");
        assert!(!project.path().join("target").exists(), "{blocked:#?}");
        assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    }
}

#[test]
fn products_of_a_file_that_the_agent_reverted_are_built_again() {
    if !MAKE.is_there() {
        return;
    }
    let project = project();
    MAKE.lay_out(&project);
    let agent = format!("{}; echo first > stray.txt", MAKE.strays());
    assert_not_stale(&build(&project, &agent));
}

/// An agent that strays, builds, says so and waits; asked again, it does its work alone.
fn waiting(dir: &std::path::Path) -> String {
    let dir = dir.display();
    format!(
        "[ -e {dir}/again ] || {{ {}; echo > {dir}/again; echo > {dir}/started; read go < {dir}/go; }}; \
         echo work >> notes.txt",
        MAKE.strays()
    )
}

#[test]
fn products_of_a_request_that_was_cut_off_are_built_again() {
    if !MAKE.is_there() {
        return;
    }
    for (signal, on) in [
        ("TERM", "001 --isolate overlay"),
        ("KILL", "001 --isolate overlay"),
        ("KILL", "001 --isolate overlay --restart"),
        ("KILL", "002 --isolate overlay"),
        ("KILL", "002 --isolate off"),
    ] {
        let (project, outside) = with_pipes();
        MAKE.lay_out(&project);
        let agent = waiting(outside.path());
        let build = format!("'{FTL}' build --format json --agent \"$AGENT\"");
        let cut = script(
            &project,
            &format!(
                "AGENT={}; {build} 001 --isolate overlay >/dev/null & read line < {}/started; kill -{signal} $!; wait $!",
                quoted(&agent),
                outside.path().display(),
            ),
        );
        assert!(matches!(cut.code, Some(137 | 143)), "{cut:#?}");
        let agent = if on.starts_with("001") { &agent } else { "echo work > second.txt" };
        let built = script(&project, &format!("AGENT={}; {build} {on}", quoted(agent)));
        assert_not_stale(&built);
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
