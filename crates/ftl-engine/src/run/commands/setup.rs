//! The setup command: it makes dependencies equal to their manifests, where manifests are part of the work.
//!
//! ```text
//! STATE/ftl/landing/KEY.setup    the project's dependencies may be those of work that is not in it
//! ```
//!
//! The mark is there before the command runs for a landing, and goes when the work is sealed as complete. So the process
//! that locks the project next finds out, after a crash too, that the command has to run once more.

use std::path::PathBuf;

use ftl_model::DeltaPath;
use ftl_store::{Files, replace};
use ftl_tree::Globs;

use super::output::next_log;
use crate::run::settings::Setup;
use crate::run::site::{Site, files};
use crate::run::{Fault, Reporter};
use crate::text::one_line;

/// The command, where one of these files is a manifest.
pub(in crate::run) fn due<'s, 'p>(
    site: &Site<'s>,
    mut paths: impl Iterator<Item = &'p DeltaPath>,
) -> Option<&'s Setup> {
    let setup = site.settings.commands.setup.as_ref()?;
    let when = Globs::new(&setup.when);
    paths.any(|path| when.hold(path.as_str().as_bytes())).then_some(setup)
}

/// Notes, before the command runs for work that is not complete yet, that it may have to run once more.
pub(in crate::run) fn begin(site: &Site<'_>) -> Result<(), Fault> {
    Ok(replace(files(), &mark(site)?, b"")?)
}

/// Runs the command in the project, whose lock is held, where work with manifests is not in it any more.
pub(in crate::run) fn settle(site: &Site<'_>, reporter: &mut dyn Reporter) -> Result<(), Fault> {
    let Some(setup) = &site.settings.commands.setup else {
        return Ok(());
    };
    if !mark(site).is_ok_and(|mark| mark.exists()) {
        return Ok(());
    }
    let log = next_log(site, "setup")?;
    let ended = site.shell(&setup.command, &log).run(|_| Ok(()))?;
    // The mark stays: the next holder of the lock runs it.
    if let Some(signal) = ended.interrupted {
        return Err(Fault::Interrupted(signal));
    }
    if !ended.success() {
        let text = failed(setup);
        reporter.warning(&format!(
            "{text} after the work was taken out of the project again: run it once more"
        ));
    }
    forget(site)
}

/// The project's dependencies are those of its manifests.
pub(in crate::run) fn forget(site: &Site<'_>) -> Result<(), Fault> {
    match mark(site) {
        Ok(mark) if mark.exists() => Ok(files().remove(&mark)?),
        _ => Ok(()),
    }
}

/// That it failed, as the beginning of a sentence.
pub(in crate::run) fn failed(setup: &Setup) -> String {
    format!("the setup command `{}` failed", one_line(&setup.command))
}

fn mark(site: &Site<'_>) -> Result<PathBuf, Fault> {
    let private = site.settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    Ok(private.join("landing").join(format!("{}.setup", site.layout.key())))
}
