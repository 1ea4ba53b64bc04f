//! Taking a snapshot, keeping it, and reading it after a crash.
//!
//! A snapshot is a directory with two files: `copies`, the bytes that are kept nowhere else, and
//! `manifest.json`, which says of every path what it was and where its bytes are; few bytes are behind that in the same
//! file, which saves a sync. Order makes it safe: the old manifest is removed for good before the copies are overwritten, and the new one is
//! written, by rename, after they are synced. Where there is a manifest, there is a whole snapshot; a
//! directory without one is an attempt that a crash ended.
//!
//! The time of the snapshot is read before the tree is looked at. A file that changes while the walk
//! is under way then has a change time that is not before it, and the comparison reads its bytes
//! instead of trusting its stamp (see `stamp`).
//!
//! In a repository, files that the index calls clean are recorded by the name of their object and
//! not copied: of a large repository, a snapshot copies little. Git's word needs two checks, see `clean`:
//! files that git does not look at by its settings are left out, and those whose bytes differ from their object's
//! because attributes or settings convert them.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;

use ftl_store::{Files, OsFiles};

use super::repositories;
use crate::compare::delta::Delta;
use crate::git::Git;
use crate::git::state::GitState;
use crate::snapshot::Snapshot;
use crate::snapshot::clean::Clean;
use crate::snapshot::copying::Copying;
use crate::snapshot::manifest::{
    self, Head, MANIFEST, Manifest, PLAN, StoredManifest, VERSION, set_private,
};
use crate::snapshot::pack::{Pack, PackWriter};
use crate::stamp;
use crate::walk::deciding::{PathStatus, Purpose};
use crate::walk::found::Survey;
use crate::walk::{Former, Surveyor};
use crate::{RelPath, Tree, TreeError};

const PACK: &str = "copies";

/// Makes the directory of a snapshot, without an older one. What is copied from here on is as it was at
/// the time that is given, or later.
pub(crate) fn begin(dir: &Path) -> Result<(i64, PackWriter), TreeError> {
    ftl_store::ensure_dir(&OsFiles, dir)?;
    set_private(dir, 0o700)?;
    forget(dir)?;
    repositories::let_go(dir)?;
    let taken = stamp::now();
    Ok((taken, PackWriter::create(&dir.join(PACK))?))
}

impl Tree {
    /// Takes a snapshot and stores it, durably, in `dir`, which is made. A snapshot that is already
    /// there is replaced.
    ///
    /// # Errors
    /// When the tree cannot be read, or the snapshot cannot be written.
    pub fn snapshot(&self, dir: &Path) -> Result<Snapshot, TreeError> {
        let (taken, mut pack) = begin(dir)?;
        let (survey, clean) = match &self.places.git {
            Some(git) => self.survey_with_git(git)?,
            None => (self.survey_whole(&|_| PathStatus::New)?, Clean::default()),
        };
        let mut copying =
            Copying { tree: self, pack: &mut pack, clean: &clean, warnings: Vec::new() };
        let delta = copying.delta()?;
        let holding = repositories::hold(self, &survey.entries, dir)?;
        let entries = copying.entries(survey.entries, survey.attributes)?;
        let mut warnings = copying.warnings;
        warnings.extend(holding.warnings);
        warnings.extend(survey.unreadable.iter().map(|dir| {
            let dir = self.shown(dir);
            format!("changes in `{dir}` are not detected, because the directory cannot be read")
        }));
        let git = match &self.places.git {
            Some(git) => match GitState::capture(git, &label_of(dir), &mut pack) {
                // Even in a broken repository, builds are possible.
                Err(error @ TreeError::Git { .. }) => {
                    warnings.push(format!("HEAD, branches and the index are not watched: {error}"));
                    None
                }
                state => Some(state?),
            },
            None => None,
        };
        warnings.extend(git.iter().filter_map(GitState::warning));
        let manifest = Manifest {
            taken,
            delta,
            entries,
            scratch: survey.scratch,
            rules: survey.rules,
            git,
            unreadable: survey.unreadable,
            repositories: holding.held,
            warnings,
            ..Manifest::default()
        };
        self.store_snapshot(dir, manifest, pack)
    }

    /// Stores a snapshot of what is in the manifest, as of a tree that is in this place.
    pub(crate) fn store_snapshot(
        &self,
        dir: &Path,
        mut manifest: Manifest,
        pack: PackWriter,
    ) -> Result<Snapshot, TreeError> {
        let git_dir = self.places.git_dir.as_ref();
        manifest.version = VERSION;
        manifest.root = self.places.root().clone();
        manifest.owns_git_dir = self.places.owns_git_dir;
        manifest.git_dir = git_dir.map(|dir| RelPath::new(dir.path().as_os_str().as_bytes()));
        let pack = pack.close()?;
        pack.sync()?;
        let snapshot = Snapshot { dir: dir.to_path_buf(), manifest, pack };
        snapshot.store()
    }

