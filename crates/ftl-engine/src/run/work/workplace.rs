//! The workplace of a run: a private copy of the tree, made equal to it before the run's first request.
//!
//! ```text
//! STATE/ftl/workplaces/KEY/N/lock     who works in it; never deleted
//! STATE/ftl/workplaces/KEY/N/owner    the run whose request may be under way in it
//! STATE/ftl/workplaces/KEY/N/copy/    see `ftl_tree::workplace`
//! ```
//!
//! A run that takes a workplace over looks at its owner first: a request of a killed run is ended, and what it had written
//! is kept with that run.

use std::collections::BTreeSet;
use std::fs::DirBuilder;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use ftl_machine::event::Before;
use ftl_model::DeltaPath;
use ftl_process::{Command, View, WriteRoom};
use ftl_store::{Files, Layout, Lock, Operation, Run, Turn, replace};
use ftl_tree::workplace::{Placement, Workplace};
use ftl_tree::{Changes, RelPath, SavedFiles, Tree};

use super::held_workplace::{PROJECT, dir, forget_owner, owner_in};
use super::last_pass;
use super::placing::Placed;
use super::work_files::WorkFiles;
use crate::run::commands::output::{shown, unused_dir};
use crate::run::journal::recorder::Note;
use crate::run::landing::tree_lock::LockedTree;
use crate::run::recovery::orphans;
use crate::run::site::{Site, files};
use crate::run::{Fault, Reporter, Settings};
use crate::text::{listed, shell_word};

/// The workplace that a run works in.
pub(in crate::run) struct OpenWorkplace {
    pub(in crate::run) place: Workplace,
    /// The copy.
    pub(in crate::run) copy: Tree,
    /// The tree that it is a copy of. Its lock is not held, so only its places are used.
    pub(in crate::run) root: Tree,
    /// How the delta was in the project at the last refresh, and what else of the project the work needs.
    pub(in crate::run) base: SavedFiles,
    pub(in crate::run) number: u32,
    /// What strayed by the last comparison.
    pub(in crate::run) strays: BTreeSet<RelPath>,
    /// Whether a command of the task ran since the last comparison.
    pub(in crate::run) has_run_command: bool,
    /// What such commands left, which is no stray of an implementer.
    left_by_commands: BTreeSet<RelPath>,
    /// Directories of dependencies that they wrote to.
    set_up: Vec<String>,
    /// Whether it holds more than what lands: strays, dependencies that were written to, or files that changed in the
    /// project since.
    pub(in crate::run) is_apart: bool,
    /// How the verify command ended with the tree that it is a copy of, where that is known.
    pub(in crate::run) last_pass: Option<Before>,
    _lock: Lock,
}

/// The task and number of the run that a workplace was refreshed for last.
#[must_use]
pub(crate) fn owner(settings: &Settings, layout: &Layout, number: u32) -> Option<String> {
    owner_in(&dir(settings, layout).ok()?.join(number.to_string()))
}

/// A request of the owner has come to its end: the next run in the workplace need not look after it.
pub(in crate::run) fn forget_owner_of(site: &Site<'_>, number: u32) -> Result<(), Fault> {
    forget_owner(&dir(site.settings, site.layout)?.join(number.to_string()))
}

/// A run by its directory, from the directory of all runs.
pub(in crate::run) fn name_of(layout: &Layout, run: &Run) -> String {
    let name = run.dir().strip_prefix(layout.runs_dir()).unwrap_or(run.dir());
    name.display().to_string()
}

/// Makes a workplace equal to the tree, for a run that begins or goes on.
pub(in crate::run) fn enter(
    site: &Site<'_>,
    number: u32,
    delta: &[DeltaPath],
    verify: &str,
    placed: &Placed,
    reporter: &mut dyn Reporter,
) -> Result<OpenWorkplace, Fault> {
    let (dir, lock) = claim(site.settings, site.layout, number)?;
    // Names the project for `ftl clean`, which otherwise sees only a digest of its path.
    if let Some(project) = dir.parent() {
        let root = site.layout.root().as_os_str().as_bytes();
        let _ = files().write_unsynced(&project.join(PROJECT), root, None);
    }
    let mut place = Workplace::open(&dir.join("copy"), placed.placement())?;
    // At this point no other build uses the workplace, but processes of a killed run may still write in it.
    if let Some(run) = owner_in(&dir) {
        keep_interrupted(site, &run, &dir.join("copy"), delta, reporter)?;
    }
    let locked = LockedTree::enter(site, delta, Some(Turn::Refresh), reporter)?;
    forget_owner(&dir)?;
    refresh(&mut place, &locked.tree)?;
    // Saved from the copy: what the work is compared and merged with is what the copy was made from, also where
    // a person saves a file in the project at the same time.
    let is_measured = !site.settings.implementer.is_tree();
    let allowed = place.allowed(&locked.tree)?;
    let saved = WorkFiles::of(&site.run);
    let base = saved.begin(&place.tree(&locked.tree)?, delta, &allowed, is_measured)?;
    let last_pass = last_pass::find(site, &locked.tree, verify);
    let root = locked.into_tree();
    replace(files(), &dir.join("owner"), name_of(site.layout, &site.run).as_bytes())?;
    let copy = place.tree(&root)?;
    Ok(OpenWorkplace {
        place,
        copy,
        root,
        base,
        number,
        strays: BTreeSet::new(),
        has_run_command: false,
        left_by_commands: BTreeSet::new(),
        set_up: Vec::new(),
        is_apart: false,
        last_pass,
        _lock: lock,
    })
}

