//! The setup command in a workplace into which earlier work with manifests was laid: the next request finds what that
//! work needs.

use crate::run::Fault;
use crate::run::commands::{output, setup, task_commands};
use crate::run::journal::recorder::Recorder;
use crate::run::world::World;

/// Makes the workplace's dependencies equal to manifests of earlier work.
pub(in crate::run) fn in_workplace(
    world: &mut World<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<(), Fault> {
    let (Some(setup), site) = (world.setup.take(), world.site) else {
        return Ok(());
    };
    let log = output::next_log(site, "setup")?;
    let env = site.settings.commands.env.clone();
    let (ended, _) = task_commands::run(world, &setup.command, &log, "the setup", env, recorder)?;
    if let Some(place) = &mut world.workplace {
        place.has_run_command = true;
    }
    if !ended.success() {
        recorder.reporter().warning(&setup::failed(setup));
    }
    Ok(())
}
