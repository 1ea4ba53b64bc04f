//! The transition table and the diagrams, made from the machine itself: a small exploration walks
//! every arrow, and what it walked is drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::explore::{Arrow, Bound, explore};
use crate::{BlockKind, StateName};

/// Large enough to take every arrow there is; the exploration test holds it to that.
pub const BOUND: Bound = Bound { budget: 8, files: (1, 2) };

/// An arrow as it is drawn: the events that take it, and the kinds it blocks with.
type Drawn = BTreeMap<(StateName, StateName), (BTreeSet<&'static str>, BTreeSet<BlockKind>)>;

fn drawn() -> Drawn {
    let mut drawn = Drawn::new();
    for Arrow { from, to, event, kind } in explore(BOUND).arrows {
        let (events, kinds) = drawn.entry((from, to)).or_default();
        events.insert(event);
        kinds.extend(kind);
    }
    drawn
}

/// The diagram in Mermaid's language.
#[must_use]
pub fn mermaid() -> String {
    let mut text = String::from("stateDiagram-v2\n    [*] --> READ\n");
    for ((from, to), (events, kinds)) in drawn() {
        line(&mut text, format_args!("    {from} --> {to}: {}", label(&events, &kinds, ", ")));
    }
    text.push_str("    COMPLETE --> [*]\n    BLOCK --> [*]\n");
    text
}

/// The diagram in Graphviz's language.
#[must_use]
pub fn dot() -> String {
    let mut text = String::from("digraph ftl {\n    rankdir=TB;\n    node [shape=box];\n");
    for ((from, to), (events, kinds)) in drawn() {
        let label = label(&events, &kinds, "\\n");
        line(&mut text, format_args!("    {from} -> {to} [label=\"{label}\"];"));
    }
    text.push_str("}\n");
    text
}

/// The table in Markdown: states with their costs, then every arrow.
#[must_use]
pub fn table() -> String {
    let mut text = String::from("| state | cost | then |\n| --- | --- | --- |\n");
    let drawn = drawn();
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
        let on = label(&events, &BTreeSet::new(), ", ");
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
