//! The names of tests whose text changed, read by lines: for a sentence, and no verdict.

use std::collections::BTreeMap;

use crate::constants::ConstPatterns;

use super::{AsItWas, as_it_was};

/// Lines with which a test begins; its name is the last group.
const STARTS: [&str; 5] = [
    r"^\s*(?:async\s+)?def\s+(test\w*)",
    r"^func\s+((?:Test|Benchmark|Example|Fuzz)\w*)\(",
    r#"^\s*(?:it|test|specify|scenario)(?:\.\w+)*\s*\(?\s*["'`](.+?)["'`]"#,
    r"^\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)",
    r"^\s*(?:@\w+\s+)*(?:public\s+)?(?:void|func|fun)\s+(test\w*)",
];

static FORMS: ConstPatterns = ConstPatterns::new(&STARTS);

/// The tests of a file that was there whose text changed or is gone, as `path::name`; the path alone where none is
/// recognised, nothing for a file that is not about tests.
#[must_use]
pub fn changed_tests(path: &str, old: &str, new: Option<&str>) -> Vec<String> {
    if new == Some(old) || as_it_was(path, Some(old), new).is_none_or(|it| is_same(&it, new)) {
        return Vec::new();
    }
    let now = tests(new.unwrap_or_default());
    let changed = tests(old).into_iter().filter(|(name, text)| now.get(name) != Some(text));
    let names: Vec<String> = changed.map(|(name, _)| format!("{path}::{name}")).collect();
    match names.is_empty() {
        true => vec![path.to_owned()],
        false => names,
    }
}

fn is_same(as_it_was: &AsItWas, new: Option<&str>) -> bool {
    matches!(as_it_was, AsItWas::Part(text) if Some(text.as_str()) == new)
}

/// Each test with its lines, and those of its decorators.
fn tests(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut tests: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let (mut current, mut decorators) = (None, Vec::new());
    for line in text.lines() {
        let groups = FORMS.captures(line).next();
        let name = groups.and_then(|groups| Some(groups.iter().skip(1).flatten().last()?.as_str()));
        if let Some(name) = name {
            current = Some(name);
        }
        let start = line.trim_start();
        if name.is_none() && (start.starts_with('@') || start.starts_with("#[")) {
            decorators.push(line);
        } else if let Some(name) = current.filter(|_| !start.is_empty()) {
            tests.entry(name).or_default().extend(decorators.drain(..).chain([line]));
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::changed_tests;

    #[test]
    fn tests_that_changed_are_named() {
        let old = "import a\n\ndef test_a():\n    assert 1\n\ndef test_b():\n    assert 2\n";
        let skipped = old.replace("def test_b", "@skip\ndef test_b");
        assert_eq!(changed_tests("test_x.py", old, Some(&skipped)), ["test_x.py::test_b"]);
        assert_eq!(changed_tests("test_x.py", old, None).len(), 2);
        assert_eq!(changed_tests("test_x.py", old, Some(old)), [""; 0]);
        assert_eq!(changed_tests("x.py", old, Some(&skipped)), [""; 0]);
        assert_eq!(changed_tests("tests/a.json", "1", Some("2")), ["tests/a.json"]);
        let js = "it('adds one', () => {\n  one();\n});\ntest.only(\"more\", f);\n";
        let less = js.replace("one()", "two()");
        assert_eq!(changed_tests("a.test.js", js, Some(&less)), ["a.test.js::adds one"]);
    }
}
