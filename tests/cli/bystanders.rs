//! Commands that only print.

use ftl_testkit::program::Program;

use crate::support::{FTL, Finished, Project};

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
fn a_group_without_a_command_lists_its_commands() {
    let finished = Project::empty().ftl(["workspace"]).ends(2);
    assert_eq!(finished.stdout, "", "{finished:#?}");
    for said in ["a command is missing", "Usage: ftl", "parse"] {
        assert!(finished.stderr.contains(said), "{said}: {finished:#?}");
    }
}

#[test]
fn a_reader_who_leaves_early_is_no_failure() {
    let project = Project::empty();
    let script = format!("'{FTL}' completions bash | exec 0<&-; '{FTL}' --help | head -n 1");
    let shell = Program::new("sh", project.path());
    let finished = Finished::of(shell.args(["-c", &script]));
    assert!(finished.stdout.starts_with("Run coding tasks"), "{finished:#?}");
    assert_eq!(finished.stderr, "");
}
