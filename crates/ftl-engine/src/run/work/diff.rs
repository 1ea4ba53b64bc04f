//! The diffs of the delta that each request left, and the whole run, kept with the run for people to read.
//!
//! Nothing is decided by a diff, and none is applied again: the bytes are saved. Strays are not in it either, they are
//! whole in the quarantine.

use ftl_machine::Verdict;
use ftl_model::{DeltaPath, LineCounts};
use ftl_store::{RUN_DIFF, Stored, write_out_later};
use ftl_tree::Tree;
use similar::{ChangeTag, TextDiff};

use super::before::Before;
use crate::run::Fault;
use crate::run::site::{Site, files};
use crate::run::world::World;

/// Bytes of a text that is compared line by line: the time grows with the number of differences, up to
/// the square of the length.
const MAX_TEXT: usize = 4 << 20;
/// Bytes of what is kept of changes in the tree: the next implementer gets it.
const MAX_UNDERNEATH: usize = 1 << 16;
/// What changed in the tree while the implementer worked on a copy of it.
pub(in crate::run) const UNDERNEATH: &str = "underneath.diff";

/// Keeps what was done to the delta by the end of a request, as a unified diff.
pub(in crate::run) fn keep(world: &World<'_>, number: u32) -> Result<(), Fault> {
    let diff = so_far(world.tree(), world.before()?, world.brief().paths())?;
    if !diff.is_empty() {
        let name = format!("{number}.diff");
        write_out_later(files(), &world.site.run.diffs(), &name, diff.as_bytes())?;
    }
    Ok(())
}

/// Keeps what the whole run did to the delta, measured as its files are; where nothing is known of what was
/// there before, there is no diff.
pub(in crate::run) fn keep_run(
    world: &World<'_>,
    verdict: &Verdict,
) -> Result<Option<Stored>, Fault> {
    let Some(before) = world.before.as_ref().filter(|before| before.is_known()) else {
        return Ok(None);
    };
    let tree = world.tree();
    let mut diff = String::new();
    for (file, _) in &verdict.files {
        let path = &file.path;
        let there = [before.len(path), tree.len(path)?].map(|length| length.is_some());
        diff.push_str(&match texts(tree, before, path)? {
            Some([old, new]) => unified(path.as_str(), old.as_deref(), new.as_deref()),
            None => unreadable(path.as_str(), there),
        });
    }
    if diff.is_empty() {
        return Ok(None);
    }
    let dir = world.site.run.diffs();
    Ok(Some(write_out_later(files(), &dir, RUN_DIFF, diff.as_bytes())?))
}

/// What was done to these files of the delta since before the task.
pub(in crate::run) fn so_far<'p>(
    tree: &Tree,
    before: &Before,
    paths: impl Iterator<Item = &'p DeltaPath>,
) -> Result<String, Fault> {
    let mut diff = String::new();
    for path in paths.filter(|_| before.is_known()) {
        if let Some([old, new]) = texts(tree, before, path)?
            && old != new
        {
            diff.push_str(&unified(path.as_str(), old.as_deref(), new.as_deref()));
        }
    }
    Ok(diff)
}

/// How these files differ from a copy of the tree that was made earlier.
pub(in crate::run) fn since_copy(
    copy: &Tree,
    tree: &Tree,
    paths: &[DeltaPath],
) -> Result<String, Fault> {
    let mut diff = String::new();
    for path in paths {
        let lengths = [copy.len(path)?, tree.len(path)?];
        if lengths.iter().flatten().all(|length| *length <= MAX_TEXT as u64) {
            let (old, new) = (copy.read(path)?, tree.read(path)?);
            diff.push_str(&unified(path.as_str(), old.as_deref(), new.as_deref()));
        } else {
            diff.push_str(&unreadable(path.as_str(), lengths.map(|length| length.is_some())));
        }
        if diff.len() > MAX_UNDERNEATH {
            break;
        }
    }
    Ok(diff)
}

/// Keeps what changed in the tree while the implementer worked on a copy of it.
pub(in crate::run) fn keep_underneath(site: &Site<'_>, diff: &str) -> Result<(), Fault> {
    if !diff.is_empty() {
        let diff = shortened_lines(diff);
        write_out_later(files(), &site.run.diffs(), UNDERNEATH, diff.as_bytes())?;
    }
    Ok(())
}

/// The first lines of a long diff.
fn shortened_lines(diff: &str) -> String {
    let mut length = 0;
    let lines = diff.split_inclusive('\n').take_while(|line| {
        length += line.len();
        length <= MAX_UNDERNEATH
    });
    let lines: String = lines.collect();
    if lines.len() < diff.len() { lines + "…\n" } else { lines }
}

/// The bytes of a file before and now; `None` where one side is too long to be compared, and perhaps to be read.
fn texts(
    tree: &Tree,
    before: &Before,
    path: &DeltaPath,
) -> Result<Option<[Option<Vec<u8>>; 2]>, Fault> {
    let then = before.len(path);
    let is_long = |length: Option<u64>| length.is_some_and(|length| length > MAX_TEXT as u64);
    if is_long(then) || is_long(tree.len(path)?) {
        return Ok(None);
    }
    let old = before.read(path)?;
    let is_kept = old.is_some() == then.is_some();
    Ok(if is_kept { Some([old, tree.read(path)?]) } else { None })
}

/// Git's own form, which editors know.
fn header(there: bool, prefix: &str, path: &str) -> String {
    if there { format!("{prefix}/{path}") } else { "/dev/null".to_owned() }
}

/// Of a file that is no text, or too long.
fn unreadable(path: &str, there: [bool; 2]) -> String {
    let (from, to) = (header(there[0], "a", path), header(there[1], "b", path));
    format!("Files {from} and {to} differ\n")
}

fn unified(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let there = [old.is_some(), new.is_some()];
    let text =
        |side: Option<&[u8]>| std::str::from_utf8(side.unwrap_or_default()).ok().map(str::to_owned);
    match (text(old), text(new)) {
        (Some(before), Some(after)) => TextDiff::from_lines(&before, &after)
            .unified_diff()
            .header(&header(there[0], "a", path), &header(there[1], "b", path))
            .to_string(),
        _ => unreadable(path, there),
    }
}

/// How many lines came and went between two texts; `None` where one is too long to be compared.
pub(in crate::run) fn lines(before: &str, after: &str) -> Option<LineCounts> {
    if before.len().max(after.len()) > MAX_TEXT {
        return None;
    }
    let mut lines = LineCounts::default();
    for change in TextDiff::from_lines(before, after).iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => lines.added += 1,
            ChangeTag::Delete => lines.removed += 1,
            ChangeTag::Equal => {}
        }
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::{LineCounts, lines};

    #[test]
    fn lines_are_counted_as_they_come_and_go() {
        assert_eq!(lines("a\nb\n", "a\nc\nd\n"), Some(LineCounts { added: 2, removed: 1 }));
        assert_eq!(lines("", "a\n"), Some(LineCounts { added: 1, removed: 0 }));
    }
}
