//! Verdicts of installed tools. A test whose tool is missing says so and returns.

use std::fs;

use ftl_preflight::{Checker, CheckerName, Options, Reason, Report, Source, Status};
use tempfile::TempDir;

fn check(checker: CheckerName, name: &str, text: &str) -> Report {
    let options = Options::default().with_checker(checker);
    Checker::new(options).check_source(Source::new(&format!("/nowhere/{name}"), text))
}

/// Whether the report is about a tool that is not there, which is said aloud.
fn is_skipped(report: &Report) -> bool {
    match &report.status {
        Status::Unchecked { reason: Reason::MissingTool(tool) } => {
            println!("skipped: needs {tool}");
            true
        }
        _ => false,
    }
}

#[test]
fn a_front_end_parses_and_runs_nothing_and_places_its_errors() {
    /// Name, text, and where it is refused.
    type Case = (&'static str, &'static str, Option<(usize, usize)>);
    let cases: &[Case] = &[
        ("a.py", "import not_installed\nopen('/nowhere/written', 'w')\n", None),
        ("a.py", "x = 1\ny = 'é' +\n", Some((2, 10))),
        ("a.js", "import a from 'missing'; await a;\n", None),
        ("a.js", "#!/usr/bin/env node\nreturn require('missing');\n", None),
        ("a.js", "let a;\nlet é = ;\n", Some((2, 9))),
        ("a.cjs", "import a from 'a';\n", Some((1, 1))),
        ("a.ts", "import a from 'missing';\nconst b: string = 1;\n", None),
        ("a.ts", "const é: string = ;\n", Some((1, 19))),
        ("a.tsx", "const a = <b>{c}</b>;\n", None),
        ("a.go", "package a\n\nimport \"missing\"\n\nfunc f() { g() }\n", None),
        ("a.go", "package a\n\nvar é = )\n", Some((3, 9))),
        ("a.rs", "mod missing;\nuse absent::Thing;\nfn main() { thing!() }\n", None),
        ("a.rs", "#!/usr/bin/env run\n#![allow(x)]\nfn f() {}\n", None),
        ("a.rs", "fn é() { let x = ; }\n", Some((1, 18))),
        ("a.sh", ". missing\necho >/nowhere/written\n", None),
        ("a.sh", "a=1\nfi\n", Some((2, 1))),
        ("a.rb", "BEGIN { exit 3 }\nrequire 'missing'\n", None),
        ("a.rb", "x = 1\ny = )\n", Some((2, 1))),
        ("a.php", "<?php\nrequire 'missing.php';\n", None),
        ("a.php", "<?php\n$x = ;\n", Some((2, 1))),
        ("a.lua", "require 'missing'\n", None),
        ("a.lua", "local goto = 1\n", None),
        ("a.lua", "x = 1\ny = )\n", Some((2, 1))),
        ("a.proto", "import \"missing.proto\";\nmessage A { optional Missing b = 1; }\n", None),
        ("a.proto", "message A { optional int32 b 1; }\n", Some((1, 30))),
        ("a.xml", "<a/>\n", None),
        ("a.xml", "<a>\n</b>\n", Some((2, 1))),
        ("a.tf", "module \"a\" {\n  source = \"./missing\"\n}\n", None),
        ("a.tf", "a = 1\nb = )\n", Some((2, 1))),
    ];
    for (name, text, place) in cases {
        let report = check(CheckerName::Toolchain, name, text);
        // Only Lua 5.1 takes it for a name.
        let is_old = text.contains("local goto") && which::which("luac5.1").is_err();
        if is_old {
            println!("skipped: needs luac5.1");
        }
        if is_old || is_skipped(&report) {
            continue;
        }
        assert_eq!(report.checker, CheckerName::Toolchain);
        let found = report.diagnostics().first().map(|it| (it.line, it.column));
        assert_eq!(found, *place, "{name} {text:?} {:#?}", report.status);
        assert_eq!(report.status == Status::Valid, place.is_none(), "{name} {text:?}");
    }
}

