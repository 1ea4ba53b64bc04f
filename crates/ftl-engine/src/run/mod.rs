//! A run: one workspace from active to its record, by the machine, in the world as it is.
//!
//! The order of things: locks, what a crash left behind, the journal, then the loop of `driver`, which
//! decides nothing. The machine's effects are performed by `effects`, a file for each; before there is a
//! run, and in a dry one, by `planner`.

mod commands;
mod driver;
pub(crate) mod effects;
mod fault;
mod journal;
pub(crate) mod landing;
mod planning;
pub(crate) mod recovery;
pub(crate) mod session;
mod settings;
mod site;
mod words;
pub(crate) mod work;
mod world;

use std::path::Path;

use ftl_machine::BlockKind;
use ftl_model::{WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Lock, OsFiles, Runs};

pub use fault::{Fault, signal_name};
pub use landing::committing::{LateCommit, commit_owed, owes_commits};
pub use landing::taking::Taken;
pub(crate) use landing::taking::lay_into_project;
pub use recovery::unfinished_rung;
pub use work::placing::{Placed, place, try_placing};
pub use work::relocate::{Relocating, relocated};
// The types that settings and faults are made of, so that a caller needs no crate but this one.
pub use commands::secrets::redacting;
pub use ftl_agents::Agent;
pub use ftl_analysis::diagnosis::{Families, Family, FamilyKind};
pub use ftl_store::{FileError, StoreError};
pub use ftl_tree::{
    Extent, IGNORED_CACHES, SCRATCH_NAMES, Settings as TreeSettings, Strays, TreeError,
};
pub use journal::reporter::{NullReporter, Reporter};
pub use recovery::old_state::{HeldState, Need, held_state, remove_state};
pub use settings::{
    Attempt, CommandSettings, FailureSettings, Implementer, Isolate, Judge, Next, QualitySettings,
    RequestSettings, SeriesSettings, Settings, Setup, StartSettings, SyntaxSettings,
};
pub use words::wording::Advice;

pub(crate) use commands::output::how_it_ended;
pub(crate) use commands::secrets::Secrets;
pub(crate) use effects::implementer::without_variables;
pub(crate) use planning::{PLAN_FILE, Planning};

use crate::project::read_workspace_file;
use crate::result::{BuildResult, RunId};
use crate::store::finish_rename_and_keep;
use crate::validate::validate;
use journal::recorder::Recorder;
use session::brief::Source;
use session::preconditions::{check_implementer, check_placing, plan};
use session::{Locked, opening};

/// The store's door to the file system.
const fn files() -> &'static OsFiles {
    &OsFiles
}

/// Takes one workspace as far as it goes. `workspace` is a file named `NNN_slug_active.xml`; that it
/// is there and is named like this is the caller's business.
///
/// # Errors
///
/// [`Fault`] where the build could not begin or go on; the workspace is still active then.
pub fn build(
    workspace: &Path,
    settings: &Settings,
    reporter: &mut dyn Reporter,
) -> Result<BuildResult, Fault> {
    let id = id_of(workspace)?;
    let layout = &settings.layout;
    if settings.start.dry_run {
        return dry_run(workspace, id, settings, layout, reporter);
    }
    layout.prepare(files())?;
    // Everything from here on reads or writes what another builder of this task would.
    let _lock = lock(workspace, settings, layout, reporter)?;
    let runs = Runs::new(files(), layout, &id);
    let mut read = None;
    if let Some(record) = finish_rename_and_keep(workspace, &mut read)? {
        return recovery::unfinished_seal::result_of(&runs, &id, &record, settings);
    }
    let bytes = read.map_or_else(|| read_workspace_file(workspace), Ok)?;
    let source = Source::parse(workspace, &bytes, &settings.failures.shared);
    let settings = &allowing(settings, &source);
    // Before anything else: a usage error must neither begin a run nor end an unfinished one.
    check_implementer(&source, settings, layout)?;
    check_placing(&source, settings, layout)?;
    if settings.start.restart {
        recovery::give_up(&runs, settings, layout, reporter)?;
    }
    let locked = Locked { workspace, id: &id, layout, runs: &runs, settings, source: &source };
    locked.build(reporter)
}

/// The settings with what the task itself lets change beside its delta.
fn allowing(settings: &Settings, source: &Source<'_>) -> Settings {
    let mut settings = settings.clone();
    let own = source.brief().map(|brief| brief.workspace.allow.clone());
    settings.tree.allow.extend(own.unwrap_or_default());
    settings
}

/// Reports everything that is wrong with a task that can't be built as it is written.
fn complain(
    result: &mut BuildResult,
    workspace: &Path,
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) {
    let kind = result.block.as_ref().map(|block| block.kind);
    if kind == Some(BlockKind::SpecInvalid) {
        let env = &settings.commands.env;
        result.problems =
            validate(source.bytes, workspace, layout.root(), env, &settings.quality.rules);
        source.bytes.clone_into(&mut result.source);
    }
}

fn dry_run(
    workspace: &Path,
    id: WorkspaceId,
    settings: &Settings,
    layout: &Layout,
    reporter: &mut dyn Reporter,
) -> Result<BuildResult, Fault> {
    let bytes = read_workspace_file(workspace)?;
    let source = Source::parse(workspace, &bytes, &settings.failures.shared);
    let settings = &allowing(settings, &source);
    check_implementer(&source, settings, layout)?;
    let opening = opening(settings, &source);
    let mut recorder = Recorder::new(None, reporter, RunId::dry(id.clone()));
    recorder.open(&opening, source.brief(), 0);
    let verdict = plan(&source, layout, settings, opening.options, &mut recorder)?;
    let mut result = session::result::of(&verdict, RunId::dry(id), workspace, settings, None);
    complain(&mut result, workspace, &source, settings, layout);
    settings.next.fill(&mut result);
    recorder.close(&result);
    Ok(result)
}

fn lock(
    workspace: &Path,
    settings: &Settings,
    layout: &Layout,
    reporter: &mut dyn Reporter,
) -> Result<Lock, Fault> {
    let mut wait = |holder| reporter.waiting(holder);
    let lock = Lock::task(files(), layout, workspace, site::waiting(settings, &mut wait))?;
    if let Some(warning) = lock.warning() {
        reporter.warning(&warning.to_string());
    }
    Ok(lock)
}

fn id_of(workspace: &Path) -> Result<WorkspaceId, Fault> {
    let name = workspace.file_name().unwrap_or_default().to_string_lossy();
    let name: WorkspaceName = name.parse().map_err(StoreError::Name)?;
    Ok(name.id)
}
