//! A build: one workspace from active to its record, by the machine, in the world as it is.
//!
//! The order of things: locks, what a crash left behind, the journal, then the run loop of
//! `driver`, which decides nothing.

mod before;
mod checking;
mod chronicle;
mod diff;
mod driver;
mod fault;
mod implementer;
mod judging;
mod leftovers;
mod listener;
mod output;
mod planning;
mod reading;
mod record;
mod recovery;
mod report;
mod requests;
mod residue;
mod sealing;
mod settings;
mod verifying;
mod world;

use std::path::Path;

use ftl_model::{DeltaPath, Status, WorkspaceId, WorkspaceName};

pub(crate) use checking::diagnostic;
pub use fault::Fault;
pub use ftl_preflight::CheckerName as Checker;
pub use listener::{Deaf, Listener};
pub(crate) use planning::{obstacle, tests};
pub use report::Report;
pub use settings::{Implementer, Settings};

use crate::digest::sha256;
use crate::machine::{Options, Outcome, State, Verdict};
use crate::project::read_task_file;
use crate::scope::Scope;
use crate::store::{Journal, Layout, Lock, Run, Runs, Waiting, finish_residue};
use chronicle::{Chronicle, Opening, now};
use recovery::Unfinished;
use world::World;

/// Takes one workspace as far as it goes. `workspace` is a file named `NNN_slug_active.xml`; that it
/// is there and is named like this is the caller's business.
///
/// # Errors
///
/// [`Fault`] where the build could not begin or go on; the workspace is still active then.
pub fn build(
    workspace: &Path,
    settings: &Settings,
    listener: &mut dyn Listener,
) -> Result<Report, Fault> {
    let id = id_of(workspace)?;
    let root = std::path::absolute(&settings.root).unwrap_or_else(|_| settings.root.clone());
    let layout = Layout::new(root);
    if settings.dry_run {
        return dry_run(workspace, &id, settings, layout, listener);
    }
    layout.prepare(World::files())?;
    let lock = lock(workspace, settings, &layout, listener)?;
    if let Some(warning) = lock.warning() {
        listener.warning(&warning.to_string());
    }
    let runs = Runs::new(World::files(), &layout, &id);
    if let Some(record) = finish_residue(World::files(), workspace, finished_status)? {
        return residue::report_of(&runs, &id, &record);
    }
    let bytes = read_task_file(workspace)?;
    check_implementer(workspace, settings, &layout, &bytes)?;
    let opening = opening(settings, &bytes);
    if settings.restart {
        let mut world = World::new(settings, layout.clone(), workspace, bytes.clone(), None);
        recovery::give_up(&runs, &mut world, listener)?;
    }
    let (state, mut world, journal, run, resumed) = match recovery::unfinished(&runs, &opening)? {
        Some(found) => resume(found, settings, layout, workspace, bytes, listener)?,
        None => begin(&runs, &opening, settings, layout, workspace, bytes)?,
    };
    let name = format!("{id}/{}", run.number());
    let mut chronicle = Chronicle::new(Some(journal), listener, name.clone());
    chronicle.open(&opening, reading::plan_json(&world.bytes), resumed);
    let verdict = driver::drive(state, &mut world, &mut chronicle)?;
    runs.finish(&run)?;
    let report = report::report(&verdict, &name, id.as_str(), &lies_at(&verdict, workspace));
    chronicle.close(&report.json);
    Ok(report)
}

/// A run as the loop takes it up: where it stands, its world, its journal, and how many events lie
/// behind it.
type Started<'a> = (State, World<'a>, Journal<'static>, Run, usize);

fn begin<'a>(
    runs: &Runs<'static>,
    opening: &Opening,
    settings: &'a Settings,
    layout: Layout,
    workspace: &Path,
    bytes: Vec<u8>,
) -> Result<Started<'a>, Fault> {
    let run = runs.begin()?;
    let journal = Journal::create(World::files(), run.dir(), &now(), opening)?;
    let state = State::new(opening.options.clone());
    let world = World::new(settings, layout, workspace, bytes, Some(run.clone()));
    Ok((state, world, journal, run, 0))
}

fn resume<'a>(
    found: Unfinished,
    settings: &'a Settings,
    layout: Layout,
    workspace: &Path,
    bytes: Vec<u8>,
    listener: &mut dyn Listener,
) -> Result<Started<'a>, Fault> {
    let run = found.run.clone();
    let mut world = World::new(settings, layout, workspace, bytes, Some(run.clone()));
    let taken = found.take_up(&mut world, listener)?;
    Ok((taken.state, world, taken.journal, run, taken.events))
}

