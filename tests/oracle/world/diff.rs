//! A scenario's patches as unified diffs. Awkward forms of diffs are tests/fixtures' business.

use std::fmt::Write;

use crate::oracle::scenario::{Hunk, Patch, Scenario};
use crate::oracle::text::{Language, Text};

use super::{OUTSIDE, OUTSIDE_TEXT};

/// The patch as a unified diff.
pub(super) fn render(scenario: &Scenario, patch: &Patch) -> String {
    let mut out = String::new();
    for hunk in &patch.hunks {
        render_hunk(&mut out, scenario, hunk, patch.prefixes);
    }
    if patch.strays {
        render_file(&mut out, OUTSIDE, patch.prefixes, Some(OUTSIDE_TEXT), Some("changed\n"));
    }
    out
}

fn render_hunk(out: &mut String, scenario: &Scenario, hunk: &Hunk, prefixes: bool) {
    let path = scenario.delta[hunk.file].path;
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.render(Language::of(path)));
    render_file(out, path, prefixes, text(&hunk.from).as_deref(), text(&hunk.to).as_deref());
}

fn render_file(out: &mut String, path: &str, prefixes: bool, from: Option<&str>, to: Option<&str>) {
    let name = |side: char, text: Option<&str>| match text {
        None => "/dev/null".to_owned(),
        Some(_) if prefixes => format!("{side}/{path}"),
        Some(_) => path.to_owned(),
    };
    let lines = |text: Option<&str>| text.map_or(0, |text| text.lines().count());
    let range = |count: usize| format!("{},{count}", count.min(1));
    writeln!(out, "--- {}\n+++ {}", name('a', from), name('b', to)).expect("because it is memory");
    writeln!(out, "@@ -{} +{} @@", range(lines(from)), range(lines(to)))
        .expect("because it is memory");
    render_lines(out, from.unwrap_or_default(), to.unwrap_or_default());
}

/// Common lines at the beginning and at the end are context.
fn render_lines(out: &mut String, from: &str, to: &str) {
    let (from, to): (Vec<_>, Vec<_>) = (from.lines().collect(), to.lines().collect());
    let head = from.iter().zip(&to).take_while(|(old, new)| old == new).count();
    let (old, new) = (&from[head..], &to[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let mut push = |sign: char, lines: &[&str]| {
        for line in lines {
            writeln!(out, "{sign}{line}").expect("because it is memory");
        }
    };
    push(' ', &from[..head]);
    push('-', &old[..old.len() - tail]);
    push('+', &new[..new.len() - tail]);
    push(' ', &old[old.len() - tail..]);
}
