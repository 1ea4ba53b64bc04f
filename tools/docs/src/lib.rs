//! The pages of docs/ that are made from the code: command reference, transitions, messages, JSON
//! schemas; and the tables of languages in written pages.

mod inputs;
mod languages;
mod messages;

use std::fmt::Write as _;
use std::path::Path;

use ftl_engine::schema::schemas;
use ftl_machine::graph;
use ftl_testkit::program::Program;
use ftl_testkit::tree::Tree;
use ftl_testkit::{Result, root};

pub(crate) const NOTE: &str = "<!-- Made by `cargo xtask docs`: edit the code instead. -->";

/// The generated pages, by this package's own engine and by the program at `ftl`.
///
/// # Errors
///
/// The program could not be asked.
pub fn tree(ftl: &Path) -> Result<Tree> {
    let mut tree = Tree::new().owning("docs/schemas");
    tree.add("docs/cli.md", command_reference(ftl)?);
    tree.add("docs/transitions.md", transitions());
    tree.add("docs/messages.md", messages::page()?);
    languages::add_pages(&mut tree)?;
    tree.add("docs/schemas/plan.schema.json", ftl_engine::author::plan::SCHEMA);
    tree.add("docs/schemas/config.schema.json", format!("{:#}\n", inputs::configuration()?));
    for (name, mut schema) in schemas().into_iter().chain(ftl_workers::schemas()) {
        let title = title(name).ok_or_else(|| format!("the schema `{name}` has no title"))?;
        schema.insert("title".to_owned(), title.into());
        let text = format!("{:#}\n", schema.as_value());
        tree.add(format!("docs/schemas/{name}.schema.json"), text);
    }
    Ok(tree)
}

/// What prints or reads the JSON of a schema.
fn title(name: &str) -> Option<&'static str> {
    Some(match name {
        "build" => "`ftl build --format json`, one workspace",
        "results" => "`ftl build --format json`, several workspaces",
        "failed" => "any command with `--format json` that could not begin or go on",
        "event" => "a line of `ftl build --events`",
        "preflight" => "`ftl preflight --format json`",
        "languages" => "`ftl preflight --languages --format json`",
        "validate" => "`ftl workspace validate --format json`",
        "show" => "`ftl show --format json`",
        "status" => "`ftl status --format json`",
        "planned" => "`ftl plan --format json`",
        "agents" => "`ftl agents --format json`",
        "actions" => {
            "`--format json` of commands that make, change or remove something: `ftl new`, `edit`, `reopen` …"
        }
        "doctor" => "`ftl doctor --format json`",
        "knowledge-list" => "`ftl knowledge list --format json`",
        "knowledge-test" => "`ftl knowledge test --format json`",
        "workspace" => "`ftl workspace parse`",
        "agent-request" => "the file that `FTL_REQUEST` names",
        "agent-reply" => "the file that `FTL_REPLY` names",
        "judge-request" => "what a judge (`[retry] judge`) reads from standard input",
        "judge-reply" => "what a judge (`[retry] judge`) prints",
        "idiom-request" => "what a judge of idioms (`[quality] judge`) reads from standard input",
        "worker-request" => "what a build asks a worker for, as a message on NATS JetStream",
        "worker-result" => "a worker's answer, in the object store of NATS JetStream",
        "workers" => "`ftl worker list --format json`",
        "idiom-reply" => "what a judge of idioms (`[quality] judge`) prints",
        _ => return None,
    })
}

/// The machine's table, and its diagram.
fn transitions() -> String {
    format!(
        "{NOTE}\n\n# The state machine\n\nEvery state with its cost, and every transition that the exhaustive exploration \
         of the machine takes.\n\n{}\n\n```mermaid\n{}\n```\n",
        graph::TABLE.trim_end(),
        graph::MERMAID.trim_end(),
    )
}

/// Every command's own help, in the order in which the program lists them.
fn command_reference(ftl: &Path) -> Result<String> {
    let mut page = format!(
        "{NOTE}\n\n# The `ftl` command\n\n`ftl help COMMAND` prints the same, and so do `-h` (shorter) and `--help` of each command.\n"
    );
    let all = Program::new(ftl, &root()).args(["man", "--list"]).text()?;
    for name in all.lines() {
        let words: Vec<String> = name.split(' ').skip(1).map(str::to_owned).collect();
        let help = ask(ftl, &words)?;
        let help = if words.is_empty() { help } else { own(&help) };
        write!(page, "\n## `{name}`\n\n```text\n{}\n```\n", distinct(&help))?;
    }
    Ok(page)
}

/// A help text without what every command has: the option and the command that print help.
fn distinct(help: &str) -> String {
    let is_help = |line: &str| {
        let words = line.trim_start();
        words.starts_with("-h, --help")
            || words.starts_with("help  ")
            || words.starts_with("Print help (")
    };
    let kept: Vec<&str> = help.lines().filter(|line| !is_help(line)).collect();
    let mut text = kept.join("\n") + "\n";
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text.replace("\nOptions:\n\n", "\n").trim_end().trim_end_matches("\n\nOptions:").to_owned()
}

fn ask(ftl: &Path, words: &[String]) -> Result<String> {
    Program::new(ftl, &root())
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .args(words)
        .args(["--help"])
        .text()
}

/// A help text without the options of every command, which the page has once.
fn own(help: &str) -> String {
    let Some((own, rest)) = help.split_once("\nOptions of every command:\n") else {
        return help.to_owned();
    };
    let after = rest.lines().skip_while(|line| line.is_empty() || line.starts_with(' '));
    let after: Vec<&str> = after.collect();
    format!("{own}\n{}\n", after.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::distinct;

    #[test]
    fn a_help_text_is_shown_without_the_option_that_every_command_has() {
        let long = "Options:\n      --all\n          All\n\n  -h, --help\n          Print help (see a summary with '-h')\n\nExit codes: 0\n";
        assert_eq!(distinct(long), "Options:\n      --all\n          All\n\nExit codes: 0");
        let short = "Usage: ftl idioms\n\nCommands:\n  list  All\n  help  Print this\n\nOptions:\n  -h, --help  Print help\n";
        assert_eq!(distinct(short), "Usage: ftl idioms\n\nCommands:\n  list  All");
    }
}
