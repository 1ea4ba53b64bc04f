//! Files of shared failures, which `[knowledge] files` names: `docs/knowledge.md` documents them.
//!
//! They are read as strictly as `ftl.toml`, and below the root alone: a fix may be a command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ftl_engine::project::read_below;
use ftl_model::{Failure as KnownFailure, Remedy, SourcePosition};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::reader::{Problem, Problems, Table, Value, read_table};
use super::{Config, failure};
use crate::failure::Failure;

/// Largest file of shared failures, in bytes.
const LARGEST: u64 = 4 << 20;

/// A shared failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    pub(crate) failure: KnownFailure,
    /// The file, as the configuration names it.
    pub(crate) file: String,
    /// Where its entry begins.
    pub(crate) line: usize,
}

impl Config {
    /// Every shared failure of the project, in the order of the files.
    pub(crate) fn shared(&self, root: &Path) -> Result<Vec<Shared>, Failure> {
        let mut all: Vec<Shared> = Vec::new();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for file in &self.knowledge {
            let text = read(root, file)?;
            let path = PathBuf::from(file);
            let entries = parse(&text).map_err(|problems| failure(&path, &text, problems))?;
            for FailureEntry { failure: known, span } in entries {
                let place = SourcePosition::of(text.as_bytes(), span.start, span.end);
                let name = known.name.clone().unwrap_or_default();
                if let Some(other) = names.insert(name.clone(), file.clone()) {
                    let message = format!("the failure `{name}` is known from `{other}` already");
                    let twice = Failure::usage("knowledge::twice", message);
                    return Err(twice
                        .help("give one of the two another name")
                        .at(&path, &text, place));
                }
                all.push(Shared { failure: known, file: file.clone(), line: place.line });
            }
        }
        Ok(all)
    }
}

/// The text of a file of shared failures.
pub(crate) fn read(root: &Path, file: &str) -> Result<String, Failure> {
    read_below(file, root, LARGEST).map_err(|why| {
        let message = format!("cannot read `{file}`, which `[knowledge] files` names: {why}");
        Failure::usage("knowledge::unreadable", message)
            .help("name files below the project's root; `ftl knowledge add` makes the first")
    })
}

/// An entry of a file, and the place of its name.
#[derive(Debug)]
pub(crate) struct FailureEntry {
    pub(crate) failure: KnownFailure,
    pub(crate) span: std::ops::Range<usize>,
}

/// The entries of a file's text.
pub(crate) fn parse(text: &str) -> Result<Vec<FailureEntry>, Vec<Problem>> {
    let mut problems = Problems::default();
    let entries = match DeTable::parse(text) {
        Ok(document) => {
            let span = document.span();
            let document = Spanned::new(span, DeValue::Table(document.into_inner()));
            read_table(document, &mut problems, entries).unwrap_or_default()
        }
        Err(error) => {
            problems.syntax(&error);
            Vec::new()
        }
    };
    problems.into_result(entries)
}

fn entries(table: &mut Table<'_, '_>) -> Vec<FailureEntry> {
    let Some(value) = table.take("failure") else {
        return Vec::new();
    };
    let span = value.span();
    let DeValue::Array(values) = value.into_inner() else {
        let message = "this must be a list of tables, each `[[failure]]`";
        table.problems().value(span, message);
        return Vec::new();
    };
    let entries = values.into_iter();
    entries.filter_map(|value| entry(value, table.problems())).collect()
}

