//! `docs/configuration.md` and `ftl.toml.example` have every key that is read, and no other.
//!
//! What is read is found by asking: an unknown key, and a value that nothing takes, are refused with what
//! would have been right.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ftl_testkit::root;

use super::Config;

/// A word that is like no known one.
const NONSENSE: &str = "zzzzzzzz";

/// A row of the page: the values and the default of a key, as they are written.
#[derive(Debug)]
struct PageRow {
    values: String,
    default: String,
}

/// The keys of each table, by its name without brackets: `agent.NAME`.
type Tables = BTreeMap<String, BTreeMap<String, PageRow>>;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Words in backticks.
fn ticked(text: &str) -> BTreeSet<String> {
    let words = text.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

fn tables(page: &str) -> Tables {
    let mut tables = Tables::new();
    let mut names: Vec<String> = Vec::new();
    for line in page.lines() {
        if line.starts_with('#') {
            let headed = ticked(line).into_iter();
            let bare = headed.map(|name| name.trim_matches(['[', ']']).to_owned());
            names = bare.collect();
            let named = names.iter().cloned();
            tables.extend(named.map(|name| (name, BTreeMap::new())));
        } else if let Some(row) = line.strip_prefix("| `") {
            let cells: Vec<&str> = row.trim_end_matches('|').split(" | ").collect();
            let [key, values, default, _] = cells[..] else {
                continue;
            };
            for name in &names {
                let row = PageRow { values: values.to_owned(), default: default.to_owned() };
                let rows = tables.get_mut(name).expect("because its heading was read");
                rows.insert(key.trim_matches('`').to_owned(), row);
            }
        }
    }
    tables.retain(|_, rows| !rows.is_empty());
    tables
}

/// A table with one given line, and with what it must have beside.
fn text(table: &str, line: &str) -> String {
    let filled: &[&str] = match table {
        "" => return format!("{line}\n"),
        "retry.families" => &["kind = 'transient'", "name = 'a'", "pattern = 'b'"],
        "quality.judge" | "retry.judge" => &["command = 'c'"],
        _ => &[],
    };
    let key = line.split(' ').next().unwrap();
    let filled = filled.iter().filter(|it| !it.starts_with(&format!("{key} ")));
    let filled: Vec<&str> = filled.copied().chain([line]).collect();
    let name = table.replace("NAME", "mine");
    let header = match table {
        "retry.families" => format!("[[{name}]]"),
        _ => format!("[{name}]"),
    };
    format!("{header}\n{}\n", filled.join("\n"))
}

/// What is said about this line in this table, and what help.
fn problem_of(table: &str, line: &str) -> Option<(String, String)> {
    let problems = Config::parse(&text(table, line)).err()?;
    // What a table lacks then is reported of the table, which begins before.
    let problem = problems.into_iter().last()?;
    Some((problem.message, problem.help.unwrap_or_default()))
}

/// The keys that the reader asks a table for.
fn known(table: &str) -> BTreeSet<String> {
    let (_, help) = problem_of(table, &format!("{NONSENSE} = 1")).unwrap();
    ticked(help.strip_prefix("known here: ").unwrap())
}

/// What the reader takes for a key, as the page says it.
fn taken(table: &str, key: &str) -> String {
    let choices = |value: &str| {
        let problem = problem_of(table, &format!("{key} = {value}"));
        let help = problem.map(|(_, help)| help).unwrap_or_default();
        help.strip_prefix("known here: ").map(str::to_owned)
    };
    let refused = problem_of(table, &format!("{key} = false"));
    let (refusal, _) = refused.or_else(|| problem_of(table, &format!("{key} = 1"))).unwrap();
    let said = |what: &str| refusal.contains(what);
    if said("a list of strings") {
        return match choices(&format!("['{NONSENSE}']")) {
            Some(words) => format!("list of {words}"),
            None => "list of texts".to_owned(),
        };
    }
    if said("must be a string") {
        return choices(&format!("'{NONSENSE}'")).unwrap_or_else(|| "text".to_owned());
    }
    let kinds = [
        ("a list of tables", "list of tables"),
        ("must be a table", "table"),
        ("time limit", "time limit"),
        ("number of bytes", "bytes"),
        ("number from 1 on", "number"),
        ("`true` or `false`", "boolean"),
    ];
    let kind = kinds.iter().find(|(refusal, _)| said(refusal));
    kind.unwrap_or_else(|| panic!("{table} {key}: {refusal}")).1.to_owned()
}

#[test]
fn the_page_has_every_key_that_is_read_and_no_other() {
    let tables = tables(&read("docs/configuration.md"));
    let names: BTreeSet<&str> = tables.keys().map(String::as_str).collect();
    assert!(names.len() > 12, "{names:?}");
    let top: BTreeSet<String> =
        names.iter().map(|name| name.split('.').next().unwrap().to_owned()).collect();
    assert_eq!(known(""), top);
    for (name, rows) in &tables {
        let keys: BTreeSet<String> = rows.keys().cloned().collect();
        assert_eq!(known(name), keys, "[{name}]");
        for (key, row) in rows {
            let taken = taken(name, key);
            let words = ticked(&taken);
            let fits = if words.is_empty() {
                row.values.starts_with(&taken)
            } else {
                words == ticked(&row.values)
                    && taken.starts_with("list") == row.values.starts_with("list")
            };
            assert!(fits, "[{name}] {key}: {} is {taken}", row.values);
        }
    }
}

#[test]
fn the_example_has_every_key_of_the_page_with_its_default() {
    let tables = tables(&read("docs/configuration.md"));
    let example = read("ftl.toml.example");
    let mut table = "";
    let mut written = BTreeMap::new();
    for line in example.lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_matches(['[', ']']);
            continue;
        }
        let default = line.strip_prefix("#:");
        let Some((key, value)) = default.unwrap_or(line).split_once(" = ") else {
            continue;
        };
        if key.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            let table = match table.strip_prefix("agent.") {
                Some(_) => "agent.NAME",
                None => table,
            };
            written.insert((table, key), default.map(|_| value));
        }
    }
    for (name, rows) in &tables {
        // Written inline there, as most people do.
        if name.ends_with(".env") || name == "quality.judge" || name.starts_with("workers.") {
            continue;
        }
        for (key, row) in rows {
            let is_table = ["families", "judge"].contains(&key.as_str()) && name == "retry";
            let value = written.get(&(name.as_str(), key.as_str()));
            assert!(is_table || value.is_some(), "[{name}] {key}");
            let default = value.copied().flatten().unwrap_or_default();
            let of_page = ticked(&row.default).into_iter().next();
            // Where there is none, the example has a value that users may want.
            if let (Some(of_page), false) = (of_page, default.is_empty()) {
                assert_eq!(default.trim_matches('"'), of_page, "[{name}] {key}");
            }
        }
    }
}

#[test]
fn every_configuration_in_the_docs_can_be_used() {
    let mut used = 0;
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        let parts: Vec<&str> = page.split("```toml\n").collect();
        for pair in parts.windows(2) {
            let block = pair[1].split("```").next().unwrap();
            // A file of shared failures is another kind, and so is one of another program in the home directory.
            let lead = pair[0].trim_end().lines().last().unwrap_or_default();
            if !block.contains("[[failure]]") && !lead.contains("`~/") {
                let problems = Config::parse(block).err();
                assert!(problems.is_none(), "{}: {problems:#?}", path.display());
                used += 1;
            }
        }
    }
    assert!(used > 10, "{used}");
}
