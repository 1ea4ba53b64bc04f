//! `ftl idioms`: the rules that decide idioms, and the framework that they belong to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ftl_engine::project::{find, read_regular, walk};
use ftl_engine::{RuleCard, frameworks_named};
use ftl_text::terminal_text;
use serde::Serialize;

use crate::args::{Format, IdiomsArgs, IdiomsCommand};
use crate::config::Config;
use crate::exit::FAILED;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Files that are looked at to find the framework.
const MAX_FILES: usize = 20_000;
/// Files that a thread takes at once.
const BATCH: usize = 64;
/// Largest of them, in bytes.
const LARGEST: u64 = 1 << 20;

pub(crate) fn run(command: &IdiomsCommand) -> CommandResult {
    match command {
        IdiomsCommand::Detect(args) => detect(args),
        IdiomsCommand::List(args) => list(&cards()?, args.format),
        IdiomsCommand::Explain(args) => {
            let cards = chosen(cards()?, &args.rules)?;
            explain(&cards, args.common.format)
        }
        IdiomsCommand::Test(args) => {
            let cards = chosen(cards()?, &args.rules)?;
            test(&cards, args.common.format)
        }
    }
}

/// A framework, and the files that name it.
#[derive(Serialize)]
struct Detected {
    framework: &'static str,
    files: Vec<String>,
}

fn detect(args: &IdiomsArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    let detected = detected(layout.root());
    match args.format {
        Format::Json => output::json(&detected)?,
        Format::Human if detected.is_empty() => output::result("no known framework\n")?,
        Format::Human => {
            let mut lines = String::new();
            for one in &detected {
                let shown: Vec<_> = one.files.iter().take(3).map(|it| plain(it)).collect();
                let more = match one.files.len().saturating_sub(3) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let _ = writeln!(lines, "{}  {}{more}", one.framework, shown.join(", "));
            }
            output::result(&lines)?;
        }
    }
    Ok(0)
}

/// The framework that most files of the project name.
pub(crate) fn framework_of(root: &Path) -> Option<&'static str> {
    detected(root).first().map(|one| one.framework)
}

/// The frameworks that files of the project name, the one that most of them name first. All cores read.
fn detected(root: &Path) -> Vec<Detected> {
    let files = Mutex::new(walk::files_of_project(root).take(MAX_FILES));
    let next = || -> Vec<PathBuf> {
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        files.by_ref().take(BATCH).collect()
    };
    let name_all = |mut batch: Vec<PathBuf>| {
        let mut named = Vec::new();
        while !batch.is_empty() {
            named.extend(batch.iter().flat_map(|path| frameworks_in(root, path)));
            batch = next();
        }
        named
    };
    let first = next();
    // A small project is read sooner than a thread starts.
    let threads = match first.len() < BATCH {
        true => 1,
        false => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let named = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, || name_all(next())).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut named = name_all(first);
        for other in others {
            named.extend(other.join().expect("because reading a file does not panic"));
        }
        named
    });
    let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (framework, name) in named {
        found.entry(framework).or_default().push(name);
    }
    let mut detected: Vec<Detected> = found
        .into_iter()
        .map(|(framework, mut files)| {
            files.sort();
            Detected { framework, files }
        })
        .collect();
    detected.sort_by_key(|one| std::cmp::Reverse(one.files.len()));
    detected
}

/// The frameworks that a file names, each with the file's name in the project.
fn frameworks_in(root: &Path, path: &Path) -> Vec<(&'static str, String)> {
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    if !(name.ends_with(".py") || frameworks_may_be_in(&name)) {
        return Vec::new();
    }
    let Ok(bytes) = read_regular(path, LARGEST) else {
        return Vec::new();
    };
    let frameworks = frameworks_named(&name, &String::from_utf8_lossy(&bytes));
    frameworks.into_iter().map(|framework| (framework, name.clone())).collect()
}