fn entry(value: Value<'_>, problems: &mut Problems) -> Option<FailureEntry> {
    let span = value.span();
    let (entry, name) = read_table(value, problems, |table| {
        let text = |value: Option<Spanned<String>>| value.map(Spanned::into_inner);
        let name = table.string("name");
        let kinds = ["prose", "patch", "command", "rerun"].map(|kind| (kind, kind));
        let kind = table.choice("kind", &kinds);
        let tags = table.strings("tags").unwrap_or_default();
        let failure = KnownFailure {
            name: name.as_ref().map(|name| name.get_ref().clone()),
            cost: cost(table).unwrap_or_default(),
            trigger: text(table.string("trigger")).unwrap_or_default(),
            fix: text(table.string("fix")).unwrap_or_default(),
            fix_kind: kind.filter(|kind| *kind != "prose").map(str::to_owned),
            pattern: text(table.string("match")),
            injected: true,
            tags: tags.into_iter().map(Spanned::into_inner).collect(),
        };
        (failure, name)
    })?;
    let is_blank = |text: &str| text.trim().is_empty();
    let Some(name) = name.filter(|name| !is_blank(name.get_ref())) else {
        problems.value(span, "a failure needs a `name`");
        return None;
    };
    let pattern = entry.pattern.as_deref().unwrap_or_default();
    if is_blank(&entry.trigger) && is_blank(pattern) {
        problems
            .value(span, "a failure needs a `trigger` or a `match`: nothing else is like an error");
        return None;
    }
    if entry.remedy() != Remedy::Rerun && is_blank(&entry.fix) {
        problems.value(span, "a failure needs a `fix`, or `kind = \"rerun\"`");
        return None;
    }
    Some(FailureEntry { failure: entry, span: name.span() })
}

fn cost(table: &mut Table<'_, '_>) -> Option<i64> {
    let value = table.take("cost")?;
    let span = value.span();
    let number = match value.into_inner() {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    if number.is_none() {
        table.problems().value(span, "this must be a number of tokens");
    }
    number
}

#[cfg(test)]
mod tests {
    use ftl_model::Failure;

    use super::parse;

    #[test]
    fn every_key_arrives() {
        let text = r#"
            [[failure]]
            name = "db"
            trigger = "database is locked"
            fix = "rm -f db.lock"
            kind = "command"
            match = 'database is (locked|busy)'
            tags = ["flaky"]
            cost = 2500
            [[failure]]
            name = "again"
            trigger = "connection refused"
            kind = "rerun"
        "#;
        let entries = parse(text).unwrap();
        let db = Failure {
            name: Some("db".into()),
            cost: 2500,
            trigger: "database is locked".into(),
            fix: "rm -f db.lock".into(),
            fix_kind: Some("command".into()),
            pattern: Some("database is (locked|busy)".into()),
            injected: true,
            tags: vec!["flaky".into()],
        };
        assert_eq!(entries[0].failure, db);
        assert_eq!(&text[entries[0].span.clone()], "\"db\"");
        assert_eq!(entries[1].failure.fix_kind.as_deref(), Some("rerun"));
    }

    #[test]
    fn every_mistake_is_reported_at_its_place() {
        for (text, place, message) in [
            ("[[failure]]\nname = 1", "1", "this must be a string, not a integer"),
            ("failures = []", "failures", "unknown key `failures`"),
            (
                "[failure]\nname = \"a\"",
                "[failure]",
                "this must be a list of tables, each `[[failure]]`",
            ),
            (
                "[[failure]]\ntrigger = \"x\"\nfix = \"y\"",
                "[[failure]]",
                "a failure needs a `name`",
            ),
            (
                "[[failure]]\nname = \"a\"\nfix = \"y\"",
                "[[failure]]",
                "a failure needs a `trigger` or a `match`: nothing else is like an error",
            ),
            (
                "[[failure]]\nname = \"a\"\ntrigger = \"x\"",
                "[[failure]]",
                "a failure needs a `fix`, or `kind = \"rerun\"`",
            ),
            (
                "[[failure]]\nname = \"a\"\ntrigger = \"x\"\nfix = \"y\"\nkind = \"magic\"",
                "\"magic\"",
                "unknown value `magic`",
            ),
            (
                "[[failure]]\nname = \"a\"\ntrigger = \"x\"\nfix = \"y\"\ncost = \"much\"",
                "\"much\"",
                "this must be a number of tokens",
            ),
            ("[[failure]", "", ""),
        ] {
            let problems = parse(text).unwrap_err();
            let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
            let found = problems.iter().find(|it| it.message.contains(message));
            let found = found.unwrap_or_else(|| panic!("{text}: {messages:?}"));
            assert!(text[found.span.clone()].starts_with(place), "{text}: {found:?}");
        }
    }
}
