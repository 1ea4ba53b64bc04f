//! Secrets stay out of everything that ftl writes and prints.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use ftl_testkit::program::Program;
use ftl_text::redact::shapes;

use crate::support::task;
use crate::support::{FTL, Finished, Project};

/// A variable whose value has what JSON, shells and URLs escape.
const ODD: (&str, &str) = ("ODD_TOKEN", "Zq7\"odd\\va/lue&4xK-tail");
const PLAIN: (&str, &str) = ("MY_PASSWORD", "correct-horse-42-battery");

/// Secrets that are printed: the examples of all shapes that fit a line, and the variables.
fn secrets() -> Vec<String> {
    let examples = shapes().iter().flat_map(|shape| shape.examples());
    let examples = examples.map(|(head, tail)| format!("{head}{tail}"));
    examples.chain([ODD.1.to_owned(), PLAIN.1.to_owned()]).collect()
}

/// What of them must be nowhere: of each the longest word, which nothing else has.
fn canaries() -> Vec<String> {
    let word = |secret: &String| {
        let words = secret.split(|c: char| !c.is_ascii_alphanumeric());
        words.max_by_key(|word| word.len()).unwrap_or_default().to_owned()
    };
    let words = secrets().iter().map(word).collect::<Vec<_>>().into_iter();
    words.filter(|word| word.len() >= 12 && !word.contains("eyJ")).collect()
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

/// Files whose bytes are exact: what an implementer wrote, the work that is kept of it, and diffs of it.
fn is_exact(path: &str) -> bool {
    let below_run = || path.split_once(".ftl/runs/")?.1.split('/').nth(2);
    ["/quarantine/", "/interrupted/", "/diffs/", "/before/"].iter().any(|part| path.contains(part))
        || below_run() == Some("work")
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
fn secrets_that_agents_and_tests_print_and_report_are_redacted_everywhere() {
    assert!(canaries().len() >= 40, "{}", canaries().len());
    let project = super::project(&[]);
    let lines: String = secrets().iter().map(|secret| format!("error: {secret} .\n\n")).collect();
    project.write("secrets.txt", &lines);
    project.add("001_a", task().verify("cat secrets.txt; false"));
    let agent = "cat secrets.txt; cat secrets.txt >>notes.txt; : >\"stray-$MY_PASSWORD\"; \
                 printf '{\"summary\": \"used %s\", \"needs\": [\"x/%s\"]}' \"$MY_PASSWORD\" \"$MY_PASSWORD\" >\"$FTL_REPLY\"";
    let words = ["build", "001", "--agent", agent, "--format", "json", "--events", "events"];
    let finished = ftl(&project, &words).ends(3);
    assert_hidden("standard output", &finished.stdout);
    assert_hidden("standard error", &finished.stderr);
    assert_hidden("the events", &project.text("events"));
    let warnings = finished.warnings();
    assert!(
        warnings.contains("MY_PASSWORD (") && warnings.contains("github-token ("),
        "{warnings}"
    );

    project.add("002_b", task().verify("cat secrets.txt; false"));
    let verified =
        ftl(&project, &["build", "002", "--agent", "cat secrets.txt; echo x >>notes.txt"]).ends(3);
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
        // What was moved away keeps its modes and its directories', where only its owner can enter.
        if path.starts_with(&runs) && !name.contains("/quarantine/") {
            let mode = path.metadata().unwrap().permissions().mode() & 0o777;
            let private = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}, not {private:o}");
        }
    }
}

#[test]
fn prompts_requests_and_records_of_a_task_with_a_secret_hold_it_nowhere_else() {
    let project = super::project(&[]);
    let verify = format!("test {} = correct-horse-42-battery", PLAIN.1);
    let objective = format!("<objective>log in with {}</objective>", PLAIN.1);
    project.add("001_a", task().verify(&verify).rest(&objective));
    let words = ["build", "001", "--agent", "cat; echo x >>notes.txt", "--format", "json"];
    let finished = ftl(&project, &words).ends(0);
    assert!(!finished.stdout.contains(PLAIN.1), "{finished:#?}");
    for path in files_below(project.path().join(".ftl/runs")) {
        if path.is_file() {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            assert!(!text.contains(PLAIN.1), "{}: {text}", path.display());
        }
    }
    let record = project.text(".ftl/workspace/001_a_complete.xml");
    assert_eq!(record.matches(PLAIN.1).count(), 3, "only where its author wrote it: {record}");
}

