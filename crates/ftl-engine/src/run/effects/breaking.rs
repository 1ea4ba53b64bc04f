//! The work broken: in the workplace each changed source is made unparsable, each new one removed, and the verify command,
//! which passed in the project, runs once more. It must fail.
//!
//! Only where the workplace is at the project's own path: at another one a command may fail for that alone. What was broken
//! is as it was afterwards; after a crash the workplace is made equal to the tree again, and the work is laid into it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_analysis::test_code::is_about_tests;
use ftl_machine::Event;
use ftl_machine::event::Broken;
use ftl_model::DeltaPath;
use ftl_preflight::Language;
use ftl_store::Operation;

use super::implementer::without_variables;
use crate::result::Doing;
use crate::run::Fault;
use crate::run::commands::output::{self, Captured};
use crate::run::journal::recorder::Recorder;
use crate::run::world::World;

/// What no language takes for a source.
const GARBAGE: &str = ")]}>'\"\u{0} broken by ftl: the verify must notice it\n";
/// The least time that the command gets.
const LEAST: Duration = Duration::from_secs(10);

/// Runs the verify command with the work broken.
pub(in crate::run) fn run(
    world: &mut World<'_>,
    command: &str,
    took_ms: u64,
    touched: &[DeltaPath],
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let untried = || Ok(Event::BrokenTried(Box::default()));
    let site = world.site;
    let Some(place) = world.workplace.as_ref().filter(|_| world.placed.means.is_some()) else {
        return untried();
    };
    let broken = Sources::broken(world, place.copy.root(), touched)?;
    if broken.0.is_empty() {
        return untried();
    }
    let log = output::next_log(site, "broken")?;
    recorder.begins(Doing::Broken, command);
    let limit = Duration::from_millis(took_ms.saturating_mul(2)).max(LEAST);
    let env = without_variables(site.settings.commands.env.clone());
    let child = site.shell(command, &log).env(env.set("FTL_SLOT", place.number.to_string()));
    let child = child.time_limit(Some(limit.min(site.settings.commands.limit)));
    let ended = place
        .view(&world.placed)
        .map(|view| place.placed(site, child, view))
        .and_then(|child| site.run_child(&child, recorder));
    // Also where the command failed: the work is taken from the workplace again where a block undoes the landing.
    broken.restore()?;
    let ended = ended?;
    let captured = Captured::keep(site, &ended, log, recorder)?;
    Ok(Event::BrokenTried(Box::new(Broken {
        passed: Some(ended.success()),
        log: captured.log,
        warnings: Vec::new(),
    })))
}

/// Broken files with what they were.
struct Sources(Vec<(PathBuf, Vec<u8>, fs::Permissions)>);

impl Sources {
    fn broken(world: &World<'_>, copy: &Path, touched: &[DeltaPath]) -> Result<Self, Fault> {
        let before = world.before()?;
        let mut sources = Self(Vec::new());
        for path in touched.iter().filter(|path| is_source(path)) {
            let at = copy.join(path);
            let failed = |error| Fault::from(Operation::Write.failed(&at, error));
            let found = at.symlink_metadata().ok().filter(fs::Metadata::is_file);
            let Some(found) = found else { continue };
            let bytes = fs::read(&at).map_err(failed)?;
            let is_new = before.len(path).is_none() && before.is_known();
            let done = match is_new {
                true => fs::remove_file(&at),
                false => fs::write(&at, GARBAGE),
            };
            sources.0.push((at.clone(), bytes, found.permissions()));
            if let Err(error) = done {
                sources.restore()?;
                return Err(failed(error));
            }
        }
        Ok(sources)
    }

    fn restore(&self) -> Result<(), Fault> {
        for (at, bytes, permissions) in &self.0 {
            let mode = fs::Permissions::from_mode(permissions.mode());
            let written = fs::write(at, bytes).and_then(|()| fs::set_permissions(at, mode));
            written.map_err(|error| Operation::Write.failed(at, error))?;
        }
        Ok(())
    }
}

/// Whether a file is a source that a verify may be about: neither a test nor data.
fn is_source(path: &DeltaPath) -> bool {
    let Some(language) = Language::of_path(path.as_ref()) else { return false };
    let is_data = matches!(language.name(), "json" | "yaml" | "toml" | "xml" | "html" | "css");
    !is_data && !is_about_tests(path.as_str())
}
