//! The page with what was measured.

use std::collections::BTreeSet;
use std::fmt::Write;

use ftl_testkit::Result;
use ftl_testkit::page::table;

use crate::Cells;
use crate::case::{WAYS, Way};
use crate::installed::{Build, Installed};
use crate::{conformance, inspector};

const HEAD: &str = "# Agents, as they were measured

`cargo xtask agents` installs the agents from their packages, points each at a model server that answers by a script, builds
a small task with it in each way and case, and writes this page. It does not show that a model solves tasks.

Every run must also end within its limit, leave no process running and nothing in the project but the task's files, and show
the key nowhere. A case that completes without a stray leaves the same record with every agent and in every way, but for
what it says of the agent and the times.

- *refused*: the agent or `ftl mcp` refuses the call, and the task is completed. *dropped*: `ftl` finds the stray
  afterwards. *same session*: the repair or the fix continues the conversation.
- *exit 1*: `ftl` says why the agent could not begin, and the task is active and uncharged.
- *as open*, *as scoped*: the preset has no other way. *no shell*: the agent has none in this way; in the first table,
  agents without one were given it by a custom command. *not offered*: `--contain mcp` refuses the agent.
";

/// The result of a check of the protocol: how it failed, in a line.
type Checked<T> = std::result::Result<T, String>;

/// Writes it.
///
/// # Errors
///
/// Never in practice: a string takes any text.
pub(crate) fn render(
    build: &Build,
    present: &[Installed],
    skipped: &[(String, String)],
    (cells, first, last): (&Cells, &str, &str),
    (inspected, conforms): (&Checked<usize>, &Checked<()>),
) -> Result<String> {
    let mut page = HEAD.to_owned();
    let date = match first == last {
        true => format!("on {first}"),
        false => format!("between {first} and {last}"),
    };
    let names: Vec<String> =
        present.iter().map(|agent| format!("`{}` {}", agent.name, agent.version)).collect();
    writeln!(
        page,
        "\nMeasured {date}, with `{}` (build {}) and {}.",
        build.version,
        &build.digest[..12],
        names.join(", ")
    )?;
    for (name, why) in skipped {
        writeln!(page, "\nSkipped: `{name}`: {why}")?;
    }
    for way in WAYS {
        section(&mut page, way, present, cells)?;
    }
    writeln!(page, "\n## `ftl mcp` under the protocol's inspector and conformance suite\n")?;
    match inspected {
        Ok(calls) => writeln!(
            page,
            "Inspector {}: {calls} calls, refused ones among them, each came to what it must.",
            inspector::VERSION
        )?,
        Err(why) => writeln!(page, "**missed** {why}")?,
    }
    let scenarios = conformance::SCENARIOS.join("`, `");
    match conforms {
        Ok(()) => writeln!(
            page,
            "\nConformance suite {}, by a bridge: `{scenarios}` passed.",
            conformance::VERSION
        )?,
        Err(why) => writeln!(page, "\n**missed** {why}")?,
    }
    writeln!(page, "\n## Left in the temporary directory\n")?;
    for agent in present {
        let of_agent = cells.iter().filter(|((_, _, name), _)| *name == agent.name);
        let left: BTreeSet<&str> = of_agent
            .flat_map(|(_, cell)| cell.temporary.iter().map(|name| kind(name)))
            // Of a hidden one the name is random.
            .filter(|name| !name.starts_with('.'))
            .collect();
        let left: Vec<String> = left.iter().map(|name| format!("`{name}`")).collect();
        let left = match left.is_empty() {
            true => "nothing".to_owned(),
            false => left.join(", "),
        };
        writeln!(page, "- `{}`: {left}", agent.name)?;
    }
    Ok(page)
}

/// A name without what is random in it.
fn kind(name: &str) -> &str {
    name.split(|char: char| char.is_ascii_digit())
        .next()
        .unwrap_or_default()
        .trim_end_matches(['-', '_', '.'])
}

/// A table with a column for the agents that came to the same in every case.
fn section(page: &mut String, way: Way, present: &[Installed], cells: &Cells) -> Result {
    writeln!(page, "\n## {}\n", way.title())?;
    let mut misses = Vec::new();
    let mut columns: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for agent in present {
        let name = agent.name.as_str();
        let mut column = Vec::new();
        for case in way.cases() {
            let Some(cell) = cells.get(&(way.name(), case.name, name.to_owned())) else {
                column.push("not run".to_owned());
                continue;
            };
            let mark = if cell.misses.is_empty() { "" } else { "**missed** " };
            column.push(format!("{mark}{}", cell.words));
            misses.extend(
                cell.misses.iter().map(|miss| format!("- `{name}`, {}: {miss}", case.title)),
            );
        }
        match columns.iter_mut().find(|(_, other)| *other == column) {
            Some((names, _)) => names.push(name),
            None => columns.push((vec![name], column)),
        }
    }
    // A column of one word in all rows is a sentence.
    let (same, columns): (Vec<_>, Vec<_>) = columns
        .into_iter()
        .partition(|(_, column)| column.len() > 1 && column.iter().all(|cell| *cell == column[0]));
    for (names, column) in same {
        writeln!(page, "{}: {}.\n", names.join(", "), column[0])?;
    }
    let heads = columns.iter().map(|(names, _)| names.join(", "));
    let heads: Vec<String> = std::iter::once("the agent".to_owned()).chain(heads).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let rows = way.cases().enumerate().map(|(number, case)| {
        let cells = columns.iter().map(|(_, column)| column[number].clone());
        std::iter::once(case.title.to_owned()).chain(cells).collect::<Vec<String>>()
    });
    *page += &table(&heads, rows.collect::<Vec<_>>());
    if !misses.is_empty() {
        writeln!(page, "\nMissed:\n\n{}", misses.join("\n"))?;
    }
    Ok(())
}
