//! How `ftl.toml` is read: a whole one, an empty one, and every kind of mistake at its place.

use std::path::Path;
use std::time::Duration;

use ftl_engine::run::{Extent, Setup, Strays};
use ftl_machine::Undecided;
use ftl_model::Finding;
use ftl_preflight::CheckerName;
use ftl_process::Environment;

use super::{Config, failure};

fn refusals(text: &str) -> Vec<(String, Option<String>, String)> {
    let problems = Config::parse(text).unwrap_err();
    let refusal = |problem: super::Problem| {
        let place = text[problem.span].to_owned();
        (problem.message, problem.help, place)
    };
    problems.into_iter().map(refusal).collect()
}

#[test]
fn an_empty_configuration_is_the_default() {
    let config = Config::parse("").unwrap();
    assert_eq!(config.default_agent, None);
    assert_eq!(config.preflight.checker, None);
    assert_eq!(config.undecided, Undecided::Warn);
    assert_eq!(config.verify.env, Environment::inherit());
}

#[test]
fn a_setup_command_needs_its_files_and_they_need_it() {
    let said =
        |text: &str| refusals(text).into_iter().map(|(message, ..)| message).collect::<String>();
    let said = [
        "[setup]\nrun = 'x'",
        "[setup]\nwhen = ['x']",
        "[setup]\nrun = 'x'\nwhen = []",
        "[setup]\nrun = ' '\nwhen = ['x']",
    ]
    .map(said);
    assert_eq!(
        said,
        [
            "`run` needs `when`, the files that the command depends on",
            "`when` needs `run`, the command",
            "`when` must name the files that the command depends on",
            "this must be a command",
        ]
    );
}

