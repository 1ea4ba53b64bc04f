//! `ftl init`: a configuration file that sets the attempts of agents and what a verify must show, and whose every key can be used.

use super::project;
use crate::support::Project;

#[test]
fn the_file_sets_little_until_a_key_is_uncommented_and_then_each_is_understood() {
    let project = project(&["001_a_active.xml"]);
    let made = project.ftl(["init"]);
    assert_eq!((made.code, made.stdout.as_str()), (Some(0), "Created: ftl.toml\n"));
    let text = project.text("ftl.toml");
    let is_comment = |line: &&str| line.is_empty() || line.starts_with('#');
    let set: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
    assert_eq!(set[..3], ["[build]", "attempts = 2", "[verify]"], "{text}");
    assert!(set[3].starts_with("untrusted = ") && set[3].contains("passed_before"), "{text}");
    assert_eq!(set[4..], ["evidence = \"full\""], "{text}");
    project.ftl(["build", "--tree"]).ends(0);

    let keys: Vec<&str> = text
        .lines()
        .map(|line| line.strip_prefix('#').unwrap_or(line))
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .collect();
    assert!(keys.len() > 30, "{keys:#?}");
    project.write("rules/house.yml", "");
    project.write("knowledge.toml", "");
    project.write("ftl.toml", keys.join("\n"));
    let listed = project.ftl(["agents"]).ends(0);
    assert!(listed.stdout.contains("careful"), "{listed:#?}");
}

#[test]
fn a_file_that_is_there_stays_as_it_is() {
    let project = Project::empty();
    project.write("ftl.toml", "# mine\n");
    let refused = project.ftl(["init"]).ends(2);
    assert!(refused.stderr.contains("usage::config_exists"), "{refused:#?}");
    assert_eq!(project.read("ftl.toml"), b"# mine\n");
}

#[test]
fn in_a_directory_of_a_project_the_file_is_written_at_the_root() {
    let project = project(&["001_a_active.xml"]);
    project.write("deep/er/x.txt", "");
    let program =
        ftl_testkit::program::Program::new(crate::support::FTL, &project.path().join("deep/er"));
    crate::support::Finished::of(program.without_cargo().args(["init"])).ends(0);
    assert!(project.path().join("ftl.toml").is_file());
}