#[test]
fn the_hybrid_believes_the_front_end_about_what_the_parser_refuses() {
    if which::which("node").is_err() {
        return println!("skipped: needs node");
    }
    // Engines leave this to a run-time error, against the standard.
    let report = check(CheckerName::Hybrid, "a.cjs", "f() = 1;\n");
    assert_eq!((report.checker, report.status), (CheckerName::Toolchain, Status::Valid));
    assert_eq!(report.overruled.map(|found| found[0].line), Some(1));

    let report = check(CheckerName::Hybrid, "a.cjs", "f( = 1;\n");
    assert_eq!(report.status.as_str(), "invalid");
    assert_eq!(report.overruled, None);
}

#[test]
fn node_has_no_say_about_what_a_compiler_reads() {
    let (jsx, broken) = ("const a = <b/>;\n", "const a = <b;\n");
    assert_eq!(check(CheckerName::Hybrid, "a.js", jsx).status, Status::Valid);
    let report = check(CheckerName::Toolchain, "a.js", jsx);
    assert_eq!(report.status.as_str(), "unchecked");
    if !is_skipped(&report) {
        let report = check(CheckerName::Toolchain, "a.js", broken);
        assert_eq!(report.status.as_str(), "invalid");
    }
}

#[test]
fn the_hybrid_keeps_to_the_parser_where_no_front_end_can_be_asked() {
    let report = check(CheckerName::Hybrid, "a.json", "[1,]");
    assert_eq!(report.checker, CheckerName::Embedded);
    assert_eq!(report.diagnostics()[0].column, 4);
    let report = check(CheckerName::Hybrid, "a.py", "x = 1\n");
    assert_eq!((report.checker, report.status), (CheckerName::Embedded, Status::Valid));
}

#[test]
fn a_language_without_a_front_end_is_unchecked_by_the_toolchain() {
    let report = check(CheckerName::Toolchain, "a.toml", "a = 1\n");
    assert_eq!(report.status.as_str(), "unchecked");
}

#[test]
fn the_literal_checker_believes_an_exit_code() {
    if which::which("python").is_err() {
        return println!("skipped: needs python");
    }
    assert_eq!(check(CheckerName::Literal, "a.py", "x = 1\n").status, Status::Valid);
    let report = check(CheckerName::Literal, "a.py", "x = (\n");
    assert!(report.diagnostics()[0].message.contains("a.py"), "{:?}", report.status);
    assert_eq!(check(CheckerName::Literal, "a.toml", "").status.as_str(), "unchecked");
}

#[test]
fn a_configured_command_judges_files_of_its_extension() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.kt");
    fs::write(&file, "fun main() {}\n").unwrap();
    let judged_by = |words: &[&str]| {
        let options = Options::default().with_command(".kt", words.iter().copied());
        Checker::new(options).check_path(&file)
    };
    assert_eq!(judged_by(&["grep", "-q", "main", "{file}"]).status, Status::Valid);
    let refused = judged_by(&["sh", "-c", "echo no; exit 3"]);
    assert_eq!(refused.checker, CheckerName::Literal);
    assert_eq!(refused.diagnostics()[0].message, "no");
    let missing = judged_by(&["no-such-tool-anywhere"]);
    assert_eq!(
        missing.status,
        Status::Unchecked { reason: Reason::MissingTool("no-such-tool-anywhere".to_owned()) }
    );
}

#[test]
fn a_command_reads_what_is_to_be_stored_and_says_where_it_fails() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.kt");
    fs::write(&file, "stored\n").unwrap();
    let script = "grep -n broken \"$1\" | sed \"s|^\\([0-9]*\\):|$1:\\1:3: error: |\"; ! grep -q broken \"$1\"";
    let options = Options::default()
        .with_command_directory(directory.path())
        .with_command("kt", ["sh", "-c", script, "sh"]);
    let checker = Checker::new(options);
    let check = |text: &str| checker.check_source(Source::new(&file, text));
    assert_eq!(check("stored\n").status, Status::Valid);
    let report = check("one\nis broken\n");
    let [found] = report.diagnostics() else { panic!("{:?}", report.status) };
    assert_eq!((found.line, found.column, found.message.as_str()), (2, 3, "is broken"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "stored\n");
}

