//! Tests in a Rust source: items at its top with an attribute that speaks of tests, such as `#[cfg(test)] mod tests`.

use std::ops::Range;

use ra_ap_parser::{Edition, LexedStr, StrStep, SyntaxKind, TopEntryPoint};

/// An item at the top of a file, with its comments and attributes.
struct Item {
    kind: SyntaxKind,
    name: Option<String>,
    is_test: bool,
    range: Range<usize>,
}

/// The new text with the old items that are tests; `None` where they are equal, or either text does not parse.
pub(super) fn with_old_tests(old: &str, new: &str) -> Option<String> {
    if !old.contains("test") {
        return None;
    }
    let (then, now) = (items(old)?, items(new)?);
    let mut text = String::new();
    let mut end = 0;
    let of_old = |item: &Item| {
        let same = |it: &&Item| it.is_test && it.kind == item.kind && it.name == item.name;
        item.name.as_ref().and_then(|_| then.iter().find(same))
    };
    for item in &now {
        if let Some(old_item) = of_old(item) {
            text.push_str(&new[end..item.range.start]);
            text.push_str(&old[old_item.range.clone()]);
            end = item.range.end;
        }
    }
    text.push_str(&new[end..]);
    let is_gone = |it: &&Item| {
        let is_there = |item: &Item| it.kind == item.kind && it.name == item.name;
        it.is_test && it.name.is_some() && !now.iter().any(is_there)
    };
    for item in then.iter().filter(is_gone) {
        text.push('\n');
        text.push_str(&old[item.range.clone()]);
        text.push('\n');
    }
    (text != new && items(&text).is_some()).then_some(text)
}

/// The items of a text that parses.
fn items(text: &str) -> Option<Vec<Item>> {
    let lexed = LexedStr::new(Edition::Edition2021, text);
    let output = TopEntryPoint::SourceFile.parse(&lexed.to_input(Edition::Edition2021));
    let mut items: Vec<Item> = Vec::new();
    let mut nodes: Vec<SyntaxKind> = Vec::new();
    let (mut at, mut is_sound) = (0, lexed.errors().next().is_none());
    lexed.intersperse_trivia(&output, &mut |step| match step {
        StrStep::Enter { kind } => {
            if nodes.len() == 1 {
                items.push(Item { kind, name: None, is_test: false, range: at..at });
            }
            nodes.push(kind);
        }
        StrStep::Exit => {
            nodes.pop();
            if let Some(item) = items.last_mut().filter(|_| nodes.len() == 1) {
                item.range.end = at;
            }
        }
        StrStep::Token { kind, text } => {
            at += text.len();
            let Some(item) = items.last_mut().filter(|_| nodes.len() > 2) else { return };
            match nodes.get(2) {
                Some(SyntaxKind::ATTR) => {
                    item.is_test |= kind == SyntaxKind::IDENT && text == "test";
                }
                Some(SyntaxKind::NAME) if nodes.len() == 3 && kind == SyntaxKind::IDENT => {
                    item.name = Some(text.to_owned());
                }
                _ => {}
            }
        }
        StrStep::Error { .. } => is_sound = false,
    });
    is_sound.then_some(items)
}

#[cfg(test)]
mod tests {
    use super::with_old_tests;

    const OLD: &str = "pub fn a() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a_is_one() {\n        assert_eq!(super::a(), 1);\n    }\n}\n";

    #[test]
    fn a_module_of_tests_is_put_into_the_new_source() {
        let new = OLD.replace("    1\n}", "    2\n}").replace("(), 1)", "(), 2)");
        let expected = OLD.replace("    1\n}", "    2\n}");
        assert_eq!(with_old_tests(OLD, &new).unwrap(), expected);
        for hidden in ["#[cfg(any())]", "#[cfg(all(test, feature = \"none\"))]", ""] {
            let new = OLD.replace("#[cfg(test)]", hidden);
            assert!(with_old_tests(OLD, &new).unwrap().contains("#[cfg(test)]\nmod tests"));
        }
    }

    #[test]
    fn a_module_that_is_gone_comes_back_and_a_new_one_stays() {
        let text = with_old_tests(OLD, "pub fn a() -> u8 {\n    2\n}\n").unwrap();
        assert!(text.starts_with("pub fn a() -> u8 {\n    2\n}\n") && text.contains("fn a_is_one"));
        assert_eq!(with_old_tests("pub fn test() {}\n", OLD), None);
        assert_eq!(with_old_tests(OLD, &OLD.replace("    1\n}", "    3\n}")), None);
        assert_eq!(with_old_tests(OLD, "pub fn a( {"), None);
    }
}
