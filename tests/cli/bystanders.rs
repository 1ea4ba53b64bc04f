//! Commands that only print.

use ftl_testkit::program::Program;

use crate::support::{FTL, Finished, Project};

#[test]
fn the_graph_is_drawn_in_two_languages() {
    let project = Project::empty();
    let mermaid = project.ftl(["graph"]);
    assert!(mermaid.stdout.starts_with("stateDiagram-v2\n"), "{mermaid:#?}");
    assert!(mermaid.stdout.contains("VERIFY --> RETRY"), "{mermaid:#?}");
    let dot = project.ftl(["graph", "--format", "dot"]);
    assert!(dot.stdout.starts_with("digraph"), "{dot:#?}");
}

#[test]
fn completions_know_the_commands_in_every_shell() {
    let project = Project::empty();
    for (shell, known) in [
        // The program is asked.
        ("bash", "candidates"),
        ("fish", "candidates"),
        ("zsh", "candidates"),
        ("elvish", "read-tests"),
        ("powershell", "read-tests"),
    ] {
        let finished = project.ftl(["completions", shell]).ends(0);
        assert!(finished.stdout.contains(known), "{shell}");
    }
    project.ftl(["completions", "cmd"]).ends(2);
}

#[test]
fn help_and_version_are_results() {
    let project = Project::empty();
    for words in [&["--help"][..], &["build", "--help"], &["new", "-h"], &["--version"]] {
        let finished = project.ftl(words).ends(0);
        assert!(finished.stdout.contains("ftl"), "{finished:#?}");
        assert_eq!(finished.stderr, "", "{finished:#?}");
    }
}

#[test]
fn without_a_command_the_commands_are_listed_as_help() {
    let project = Project::empty();
    for (words, command) in [(&[] as &[&str], "build"), (&["workspace"], "parse")] {
        let finished = project.ftl(words).ends(2);
        assert_eq!(finished.stdout, "", "{finished:#?}");
        for said in ["a command is missing", "Usage: ftl", command] {
            assert!(finished.stderr.contains(said), "{said}: {finished:#?}");
        }
    }
}

#[test]
fn a_reader_who_leaves_early_is_no_failure() {
    let project = Project::empty();
    let script = format!("'{FTL}' completions bash | exec 0<&-; '{FTL}' graph | head -n 1");
    let shell = Program::new("sh", project.path());
    let finished = Finished::of(shell.args(["-c", &script]));
    assert_eq!(finished.stdout, "stateDiagram-v2\n");
    assert_eq!(finished.stderr, "");
}
