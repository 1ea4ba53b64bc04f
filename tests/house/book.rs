//! Pages that tell of what the code has leave nothing of it out. Links and anchors are checked by
//! `cargo xtask book`.

use std::fs;

use ftl_testkit::page::blocks;
use ftl_testkit::root;
use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// What `list` names and the page does not.
fn untold<'a>(
    page: &str,
    list: impl IntoIterator<Item = &'a str>,
    form: impl Fn(&str) -> String,
) -> Vec<&'a str> {
    let is_untold = |name: &&str| !page.contains(&form(name));
    list.into_iter().filter(is_untold).collect()
}

#[test]
fn the_page_of_records_names_every_element_that_a_run_writes() {
    let files = ["write", "verified", "evidence"];
    let code = files.map(|file| read(&format!("crates/ftl-engine/src/record/{file}.rs"))).concat();
    let named = code.split("Element::new(\"").skip(1);
    let names: Vec<&str> = named.map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(names.len() > 30, "{names:?}");
    let page = read("docs/records.md");
    assert!(untold(&page, names, |name| format!("`{name}`")).is_empty());
}

#[test]
fn the_page_of_records_names_every_event() {
    let schema: Value = serde_json::from_str(&read("docs/schemas/event.schema.json")).unwrap();
    let of = |kind: &str| schema["$defs"][kind]["oneOf"].as_array().unwrap().clone();
    let events: Vec<Value> = [of("Event"), of("Frame")].concat();
    let types = events.iter().map(|event| {
        let word = &event["properties"]["type"]["const"];
        word.as_str().unwrap()
    });
    let types: Vec<&str> = types.collect();
    assert!(types.len() > 15, "{types:?}");
    let page = read("docs/records.md");
    let missing = untold(&page, types, |word| format!("`{word}`"));
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_page_of_records_links_every_schema() {
    let page = read("docs/records.md");
    for entry in fs::read_dir(root().join("docs/schemas")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(page.contains(&format!("(schemas/{name})")), "{name}");
    }
}

#[test]
fn the_page_of_the_configuration_names_every_built_in_family() {
    let families = read("crates/ftl-analysis/src/diagnosis/families.tsv");
    let names = families.lines().filter_map(|line| line.split('\t').nth(1));
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 10, "{names:?}");
    let page = read("docs/configuration.md");
    let missing = untold(&page, names, |name| format!("`{name}`"));
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_examples_of_the_library_are_compiled_and_tested() {
    let source = read("crates/ftl-preflight/src/lib.rs");
    let lines = source.lines().filter_map(|line| line.strip_prefix("//!"));
    let lines = lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)));
    let tested: String = lines.collect();
    let shown = blocks(&read("docs/preflight.md"), "rust");
    assert_eq!(shown.len(), 2);
    for example in shown {
        assert!(tested.contains(&format!("```\n{example}```")), "{example}");
    }
}

#[test]
fn the_manual_is_short_enough_to_be_read() {
    // The reference is looked up, and partly generated; pages of the project are not of the manual.
    let contents = read("docs/README.md");
    let (manual, _) = contents.split_once("\n## Reference").unwrap();
    let links = manual.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let pages = links.filter(|link| link.ends_with(".md") && !link.contains('/'));
    let pages: Vec<String> = pages.map(|page| format!("docs/{page}")).collect();
    assert!(pages.len() > 15, "{pages:?}");
    let pages = pages.iter().map(String::as_str).chain(["README.md", "docs/README.md"]);
    // Commands and outputs are not prose.
    let prose = |page: &str| read(page).split("```").step_by(2).collect::<String>();
    let count = |page: &str| prose(page).split_whitespace().count();
    let counts: Vec<(&str, usize)> = pages.map(|page| (page, count(page))).collect();
    let all: usize = counts.iter().map(|(_, words)| words).sum();
    assert!(all <= 12_000, "{all} words: {counts:?}");
}
