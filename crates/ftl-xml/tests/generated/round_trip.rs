//! Read, splice, read: outside the splice every byte stays.

use std::ops::Range;

use ftl_model::{Status, Utilized};
use ftl_testkit::random::{Draw as _, Rng, cases};
use ftl_xml::{Document, Element, ElementRef, Seal, read, seal};

use super::on_all_cores;
use crate::generator::document;

const DELIVERED: &[&str] = &[
    "done",
    "",
    "a\r\nb & <c> ]]>",
    "\u{1b}[31mE assert\u{1b}[0m\0",
    "BLOCKED: x\nTried: y\nUnknown: z",
    "größer 日本 \u{1F600}",
];

#[test]
fn outside_a_splice_every_byte_stays() {
    let count = cases(1_000);
    let spliced = on_all_cores(count, |seeds| seeds.map(splice).sum::<u64>());
    println!("{spliced} documents read, spliced and read again");
    assert_eq!(spliced, count);
}

fn splice(seed: u64) -> u64 {
    let random = &mut Rng::with_seed(seed);
    let task = document(random);
    let ending = ending(random);
    let before =
        read(task.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{task}"));
    let record = seal(&before, &ending);
    let record = std::str::from_utf8(&record).unwrap();
    let after =
        read(record.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{record}"));
    assert_eq!(
        kept(&task, &before, &before),
        kept(record, &after, &before),
        "seed {seed}\n{task}\n{record}"
    );
    let root = after.root();
    assert_eq!(root.attribute("status").as_deref(), Some(ending.status.as_str()), "seed {seed}");
    let delivered = root.child("delivered").and_then(ElementRef::text);
    let expected = ftl_text::safe_text(ending.delivered.as_bytes());
    assert_eq!(delivered.unwrap_or_default(), expected, "seed {seed}\n{record}");
    1
}

fn ending(random: &mut Rng) -> Seal {
    let utilized = Utilized { name: Some("import-order".to_owned()), kind: "failure".to_owned() };
    Seal {
        status: random.pick(&[Status::Complete, Status::Blocked]),
        at: "2026-01-18T02:00:00Z".to_owned(),
        delivered: random.pick(DELIVERED).to_owned(),
        utilized: vec![utilized; random.below(3)],
        run: Element::new("run")
            .attribute("tool", "ftl")
            .child(Element::new("output").text(random.pick(DELIVERED))),
    }
}

/// The text without the stretches that a seal may change. `before` is the document that was sealed.
fn kept(text: &str, document: &Document<'_>, before: &Document<'_>) -> String {
    let (root, old) = (document.root(), before.root());
    let mut cuts = Vec::new();
    for name in ["status", "completed_at", "blocked_at"] {
        cuts.extend(attribute(root, old, name));
    }
    let mut appended = Vec::new();
    for name in ["delivered", "memory_utilization"] {
        match (root.child(name), old.child(name)) {
            (Some(child), Some(old)) => cuts.push(content(text, child, is_empty_tag(old))),
            (Some(child), None) => appended.push(child),
            (None, _) => {}
        }
    }
    let runs = root.children_named("run").count();
    if runs > old.children_named("run").count() {
        appended.extend(root.children_named("run").last());
    }
    appended.sort_by_key(|element| element.place().start);
    let lines = appended.iter().map(|element| line(text, *element));
    cuts.extend(lines);
    if let Some(first) = appended.first() {
        let start = first.place().start - "  ".len();
        if !ends_in_new_line(before) {
            cuts.push(start - 1..start);
        }
    }
    let is_cut = |at: &usize| cuts.iter().any(|range| range.contains(at));
    let kept = text.char_indices().filter(|(at, _)| !is_cut(at));
    kept.map(|(_, c)| c).collect()
}

/// The value of an attribute; all of one that was not there before.
fn attribute(
    root: ElementRef<'_, '_>,
    old: ElementRef<'_, '_>,
    name: &str,
) -> Option<Range<usize>> {
    let value = root.attribute_place(name)?;
    if old.attribute(name).is_some() {
        return Some(value.start..value.end);
    }
    let start = root.attribute_name_place(name)?.start - 1;
    Some(start..value.end + 1)
}

/// Whether the root's end tag is alone on its line; elements appended before it begin one
/// else.
fn ends_in_new_line(document: &Document<'_>) -> bool {
    let text = std::str::from_utf8(document.source()).unwrap();
    let end = text[..document.root().place().end].rfind("</").unwrap();
    text[..end].trim_end_matches([' ', '\t']).ends_with('\n')
}

/// The line of an element that was appended.
fn line(text: &str, element: ElementRef<'_, '_>) -> Range<usize> {
    let place = element.place();
    let line = place.start - "  ".len()..place.end + 1;
    assert!(text[line.clone()].starts_with("  <") && text[line.clone()].ends_with(">\n"));
    line
}

fn is_empty_tag(element: ElementRef<'_, '_>) -> bool {
    element.tag_place().end == element.place().end
}

/// What is between the tags; where `<name/>` was opened for it, what took the place of `/>`.
fn content(text: &str, element: ElementRef<'_, '_>, was_empty: bool) -> Range<usize> {
    let (tag, end) = (element.tag_place(), element.place().end);
    let closes = match is_empty_tag(element) {
        true => tag.end - "/>".len(),
        false => text[..end].rfind("</").unwrap(),
    };
    match (was_empty, is_empty_tag(element)) {
        (true, true) => closes..end,
        (true, false) => tag.end - ">".len()..end,
        (false, _) => tag.end..closes,
    }
}
