use ftl_analysis::pattern::{Deadline, Dialect, Pattern};
use serde::Deserialize;

/// What Python's `re.search` says of a pattern and a text; `None` when it refuses the pattern.
#[derive(Deserialize)]
struct PatternRow {
    pattern: String,
    text: String,
    found: Option<bool>,
}

#[test]
fn patterns_are_understood_as_python_understands_them() {
    let (mut rows, mut refused, mut differences) = (0, 0, Vec::new());
    for line in include_str!("../cases/patterns.jsonl").lines() {
        let row: PatternRow = serde_json::from_str(line).unwrap();
        let found = Pattern::compile(&row.pattern, Dialect::Python)
            .map(|pattern| pattern.is_match(&row.text, &Deadline::of_a_phase()).unwrap());
        rows += 1;
        refused += usize::from(row.found.is_none());
        if found.as_ref().ok() != row.found.as_ref() {
            differences.push(format!("{line} but {found:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    println!("{rows} patterns, {refused} of which Python refuses");
    assert!(rows >= 121 && refused >= 20, "{rows}, {refused}");
}