#[test]
fn every_key_arrives() {
    let config = Config::parse(
        r#"
        agent = { default = "mine", mine = { command = "run", timeout = "1h", env = { mode = "clean", pass = ["PATH"], set = { A = "b" } } } }
        preflight = { checker = "embedded", timeout = "5s", commands = { ".kt" = ["kotlinc", "{file}"] } }
        quality.undecided = "block"
        build.attempts = 3
        setup = { run = "npm ci", when = ["package*.json"] }
        [verify]
        timeout = 90
        env.set.CI = "1"
        untrusted = ["no_tests"]
        [[retry.families]]
        kind = "transient"
        name = "mine"
        pattern = "flux"
        [scope]
        scratch = ["build"]
        allow = ["*.lock"]
        watch = "root"
        strays = "block"
        max_backup = 0x10
        max_written = 1000
        "#,
    )
    .unwrap();
    assert_eq!(config.attempts, Some(3));
    let setup = Setup { command: "npm ci".to_owned(), when: vec!["package*.json".to_owned()] };
    assert_eq!(config.setup, Some(setup));
    let mine = &config.agents["mine"];
    assert_eq!(config.default_agent.as_deref(), Some("mine"));
    assert_eq!(mine.command.as_deref(), Some("run"));
    assert_eq!(mine.timeout, Some(Duration::from_secs(3600)));
    assert_eq!(mine.env, Environment::clean(["PATH"]).set("A", "b"));
    assert_eq!(config.verify.timeout, Some(Duration::from_secs(90)));
    assert_eq!(config.verify.env, Environment::inherit().set("CI", "1"));
    let untrusted = config.verify.untrusted.expect("the file names some");
    assert!(untrusted.contains(&Finding::NoTests));
    assert_eq!(config.preflight.checker, Some(CheckerName::Embedded));
    assert_eq!(config.preflight.timeout, Some(Duration::from_secs(5)));
    assert_eq!(config.preflight.commands[".kt"], ["kotlinc", "{file}"]);
    assert_eq!(config.undecided, Undecided::Block);
    assert_eq!(config.tree.scratch, ["build"]);
    assert_eq!(config.tree.allow, ["*.lock"]);
    assert_eq!(config.tree.watch, Extent::Root);
    assert_eq!(config.tree.strays, Strays::Block);
    assert_eq!(config.tree.max_backup, 16);
    assert_eq!(config.tree.max_written, Some(1000));
    let families = config.families.unwrap();
    assert_eq!(families.classify(&["a Flux"]).families, ["mine"]);
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest_known_one() {
    for (text, key, help) in [
        ("[verfy]\n", "verfy", "did you mean `verify`?"),
        ("[verify]\ntimout = 3", "timout", "did you mean `timeout`?"),
        ("[agent.x]\ncomand = ''", "comand", "did you mean `command`?"),
        (
            "[scope]\nzzz = 1",
            "zzz",
            "known here: `scratch`, `allow`, `watch`, `strays`, `max_backup`, `max_outputs`, \
             `max_written`",
        ),
        ("[verify.env]\nmod = 'clean'", "mod", "did you mean `mode`?"),
        (
            "[[retry.families]]\nkind = 'transient'\nname = ''\npattern = ''\nnam = 1",
            "nam",
            "did you mean `name`?",
        ),
    ] {
        let expected = (format!("unknown key `{key}`"), Some(help.to_owned()), key.to_owned());
        assert_eq!(refusals(text), [expected], "{text}");
    }
}

#[test]
fn a_value_that_cannot_be_used_is_pointed_at() {
    for (text, message, place) in [
        ("verify = 3", "this must be a table", "3"),
        ("[verify]\ntimeout = 'soon'", "a time limit is a number", "'soon'"),
        ("[verify]\ntimeout = 1.5", "a time limit is a number", "1.5"),
        ("[verify]\nuntrusted = ['no_test']", "unknown finding `no_test`", "'no_test'"),
        ("[verify]\nuntrusted = 'no_tests'", "this must be a list of strings", "'no_tests'"),
        ("[agent]\ndefault = true", "this must be a string, not a boolean", "true"),
        ("[agent]\nx = 'run'", "unknown key `x`", "x"),
        ("[preflight]\nchecker = 'hybird'", "unknown value `hybird`", "'hybird'"),
        ("[preflight.commands]\nkt = ['a']", "the end of a file's name", "kt"),
        ("[preflight.commands]\n'.kt' = 'a'", "this must be a list of strings", "'a'"),
        ("[preflight.commands]\n'.kt' = []", "this must name a program", "[]"),
        ("[scope]\nmax_backup = -1", "this must be a number of bytes", "-1"),
        ("[verify]\nenv = { pass = ['A'] }", "`pass` needs `mode = \"clean\"`", "'A'"),
        ("[[retry.families]]\nkind = 'transient'", "a family needs", "[[retry.families]]"),
        ("[verify", "unclosed table", "[verify"),
        ("a = 1\na = 2", "duplicate key", "a"),
    ] {
        let refusals = refusals(text);
        let (said, _, at) = &refusals[0];
        assert!(said.contains(message), "{text}: {said}");
        assert!(at.contains(place) || place.contains(at.as_str()), "{text}: {at:?}");
    }
}

#[test]
fn all_problems_are_reported_at_once_with_their_lines() {
    let text = "[agent]\ndefalt = 'x'\n[scope]\nstrays = 'shoot'\n";
    let problems = Config::parse(text).unwrap_err();
    let failure = failure(Path::new("ftl.toml"), text, problems);
    let message = failure.result().error.message;
    assert!(message.contains("unknown key `defalt` (ftl.toml:2:1)"), "{message}");
    assert!(message.contains("unknown value `shoot` (ftl.toml:4:10)"), "{message}");
}

#[test]
fn the_example_is_a_configuration_with_every_section() {
    let text = include_str!("../../ftl.toml.example");
    Config::parse(text).unwrap();
    let spelled_out: String = text
        .lines()
        .map(|line| line.strip_prefix("#:").unwrap_or(line).to_owned() + "\n")
        .collect();
    let config = Config::parse(&spelled_out).unwrap();
    assert!(config.families.is_some() && config.preflight.checker.is_some());
    for section in [
        "[agent]",
        "[agent.",
        "[verify]",
        "[preflight]",
        "[quality]",
        "[[retry.families]]",
        "[scope]",
    ] {
        assert!(text.contains(section), "{section}");
    }
}
