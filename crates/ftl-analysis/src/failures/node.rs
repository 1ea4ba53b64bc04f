//! node's own runner as it reports to people: a tree of tests, and at the end each failure with its place, but without its
//! suites.

use super::draft::{Draft, dedented, spans};
use super::source_line::{SourceLine, is_frame};
use crate::constants::ConstPattern;

static ENTRY: ConstPattern =
    ConstPattern::new(r"^( *)(✖|✔|﹣|▶) (\S.*?)(?: \([\d.]+ms\))?(?: # .*)?$");
static PLACE: ConstPattern = ConstPattern::new(r"^test at (\S+?):(\d+):\d+$");

/// Each failure of the list at the end.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let Some(end) = lines.iter().rposition(|line| line.starts_with("ℹ tests ")) else {
        return Vec::new();
    };
    let mut names = failed_names(&lines[..end]);
    let starts: Vec<usize> = (end..lines.len()).filter(|&at| PLACE.is_match(lines[at])).collect();
    let drafts = spans(&starts, lines.len()).filter_map(|within| {
        let (start, end) = (within.start, within.end);
        let place = PLACE.captures(lines[start])?;
        let name = ENTRY.captures(lines.get(start + 1)?)?.get(3)?.as_str();
        let is_it = |full: &String| full == name || full.ends_with(&format!(" > {name}"));
        let full = names.iter().position(is_it).map(|at| names.remove(at));
        let body = &lines[start + 2..end];
        let message = dedented(body.iter().take_while(|line| !is_frame(line)).copied());
        let raised = SourceLine::framed(body);
        Some(Draft {
            test: Some(full.unwrap_or_else(|| name.to_owned())),
            place: raised.or_else(|| SourceLine::new(&place[1], &place[2])),
            message: if message.is_empty() { name.to_owned() } else { message },
            origin: Some(place[1].to_owned()),
            ..Draft::of(within)
        })
    });
    drafts.collect()
}

/// What node says of tests that did not run, because a hook of their suite failed.
const CANCELLED: &str = "test did not finish before its parent and was cancelled";

/// Tests that a hook kept from running failed as their suite did, which is no test itself.
pub(super) fn blame_hooks(drafts: &mut Vec<Draft>) {
    let is_within = |name: &Option<String>, suite: &str| {
        name.as_deref()
            .is_some_and(|it| it.strip_prefix(suite).is_some_and(|it| it.starts_with(" > ")))
    };
    let is_cancelled = |draft: &Draft| draft.message.contains(CANCELLED);
    let suites: Vec<Draft> = drafts.iter().filter(|it| !is_cancelled(it)).cloned().collect();
    for suite in suites {
        let Some(name) = suite.test.as_deref() else { continue };
        let mut is_suite = false;
        for draft in drafts.iter_mut().filter(|it| is_cancelled(it) && is_within(&it.test, name)) {
            is_suite = true;
            (draft.message, draft.place) = (suite.message.clone(), suite.place.clone());
        }
        drafts.retain(|it| !is_suite || *it != suite);
    }
}

/// The failed tests of the tree, each below the names of its suites.
fn failed_names(lines: &[&str]) -> Vec<String> {
    let mut suites: Vec<(usize, String)> = Vec::new();
    let mut names = Vec::new();
    for parts in lines.iter().filter_map(|line| ENTRY.captures(line)) {
        let (indent, name) = (parts[1].len(), parts[3].to_owned());
        let is_end =
            suites.iter().any(|suite| *suite == (indent, name.clone())) && &parts[2] != "▶";
        suites.retain(|(at, _)| *at < indent);
        match &parts[2] {
            "▶" => suites.push((indent, name)),
            "✖" if !is_end => {
                let above = suites.iter().map(|(_, suite)| suite.as_str());
                names.push(above.chain([name.as_str()]).collect::<Vec<_>>().join(" > "));
            }
            _ => {}
        }
    }
    names
}