fn frameworks_may_be_in(name: &str) -> bool {
    [".txt", ".toml", ".cfg", "Pipfile"].iter().any(|end| name.ends_with(end))
}

/// Every rule, those of the project first.
fn cards() -> Result<Vec<RuleCard>, Failure> {
    let layout = find(globals::root(), None)?;
    let config = Config::load(globals::config(), layout.root())?;
    let rules = config.rules(layout.root())?;
    rules.check().map_err(|why| {
        Failure::usage("config::rules", why)
            .help("correct the rule, or take its file off `[quality] rules`")
    })?;
    Ok(rules.cards())
}

/// The rules of these names or texts; all where none is named.
fn chosen(cards: Vec<RuleCard>, names: &[String]) -> Result<Vec<RuleCard>, Failure> {
    if names.is_empty() {
        return Ok(cards);
    }
    let is_meant = |card: &RuleCard, name: &String| {
        card.id == *name || card.texts.iter().any(|text| text.eq_ignore_ascii_case(name))
    };
    if let Some(unknown) = names.iter().find(|name| !cards.iter().any(|card| is_meant(card, name)))
    {
        let message = format!("no rule is called `{}`", plain(unknown));
        return Err(Failure::usage("usage::rule", message).help("`ftl idioms list` names them all"));
    }
    let chosen = cards.into_iter();
    Ok(chosen.filter(|card| names.iter().any(|name| is_meant(card, name))).collect())
}

fn list(cards: &[RuleCard], format: Format) -> CommandResult {
    if format == Format::Json {
        return output::json(&cards).map(|()| 0);
    }
    let width = cards.iter().map(|card| card.id.len()).max().unwrap_or(0);
    let mut lines = String::new();
    for card in cards {
        let text = card.texts.first().map_or("", String::as_str);
        let _ = writeln!(lines, "{:width$}  {:9}  {}", card.id, card.kind, plain(text));
    }
    output::result(&lines).map(|()| 0)
}

fn explain(cards: &[RuleCard], format: Format) -> CommandResult {
    if format == Format::Json {
        return output::json(&cards).map(|()| 0);
    }
    let mut lines = String::new();
    for card in cards {
        let severity = if card.is_warning { ", a warning" } else { "" };
        let file = card.file.as_deref().unwrap_or("built in");
        let _ = writeln!(lines, "{}  {}{severity} ({})", card.id, card.kind, plain(file));
        for text in &card.texts {
            let _ = writeln!(lines, "  text       {}", plain(text));
        }
        let _ = writeln!(lines, "  languages  {}", card.languages.join(", "));
        for (name, words) in [("why", &card.why), ("repair", &card.repair)] {
            if let Some(words) = words {
                let _ = writeln!(lines, "  {name:9}  {}", plain(words));
            }
        }
        if card.partial {
            lines.push_str("  limits     follows no value through variables or calls: finding nothing is no proof\n");
        }
        let _ = writeln!(lines, "  allow one  a comment `ftl-ignore[{}]: reason`", card.id);
        let _ = writeln!(lines, "  examples   {}", card.examples);
    }
    output::result(&lines).map(|()| 0)
}

fn test(cards: &[RuleCard], format: Format) -> CommandResult {
    let is_right = cards.iter().all(|card| card.wrong.is_empty());
    let exit = if is_right { 0 } else { FAILED };
    if format == Format::Json {
        return output::json(&cards).map(|()| exit);
    }
    let mut lines = String::new();
    for card in cards {
        for wrong in &card.wrong {
            let _ = writeln!(lines, "{}: {}", card.id, plain(wrong));
        }
    }
    let examples: usize = cards.iter().map(|card| card.examples).sum();
    let wrong: usize = cards.iter().map(|card| card.wrong.len()).sum();
    let _ = writeln!(
        lines,
        "{} rules, {examples} examples, {wrong} judged otherwise than they say",
        cards.len()
    );
    output::result(&lines).map(|()| exit)
}

fn plain(text: &str) -> String {
    terminal_text(text.as_bytes())
}
