//! Putting a repository back: HEAD, references, stashes, what is under way, the index.
//!
//! What an implementer's references led to stays in reach below `refs/ftl/`, before they are moved. HEAD
//! comes first, then all references in one transaction, or in two where a new name is within an old one
//! (`a` and `a/b`); should it fail, each for itself. Then come files, and last the index, by git's own
//! protocol: `index.lock`, made by the writer, renamed over `index`. Every step can be repeated.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::git::state::capturing::{stashes_of, text, write_private};
use crate::git::state::{GitChanges, GitState, HEAD, INDEX, Kept, STASH, STASHES, target};
use crate::git::{Git, RefUpdate, SYMBOLIC};
use crate::openat::{At, Beneath, is_gone, modified};
use crate::snapshot::Snapshot;
use crate::{RelPath, Tree, TreeError};

/// How long to wait for another process's lock of the index.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was done to put a repository back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitPutBack {
    /// What had been moved, for people.
    pub moved: Vec<String>,
    /// Below which reference the implementer's commits can be reached, where there are any.
    pub kept: Option<String>,
    /// What could not be put back, with the reasons.
    pub lost: Vec<String>,
    /// What another process moved since, and that is left so.
    pub left: Vec<String>,
}

impl Tree {
    /// Puts back HEAD, references, the stash and the index where `changes` says that they were moved, and
    /// lets go of what was held for that. What the index was is kept in `dir`.
    ///
    /// # Errors
    /// When git cannot be started. What cannot be put back is in the result.
    pub fn put_back_git(
        &self,
        before: &Snapshot,
        changes: &GitChanges,
        dir: &Path,
    ) -> Result<GitPutBack, TreeError> {
        let (Some(state), Some(git)) = (before.git_state(), &self.places.git) else {
            let lost = changes.unknown.iter().cloned().collect();
            return Ok(GitPutBack { moved: changes.described(), lost, ..GitPutBack::default() });
        };
        let mut work = Work {
            state,
            git,
            before,
            done: GitPutBack { moved: changes.described(), ..GitPutBack::default() },
        };
        // Looked at again: a repository that lacks only its frame can be asked once it is there.
        let again = match &changes.unknown {
            Some(_) => {
                work.repair_frame();
                Some(state.compare(Some(git), before))
            }
            None => None,
        };
        let changes = again.as_ref().unwrap_or(changes);
        if changes.unknown.is_none() && !changes.is_empty() {
            work.done.moved = changes.described();
        }
        work.put_back(changes, dir)?;
        if work.done.lost.is_empty() {
            self.let_go(before)?;
        }
        Ok(work.done)
    }