/// The directory of a workplace, and the right to work in it.
pub(in crate::run) fn claim(
    settings: &Settings,
    layout: &Layout,
    number: u32,
) -> Result<(PathBuf, Lock), Fault> {
    let dir = dir(settings, layout)?.join(number.to_string());
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
    made.map_err(|error| Operation::CreateDir.failed(&dir, error))?;
    let lock = Lock::slot(&dir.join("lock"), number)?;
    Ok((dir, lock))
}

/// Makes a workplace equal to the project's tree.
pub(in crate::run) fn refresh(place: &mut Workplace, tree: &Tree) -> Result<(), Fault> {
    place.refresh(tree).map(drop).map_err(|error| match error.is_no_room() {
        true => Fault::NoRoom(error),
        false => error.into(),
    })
}

/// Ends what a killed run left running in a workplace, and keeps what its interrupted request had written.
fn keep_interrupted(
    site: &Site<'_>,
    run: &str,
    copy: &Path,
    delta: &[DeltaPath],
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    let is_own = run == name_of(site.layout, &site.run);
    // A run's own processes were ended when its journal was read.
    let pending = orphans::end_abandoned(site, run, reporter);
    let request = pending.iter().rev().find_map(|note| match note {
        Note::Asked { request } => Some(*request),
        Note::Starts(_) | Note::Started(_) => None,
    });
    let Some(request) = request else {
        return Ok(());
    };
    let dir = site.layout.runs_dir().join(run);
    let delta = if is_own { delta.to_vec() } else { delta_of(site, &dir)? };
    let root = crate::run::landing::tree_lock::open(site, &delta)?;
    let Some(base) = WorkFiles::in_dir(&dir).base(&root)? else {
        return Ok(());
    };
    for placement in [Placement::Layered, Placement::Bound, Placement::OwnPath] {
        let mut place = Workplace::open(copy, placement)?;
        if place.load(&root) {
            let changes = place.changes(&root, &base, &[])?;
            let to = interrupted_dir(&dir, request);
            if let Some(text) = keep_partial(site, &place, &root, &changes, &to)? {
                reporter.warning(&text);
            }
        }
    }
    Ok(())
}

/// The delta of a run, by what was saved before it.
fn delta_of(site: &Site<'_>, run: &Path) -> Result<Vec<DeltaPath>, Fault> {
    let before =
        WorkFiles::in_dir(run).before(&crate::run::landing::tree_lock::open(site, &[])?)?;
    Ok(before.map(|before| before.states().into_keys().collect()).unwrap_or_default())
}

/// Where what an interrupted request wrote is kept: a directory for each time.
pub(in crate::run) fn interrupted_dir(run: &Path, request: u32) -> PathBuf {
    unused_dir(&run.join("interrupted"), &request.to_string())
}

/// Keeps what a request wrote that did not come to its end, and says where.
pub(in crate::run) fn keep_partial(
    site: &Site<'_>,
    place: &Workplace,
    root: &Tree,
    changes: &Changes,
    dir: &Path,
) -> Result<Option<String>, Fault> {
    if !changes.touch_delta() && changes.allowed.is_empty() && changes.strays.is_empty() {
        return Ok(None);
    }
    let work = place.tree(root)?.copy_out_files(changes.work(), dir)?;
    let strays = place.copy_strays(root, &changes.strays, dir)?;
    let copied = [work.copied, strays.copied].concat();
    let dir = shown(site, dir);
    Ok(Some(format!(
        "nothing of what the interrupted request wrote is in the project; its files are in `{dir}`: {}; \
         `cp -a {} .` copies them to the project",
        listed(&copied),
        shell_word(&format!("{dir}/."))
    )))
}

impl OpenWorkplace {
    /// Compares the copy with its base.
    pub(in crate::run) fn changes(&mut self, leaves: &[String]) -> Result<Changes, Fault> {
        let mut changes = self.place.changes(&self.root, &self.base, leaves)?;
        changes.strays.retain(|stray| !self.left_by_commands.contains(&stray.path));
        self.strays = changes.strays.iter().map(|stray| stray.path.clone()).collect();
        self.is_apart = !changes.strays.is_empty() || !changes.dependencies.is_empty();
        changes.dependencies.retain(|dir| !self.set_up.contains(dir));
        Ok(changes)
    }

    /// Before an implementer is asked again: what strays since the last comparison is of the commands that ran.
    pub(in crate::run) fn excuse_commands(&mut self) -> Result<(), Fault> {
        if !std::mem::take(&mut self.has_run_command) {
            return Ok(());
        }
        let changes = self.place.changes(&self.root, &self.base, &[])?;
        self.set_up.extend(changes.dependencies);
        let paths = changes.strays.into_iter().map(|stray| stray.path);
        self.left_by_commands.extend(paths.filter(|path| !self.strays.contains(path)));
        Ok(())
    }

    /// What an implementer sees, where the workplace covers the root.
    pub(in crate::run) fn view(&self, placed: &Placed) -> Result<Option<View>, Fault> {
        let report = self.place.dir().with_file_name("report");
        Ok(placed.view(&self.place.mounts(&self.root)?, &report))
    }

    /// A command that is to run in the workplace.
    pub(in crate::run) fn placed(
        &self,
        site: &Site<'_>,
        command: Command,
        view: Option<View>,
    ) -> Command {
        let room = WriteRoom {
            dir: self.place.dir().to_path_buf(),
            bytes: site.settings.tree.max_written,
            reserve: self.place.dir().with_file_name("reserve"),
        };
        let command = command.room(Some(room));
        match view {
            Some(view) => command.dir(site.root()).within(view),
            None => command.dir(self.copy.root()),
        }
    }
}
