//! Reading a project runs nothing of it, whatever it holds and whatever its user's PATH names.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;

use crate::support::{FTL, Finished, Project, has_tool};

/// Programs that ftl itself may ask for something.
const PROGRAMS: [&str; 14] = [
    "bash", "env", "git", "sh", "node", "python", "python3", "tsc", "npx", "gofmt", "go", "rustc",
    "ps", "unshare",
];

/// Where a user's PATH may lead into a project.
const DIRECTORIES: [&str; 2] = [".venv/bin", "node_modules/.bin"];

/// A file that some tool reads, or runs, when it works in a project.
const FILES: &[(&str, &str)] = &[
    (
        "ftl.toml",
        "[preflight]\nchecker = \"literal\"\ncommands = { \".py\" = [\"touch\", \"ran\"], \".md\" = [\"./ran.sh\"] }\n[agent]\ndefault = \"touch ran\"\n",
    ),
    ("py_compile.py", "open('ran', 'w')\n"),
    ("sitecustomize.py", "open('ran', 'w')\n"),
    ("package.json", "{\"type\": \"module\", \"scripts\": {\"prepare\": \"touch ran\"}}"),
    (".npmrc", "node-options=--require ./ran.cjs\n"),
    ("ran.cjs", "require('fs').writeFileSync('ran', '')\n"),
    ("tsconfig.json", "{\"compilerOptions\": {\"plugins\": [{\"name\": \"./ran.cjs\"}]}}"),
    ("rust-toolchain.toml", "[toolchain]\npath = \"node_modules\"\n"),
    (".cargo/config.toml", "[build]\nrustc-wrapper = \"./node_modules/.bin/rustc\"\n"),
    ("build.rs", "fn main() { std::fs::write(\"ran\", \"\").unwrap(); }\n"),
    ("go.mod", "module x\ntoolchain go9.9.9\n"),
    (".gitattributes", "* filter=ran diff=ran\n"),
    ("bad.py", "def f(:\n"),
    ("bad.js", "let = ;\n"),
    ("bad.ts", "let a: = ;\n"),
    ("bad.tsx", "let a = <b>;\n"),
    ("bad.go", "package a; func {\n"),
    ("bad.rs", "fn f( {\n"),
];

/// Settings of a repository by which git would run something.
const SETTINGS: [(&str, &str); 6] = [
    ("core.fsmonitor", "touch ran"),
    ("core.hooksPath", "hooks"),
    ("filter.ran.clean", "touch ran; cat"),
    ("filter.ran.smudge", "touch ran; cat"),
    ("diff.ran.textconv", "touch ran; cat"),
    ("core.pager", "touch ran; cat"),
];

const TASK: &str = r#"<workspace id="001_t" status="active"><implementation><delta>bad.py</delta><verify>python3 -c 1 | true</verify><verify_source>bad.js</verify_source><preflight>touch ran</preflight></implementation><idioms framework="flask"><required>x</required></idioms><delivered/></workspace>"#;

const COMMANDS: &[&[&str]] = &[
    &["status"],
    &["status", "--format", "json"],
    &["doctor"],
    &["preflight", "."],
    &["preflight", "bad.py", "bad.js", "bad.ts", "bad.go", "bad.rs"],
    &["preflight", "--checker", "toolchain", "."],
    &["workspace", "parse", ".ftl/workspace/001_t_active.xml"],
    &["workspace", "validate", ".ftl/workspace/001_t_active.xml"],
    &["build", "001", "--dry-run", "--tree"],
    &["build", "001", "--dry-run", "--agent", "touch ran"],
];

#[test]
fn reading_a_hostile_clone_runs_nothing_of_it() {
    let is_traced = has_tool("strace", "strace", &["-V"]) && has_tool("git", "git", &["--version"]);
    if !is_traced {
        return;
    }
    let project = clone();
    let before = listing(project.path());
    for words in COMMANDS {
        let trace = project.path().with_extension("trace");
        let finished = traced(&project, words, &trace);
        assert!(matches!(finished.code, Some(0..=3)), "{words:?}: {finished:#?}");
        let started = fs::read_to_string(&trace).unwrap();
        fs::remove_file(&trace).unwrap();
        let below = project.path().to_str().unwrap();
        for call in started.lines().filter(|line| line.contains("execve(")) {
            assert!(!runs_below(call, below), "`ftl {words:?}` runs {call}");
        }
        assert_eq!(listing(project.path()), before, "`ftl {words:?}` changed the project");
    }
}

/// A repository in which everything that could run something would leave a file named `ran`.
fn clone() -> Project {
    let project = Project::empty();
    for (path, text) in FILES {
        project.write(path, text);
    }
    for directory in DIRECTORIES {
        for program in PROGRAMS {
            plant(&project, &format!("{directory}/{program}"));
        }
    }
    project.write(".ftl/workspace/001_t_active.xml", TASK);
    // A first look writes what ftl keeps for itself.
    project.write(".ftl/.gitignore", "/runs/\n/locks/\n");
    project.commit();
    for hook in ["post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction"] {
        plant(&project, &format!(".git/hooks/{hook}"));
        plant(&project, &format!("hooks/{hook}"));
    }
    for (key, value) in SETTINGS {
        let set = Program::git(project.path()).args(["config", key, value]);
        set.run().unwrap();
    }
    project
}

fn plant(project: &Project, path: &str) {
    let ran = project.path().join("ran");
    project.write(path, format!("#!/bin/sh\ntouch '{}'\n", ran.display()));
    let path = project.path().join(path);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs ftl with a PATH that leads into the project first, and writes the programs that are started
/// to a file.
fn traced(project: &Project, words: &[&str], trace: &Path) -> Finished {
    let outer = std::env::var("PATH").unwrap();
    let inner = DIRECTORIES.map(|directory| project.path().join(directory));
    let inner: Vec<_> = inner.iter().map(|path| path.to_str().unwrap()).collect();
    // A relative entry is looked up where a program runs.
    let path = format!("{}:node_modules/.bin:{outer}", inner.join(":"));
    let strace = std::env::split_paths(&outer)
        .map(|directory| directory.join("strace"))
        .find(|program| program.exists())
        .unwrap();
    let program = Program::new(strace, project.path())
        .without_cargo()
        .args(["-f", "-qq", "-e", "trace=execve,execveat", "-o"])
        .args([trace])
        .args([FTL])
        .args(words)
        .env("PATH", path);
    Finished::of(program)
}

/// Whether a traced call names a program below a directory, or one by a relative path.
fn runs_below(call: &str, directory: &str) -> bool {
    let Some((_, rest)) = call.split_once("(\"") else {
        return true;
    };
    let program = rest.split('"').next().unwrap_or_default();
    // What was looked for and is not there was not run.
    let found = !call.contains("ENOENT");
    found && (program.starts_with(directory) || !program.starts_with('/'))
}

/// Every path in the project but git's own index, which git refreshes.
fn listing(directory: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                left.push(path.clone());
            }
            paths.push(path);
        }
    }
    paths.sort();
    paths
}