    /// Lets go of what was held of the repository for the time of a request.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn let_go(&self, before: &Snapshot) -> Result<(), TreeError> {
        if let (Some(state), Some(git)) = (before.git_state(), &self.places.git) {
            let step = RefUpdate::Remove(state.anchor(), String::new());
            match git.update_refs(&[step]) {
                // It may be gone, or the repository.
                Ok(()) | Err(TreeError::Git { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

struct Work<'a> {
    state: &'a GitState,
    git: &'a Git,
    before: &'a Snapshot,
    done: GitPutBack,
}

impl Work<'_> {
    fn put_back(&mut self, changes: &GitChanges, dir: &Path) -> Result<(), TreeError> {
        if let Some(reason) = &changes.unknown {
            self.done.lost.push(reason.clone());
            return Ok(());
        }
        self.keep_commits(changes)?;
        if changes.head.is_some() {
            let done = self.head();
            self.tell("HEAD", done)?;
        }
        self.refs(changes)?;
        // To set the stash adds to its log.
        let stashes = changes.refs.contains_key(STASH).then(|| RelPath::new(STASHES));
        let files: BTreeSet<&RelPath> = changes.files.iter().chain(&stashes).collect();
        for path in files {
            let done = self.file(path);
            self.tell(&crate::git::state::file_name(path), done)?;
        }
        if changes.index {
            let done = self.index(dir);
            self.tell("the index", done)?;
        }
        Ok(())
    }

    /// A failure ends one thing alone, unless git is not there at all.
    fn tell(&mut self, what: &str, done: Result<(), TreeError>) -> Result<(), TreeError> {
        match done {
            Ok(()) => Ok(()),
            Err(error @ TreeError::Start(_)) => Err(error),
            Err(error) => {
                let source = std::error::Error::source(&error);
                let source = source.map_or_else(String::new, |source| format!(": {source}"));
                self.done.lost.push(format!("{what} ({error}{source})"));
                Ok(())
            }
        }
    }

    /// Repairs a directory without `refs`, or with a `HEAD` that names nothing: git does not recognise it.
    fn repair_frame(&self) {
        if let Ok(place) = Beneath::open(&self.state.dir) {
            let _ = self.mend_head(&place);
        }
        if self.git.common_dir.join("objects").is_dir() {
            let _ = std::fs::create_dir(self.git.common_dir.join("refs"));
        }
    }

    /// A `HEAD` that names nothing makes way: git never wrote it.
    fn mend_head(&self, place: &Beneath) -> io::Result<()> {
        let at = place.at(&RelPath::new(HEAD));
        let now = text(&at).unwrap_or_default();
        if now.is_some_and(|now| is_head(now.trim_end())) {
            return Ok(());
        }
        at.remove_all()?;
        at.make_file(&mut format!("{}\n", self.state.head).as_bytes(), None)?;
        at.sync_parent()
    }

    /// Keeps in reach what the implementer's references lead to.
    fn keep_commits(&mut self, changes: &GitChanges) -> Result<(), TreeError> {
        let own = &self.state.own;
        let mut kept = Vec::new();
        for (name, now) in &changes.refs {
            if let Some(now) = now.as_ref().filter(|now| !now.starts_with(SYMBOLIC)) {
                let name = name.strip_prefix("refs/").unwrap_or(name);
                kept.push(RefUpdate::Set(format!("{own}/{name}"), now.clone()));
            }
        }
        if let Some(now) = changes.head.as_ref().filter(|now| is_object(now)) {
            kept.push(RefUpdate::Set(format!("{own}/HEAD"), now.clone()));
        }
        if changes.files.iter().any(|path| path.bytes() == STASHES) {
            let common = Beneath::open(&self.git.common_dir);
            let common = common.map_err(TreeError::io("open", &self.git.common_dir))?;
            let stashes = stashes_of(&common)?.into_iter().enumerate();
            kept.extend(
                stashes.map(|(number, object)| {
                    RefUpdate::Set(format!("{own}/stashes/{number}"), object)
                }),
            );
        }
        if kept.is_empty() {
            return Ok(());
        }
        let done = self.git.update_refs(&kept);
        if done.is_ok() {
            self.done.kept = Some(own.clone());
        }
        self.tell("the implementer's commits", done)
    }

    fn head(&self) -> Result<(), TreeError> {
        match target(&self.state.head) {
            Some(branch) => self.git.point("HEAD", branch),
            None => {
                let step = RefUpdate::Set("HEAD".to_owned(), self.state.head.clone());
                self.git.update_refs(&[step])
            }
        }
    }

    fn refs(&mut self, changes: &GitChanges) -> Result<(), TreeError> {
        let (mut removed, mut set) = (Vec::new(), Vec::new());
        let mut pointed = Vec::new();
        for (name, now) in &changes.refs {
            let is_symbolic = |value: &String| value.starts_with(SYMBOLIC);
            let now_object = now.as_ref().filter(|now| !is_symbolic(now));
            match self.state.refs.get(name) {
                Some(then) if is_symbolic(then) => pointed.push((name, then)),
                Some(then) => set.push(match (now, now_object) {
                    (_, Some(now)) => RefUpdate::Move(name.clone(), then.clone(), now.clone()),
                    (None, None) => RefUpdate::Move(name.clone(), then.clone(), String::new()),
                    (Some(_), None) => RefUpdate::Set(name.clone(), then.clone()),
                }),
                None => {
                    let now = now_object.cloned().unwrap_or_default();
                    removed.push(RefUpdate::Remove(name.clone(), now));
                }
            }
        }
        // A name within another cannot come and go in one transaction.
        let parts = if removed.is_empty() || set.is_empty() {
            vec![[removed, set].concat()]
        } else {
            vec![removed, set]
        };
        for part in parts {
            if let Err(error) = self.git.update_refs(&part) {
                self.one_by_one(&part, error)?;
            }
        }
        for (name, then) in pointed {
            let done = self.git.point(name, target(then).unwrap_or_default());
            self.tell(name, done)?;
        }
        Ok(())
    }

    fn one_by_one(&mut self, steps: &[RefUpdate], error: TreeError) -> Result<(), TreeError> {
        if !matches!(error, TreeError::Git { .. }) || steps.len() == 1 {
            return self.tell(&name(&steps[0]), Err(error));
        }
        for step in steps {
            let done = self.git.update_refs(std::slice::from_ref(step));
            self.tell(&name(step), done)?;
        }
        Ok(())
    }

    /// A file as it was, or none where there was none.
    fn file(&self, path: &RelPath) -> Result<(), TreeError> {
        let dir = if path.bytes() == STASHES { &self.git.common_dir } else { &self.state.dir };
        let kept = self.state.files.iter().find(|(kept, _)| kept == path);
        let place = Beneath::open(dir).map_err(TreeError::io("open", dir))?;
        let at = place.at(path);
        let done = match kept {
            Some((_, kept)) => self.replace(&at, kept),
            None => match at.remove() {
                Err(error) if is_gone(&error) => Ok(()),
                // The last of a rebase takes its directory with it.
                done => done.map(|()| drop(at.above().remove_dir())),
            },
        };
        done.map_err(at.failed("put back"))
    }

    fn replace(&self, at: &At<'_>, kept: &Kept) -> io::Result<()> {
        at.write_whole(&mut self.before.open_copy(&kept.copied)?, Some(kept.rights()))
    }

    /// The index gets its old time too: git takes an entry that is as new as the index for one that may
    /// have changed since.
    fn index(&self, dir: &Path) -> Result<(), TreeError> {
        let place = Beneath::open(&self.state.dir);
        let place = place.map_err(TreeError::io("open", &self.state.dir))?;
        let [index, lock] = [INDEX, b"index.lock"].map(|name| place.at(&RelPath::new(name)));
        if let Ok(mut now) = index.file() {
            std::fs::create_dir_all(dir)
                .and_then(|()| write_private(&dir.join("git-index"), &mut now))
                .map_err(TreeError::io("keep the index in", dir))?;
        }
        let Some(kept) = &self.state.index else {
            return index.remove_if_there().map_err(index.failed("put back"));
        };
        let put_back = || -> io::Result<()> {
            for (path, kept) in &self.state.shared {
                let at = place.at(path);
                if at.stamp()?.is_none() {
                    self.replace(&at, kept)?;
                }
            }
            let file = self.locked(&lock, kept)?;
            rustix::fs::futimens(&file, &modified(kept.stamp.modified))?;
            file.sync_all()?;
            lock.rename(&index)?;
            index.sync_parent()
        };
        put_back().map_err(index.failed("put back"))
    }

    /// Takes git's lock of the index. One that stays and is younger than the snapshot is of a git that was
    /// killed with the implementer.
    fn locked(&self, lock: &At<'_>, kept: &Kept) -> io::Result<File> {
        let until = std::time::Instant::now() + PATIENCE;
        loop {
            let mut bytes = self.before.open_copy(&kept.copied)?;
            match lock.make_file(&mut bytes, Some(kept.rights())) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let young = lock.stamp()?.is_some_and(|at| !self.before.settled(&at));
                    if std::time::Instant::now() < until {
                        thread::sleep(Duration::from_millis(50));
                    } else if young {
                        lock.remove()?;
                    } else {
                        return Err(error);
                    }
                }
                done => return done,
            }
        }
    }
}

/// What git takes for a `HEAD`: a reference, or an object.
fn is_head(text: &str) -> bool {
    target(text).map_or_else(|| is_object(text), |name| name.starts_with("refs/"))
}

pub(crate) fn is_object(value: &str) -> bool {
    value.len() >= 40 && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn name(step: &RefUpdate) -> String {
    match step {
        RefUpdate::Set(name, _) | RefUpdate::Move(name, _, _) | RefUpdate::Remove(name, _) => {
            name.clone()
        }
    }
}
