//! `ftl clean`: removes what workplaces hold in the user's state directory.

use ftl_engine::project::find;
use ftl_engine::run::{HeldState, Need, held_state, remove_state};
use ftl_text::one_line;

use super::refuse_in_request;
use crate::args::CleanArgs;
use crate::{CommandResult, globals, output};

/// Columns of a size.
const SIZE: usize = 12;

/// Lists everything first, then removes what no build needs.
pub(crate) fn run(args: &CleanArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    refuse_in_request(layout.root())?;
    let held = held_state(&layout, args.all)?;
    for held in &held {
        output::note_or_line(&line(held, args.all))?;
    }
    let mut removed = Vec::new();
    for held in held.iter().filter(|held| held.need.is_none()) {
        if args.dry_run || remove_state(held)? {
            removed.push(held);
        } else {
            output::warn(&format!("`{}` is kept: a build needs it by now", held.name));
        }
    }
    let verb = if args.dry_run { "Would remove" } else { "Removed" };
    output::did(verb, total(removed)).map(|()| 0)
}

/// The sum of what these hold, and of how many workplaces.
pub(crate) fn total<'a>(held: impl IntoIterator<Item = &'a HeldState>) -> String {
    let (mut workplaces, mut bytes) = (0_u64, 0);
    for held in held {
        bytes += held.bytes;
        workplaces += u64::from(held.is_workplace());
    }
    let noun = if workplaces == 1 { "workplace" } else { "workplaces" };
    format!("{} of {workplaces} {noun}", size(bytes))
}

fn line(held: &HeldState, all: bool) -> String {
    let mut line = format!("{:>SIZE$}  {}", size(held.bytes), held.name);
    if let Some(root) = held.root.as_deref().filter(|_| all) {
        line.push_str(&format!("  {}", root.display()));
    }
    let need = held.need.map(|need| match need {
        Need::Busy => "a build works in it",
        Need::Interrupted => "its task is active, and its request did not end",
        Need::Landing => "the next `ftl build` undoes or finishes it",
    });
    if let Some(need) = need {
        line.push_str(&format!("  (kept: {need})"));
    }
    one_line(&line)
}

fn size(bytes: u64) -> String {
    let unit = |shift: u32| {
        let tenths = (u128::from(bytes) * 10) >> shift;
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        0..0x10_0000 => format!("{} KiB", unit(10)),
        0x10_0000..0x4000_0000 => format!("{} MiB", unit(20)),
        _ => format!("{} GiB", unit(30)),
    }
}
