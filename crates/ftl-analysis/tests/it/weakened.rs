//! Weakened tests: `cases/weakened/NAME.txt` has parts headed `=== before PATH`, `=== after PATH` and `=== output`.

use std::collections::BTreeMap;

use ftl_analysis::quality::{ChangedFile, weakened_tests};

use crate::cases::check_folder;

#[derive(Default)]
struct Sides {
    before: Option<String>,
    after: Option<String>,
}

fn parts(text: &str) -> (BTreeMap<String, Sides>, String) {
    let mut files: BTreeMap<String, Sides> = BTreeMap::new();
    let mut output = String::new();
    for part in text.split("=== ").skip(1) {
        let (heading, body) = part.split_once('\n').unwrap();
        match heading.split_once(' ') {
            Some(("before", path)) => {
                files.entry(path.to_owned()).or_default().before = Some(body.to_owned())
            }
            Some(("after", path)) => {
                files.entry(path.to_owned()).or_default().after = Some(body.to_owned())
            }
            _ => output = body.to_owned(),
        }
    }
    (files, output)
}

#[test]
fn weaker_tests_are_found_and_rewritten_ones_are_not() {
    check_folder("weakened", "txt", "found", |text| {
        let (files, output) = parts(text);
        let changed: Vec<ChangedFile<'_>> = files
            .iter()
            .map(|(path, sides)| ChangedFile {
                path,
                before: sides.before.as_deref(),
                after: sides.after.as_deref(),
            })
            .collect();
        let found = weakened_tests(&changed, &output);
        let certain = found.certain.iter().map(|it| ("", it));
        let all = certain.chain(found.uncertain.iter().map(|it| ("uncertain ", it)));
        let lines = all.map(|(mark, it)| {
            let value = |side: &Option<String>| {
                side.as_deref().map_or("-".to_owned(), |it| format!("`{it}`"))
            };
            let (before, after) = (value(&it.before), value(&it.after));
            format!("{mark}{} {}:{} {}: {before} → {after}\n", it.kind, it.path, it.line, it.test)
        });
        let lines: String = lines.collect();
        if lines.is_empty() { "none\n".to_owned() } else { lines }
    });
}
