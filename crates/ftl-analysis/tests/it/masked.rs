//! Commands that hide failures, and commands of real projects that do not.

use ftl_analysis::findings::{masked_exit, may_hide_failure};

use crate::cases::rows;

#[test]
fn every_way_to_hide_a_failure_is_tried_and_the_plain_ones_are_named() {
    let hiding: Vec<&str> = include_str!("../cases/masked/hiding.txt").lines().collect();
    assert!(hiding.len() >= 60, "{}", hiding.len());
    let missed: Vec<&&str> = hiding.iter().filter(|command| !may_hide_failure(command)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let named = hiding.iter().filter_map(|command| masked_exit(command));
    assert!(named.count() > 50);
}

#[test]
fn an_honest_command_is_left_alone() {
    for [command] in rows("masked/plain.txt") {
        assert_eq!(masked_exit(&command), None, "{command}");
    }
    for command in ["", " ; ", &"(".repeat(1 << 20)] {
        assert_eq!(masked_exit(command), None, "{command:.40}");
    }
}

/// The commands are from CI workflows and `scripts` of package.json, with the project before them. Scripts of several
/// lines have the `set -e` with which their runner starts them.
#[test]
fn no_command_of_a_real_project_is_taken_for_one_that_hides_failures() {
    let commands: Vec<String> =
        rows("masked/honest.tsv").into_iter().map(|[_, command]| command).collect();
    assert!(commands.len() >= 300, "{}", commands.len());
    let wrong: Vec<String> = commands
        .iter()
        .filter_map(|command| Some(format!("{command}\n  => {:?}", masked_exit(command)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
