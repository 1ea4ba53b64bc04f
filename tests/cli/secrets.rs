//! Secrets stay out of everything that ftl writes and prints.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use ftl_testkit::program::Program;
use ftl_text::redact::shapes;

use super::task;
use crate::support::{FTL, Finished, Project};

/// A variable whose value has what JSON, shells and URLs escape.
const ODD: (&str, &str) = ("ODD_TOKEN", "Zq7\"odd\\va/lue&4xK-tail");
const PLAIN: (&str, &str) = ("MY_PASSWORD", "correct-horse-42-battery");

/// Secrets that are printed: the examples of all shapes that fit a line, and the variables.
fn secrets() -> Vec<String> {
    let examples = shapes().iter().flat_map(|shape| shape.examples());
    let examples = examples.map(|(head, tail)| format!("{head}{tail}"));
    examples
        .chain([ODD.1.to_owned(), PLAIN.1.to_owned()])
        .collect()
}

/// What of them must be nowhere: of each the longest word, which nothing else has.
fn canaries() -> Vec<String> {
    let word = |secret: &String| {
        let words = secret.split(|c: char| !c.is_ascii_alphanumeric());
        words
            .max_by_key(|word| word.len())
            .unwrap_or_default()
            .to_owned()
    };
    let words = secrets().iter().map(word).collect::<Vec<_>>().into_iter();
    words
        .filter(|word| word.len() >= 12 && !word.contains("eyJ"))
        .collect()
}

fn files_below(directory: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

/// Files whose bytes are exact: what an implementer wrote, and diffs of it.
fn is_exact(path: &str) -> bool {
    ["/quarantine/", "/interrupted/", "/diffs/"]
        .iter()
        .any(|part| path.contains(part))
}

fn ftl(project: &Project, words: &[&str]) -> Finished {
    let program = Program::new(FTL, project.path()).without_cargo();
    Finished::of(program.args(words).env(ODD.0, ODD.1).env(PLAIN.0, PLAIN.1))
}

fn assert_hidden(what: &str, text: &str) {
    for canary in canaries() {
        assert!(!text.contains(&canary), "{what} holds {canary}: {text}");
    }
}

#[test]
fn what_agents_and_tests_print_and_report_is_redacted_everywhere() {
    assert!(canaries().len() >= 40, "{}", canaries().len());
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    let lines: String = secrets()
        .iter()
        .map(|secret| format!("error: {secret} .\n\n"))
        .collect();
    project.write("secrets.txt", &lines);
    project.write(
        ".ftl/workspace/001_a_active.xml",
        task("", "cat secrets.txt; false"),
    );
    let agent = "cat secrets.txt; cat secrets.txt >>notes.txt; : >\"stray-$MY_PASSWORD\"; \
                 printf '{\"summary\": \"used %s\", \"needs\": [\"x/%s\"]}' \"$MY_PASSWORD\" \"$MY_PASSWORD\" >\"$FTL_REPLY\"";
    let words = [
        "build", "001", "--agent", agent, "--format", "json", "--events", "events",
    ];
    let finished = ftl(&project, &words);
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    assert_hidden("standard output", &finished.stdout);
    assert_hidden("standard error", &finished.stderr);
    assert_hidden(
        "the events",
        &String::from_utf8(project.read("events")).unwrap(),
    );
    let warnings = finished.json()["warnings"].to_string();
    assert!(
        warnings.contains("MY_PASSWORD (") && warnings.contains("github-token ("),
        "{warnings}"
    );

    project.write(
        ".ftl/workspace/002_b_active.xml",
        task("", "cat secrets.txt; false"),
    );
    let verified = ftl(
        &project,
        &[
            "build",
            "002",
            "--agent",
            "cat secrets.txt; echo x >>notes.txt",
        ],
    );
    assert_eq!(verified.code, Some(3), "{verified:#?}");
    assert_hidden("standard output", &verified.stdout);
    assert_hidden("standard error", &verified.stderr);
    assert!(verified.stdout.contains("redacted: "), "{verified:#?}");

    let runs = project.path().join(".ftl/runs");
    for path in files_below(project.path().join(".ftl")) {
        let name = path.display().to_string();
        if path.is_file() && !is_exact(&name) {
            let bytes = fs::read(&path).unwrap();
            assert_hidden(&name, &String::from_utf8_lossy(&bytes));
        }
        // What was moved away keeps its modes, in a directory that nobody else can enter.
        if path.starts_with(&runs) && !name.contains("quarantine/1/") {
            let mode = path.metadata().unwrap().permissions().mode() & 0o777;
            let private = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}, not {private:o}");
        }
    }
}

