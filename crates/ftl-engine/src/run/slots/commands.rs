//! Commands of the project on the work in a slot: preflight commands, and the verify after it failed in the root.
//!
//! They run in a view at the root's own path, as requests do. What they write outside the delta is dropped.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use ftl_process::{Command, Ended};
use ftl_store::Operation;
use ftl_tree::{OverlayWork, remove_layers};

use crate::run::implementer::without_variables;
use crate::run::recorder::Recorder;
use crate::run::world::World;
use crate::run::written::Left;
use crate::run::{Fault, written};

/// The place of a command's layers, beside that of its request.
const PLACE: &str = "command";

/// Runs a command of the task where the run's work is, and finds what it leaves outside the delta.
pub(in crate::run) fn run_in_place(
    world: &World<'_>,
    command: &str,
    log: &Path,
    by: &str,
    recorder: &mut Recorder<'_>,
) -> Result<(Ended, Left), Fault> {
    if world.is_in_copy() {
        return run(world, command, log, (by, true), recorder);
    }
    let watch = world.tree().watch()?;
    let ended = world.site.run_child(&world.site.shell(command, log), Some(log), recorder)?;
    let left = written::since(world, &watch, by)?;
    Ok((ended, left))
}

/// Runs a command of the task on the work in the copy. What it changes in the delta is taken over where `keeps` says
/// so. `by` is what a sentence calls it.
pub(in crate::run) fn run(
    world: &World<'_>,
    command: &str,
    log: &Path,
    (by, keeps): (&str, bool),
    recorder: &mut Recorder<'_>,
) -> Result<(Ended, Left), Fault> {
    let means = world.slot.as_ref().map(|_| world.means()).transpose()?.flatten();
    let Some((slot, means)) = world.slot.as_ref().zip(means) else {
        return run_in_copy(world, command, log, by, recorder);
    };
    let site = world.site;
    let place = means.place(site, world.made.requests)?.with_file_name(PLACE);
    let made = slot.slot.make_view(&slot.root, &place)?;
    let env = without_variables(site.settings.commands.env.clone());
    let env = env.set("FTL_SLOT", slot.number.to_string());
    let child: Command = site.shell(command, log).env(env);
    let child = child.within(means.view_of_slot(&made, &place));
    let ended = site.run_child(&child, Some(log), recorder);
    let tree = world.tree();
    let done = ended.and_then(|ended| {
        let mut work: OverlayWork = tree.written(&made.layers, None)?;
        let outside = work.outside(tree);
        work.fail(true);
        if keeps {
            let landing = tree.landing(&work, &BTreeSet::new());
            tree.take_over(&work, &landing, &place.join("plan"))?;
        }
        Ok((ended, written::left(outside, Vec::new(), by)))
    });
    remove_layers(&place)?;
    done
}

/// Runs a command in the copy itself, where no view can be had: nothing else is done in it at that time.
fn run_in_copy(
    world: &World<'_>,
    command: &str,
    log: &Path,
    by: &str,
    recorder: &mut Recorder<'_>,
) -> Result<(Ended, Left), Fault> {
    let tree = world.tree();
    let watch = tree.watch()?;
    let child = world.site.shell(command, log).dir(tree.root());
    let ended = world.site.run_child(&child, Some(log), recorder)?;
    let left = written::since(world, &watch, by)?;
    Ok((ended, left))
}

/// Brings the files of the request under way to where its view will show them.
pub(in crate::run) fn show_request(world: &World<'_>, dir: &Path) -> Result<(), Fault> {
    let below = dir.strip_prefix(world.site.root()).ok();
    let Some(below) = below.filter(|_| world.slot.is_some()) else {
        return Ok(());
    };
    let to = world.tree().root().join(below);
    let make = || -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&to)?;
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::copy(entry.path(), to.join(entry.file_name()))?;
            }
        }
        Ok(())
    };
    make().map_err(|error| Operation::Write.failed(&to, error).into())
}