    /// The snapshot that an earlier process stored in `dir`; `None` when it had not finished it.
    ///
    /// # Errors
    /// When it cannot be read, or cannot be what was written.
    pub fn load(&self, dir: &Path) -> Result<Option<Snapshot>, TreeError> {
        let Some(StoredManifest { manifest, few }) = manifest::read::<Manifest>(dir)? else {
            return Ok(None);
        };
        if manifest.root != *self.places.root() {
            return Err(TreeError::OtherTop { top: self.top().to_path_buf() });
        }
        let pack = Pack::found(dir.join(PACK), few);
        Ok(Some(Snapshot { dir: dir.to_path_buf(), manifest, pack }))
    }

    /// The snapshot in `dir`, if it was taken after another one.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_later(&self, dir: &Path, than: &Snapshot) -> Result<Option<Snapshot>, TreeError> {
        let written = dir.join(MANIFEST).metadata().and_then(|at| at.modified());
        let written = written.map_or(i64::MAX, stamp::nanoseconds);
        // A manifest may be megabytes long. Most belong to runs that ended long before, as the
        // modification time of the file shows without reading it.
        if stamp::is_before(written, than.manifest.taken) {
            return Ok(None);
        }
        let found = self.load(dir)?;
        Ok(found.filter(|found| found.manifest.taken > than.manifest.taken))
    }

    pub(crate) fn survey(
        &self,
        status_of: &dyn Fn(&RelPath) -> PathStatus,
        former: Option<Former<'_>>,
    ) -> Result<Survey, TreeError> {
        self.surveyed(status_of, former, Purpose::Compare)
    }

    /// With all that a snapshot keeps.
    fn survey_whole(
        &self,
        status_of: &dyn Fn(&RelPath) -> PathStatus,
    ) -> Result<Survey, TreeError> {
        self.surveyed(status_of, None, Purpose::Keep)
    }

    pub(crate) fn surveyed(
        &self,
        status_of: &dyn Fn(&RelPath) -> PathStatus,
        former: Option<Former<'_>>,
        purpose: Purpose,
    ) -> Result<Survey, TreeError> {
        let surveyor = Surveyor {
            tree: self,
            places: &self.places,
            delta: &Delta::of(self),
            status_of,
            former,
            purpose,
            types_alone: None,
        };
        surveyor.survey()
    }

    /// The survey, and which files are clean.
    ///
    /// In a large tree both the walk and `git diff-files` take long, and neither needs the other, so
    /// they run at once. Where no thread can be started, git runs afterwards.
    fn survey_with_git(&self, git: &Git) -> Result<(Survey, Clean), TreeError> {
        let index = git.index()?;
        let (dirty, survey) = thread::scope(|scope| {
            let dirty = thread::Builder::new().spawn_scoped(scope, || git.dirty());
            let survey = self.survey_whole(&|path| index.status(path));
            let dirty = match dirty {
                Ok(thread) => {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }
                Err(_) => git.dirty(),
            };
            (dirty, survey)
        });
        let survey = survey?;
        let clean = Clean::of(git, &survey, index, dirty?)?;
        Ok((survey, clean))
    }
}

/// Removes the copies of every snapshot below `dir`, which is of a run that has ended. What stays says
/// when they were taken and of which delta.
///
/// # Errors
/// When the file system refuses.
pub fn retire_all(dir: &Path) -> Result<(), TreeError> {
    for name in OsFiles.list(dir)? {
        let snapshot = dir.join(name);
        let plan = snapshot.join(PLAN);
        if OsFiles.metadata(&plan)?.is_some() {
            OsFiles.remove(&plan)?;
        }
        repositories::let_go(&snapshot)?;
        let Some(StoredManifest { manifest: Head(mut manifest), few }) = manifest::read(&snapshot)?
        else {
            continue;
        };
        let copies = snapshot.join(PACK);
        let has_file = OsFiles.metadata(&copies)?.is_some();
        // They go last: where there are none, all is done.
        if few.is_none() && !has_file {
            continue;
        }
        for original in manifest.delta.values_mut() {
            original.copy = None;
        }
        manifest::store_later(&snapshot, &manifest)?;
        if has_file {
            OsFiles.remove(&copies)?;
        }
    }
    Ok(())
}

/// `ID/N/R` of the request whose snapshot is in `ID.N/R` or, of an earlier ftl, in `ID/N/R`.
pub(crate) fn label_of(dir: &Path) -> String {
    let part = |dir: Option<&Path>| {
        dir.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
    };
    let (run, request) = (part(dir.parent()), part(Some(dir)));
    match run.rsplit_once('.') {
        Some((id, number)) => format!("{id}/{number}/{request}"),
        None => format!("{}/{run}/{request}", part(dir.parent().and_then(Path::parent))),
    }
}

/// Removes the manifest of an earlier snapshot, for good, before its copies go: a manifest must never
/// name copies that are no longer there. Without the sync, a power cut could bring the name back.
fn forget(dir: &Path) -> Result<(), TreeError> {
    let manifest = dir.join(MANIFEST);
    if OsFiles.metadata(&manifest)?.is_some() {
        OsFiles.remove(&manifest)?;
        OsFiles.sync_dir(dir)?;
    }
    Ok(())
}
