//! The diff of the delta that each request left, kept with the run.

use similar::TextDiff;

use super::Fault;
use super::world::World;
use crate::scope::Capture;
use crate::store::write_out;

/// A text longer than this is not compared line by line.
const MAX_TEXT: usize = 4 << 20;

/// Keeps what a request changed in the delta as a unified diff.
pub(super) fn keep(world: &World<'_>, before: &Capture, number: u32) -> Result<(), Fault> {
    let mut diff = String::new();
    for path in before.delta().into_keys() {
        let (old, new) = (before.read(&path)?, world.scope().read(&path)?);
        if old != new {
            diff.push_str(&unified(path.as_str(), old.as_deref(), new.as_deref()));
        }
    }
    if !diff.is_empty() {
        let name = format!("{number}.diff");
        write_out(World::files(), &world.run().diffs(), &name, diff.as_bytes())?;
    }
    Ok(())
}

fn unified(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let header = |side: Option<&[u8]>, prefix: &str| match side {
        Some(_) => format!("{prefix}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let (from, to) = (header(old, "a"), header(new, "b"));
    let too_long = |side: Option<&[u8]>| side.is_some_and(|bytes| bytes.len() > MAX_TEXT);
    let text = |side: Option<&[u8]>| {
        std::str::from_utf8(side.unwrap_or_default())
            .ok()
            .map(str::to_owned)
    };
    match (text(old), text(new)) {
        (Some(before), Some(after)) if !too_long(old) && !too_long(new) => {
            TextDiff::from_lines(&before, &after)
                .unified_diff()
                .header(&from, &to)
                .to_string()
        }
        _ => format!("Files {from} and {to} differ\n"),
    }
}
