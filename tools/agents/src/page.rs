//! The page with what was measured.

use std::collections::BTreeSet;
use std::fmt::Write;

use ftl_testkit::Result;

use crate::Cells;
use crate::case::{WAYS, Way};
use crate::installed::{Build, Installed};
use crate::{conformance, inspector};

const HEAD: &str = "# Agents, as they were measured

`cargo xtask agents` writes this page. It installs the agents from their packages, points each at a model server that
answers by a script, and builds a small task with it in each way and case, all with one build of `ftl`. So it shows
that the plumbing holds, not that a model solves tasks.

Of every run it is also seen that it ends within its limit, leaves no process running and nothing in the project but the
task's files, and that the key is nowhere in `.ftl`, in what `ftl` prints or in its events. A case that does the task, repairs it,
gets a fix or has nothing to change leaves the same record with every agent and in every way, but for what it says of
the agent and the times. What is not so is a miss.

- *refused*: the agent or `ftl mcp` refuses the call, the model reads that, and the task is completed. *put back*: `ftl`
  finds the stray afterwards. *same session*: the repair or the fix goes on with the conversation.
- *exit 1*: `ftl` says why the agent could not begin, and the task is active and uncharged.
- *as open*, *as scoped*: the preset has no other way. *no shell*: the agent has none in this way; in the first table,
  agents without one were given it by a command of one's own. *not offered*: `--contain mcp` refuses the agent.
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
    writeln!(page, "\n## Beside the project\n")?;
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
        writeln!(page, "- `{}` left in the temporary directory: {left}", agent.name)?;
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

fn section(page: &mut String, way: Way, present: &[Installed], cells: &Cells) -> Result {
    writeln!(page, "\n## {}\n", way.title())?;
    let names: Vec<&str> = present.iter().map(|agent| agent.name.as_str()).collect();
    writeln!(page, "| the agent | {} |", names.join(" | "))?;
    writeln!(page, "|---|{}", "---|".repeat(names.len()))?;
    let mut misses = Vec::new();
    for case in way.cases() {
        let mut row = format!("| {} |", case.title);
        for name in &names {
            let cell = cells.get(&(way.name(), case.name, (*name).to_owned()));
            let Some(cell) = cell else {
                row += " not run |";
                continue;
            };
            let mark = if cell.misses.is_empty() { "" } else { "**missed** " };
            write!(row, " {mark}{} |", cell.words)?;
            misses.extend(
                cell.misses.iter().map(|miss| format!("- `{name}`, {}: {miss}", case.title)),
            );
        }
        writeln!(page, "{row}")?;
    }
    if !misses.is_empty() {
        writeln!(page, "\nMissed:\n\n{}", misses.join("\n"))?;
    }
    Ok(())
}
