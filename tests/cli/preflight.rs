//! `ftl preflight`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use serde_json::{Value, json};

use crate::support::{FTL, Finished, Project};

/// Embedded only: what is installed must not matter.
const PREFLIGHT: [&str; 3] = ["preflight", "--checker", "embedded"];

fn project() -> Project {
    let project = Project::empty();
    project.write("src/good.py", "x = 1\n");
    project.write("src/bad.py", "def f(:\n");
    project.write("src/notes.txt", "");
    project.write("src/made/bad.json", "{");
    project.write("src/.gitignore", "made\n");
    project
}

fn verdicts(said: &Value) -> Vec<(String, String)> {
    let files = said["files"].as_array().unwrap();
    let word = |file: &Value, key: &str| file[key].as_str().unwrap().to_owned();
    let verdict = |file: &Value| (word(file, "path"), word(file, "status"));
    files.iter().map(verdict).collect()
}

fn check(project: &Project, words: &[&str]) -> Finished {
    project.ftl(PREFLIGHT.iter().chain(words))
}

#[test]
fn directories_are_walked_as_ignore_files_say_and_named_files_are_always_judged() {
    let words = ["--format", "json", "src", "src/notes.txt", "src/made/bad.json"];
    let finished = check(&project(), &words).ends(1);
    let said = finished.json();
    let expected = [
        ("src/bad.py", "invalid"),
        ("src/good.py", "valid"),
        ("src/notes.txt", "unchecked"),
        ("src/made/bad.json", "invalid"),
    ];
    let expected = expected.map(|(path, status)| (path.to_owned(), status.to_owned()));
    assert_eq!(verdicts(&said), expected);
    assert_eq!(said["summary"], json!({"valid": 1, "invalid": 2, "unchecked": 1}));
    let bad = &said["files"][0];
    assert_eq!(bad["language"], "python");
    assert_eq!(bad["checker"], "embedded");
    assert_eq!(bad["diagnostics"][0]["line"], 1);
    assert!(said["files"][2]["reason"].is_string(), "{said:#}");
}

#[test]
fn people_read_each_finding_with_its_line_and_a_count() {
    let finished = check(&project(), &["src"]);
    assert!(
        finished.stdout.starts_with("src/bad.py:1:7: ")
            && finished.stdout.contains("\n  1 | def f(:\n    |       ^\n"),
        "{finished:#?}"
    );
    assert!(finished.stdout.ends_with("1 valid, 1 invalid, 0 unchecked\n"), "{finished:#?}");
}

#[test]
fn files_without_a_checker_are_findings_only_when_strict() {
    let project = project();
    check(&project, &["src/notes.txt"]).ends(0);
    check(&project, &["src/notes.txt", "--strict"]).ends(1);
    check(&project, &["src/good.py", "--strict"]).ends(0);
}

