//! What is checked before anything is begun: a usage error must neither begin a run nor end an unfinished
//! one.

use ftl_machine::{Options, Outcome, State, Verdict};
use ftl_model::{DeltaPath, WorkspaceId};
use ftl_store::Layout;
use ftl_tree::{Strays, Tree};

use super::brief::Source;
use crate::result::RunId;
use crate::run::driver::drive;
use crate::run::effects::planner::Planner;
use crate::run::journal::recorder::Recorder;
use crate::run::work::placing;
use crate::run::{Fault, Implementer, Isolate, NullReporter, Settings};

/// READ and PLAN alone.
pub(in crate::run) fn plan(
    source: &Source<'_>,
    layout: &Layout,
    settings: &Settings,
    options: Options,
    recorder: &mut Recorder<'_>,
) -> Result<Verdict, Fault> {
    let options = Options { dry_run: true, ..options };
    let mut planner = Planner { source, root: layout.root(), settings };
    drive(State::new(options), &mut planner, recorder)
}

/// Where the tree is to be the implementer, something must be there to look at. A workspace that
/// PLAN would block is left to PLAN.
pub(in crate::run) fn check_implementer(
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) -> Result<(), Fault> {
    check_house_rules(source, settings)?;
    if let Implementer::Patches(patches) = &settings.implementer {
        for path in patches {
            std::fs::File::open(path)
                .map_err(|source| Fault::Patch { path: path.clone(), source })?;
        }
    }
    let Implementer::Tree { base } = &settings.implementer else {
        let path = layout.ftl_dir();
        return match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => Err(Fault::LinkedStore { path }),
            _ => Ok(()),
        };
    };
    if settings.start.dry_run {
        // No implementer is asked.
        return Ok(());
    }
    let Some(delta) = buildable_delta(source, settings, layout)? else {
        return Ok(());
    };
    // Most often some of it is there, and git need not be asked.
    let is_there = |path: &DeltaPath| layout.root().join(path).symlink_metadata().is_ok();
    if base.is_none() && delta.iter().any(is_there) {
        return Ok(());
    }
    let tree = Tree::open(layout.root(), &delta, settings.tree.clone())?;
    let at_base = tree.base(base.as_deref())?;
    let anything =
        !at_base.files.is_empty() || tree.delta()?.values().any(|state| !state.is_nothing());
    if anything { Ok(()) } else { Err(Fault::NoImplementer { base: base.clone() }) }
}

/// House rules that can't be used are reported before anything is begun, and only where there are idioms.
fn check_house_rules(source: &Source<'_>, settings: &Settings) -> Result<(), Fault> {
    let brief = source.brief();
    if brief.is_none_or(|brief| brief.workspace.idioms.is_none()) {
        return Ok(());
    }
    settings.quality.rules.check().map_err(Fault::Rules)
}

/// A mount over the root that was asked for and can't be had is refused while nothing is begun.
pub(in crate::run) fn check_placing(
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) -> Result<(), Fault> {
    if settings.requests.isolate != Some(Isolate::Bind) {
        return Ok(());
    }
    let Some(delta) = buildable_delta(source, settings, layout)? else {
        return Ok(());
    };
    let tree = Tree::open(layout.root(), &delta, settings.tree.clone())?;
    placing::place(settings, &tree).map(drop)
}

/// The delta, where READ and PLAN would let the workspace pass: asked of the machine itself, with a
/// recorder that records nothing, so that no second opinion of PLAN exists.
fn buildable_delta(
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) -> Result<Option<Vec<DeltaPath>>, Fault> {
    let mut reporter = NullReporter;
    let unnamed = RunId::dry(WorkspaceId::new("", ""));
    let mut recorder = Recorder::new(None, &mut reporter, unnamed);
    let verdict = plan(source, layout, settings, options(settings), &mut recorder)?;
    Ok(match verdict.outcome {
        Outcome::Planned => Some(verdict.plan.paths().cloned().collect()),
        Outcome::Complete | Outcome::Blocked(_) => None,
    })
}

pub(in crate::run) fn options(settings: &Settings) -> Options {
    Options {
        read_tests: settings.read_tests,
        dry_run: settings.start.dry_run,
        can_mend: !settings.implementer.is_tree(),
        untrusted: settings.untrusted.clone(),
        undecided: settings.quality.undecided,
        lands: !settings.implementer.is_tree(),
        evidence: settings.evidence,
        strays_block: settings.tree.strays == Strays::Block || settings.strict_scope,
    }
}