fn dry_run(
    workspace: &Path,
    id: &WorkspaceId,
    settings: &Settings,
    layout: Layout,
    listener: &mut dyn Listener,
) -> Result<Report, Fault> {
    let bytes = read_task_file(workspace)?;
    check_implementer(workspace, settings, &layout, &bytes)?;
    let opening = opening(settings, &bytes);
    let mut chronicle = Chronicle::new(None, listener, format!("{id}/dry"));
    chronicle.open(&opening, reading::plan_json(&bytes), 0);
    let mut world = World::new(settings, layout, workspace, bytes, None);
    let state = State::new(opening.options.clone());
    let verdict = driver::drive(state, &mut world, &mut chronicle)?;
    let name = format!("{id}/dry");
    let report = report::report(&verdict, &name, id.as_str(), &lies_at(&verdict, workspace));
    chronicle.close(&report.json);
    Ok(report)
}

/// Where the tree is to be the implementer, something must be there to look at. A workspace that
/// PLAN would block is left to PLAN.
fn check_implementer(
    workspace: &Path,
    settings: &Settings,
    layout: &Layout,
    bytes: &[u8],
) -> Result<(), Fault> {
    if let Implementer::Patches(patches) = &settings.implementer {
        for path in patches {
            std::fs::File::open(path).map_err(|source| Fault::Patch {
                path: path.clone(),
                source,
            })?;
        }
    }
    let Implementer::Tree { base } = &settings.implementer else {
        return Ok(());
    };
    let Some(delta) = plan_only(workspace, settings, layout, bytes)? else {
        return Ok(());
    };
    let scope = Scope::open(layout.root(), &delta, settings.scope.clone())?;
    let at_base = scope.base(base.as_deref())?;
    let anything =
        !at_base.files.is_empty() || scope.delta()?.values().any(|state| state.kind.is_some());
    if anything {
        Ok(())
    } else {
        Err(Fault::NoImplementer { base: base.clone() })
    }
}

/// The delta, where READ and PLAN would let the workspace pass.
fn plan_only(
    workspace: &Path,
    settings: &Settings,
    layout: &Layout,
    bytes: &[u8],
) -> Result<Option<Vec<DeltaPath>>, Fault> {
    let options = Options {
        dry_run: true,
        ..options(settings)
    };
    let mut world = World::new(settings, layout.clone(), workspace, bytes.to_vec(), None);
    let mut deaf = Deaf;
    let mut chronicle = Chronicle::new(None, &mut deaf, String::new());
    let verdict = driver::drive(State::new(options), &mut world, &mut chronicle)?;
    Ok(match verdict.outcome {
        Outcome::Planned => Some(verdict.plan.paths().cloned().collect()),
        Outcome::Complete | Outcome::Blocked(_) => None,
    })
}

fn lock(
    workspace: &Path,
    settings: &Settings,
    layout: &Layout,
    listener: &mut dyn Listener,
) -> Result<Lock, Fault> {
    let mut wait = |holder| listener.waiting(holder);
    let waiting = if settings.wait {
        Waiting::While(&mut wait)
    } else {
        Waiting::Refuse
    };
    Ok(Lock::task(World::files(), layout, workspace, waiting)?)
}

fn id_of(workspace: &Path) -> Result<WorkspaceId, Fault> {
    let name = workspace
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name: WorkspaceName = name
        .unwrap_or_default()
        .parse()
        .map_err(crate::store::StoreError::Name)?;
    Ok(name.id)
}

/// The status that a document claims, if it is a record: a finished one holds a `run` element.
fn finished_status(bytes: &[u8]) -> Option<Status> {
    let workspace = reading::parse(bytes).ok()?;
    let status = Status::ALL.into_iter().find(|status| {
        workspace.status.as_deref() == Some(status.as_str()) && status.is_finished()
    });
    status.filter(|_| workspace.has_run)
}

fn options(settings: &Settings) -> Options {
    Options {
        read_tests: settings.read_tests,
        dry_run: settings.dry_run,
        can_mend: !matches!(settings.implementer, Implementer::Tree { .. }),
        untrusted: settings.untrusted.clone(),
        undecided: settings.undecided,
    }
}

/// What must be the same when an unfinished run is taken up again.
fn opening(settings: &Settings, bytes: &[u8]) -> Opening {
    let Settings {
        implementer,
        checker,
        baseline,
        strict_scope,
        allow_removed,
        ..
    } = settings;
    let Settings {
        root,
        families: _,
        agent_limit: _,
        verify_limit: _,
        ..
    } = settings;
    Opening {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        options: options(settings),
        choices: format!(
            "{} {implementer:?} {checker} {baseline} {strict_scope} {allow_removed:?}",
            root.display()
        ),
        workspace: sha256(bytes),
    }
}

/// Where the workspace lies once the run is over.
fn lies_at(verdict: &Verdict, workspace: &Path) -> String {
    match &verdict.record {
        Some(sealed) => sealed.path.clone(),
        None => workspace.display().to_string(),
    }
}
