//! Tables of the docs that the program prints itself, in other words.

use std::fs;

use serde_json::Value;

use crate::support::Project;

#[test]
fn the_table_of_agents_says_what_ftl_agents_lists() {
    let listed = Project::empty().ftl(["agents", "--format", "json"]).json();
    let page = fs::read_to_string(ftl_testkit::root().join("docs/agents.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `") && line.matches(" | ").count() == 7)
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .filter(|row: &Vec<&str>| row[0] != "`--agent`")
        .collect();
    let agents = listed["agents"].as_array().unwrap();
    assert_eq!(rows.len(), agents.len(), "{rows:#?}");
    for agent in agents {
        let text = |key: &str| agent[key].as_str().unwrap();
        let yes = |key: &str| if agent[key] == true { "yes" } else { "no" };
        let choices = match (&agent["model"], &agent["effort"]) {
            (Value::Bool(true), Value::Bool(true)) => "both",
            (Value::Bool(true), _) => "model",
            _ => "no",
        };
        let name = format!("`{}`", text("name"));
        let row = rows.iter().find(|row| row[0] == name).expect(&name);
        let [_, title, install, _, chosen, session, files, says] = row[..] else {
            panic!("{row:?}");
        };
        assert_eq!(title, text("title"), "{name}");
        assert_eq!(install, format!("`{}`", text("install")), "{name}");
        assert_eq!(chosen, choices, "{name}");
        assert_eq!(session, yes("sessions"), "{name}");
        assert_eq!(says, yes("events"), "{name}");
        // One is given them otherwise than by a rule, which the page alone says.
        let gets_files =
            files == yes("scoped") || (yes("scoped"), files) == ("no", "its files alone");
        assert!(gets_files, "{name}: {files}");
    }
}