#[test]
fn a_language_is_given_by_name_or_by_extension() {
    let project = project();
    for (language, code) in [("json", 1), (".py", 0)] {
        let words = ["src/notes.txt", "src/good.py", "--language", language];
        assert_eq!(check(&project, &words).code, Some(code), "{language}");
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let project = project();
    for (words, input, code) in [
        (&["--language", "json"][..], "{}", 0),
        (&["--language", "json"], "{", 1),
        (&["any/where.py"], "x = 1", 0),
        (&["any/where.py"], "x = ", 1),
        (&[], "", 2),
        (&["a.py", "b.py"], "", 2),
    ] {
        let script = format!("printf %s '{input}' | \"$0\" \"$@\"");
        let shell = Program::new("sh", project.path()).args(["-c", &script, FTL]);
        Finished::of(shell.args(PREFLIGHT).args(["--stdin"]).args(words)).ends(code);
    }
}

#[test]
fn a_missing_path_is_a_usage_error_and_nothing_is_judged() {
    let finished = check(&project(), &["src/good.py", "gone.py", "lost", "--format", "json"]);
    super::assert_refused(&finished, 2, "usage::missing_file", "`gone.py`");
    assert!(finished.json()["error"]["message"].to_string().contains("`lost`"));
}

#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn a_front_end_follows_nothing_that_a_project_or_the_environment_says() {
    let project = Project::empty();
    let files = [
        ("a.py", "import random\nx = 1\n"),
        ("a.cjs", "const x = 1;\n"),
        ("a.mjs", "import 'x';\n"),
        ("a.ts", "const x: number = 'y';\n"),
        ("a.go", "package a\n"),
        ("a.rs", "mod missing;\n"),
    ];
    // Each of these leaves a file when it is run.
    let ran = project.path().join("ran").display().to_string();
    let traps = [
        ("sitecustomize.py", format!("open({ran:?}, 'w')\n")),
        ("random.py", format!("open({ran:?}, 'w')\n")),
        ("evil.cjs", format!("require('fs').writeFileSync({ran:?}, '')\n")),
        ("node_modules/x/index.js", format!("require('fs').writeFileSync({ran:?}, '')\n")),
        ("evil.sh", format!("#!/bin/sh\n: > {ran:?}\nexit 1\n")),
        (".cargo/config.toml", "[build]\nrustc-wrapper = './evil.sh'\n".to_owned()),
        ("rust-toolchain.toml", "[toolchain]\nchannel = 'no-such-channel'\n".to_owned()),
        (
            "tsconfig.json",
            "{\"compilerOptions\": {\"plugins\": [{\"name\": \"./evil.cjs\"}]}}".to_owned(),
        ),
        (".npmrc", "node-options=--require=./evil.cjs\n".to_owned()),
        ("go.mod", "module a\ngo 99.0\n".to_owned()),
    ];
    for (path, text) in &traps {
        project.write(path, text);
    }
    for (path, text) in files {
        project.write(path, text);
    }
    let evil = project.path().join("evil.cjs").display().to_string();
    let before = tree(project.path());
    let finished = Finished::of(
        Program::new(FTL, project.path())
            .args(["preflight", "--checker", "toolchain", "--format", "json"])
            .args(files.map(|(path, _)| path))
            .env("PYTHONPATH", project.path())
            .env("PYTHONSTARTUP", project.path().join("sitecustomize.py"))
            .env("PYTHONDONTWRITEBYTECODE", "")
            .env("NODE_OPTIONS", format!("--require {evil}"))
            .env("NODE_PATH", project.path().join("node_modules"))
            .env("GOFLAGS", "-mod=none")
            .env("GOTOOLCHAIN", "go99.0.0")
            .env("RUSTC_WRAPPER", project.path().join("evil.sh"))
            .env("RUSTFLAGS", "--no-such-flag"),
    );
    let said = finished.json();
    assert_eq!(verdicts(&said).len(), files.len(), "{said:#}");
    for file in said["files"].as_array().unwrap() {
        match file["reason"].as_str() {
            Some(reason) if reason.ends_with("is not installed") => {
                println!("skipped: {}: {reason}", file["path"]);
            }
            _ => assert_eq!(file["status"], "valid", "{file:#}"),
        }
    }
    assert_eq!(tree(project.path()), before, "something was run or left behind");
}

