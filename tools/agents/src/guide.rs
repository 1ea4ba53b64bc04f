//! What docs/agents.md has a newcomer set up and type. The runs follow it to the letter, so that it stays true.

use std::fs;

use ftl_testkit::{Result, root};

/// The page.
const PAGE: &str = "docs/agents.md";
/// Its section with the first commands, and the agent that they name.
const FIRST: (&str, &str) = ("## A first task with your agent", "claude");
/// Its section on how each agent is pointed at a server, and what is there for the server, its key and its model.
const SERVER: &str = "## Another model server";
const URL: &str = "http://localhost:8080";
const KEY: &str = "KEY";
const MODEL: &str = "MODEL";

/// How an agent is pointed at a model server.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SetUp {
    /// Variables.
    pub(crate) env: Vec<(String, String)>,
    /// Files by their paths from the home directory.
    pub(crate) files: Vec<(String, String)>,
}

/// The commands by which a newcomer does a first task with this agent.
///
/// # Errors
///
/// The page does not hold them.
pub(crate) fn commands(agent: &str) -> Result<Vec<String>> {
    first_commands(&fs::read_to_string(root().join(PAGE))?, agent)
}

/// How this agent is pointed at the server of that address.
///
/// # Errors
///
/// The page does not say it.
pub(crate) fn set_up(agent: &str, url: &str, key: &str, model: &str) -> Result<SetUp> {
    let page = fs::read_to_string(root().join(PAGE))?;
    let mut found = server(&page, agent)?;
    let fill = |text: &mut String| {
        *text = text.replace(URL, url).replace(MODEL, model);
    };
    for (_, value) in &mut found.env {
        // Names of variables hold these letters too; a value is the key or has none of it.
        if value == KEY {
            key.clone_into(value);
        }
        fill(value);
    }
    for (_, text) in &mut found.files {
        fill(text);
    }
    Ok(found)
}

fn first_commands(page: &str, agent: &str) -> Result<Vec<String>> {
    let (title, named) = FIRST;
    let blocks = blocks(section(page, title)?);
    let (_, _, text) = blocks.first().ok_or("the page has no first commands")?;
    let to = format!("--agent {agent}");
    let lines = text.lines().map(|line| line.replace(&format!("--agent {named}"), &to));
    Ok(lines.collect())
}

fn server(page: &str, agent: &str) -> Result<SetUp> {
    let section = section(page, SERVER)?;
    let start = format!("\n`{agent}`");
    let (_, rest) = section
        .split_once(&start)
        .ok_or_else(|| format!("{PAGE} does not say how `{agent}` is pointed at a server"))?;
    // The next agent's part begins with its name, behind a blank line, as a fence does with more of these marks.
    let begins = |at: &usize| !rest[at + 3..].starts_with('`');
    let next = rest.match_indices("\n\n`").map(|(at, _)| at).find(begins);
    let part = &rest[..next.unwrap_or(rest.len())];
    let part = format!("`{agent}`{part}");
    let mut set_up = SetUp::default();
    for (before, language, text) in blocks(&part) {
        match language {
            "sh" => {
                let words = text.lines().map(|line| {
                    let words = line.split(" #").next().unwrap_or_default().trim();
                    let set = words.strip_prefix("export ")?.split_once('=')?;
                    Some((set.0.to_owned(), set.1.to_owned()))
                });
                let words: Option<Vec<_>> = words.collect();
                let words = words.ok_or_else(|| format!("`{agent}`: only `export NAME=VALUE`"))?;
                set_up.env.extend(words);
            }
            _ => {
                let path = before.rsplit_once("`~/").and_then(|(_, it)| it.split_once('`'));
                let (path, _) = path.ok_or_else(|| format!("`{agent}`: a file has no path"))?;
                set_up.files.push((path.to_owned(), text.to_owned()));
            }
        }
    }
    Ok(set_up)
}

/// From a title to the next one.
fn section<'p>(page: &'p str, title: &str) -> Result<&'p str> {
    let (_, rest) =
        page.split_once(title).ok_or_else(|| format!("{PAGE} has no section `{title}`"))?;
    Ok(rest.split("\n## ").next().unwrap_or(rest))
}

/// Fenced blocks: the text before each, its language, and what it holds.
fn blocks(text: &str) -> Vec<(&str, &str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, block)) = rest.split_once("```") {
        let Some((language, block)) = block.split_once('\n') else {
            break;
        };
        let Some((inside, after)) = block.split_once("```") else {
            break;
        };
        found.push((before, language, inside));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{commands, set_up};
    use crate::installed::NAMES;

    #[test]
    fn the_page_says_for_each_agent_what_to_set_up_and_what_to_type() {
        for name in NAMES {
            let found = set_up(name, "http://127.0.0.1:9", "the-key", "the-model").unwrap();
            let set = [found.env, found.files].concat();
            let all: Vec<&str> = set.iter().map(|(_, text)| text.as_str()).collect();
            let all = all.join("\n");
            assert!(all.contains("127.0.0.1:9"), "{name}: {all}");
            assert!(all.contains("the-key"), "{name}: {all}");
            assert!(!all.contains("localhost") && !all.contains("MODEL"), "{name}: {all}");
            let typed = commands(name).unwrap();
            assert_eq!(typed.len(), 3, "{typed:?}");
            assert!(typed[0].starts_with("ftl agents"), "{typed:?}");
            let built = typed[2].split(" #").next().unwrap_or_default().trim();
            assert_eq!(built, format!("ftl build 001 --agent {name}"));
        }
        let files = |name: &str| set_up(name, "u", "k", "m").unwrap().files;
        assert_eq!(files("codex")[0].0, ".codex/config.toml");
        assert_eq!(files("opencode")[0].0, ".config/opencode/opencode.json");
        assert!(files("claude").is_empty());
        let of_qwen = set_up("qwen", "u", "k", "m").unwrap().env;
        assert_eq!(of_qwen.len(), 3, "{of_qwen:?}");
    }
}
