//! The five minutes of `docs/start.md`: its commands work as they stand, and print what it says.

use ftl_testkit::program::Program;

use crate::support::{FTL, Finished, Project, has_tool};

/// A fenced block: its language and its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.map(|part| part.split_once('\n').unwrap()).collect()
}

/// A text in which all durations are the same: `397 ms` and `1.2 s` are `N s`.
fn timeless(text: &str) -> String {
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for at in 1..words.len() {
            let is_number = words[at - 1].starts_with(|c: char| c.is_ascii_digit());
            if is_number && matches!(words[at], "s" | "ms") {
                (words[at - 1], words[at]) = ("N", "s");
            }
        }
        words.join(" ") + "\n"
    };
    text.lines().map(line).collect()
}

#[test]
fn the_commands_of_the_first_page_print_what_it_says() {
    if !has_tool("python3", "python3", &["--version"]) {
        return;
    }
    let page = ftl_testkit::root().join("docs/start.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (work, _) = page.split_once("## With an agent").unwrap();
    let blocks = blocks(work);
    let project = Project::empty();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", std::path::Path::new(FTL).parent().unwrap().display());
    let mut compared = 0;
    for (at, (_, commands)) in
        blocks.iter().enumerate().filter(|(_, (language, _))| *language == "sh")
    {
        let shell = Program::new("sh", project.path()).without_cargo();
        let identity = ["GIT_AUTHOR", "GIT_COMMITTER"];
        let shell = identity.iter().fold(shell, |shell, who| {
            let shell = shell.env(&format!("{who}_NAME"), "ada");
            shell.env(&format!("{who}_EMAIL"), "ada@localhost")
        });
        let shell = shell.env("PATH", &path).args(["-c", commands]);
        let finished = Finished::of(shell);
        if let Some(("text", expected)) = blocks.get(at + 1) {
            assert_eq!(timeless(&finished.stdout), timeless(expected), "{finished:#?}");
            compared += 1;
        } else {
            assert_eq!(finished.code, Some(0), "{finished:#?}");
        }
    }
    assert_eq!(compared, 3);
    let records = project.workspaces();
    assert!(
        matches!(records.as_slice(), [record] if record.ends_with("_complete.xml")),
        "{records:?}"
    );
}