#[test]
fn prompts_requests_and_records_of_a_task_with_a_secret_hold_it_nowhere_else() {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    let verify = format!("test {} = correct-horse-42-battery", PLAIN.1);
    let text = task("", &verify).replace(
        "<delivered/>",
        &format!("<objective>log in with {}</objective>", PLAIN.1),
    );
    project.write(".ftl/workspace/001_a_active.xml", &text);
    let words = [
        "build",
        "001",
        "--agent",
        "cat; echo x >>notes.txt",
        "--format",
        "json",
    ];
    let finished = ftl(&project, &words);
    assert_eq!(
        finished.code,
        Some(0),
        "the command itself runs as it is written: {finished:#?}"
    );
    assert!(!finished.stdout.contains(PLAIN.1), "{finished:#?}");
    for path in files_below(project.path().join(".ftl/runs")) {
        if path.is_file() {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            assert!(!text.contains(PLAIN.1), "{}: {text}", path.display());
        }
    }
    let record = String::from_utf8(project.read(".ftl/workspace/001_a_complete.xml")).unwrap();
    assert_eq!(
        record.matches(PLAIN.1).count(),
        3,
        "only where its author wrote it: {record}"
    );
}

#[test]
fn what_a_preflight_command_printed_is_counted_where_it_blocks() {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    let text = task("", "true").replace(
        "</verify>",
        "</verify><preflight>echo \"error: $MY_PASSWORD\"; false</preflight>",
    );
    project.write(".ftl/workspace/001_a_active.xml", text);
    let agent = "echo x >>notes.txt";
    let finished = ftl(&project, &["build", "001", "--agent", agent]);
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    for word in ["preflight_exhausted", "redacted: MY_PASSWORD ("] {
        assert!(finished.stdout.contains(word), "{word}: {finished:#?}");
    }
    assert_hidden("standard output", &finished.stdout);
}

#[test]
fn a_run_goes_on_with_the_commands_that_its_journal_does_not_hold() {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    let verify = format!("test -n {} -a -e done", PLAIN.1);
    project.write(".ftl/workspace/001_a_active.xml", task("", &verify));
    project.write("done", "");
    let agent = "echo x >>notes.txt; [ -e \"$FTL_PROMPT.once\" ] || { : >\"$FTL_PROMPT.once\"; kill -9 $PPID; sleep 1; }";
    let killed = ftl(
        &project,
        &["build", "001", "--isolate", "off", "--agent", agent],
    );
    assert_eq!(killed.code, None, "{killed:#?}");
    let resumed = ftl(
        &project,
        &["build", "001", "--isolate", "off", "--agent", agent],
    );
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert!(!resumed.stdout.contains(PLAIN.1), "{resumed:#?}");
}

#[test]
fn what_configuration_exempts_is_written() {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    project.write("ftl.toml", "[redact]\noff = [\"MY_PASSWORD\"]\n");
    project.write(
        ".ftl/workspace/001_a_active.xml",
        task(
            "",
            "printf '%s\\n' \"error: $MY_PASSWORD $ODD_TOKEN\"; false",
        ),
    );
    let finished = ftl(&project, &["build", "001", "--format", "json"]);
    let expected = format!("error: {} [redacted: ODD_TOKEN]", PLAIN.1);
    assert_eq!(finished.json()["block"]["error"], expected, "{finished:#?}");
}

#[test]
fn directories_of_an_earlier_ftl_are_closed() {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    project.write(".ftl/workspace/001_a_active.xml", task("", "true"));
    project.write(".ftl/runs/000_old/1/outputs/verify-1.log", "old");
    let runs = project.path().join(".ftl/runs");
    fs::set_permissions(&runs, fs::Permissions::from_mode(0o755)).unwrap();
    let finished = ftl(&project, &["build", "001"]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    for path in files_below(runs) {
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", path.display());
    }
}

#[test]
fn every_shape_is_documented() {
    let page = fs::read_to_string(ftl_testkit::root().join("docs/secrets.md")).unwrap();
    for shape in shapes() {
        let row = format!(
            "| `{}` | {} | [source]({}) |",
            shape.name, shape.what, shape.source
        );
        assert!(page.contains(&row), "docs/secrets.md lacks: {row}");
    }
}
