//! Build products of work that was dropped: no verify passes on them.
//!
//! In each project the verify builds `stray.*` with a real build tool, and passes only on a product of the
//! version that an agent made of it. The agent's products stay in its workplace, where later requests and
//! verifies find them, and no task has that file in its delta, so that the verify has to fail.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use ftl_testkit::build_tools::{self, BuildTool};
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::isolation::{possible, with_pipes};
use crate::support::task;
use crate::support::{FTL, Finished, Project, has_tool};

const MAKE: Tool = Tool(&build_tools::MAKE);

/// A build tool in a project of a test.
struct Tool(&'static BuildTool);

impl Tool {
    fn is_there(&self) -> bool {
        possible() && has_tool(self.0.probe, "sh", &["-c", self.0.probe])
    }

    /// Fills a project in git that was built once, so that a workplace has copies of its products.
    fn lay_out(&self, project: &Project) {
        for (path, text) in self.0.files {
            project.write(path, text);
            // A version of the same size that an agent writes in this second is another one to Python, too.
            let file = File::options().write(true).open(project.path().join(path)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(10)).unwrap();
        }
        project.write(".gitignore", build_tools::IGNORED);
        let verify = self.0.verify.replace('&', "&amp;");
        project.add("001_a", task().verify(&verify));
        project.add("002_b", task().verify(&verify).delta(&["second.txt"]));
        project.commit();
        self.build(project);
    }

    fn build(&self, project: &Project) {
        let verified = Finished::of(self.shell(project).args(["-c", self.0.verify]));
        assert_eq!(verified.code.map(|code| code == 0), Some(false), "{verified:#?}");
    }

    fn shell(&self, project: &Project) -> Program {
        Program::new("sh", project.path()).without_cargo()
    }

    /// An agent that strays and builds.
    fn strays(&self) -> String {
        format!("echo work >> notes.txt; {}; {}", self.0.stray, self.0.verify)
    }
}

fn project() -> Project {
    super::project(&[])
}

fn build(project: &Project, agent: &str) -> Finished {
    build_at(project, "bind", agent)
}

fn build_at(project: &Project, level: &str, agent: &str) -> Finished {
    project.build(&["001", "--isolate", level, "--agent", agent])
}

/// That the verify failed, and so found no product of the stray version.
fn assert_not_stale(finished: &Finished) {
    let kind = finished.json()["block"]["kind"].clone();
    assert_eq!(kind, "discovery_needed", "{finished:#?}");
}

fn reopened_after_a_stray(tool: &Tool, level: &str) {
    let project = project();
    tool.lay_out(&project);
    let strayed = build_at(&project, level, &tool.strays());
    assert_eq!(strayed.json()["outcome"], "blocked", "{strayed:#?}");
    let again = ["reopen", "001", "--build", "--isolate", level, "--format", "json", "--agent"];
    assert_not_stale(&project.ftl(again.into_iter().chain(["echo work >> notes.txt"])));
}

#[test]
fn products_of_a_stray_are_built_again_after_a_reopening() {
    let tools = build_tools::OTHERS.iter().map(Tool).chain([MAKE]);
    for tool in tools.filter(Tool::is_there) {
        for level in ["bind", "copy"] {
            reopened_after_a_stray(&tool, level);
        }
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
    let words = ["build", "--all", "--isolate", "bind", "--format", "json", "--agent", &agent];
    project.ftl(words).ends(3);
    assert_eq!(project.workspaces(), ["001_a_blocked.xml", "002_b_blocked.xml"]);
}

#[test]
fn new_scratch_of_a_request_that_strays_or_fails_stays_out_of_the_tree() {
    if !MAKE.is_there() {
        return;
    }
    let blocks = "[scope]\nstrays = 'block'\n";
    for (config, end, kind, products) in [
        // The verify ran in the project, on the project's version.
        ("", "true", "delta_insufficient", Some("first\n")),
        (blocks, "true", "delta_insufficient", None),
        ("", "exit 1", "implement_failed", None),
    ] {
        let project = project().file("ftl.toml", config);
        MAKE.lay_out(&project);
        let target = project.path().join("target");
        std::fs::remove_dir_all(&target).unwrap();
        let blocked = build(&project, &format!("{}; {end}", MAKE.strays()));
        assert_eq!(blocked.json()["block"]["kind"], kind, "{blocked:#?}");
        let found = target.exists().then(|| project.text("target/out"));
        assert_eq!(found.as_deref(), products, "{blocked:#?}");
        assert_eq!(project.read("notes.txt"), b"before\n");
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

/// How an agent goes back to a version that it kept of the file, after it has built the stray one. `$F` is the file, and
/// its products are in `target`, `.cache` and `__pycache__`.
const BACK: [&str; 5] = [
    "cp $F kept; $STRAY; mv kept $F",
    "cp -p $F kept; $STRAY; cp -p kept $F; rm kept",
    "tar -cf kept $F; $STRAY; tar -xf kept; rm kept",
    "$STRAY; git checkout -q -- $F",
    "cp $F kept; $STRAY; find target .cache __pycache__ -exec touch -d '+1 hour' {} + 2>/dev/null; mv kept $F",
];

/// How it makes the stray version though the products look newer.
const FORWARD: [&str; 3] = [
    "$STRAY; touch -d '2001-01-01' $F",
    "find target .cache __pycache__ -exec touch -d '+1 hour' {} + 2>/dev/null; $STRAY",
    "cp $F kept; $STRAY; cp $F new; mv kept $F; touch -r new $F; cat new >$F; touch -r $F -d '-1 day' $F; rm new",
];

#[test]
fn a_version_that_an_agent_goes_back_to_is_verified_and_not_the_products_of_another() {
    let tools = build_tools::OTHERS.iter().map(Tool).chain([MAKE]);
    for tool in tools.filter(Tool::is_there) {
        let Tool(BuildTool { verify, stray, path, .. }) = tool;
        // What it sees itself of the products in its workplace is no matter here.
        let built = format!("{stray}; ( {verify} ) || :");
        let ways = BACK.map(|way| (way, "blocked")).into_iter();
        for (way, outcome) in ways.chain(FORWARD.map(|way| (way, "complete"))) {
            let project = project();
            tool.lay_out(&project);
            let verify_in_task = verify.replace('&', "&amp;");
            project.add("001_a", task().verify(&verify_in_task).delta(&[path]));
            let agent = way.replace("$F", path).replace("$STRAY", &built);
            let built = build_at(&project, "copy", &agent);
            assert_eq!(built.json()["outcome"], outcome, "{verify}: {way}: {built:#?}");
        }
    }
}

/// Two tasks side by side. The second has written the file before the first lands, whose verify builds the version from
/// before, and lands after it. Whatever it makes of the file is what its verify must see. `start` gets the configuration of
/// the agent, and gives the options of the build.
pub(super) fn beside(
    tool: &'static BuildTool,
    is_right: bool,
    dir: &Path,
    start: impl FnOnce(&str) -> String,
) {
    let project = project();
    let tool = Tool(tool);
    tool.lay_out(&project);
    let BuildTool { verify, stray, path, .. } = tool.0;
    let dir = dir.display();
    let work = if is_right {
        (*stray).to_owned()
    } else {
        project.script(&format!("cp {path} {dir}/kept; {stray}; git commit -qam right"));
        format!("cat {dir}/kept >{path}")
    };
    let verify_in_task = verify.replace('&', "&amp;");
    // It passes on the version from before, and builds that.
    let before = if is_right {
        format!("! ( {verify_in_task} ) >/dev/null 2>&amp;1")
    } else {
        verify_in_task.clone()
    };
    project.add("001_a", task().verify(&before));
    project.add("002_b", task().verify(&verify_in_task).delta(&[path]));
    let agent = format!(
        "case $1 in notes.txt) until [ -e {dir}/started ]; do sleep 0.05; done; echo work >> $1;; \
         *) {work}; echo > {dir}/started; until [ -e {dir}/go ]; do sleep 0.05; done;; esac"
    );
    let config = format!("[agent.script]\ncommand = '''{agent}'''\n");
    project.write("ftl.toml", &config);
    let words = start(&config);
    let finished = project.script(&format!(
        "rm -f {dir}/started {dir}/go; \"$FTL\" build --all --jobs 2 --format json --agent script {words} & \
         until [ ! -e .ftl/workspace/001_a_active.xml ]; do sleep 0.05; done; \
         echo > {dir}/go; wait $!"
    ));
    let said = finished.json();
    let outcome = if is_right { "complete" } else { "discovery_needed" };
    assert_eq!(super::jobs::outcomes(&said), ["complete", outcome], "{verify}: {said:#}");
}

#[test]
fn a_landed_file_is_newer_than_the_products_of_the_landing_before_it() {
    let outside = Scratch::new("beside").unwrap();
    let tools = build_tools::OTHERS.iter().map(Tool).chain([MAKE]);
    for tool in tools.filter(Tool::is_there) {
        for is_right in [true, false] {
            beside(tool.0, is_right, outside.path(), |_| String::new());
        }
    }
}

/// An agent that strays, builds, says so and waits; asked again, it does its work alone.
fn waiting(dir: &Path) -> String {
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
        ("TERM", "001 --isolate bind"),
        ("KILL", "001 --isolate bind"),
        ("KILL", "001 --isolate bind --restart"),
        ("KILL", "002 --isolate bind"),
        ("KILL", "002 --isolate copy"),
    ] {
        let (project, outside) = with_pipes();
        MAKE.lay_out(&project);
        let agent = waiting(outside.path());
        let build = format!("'{FTL}' build --format json --agent \"$AGENT\"");
        let cut = project.script(&format!(
                "AGENT={}; {build} 001 --isolate bind >/dev/null & read line < {}/started; kill -{signal} $!; wait $!",
                quoted(&agent),
                outside.path().display(),
            ),
        );
        assert!(matches!(cut.code, Some(137 | 143)), "{cut:#?}");
        let agent = if on.starts_with("001") { &agent } else { "echo work > second.txt" };
        let built = project.script(&format!("AGENT={}; {build} {on}", quoted(agent)));
        assert_not_stale(&built);
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
