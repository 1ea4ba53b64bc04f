//! Draws the table and the diagrams of `crate::graph` from a small exploration that takes every arrow.
//!
//! The drawings are checked in, since a second of exploring would print the same text each time. The test
//! rewrites the files that are out of date, then fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use super::search::{self, Arrow, Bound};
use crate::{BlockKind, StateName, graph};

/// Large enough to take every arrow; `the_diagram_shows_every_arrow` checks that.
pub(super) const BOUND: Bound = Bound { budget: 8, files: (1, 2) };

/// An arrow as it is drawn: the events that take it, and the kinds it blocks with.
type Drawn = BTreeMap<(StateName, StateName), (BTreeSet<&'static str>, BTreeSet<BlockKind>)>;

fn drawn() -> Drawn {
    let mut drawn = Drawn::new();
    for Arrow { from, to, event, kind } in search::explore(BOUND).arrows {
        let (events, kinds) = drawn.entry((from, to)).or_default();
        events.insert(event);
        kinds.extend(kind);
    }
    drawn
}

/// The diagram in Mermaid's language.
fn mermaid(drawn: &Drawn) -> String {
    let mut text = String::from("stateDiagram-v2\n    [*] --> READ\n");
    for ((from, to), (events, kinds)) in drawn {
        line(&mut text, format_args!("    {from} --> {to}: {}", label(events, kinds, ", ")));
    }
    text.push_str("    COMPLETE --> [*]\n    BLOCK --> [*]\n");
    text
}

/// The table in Markdown: states with their costs, then every arrow.
fn table(drawn: &Drawn) -> String {
    let mut text = String::from("| state | cost | then |\n| --- | --- | --- |\n");
    for state in StateName::ALL {
        let after = drawn.keys().filter(|(from, _)| *from == state);
        let after: Vec<&str> = after.map(|(_, to)| to.as_str()).collect();
        let ends = [StateName::Complete, StateName::Block].contains(&state);
        let after: Vec<&str> = after.into_iter().chain(ends.then_some("stop")).collect();
        let after = after.join(", ");
        line(&mut text, format_args!("| {state} | {} | {after} |", state.cost()));
    }
    text.push_str("\n| from | to | on | blocks as |\n| --- | --- | --- | --- |\n");
    for ((from, to), (events, kinds)) in drawn {
        let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
        let on = label(events, &BTreeSet::new(), ", ");
        line(&mut text, format_args!("| {from} | {to} | {on} | {} |", kinds.join(", ")));
    }
    text
}

/// Into BLOCK, the kinds say more than the events.
fn label(events: &BTreeSet<&str>, kinds: &BTreeSet<BlockKind>, between: &str) -> String {
    if kinds.is_empty() {
        return events.iter().copied().collect::<Vec<_>>().join(between);
    }
    kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(between)
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("because a string takes any text");
}

#[test]
fn the_drawings_are_what_the_exploration_walks() {
    let drawn = drawn();
    let drawings = [
        ("states.mmd", graph::MERMAID, mermaid(&drawn)),
        ("states.md", graph::TABLE, table(&drawn)),
    ];
    let mut stale = Vec::new();
    for (name, checked_in, drawn) in drawings {
        if checked_in != drawn {
            let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join("graph");
            std::fs::write(dir.join(name), drawn).unwrap();
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "rewritten, as they were out of date: {stale:?}");
}