/// Words that look like secrets and are none: those of every shape, and what every log holds.
fn look_alikes() -> Vec<String> {
    const LOGGED: &[&str] = &[
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "sha512-9rKk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ1234567890abcdefgh==",
        "123e4567-e89b-12d3-a456-426614174000",
        "29c2e67f4329ac9d5d5a1f0e8b7c6d5e4f3a2b1c",
        "sk-xxxx",
        "sk-your-key-here",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_000000000000000000000000000000000000",
        "xoxb-your-token",
        "task-1234567890abcdefghijklmnop",
        "disk-usage",
        "https://example.com:8080/path?x=a@b",
        "git@github.com:o/r.git",
        "postgres://user:password@localhost:5432/db",
        "redis://:${REDIS_PASSWORD}@host",
        "https://<user>:<pass>@h",
        "Bearer <token>",
        "Bearer authentication-required",
        "eyJhbGciOiJIUzI1NiJ9",
        "-----BEGIN CERTIFICATE-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE",
        "//registry.example/:_authToken=${NPM_TOKEN}",
        "hf_hub_download",
        "pypi-server",
        "api-key: none",
        "x-api-key: required",
        "SKU123",
        "h1:2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgH=",
        "v1.2.3-0.20260118013056-29c2e67f4329",
        "pk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "fe80::1:AA:BB:CC",
        "00:1A:2B:3C:4D:5E",
        "2026-11-22T18:00:00.000Z",
        "node_modules/.pnpm/x@1.0.0_abcdef/node_modules/x",
        "target/debug/deps/x-0123456789abcdef",
    ];
    let shapes = shapes().iter().flat_map(|shape| shape.look_alikes());
    let all = LOGGED.iter().chain(shapes);
    all.map(|word| (*word).to_owned()).filter(|word| !word.contains('\n')).collect()
}

/// A way by which secrets come in: what verify and preflight are, and what the agent does. `lines`
/// holds them a line each, `reply` in a reply, `names` those that can be names of files.
const WAYS: &[(&str, &str, &str, &str)] = &[
    ("the agent's output", "true", "true", "cat lines; cat lines >&2; echo x >>notes.txt; exit 1"),
    ("the verify's output", "cat lines; false", "true", "echo x >>notes.txt"),
    ("the preflight's output", "true", "cat lines; false", "echo x >>notes.txt"),
    ("the reply", "true", "true", "echo x >>notes.txt; cat reply >\"$FTL_REPLY\""),
    ("the summary", "true", "true", "echo x >>notes.txt; cat summary >\"$FTL_REPLY\""),
    ("the diff", "true", "true", "cat lines >>notes.txt"),
    (
        "names of files",
        "true",
        "true",
        "echo x >>notes.txt; while read -r name; do : >\"s $name\"; done <names",
    ),
    ("the environment", "env; false", "env", "env; echo x >>notes.txt"),
];

/// A project with the words in files, and two tasks that are built for people and for programs.
fn laid(words: &[String], verify: &str, preflight: &str) -> Project {
    let project = super::project(&[]);
    let lines: String = words.iter().map(|word| format!("error: {word} .\n\n")).collect();
    project.write("lines", lines);
    let utilized: Vec<_> = words.iter().map(|word| serde_json::json!({"name": word})).collect();
    let reply =
        serde_json::json!({"summary": words.join(" .\n\n"), "needs": words, "utilized": utilized});
    project.write("reply", reply.to_string());
    project.write("summary", serde_json::json!({"summary": words.join(" .\n\n")}).to_string());
    let is_name = |word: &&String| !word.contains(['/', '\n']) && word.len() < 200;
    let names: String = words.iter().filter(is_name).map(|word| format!("{word}\n")).collect();
    project.write("names", names);
    for id in ["001_a", "002_b"] {
        let preflight = format!("<preflight>{preflight}</preflight>");
        project.add(id, task().verify(verify).elements(&preflight));
    }
    project
}

/// Builds both tasks with these variables; everything that is printed.
fn built(project: &Project, agent: &str, variables: &[(String, String)]) -> [Finished; 2] {
    let agent = ["--isolate", "copy", "--agent", agent];
    let json = ["build", "002", "--format", "json", "--events", "events"];
    [&["build", "001"][..], &json].map(|words| {
        let program = Program::new(FTL, project.path()).without_cargo();
        let program = program.args([words, &agent].concat());
        let program =
            variables.iter().fold(program, |program, (name, value)| program.env(name, value));
        Finished::of(program.env(ODD.0, ODD.1).env(PLAIN.0, PLAIN.1))
    })
}