#[test]
fn the_longest_suffix_decides_and_the_embedded_checker_runs_no_command() {
    let options = Options::default()
        .with_command(".py", ["false"])
        .with_command(".tpl.py", ["true"])
        .with_command("Kt", ["false"]);
    let checker = Checker::new(options.clone());
    let status = |name: &str| checker.check_source(Source::new(name, "x = 1\n")).status;
    assert_eq!(status("a.TPL.py"), Status::Valid);
    assert_eq!(status("a.py").as_str(), "invalid");
    assert_eq!(status("a.kt").as_str(), "invalid");
    let named = Source::new("a.kt", "x = 1\n").with_language(ftl_preflight::Language::Python);
    assert_eq!(checker.check_source(named).status, Status::Valid);

    let checker = Checker::new(options.with_checker(CheckerName::Embedded));
    let status = |name: &str| checker.check_source(Source::new(name, "x = 1\n")).status;
    assert_eq!(status("a.py"), Status::Valid);
    assert_eq!(status("a.kt"), Status::Unchecked { reason: Reason::UnknownLanguage });
}

#[test]
fn a_tool_that_takes_too_long_leaves_the_file_unchecked() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.kt");
    fs::write(&file, "").unwrap();
    let options = Options::default()
        .with_timeout(std::time::Duration::from_millis(50))
        .with_command("kt", ["sh", "-c", "while :; do sleep 1; done"]);
    let report = Checker::new(options).check_path(&file);
    let Status::Unchecked { reason: Reason::CheckerFailed(why) } = report.status else {
        panic!("{:?}", report.status);
    };
    assert!(why.contains("no answer"), "{why}");
}

#[test]
fn processes_that_a_command_leaves_are_ended_and_its_output_is_bounded() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.kt");
    fs::write(&file, "").unwrap();
    let check = |script: &str| {
        let options = Options::default().with_command("kt", ["sh", "-c", script, "sh"]);
        Checker::new(options).check_path(&file)
    };
    let (start, pid) = (std::time::Instant::now(), directory.path().join("pid"));
    let report = check(&format!("sleep 60 & echo $! >{}; echo no; exit 3", pid.display()));
    assert_eq!(report.diagnostics()[0].message, "no");
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    let pid = fs::read_to_string(pid).unwrap();
    let ended = || {
        let state = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        state.is_empty() || state.contains(") Z ")
    };
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !ended() && std::time::Instant::now() < until {
        std::thread::yield_now();
    }
    assert!(ended(), "process {pid} is still running");

    let report = check("yes | head -c 4000000; echo last; exit 3");
    let message = &report.diagnostics()[0].message;
    assert!(message.len() < 1 << 20 && message.ends_with("last"), "{} bytes", message.len());
}

#[test]
fn an_interrupt_ends_a_running_command_and_programs_are_found_as_the_caller_says() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.kt");
    fs::write(&file, "").unwrap();
    let options = Options::default().with_command("kt", ["sh", "-c", "sleep 60"]);
    let report = Checker::new(options.clone().with_interrupt(|| true)).check_path(&file);
    let why = Reason::CheckerFailed("interrupted".to_owned());
    assert_eq!(report.status, Status::Unchecked { reason: why });

    let options = options.with_programs(|_| None, || "/bin".into());
    let report = Checker::new(options).check_path(&file);
    let why = Reason::MissingTool("sh".to_owned());
    assert_eq!(report.status, Status::Unchecked { reason: why });
}

#[test]
fn definitions_of_an_edition_are_not_called_broken() {
    let file = "// License\n/* of this file */\nedition = \"2023\";\nmessage A {}\n";
    let status = |checker| check(checker, "a.proto", file).status;
    let newer = Status::Unchecked { reason: Reason::Newer("edition") };
    assert_eq!(status(CheckerName::Embedded), newer);
    // An older `protoc` does not know it either.
    assert!([Status::Valid, newer].contains(&status(CheckerName::Hybrid)));
}