/// Every path below a directory.
fn tree(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| {
            let below = if path.is_dir() { tree(&path) } else { Vec::new() };
            below.into_iter().chain([path])
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_file_that_deceives_the_measure_ends_a_scout_and_not_the_program() {
    let project = Project::empty();
    // To the measure the parentheses lie in a string; to the parser the quotes are an element's text.
    let text = format!("x = <a>'{{{}'</a>;\n", "(".repeat(900_000));
    project.write("deceiver.jsx", &text);
    let finished = check(&project, &["deceiver.jsx"]).ends(0);
    let expected = "deceiver.jsx: unchecked: nested more deeply than the parser follows safely";
    assert!(finished.stdout.starts_with(expected), "{finished:#?}");
}

#[test]
fn a_parser_that_gives_up_is_reported_once() {
    let project = Project::empty();
    project.write("odd.mjs", "let x; export { x as \"\\\\u\" };\n");
    let finished = check(&project, &["odd.mjs"]).ends(0);
    assert!(finished.stdout.starts_with("odd.mjs: unchecked: "), "{finished:#?}");
    assert_eq!(finished.stderr, "", "{finished:#?}");
}

#[test]
fn every_listed_language_has_an_embedded_parser() {
    let listed = Project::empty().ftl(["preflight", "--languages", "--format", "json"]).ends(0);
    let listed = listed.json();
    super::schemas::assert_fits("languages", &listed);
    for language in listed["languages"].as_array().unwrap() {
        assert_eq!(language["embedded"], true, "{language}");
    }
}

#[test]
fn languages_are_listed_for_people_and_not_as_findings() {
    let project = Project::empty();
    let listed = project.ftl(["preflight", "--languages"]).ends(0);
    let go = listed.stdout.lines().find(|line| line.starts_with("go "));
    let words: Vec<&str> = go.unwrap().split_whitespace().collect();
    assert_eq!(words, ["go", "embedded,", "gofmt", "yes", "yes", ".go"]);
    for words in [
        &["--languages", "--format", "sarif"][..],
        &["--languages", "a.py"],
        &["--languages", "--strict"],
    ] {
        let refused = project.ftl(["preflight"].iter().chain(words)).ends(2);
        assert!(refused.stderr.contains("usage::arguments"), "{refused:#?}");
    }
}

/// A front end that thinks for two seconds, and accepts whatever it is shown.
fn slow_gofmt() -> Project {
    let programs = Project::empty();
    programs.write("gofmt", "#!/bin/sh\nsleep 2\n");
    let path = programs.path().join("gofmt");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    programs
}

#[test]
fn a_front_end_has_as_long_as_the_configuration_says() {
    let programs = slow_gofmt();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", programs.path().display());
    for (limit, status, outcome) in [("1s", "invalid", "blocked"), ("1m", "valid", "complete")] {
        let project = Project::empty();
        project.write("ftl.toml", format!("[preflight]\ntimeout = '{limit}'\n"));
        project.write("bad.go", "package a\n\nfunc f( {\n");
        let run = |words: &[&str]| {
            let ftl = Program::new(FTL, project.path()).without_cargo();
            Finished::of(ftl.env("PATH", &path).args(words)).json()
        };
        let checked = run(&["preflight", "bad.go", "--format", "json"]);
        assert_eq!(checked["files"][0]["status"], status, "{checked:#}");
        let task = "<workspace status=\"active\"><implementation><delta>bad.go</delta>\
                    <verify>true</verify></implementation><delivered/></workspace>\n";
        project.write(".ftl/workspace/001_a_active.xml", task);
        let built = run(&["build", "--tree", "--format", "json"]);
        assert_eq!(built["outcome"], outcome, "{built:#}");
        assert_eq!(built["preflight"][0]["status"], status, "{built:#}");
    }
}

/// A file of a language without a checker, and a command for it that leaves a trace.
fn with_command() -> Project {
    let project = Project::empty();
    project.write(
        "ftl.toml",
        "[preflight.commands]\n\".kt\" = ['sh', '-c', 'touch ran; ! grep -Hn broken $1', 'sh', '{file}']\n\
         '.swift' = ['no-such-tool-anywhere']\n",
    );
    project.write("src/a.kt", "fun a() {}\nbroken\n");
    project.write("src/b.swift", "let b = 1\n");
    project
}

#[test]
fn a_configured_command_judges_its_suffix_where_the_command_line_asks_for_it() {
    let project = with_command();
    for words in [&["--commands"][..], &["--checker", "literal"]] {
        let words = [&["preflight", "--format", "json", "src"], words].concat();
        let finished = project.ftl(words).ends(1);
        let said = finished.json();
        let expected = [("src/a.kt", "invalid"), ("src/b.swift", "unchecked")]
            .map(|(a, b)| (a.into(), b.into()));
        assert_eq!(verdicts(&said), expected);
        let found = &said["files"][0]["diagnostics"][0];
        assert_eq!((&found["line"], &found["message"]), (&json!(2), &json!("broken")), "{said:#}");
        assert!(said["files"][1]["reason"].to_string().contains("no-such-tool-anywhere"));
        assert!(project.path().join("ran").exists());
    }
}

#[test]
fn a_project_alone_cannot_make_a_reading_command_run_its_commands() {
    let project = with_command();
    for words in [&["src"][..], &["src/a.kt"], &["--checker", "toolchain", "src"]] {
        let words = [&["preflight", "--format", "json"], words].concat();
        let finished = project.ftl(words).ends(0);
        assert_eq!(finished.json()["files"][0]["status"], "unchecked");
        assert!(finished.stderr.contains("add `--commands`"), "{finished:#?}");
        assert!(!project.path().join("ran").exists());
    }
}

#[test]
fn a_build_checks_files_with_the_configured_commands() {
    let project = with_command();
    let task = "<workspace status=\"active\"><implementation><delta>src/a.kt</delta>\
        <delta>src/b.swift</delta><verify>true</verify></implementation><delivered/></workspace>\n";
    project.write(".ftl/workspace/001_a_active.xml", task);
    let words = ["build", "001", "--tree", "--format", "json"];
    let said = project.ftl(words).json();
    assert_eq!(said["outcome"], "blocked", "{said:#}");
    assert_eq!(said["block"]["kind"], "preflight_exhausted", "{said:#}");
    let check = &said["preflight"][0];
    assert_eq!((&check["status"], &check["checker"]), (&json!("invalid"), &json!("literal")));
    assert_eq!(check["diagnostics"][0]["line"], 2, "{said:#}");

    project.write("src/a.kt", "fun a() {}\n");
    project.ftl(["reopen", "001"]).ends(0);
    let said = project.ftl(words).json();
    let checks = said["preflight"].as_array().unwrap();
    let status =
        |path: &str| checks.iter().find(|it| it["path"] == path).map(|it| it["status"].clone());
    assert_eq!(status("src/a.kt"), Some(json!("valid")), "{said:#}");
    assert_eq!(status("src/b.swift"), Some(json!("unchecked")), "{said:#}");
}