#[test]
fn every_secret_is_hidden_whichever_way_it_comes_and_goes() {
    let secrets = secrets();
    assert!(shapes().len() >= 30 && secrets.len() >= 40, "{}", secrets.len());
    let lines: Vec<String> = secrets.iter().filter(|it| !it.contains('\n')).cloned().collect();
    let mut cases = 0;
    for (way, verify, preflight, agent) in WAYS {
        let words = if *way == "the environment" { &[][..] } else { &lines };
        let variables: Vec<(String, String)> = match *way {
            "the environment" => secrets.iter().enumerate(),
            _ => [].iter().enumerate(),
        }
        .map(|(number, secret)| (format!("V{number}_TOKEN"), secret.clone()))
        .collect();
        let project = laid(words, verify, preflight);
        let finished = built(&project, agent, &variables);
        let mut outs = Vec::new();
        for run in &finished {
            assert!(matches!(run.code, Some(0 | 3)), "{way}: {run:#?}");
            outs.extend([&run.stdout, &run.stderr].map(|text| (way.to_string(), text.clone())));
        }
        let events = project.text("events");
        outs.push(("events".to_owned(), events));
        for path in files_below(project.path().join(".ftl")) {
            let name = path.display().to_string();
            if path.is_file() && !is_exact(&name) {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                outs.push((name, text));
            }
        }
        for (what, text) in &outs {
            assert_hidden(&format!("{way}: {what}"), text);
        }
        cases += outs.len() * canaries().len();
    }
    assert!(cases >= 4_000, "{cases} cases");
}

#[test]
fn text_that_looks_like_a_secret_stays_whichever_way_it_comes_and_goes() {
    let texts = look_alikes();
    assert!(texts.len() >= 40, "{}", texts.len());
    for (way, verify, preflight, agent) in &WAYS[..6] {
        let project = laid(&texts, verify, preflight);
        for run in built(&project, agent, &[]) {
            let at = run.stdout.find("[redacted").unwrap_or(run.stdout.len());
            let around = &run.stdout[run.stdout.floor_char_boundary(at.saturating_sub(200))..];
            assert!(!around.contains("[redacted"), "{way}: {around}");
        }
        let mut kept = String::new();
        for path in files_below(project.path().join(".ftl/runs")) {
            if path.is_file() {
                kept.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
            }
        }
        let exact = |word: &&String| !word.contains(['"', '\\']);
        for word in texts.iter().filter(exact) {
            assert!(kept.contains(word.as_str()), "{way}: {word}");
        }
    }
}

#[test]
fn secrets_in_the_output_of_preflight_are_counted_where_it_blocks() {
    let project = super::project(&[]);
    let preflight = "<preflight>echo \"error: $MY_PASSWORD\"; false</preflight>";
    project.add("001_a", task().elements(preflight));
    let agent = "echo x >>notes.txt";
    let finished = ftl(&project, &["build", "001", "--agent", agent]).ends(3);
    assert!(finished.stdout.contains("the syntax check failed"), "{finished:#?}");
    assert!(finished.stderr.contains("warning: redacted: MY_PASSWORD ("), "{finished:#?}");
    assert_hidden("standard output", &finished.stdout);
}

#[test]
fn a_run_goes_on_with_the_commands_that_its_journal_does_not_hold() {
    let project = super::project(&[]);
    let verify = format!("test -n {} -a -e done", PLAIN.1);
    project.add("001_a", task().verify(&verify));
    project.write("done", "");
    let agent = "echo x >>notes.txt; [ -e $OUT/once ] || { : >$OUT/once; kill -9 $(cat $OUT/pid); sleep 9; }";
    let build = || {
        let script = "echo $$ >$OUT/pid; exec \"$FTL\" build 001 --isolate copy --agent \"$AGENT\"";
        let program = project.program("sh").args(["-c", script]).env("AGENT", agent);
        Finished::of(program.env(ODD.0, ODD.1).env(PLAIN.0, PLAIN.1))
    };
    let killed = build();
    assert_eq!(killed.code, None, "{killed:#?}");
    let resumed = build().ends(0);
    assert!(!resumed.stdout.contains(PLAIN.1), "{resumed:#?}");
}

#[test]
fn text_that_configuration_exempts_is_written() {
    let project = super::project(&[]);
    project.write("ftl.toml", "[redact]\noff = [\"MY_PASSWORD\"]\n");
    project.add("001_a", task().verify("printf '%s\\n' \"error: $MY_PASSWORD $ODD_TOKEN\"; false"));
    let finished = ftl(&project, &["build", "001", "--format", "json"]);
    let expected = format!("error: {} [redacted: ODD_TOKEN]", PLAIN.1);
    assert_eq!(finished.json()["block"]["error"], expected, "{finished:#?}");
}

#[test]
fn directories_of_an_earlier_ftl_are_closed() {
    let project = super::project(&[]);
    project.add("001_a", task());
    project.write(".ftl/runs/000_old/1/outputs/verify-1.log", "old");
    let runs = project.path().join(".ftl/runs");
    fs::set_permissions(&runs, fs::Permissions::from_mode(0o755)).unwrap();
    ftl(&project, &["build", "001"]).ends(0);
    for path in files_below(runs) {
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", path.display());
    }
}

#[test]
fn every_shape_is_documented() {
    let page = fs::read_to_string(ftl_testkit::root().join("docs/secrets.md")).unwrap();
    for shape in shapes() {
        let row = format!("| `{}` | {} | [source]({}) |", shape.name, shape.what, shape.source);
        assert!(page.contains(&row), "docs/secrets.md lacks: {row}");
    }
}
