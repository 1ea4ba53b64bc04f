//! The run's own directory while another program runs: the journal goes on whatever becomes of the directory.
//!
//! Of that directory only the reply is an implementer's. Whatever else a program changes there decides
//! nothing: the journal is written again from memory, a directory that became a link is moved aside and made
//! again before anything is written, so that nothing of ftl's lands elsewhere, and all of it is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ftl_store::{JOURNAL, Operation};

use super::Fault;
use super::recorder::Recorder;
use super::site::Site;

/// What is written by others than ftl in the directory of a request.
const REPLY: &str = "reply.json";

/// The directories that ftl makes in a run's.
const KEPT: [&str; 5] = ["diffs", "interrupted", "outputs", "quarantine", "requests"];

/// In the name of what was moved aside.
const ASIDE: &str = ".replaced-";

/// ftl names its own directories to this depth, and makes no link there.
const DEPTH: usize = 2;

/// The part of a mode that says what it is, and what it says of links and directories.
const TYPE: u32 = 0o170_000;
const LINK: u32 = 0o120_000;
const DIRECTORY: u32 = 0o040_000;

/// The rights of a directory's owner.
const OWNER: u32 = 0o700;

/// The run's directory as it was before a program ran.
#[derive(Debug)]
pub(super) struct OwnRun {
    before: Survey,
    /// Directories on the way to it that are the user's own links, and where they lead.
    links: BTreeMap<PathBuf, PathBuf>,
    log: Option<PathBuf>,
}

/// Everything below the run, by its path there.
#[derive(Debug, Default)]
struct Survey {
    files: BTreeMap<PathBuf, Stamp>,
    /// What could not be looked at, or not be listed: what else is there, or below, is not known.
    unknown: BTreeSet<PathBuf>,
}

impl Survey {
    fn knows(&self, path: &Path) -> bool {
        self.files.contains_key(path) || !path.ancestors().any(|at| self.unknown.contains(at))
    }

    /// Whether something is where ftl makes a directory, or is a link there: see [`free_names`].
    fn has_in_the_way(&self) -> bool {
        self.files.iter().any(|(path, (mode, ..))| {
            let name = path.file_name().unwrap_or_default();
            is_in_the_way(
                name,
                path.components().count(),
                mode & TYPE == LINK,
                mode & TYPE == DIRECTORY,
            )
        })
    }

    /// The paths that are known to differ.
    fn differing<'s>(&'s self, now: &'s Self) -> impl Iterator<Item = &'s PathBuf> {
        let other = |(path, stamp): &(&PathBuf, &Stamp)| self.files.get(*path) != Some(*stamp);
        let written = now.files.iter().filter(other).map(|(path, _)| path);
        let all = self.files.keys();
        let removed = all.filter(|path| !now.files.contains_key(*path));
        let differ = written.chain(removed);
        differ.filter(|path| self.knows(path) && now.knows(path))
    }
}

/// What shows a change. Times of directories change with every name in them.
type Stamp = (u32, u64, u64, i128);

fn stamp(found: &Metadata) -> Stamp {
    if found.is_dir() {
        return (found.mode(), 0, found.ino(), 0);
    }
    let changed = i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec());
    (found.mode(), found.len(), found.ino(), changed)
}

impl OwnRun {
    /// Looks at it. The program's output goes to `log`.
    pub(super) fn look(site: &Site<'_>, log: Option<&Path>) -> Self {
        Self {
            before: survey(site.run.dir()),
            links: way(site)
                .into_iter()
                .filter_map(|dir| Some((dir.clone(), fs::read_link(dir).ok()?)))
                .collect(),
            log: log.map(Path::to_owned),
        }
    }

    /// Makes it fit to be written to again, and gives what the program changed there.
    pub(super) fn mend(
        self,
        site: &Site<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<Vec<PathBuf>, Fault> {
        let dir = site.run.dir();
        let mut changed = self.make_real(site)?;
        let mut now = survey(dir);
        let is_in_the_way = now.has_in_the_way();
        if is_in_the_way {
            changed.extend(free_names(dir)?);
        }
        let is_journal_mended = recorder.mend_journal()?;
        if is_journal_mended {
            changed.push(PathBuf::from(JOURNAL));
        }
        if is_in_the_way || is_journal_mended {
            now = survey(dir);
        }
        let is_ours = |path: &Path| {
            path.file_name().is_some_and(|name| name == REPLY || name == JOURNAL)
                || self.log.as_deref() == Some(&dir.join(path))
        };
        let differ = self.before.differing(&now);
        changed.extend(differ.filter(|path| !is_ours(path)).cloned());
        changed.sort();
        changed.dedup();
        // A directory says it all.
        let all = changed.clone();
        changed.retain(|path| !path.ancestors().skip(1).any(|dir| all.iter().any(|at| at == dir)));
        Ok(changed)
    }

    /// Sees to it that every directory on the way and in it is one. What took its place is moved beside it:
    /// above the run it is a stray then, which is found and put into quarantine.
    fn make_real(&self, site: &Site<'_>) -> Result<Vec<PathBuf>, Fault> {
        let run = site.run.dir();
        let mut replaced = Vec::new();
        for dir in way(site) {
            let link = self.links.get(&dir);
            if link.is_some() && fs::read_link(&dir).ok().as_ref() == link {
                continue;
            }
            if is_open(&dir) {
                continue;
            }
            let aside = make_dir(&dir)?.aside;
            if open_up(&dir)? {
                replaced.push(dir.clone());
            }
            // What took the place of the run itself is the run's own affair.
            if let Some(aside) = aside.filter(|_| dir == run) {
                let failed = |error| Operation::Rename.failed(&aside, error);
                let name = PathBuf::from(aside.file_name().unwrap_or_default());
                fs::rename(&aside, run.join(&name)).map_err(failed)?;
                replaced.push(name);
            }
        }
        for dir in &sub_directories(run, &self.before.files) {
            if !is_open(dir) && (make_dir(dir)?.made || open_up(dir)?) {
                replaced.extend(dir.strip_prefix(run).ok().map(Path::to_owned));
            }
        }
        Ok(replaced)
    }
}

/// Whether what has this name at this depth of the run's directory is to be moved aside.
fn is_in_the_way(name: &OsStr, depth: usize, is_link: bool, is_dir: bool) -> bool {
    let is_kept = depth == 1 && name.to_str().is_some_and(|name| KEPT.contains(&name));
    depth <= DEPTH && !name.to_string_lossy().contains(ASIDE) && (is_link || (is_kept && !is_dir))
}

/// Moves aside what is where ftl makes a directory when it needs one: a link there would lead what ftl keeps
/// elsewhere. Returns the paths in the run's directory.
pub(super) fn free_names(run: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut freed = Vec::new();
    let mut open = vec![(run.to_owned(), 1)];
    while let Some((dir, depth)) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let in_the_way =
                |kind: &fs::FileType| is_in_the_way(&name, depth, kind.is_symlink(), kind.is_dir());
            match entry.file_type() {
                Ok(kind) if in_the_way(&kind) => {
                    let failed = |error| Operation::Rename.failed(&path, error);
                    move_aside(&path).map_err(failed)?;
                    freed.extend(path.strip_prefix(run).ok().map(Path::to_owned));
                }
                Ok(kind) if kind.is_dir() && depth < DEPTH => open.push((path, depth + 1)),
                Ok(_) | Err(_) => {}
            }
        }
    }
    Ok(freed)
}

/// `.ftl` and the directories from there to the run, which is the last.
fn way(site: &Site<'_>) -> Vec<PathBuf> {
    let (store, run) = (site.layout.ftl_dir(), site.run.dir());
    let mut way: Vec<PathBuf> =
        run.ancestors().take_while(|dir| dir.starts_with(&store)).map(Path::to_owned).collect();
    way.reverse();
    way
}

/// The directories below the run that were there before, parents first.
fn sub_directories(run: &Path, before: &BTreeMap<PathBuf, Stamp>) -> Vec<PathBuf> {
    let is_kept = |path: &&PathBuf| {
        let first = path.components().next().and_then(|part| part.as_os_str().to_str());
        first.is_some_and(|first| KEPT.contains(&first))
    };
    let dirs = before.iter().filter(|(_, (mode, ..))| mode & TYPE == DIRECTORY);
    dirs.map(|(path, _)| path).filter(is_kept).map(|path| run.join(path)).collect()
}

/// Makes a directory and those above it, where one is missing or something else took its place.
pub(super) fn make_dirs(dir: &Path) -> Result<(), Fault> {
    if fs::metadata(dir).is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    if let Some(parent) = dir.parent() {
        make_dirs(parent)?;
    }
    make_dir(dir).map(|_| ())
}

/// How a directory came to be one.
#[derive(Debug, Default)]
struct Made {
    made: bool,
    /// Where what took its place is now.
    aside: Option<PathBuf>,
}

/// Makes a directory unless it is one.
fn make_dir(dir: &Path) -> Result<Made, Fault> {
    let failed = |error: io::Error| Fault::from(Operation::CreateDir.failed(dir, error));
    let aside = match fs::symlink_metadata(dir) {
        Ok(found) if found.is_dir() => return Ok(Made::default()),
        Ok(_) => Some(move_aside(dir).map_err(failed)?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    match fs::create_dir(dir) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(failed(error)),
        Ok(()) | Err(_) => Ok(Made { made: true, aside }),
    }
}

/// Whether it is a directory, with all rights for its owner.
fn is_open(dir: &Path) -> bool {
    fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir() && found.mode() & OWNER == OWNER)
}

/// Gives its owner all rights to a directory again; whether some were missing.
fn open_up(dir: &Path) -> Result<bool, Fault> {
    let failed = |error: io::Error| Fault::from(Operation::CreateDir.failed(dir, error));
    let mode = fs::symlink_metadata(dir).map_err(failed)?.mode();
    let is_dir = mode & TYPE == DIRECTORY;
    if !is_dir || mode & OWNER == OWNER {
        return Ok(false);
    }
    let open = fs::Permissions::from_mode(mode & 0o7777 | OWNER);
    fs::set_permissions(dir, open).map_err(failed)?;
    Ok(true)
}

/// Gives what is there the first free name beside it.
fn move_aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut number = 1_u32;
    loop {
        let to = path.with_file_name(format!("{name}{ASIDE}{number}"));
        if fs::symlink_metadata(&to).is_err() {
            fs::rename(path, &to)?;
            return Ok(to);
        }
        number += 1;
    }
}

fn survey(run: &Path) -> Survey {
    let mut survey = Survey::default();
    let mut open = vec![PathBuf::new()];
    while let Some(dir) = open.pop() {
        let listed = fs::read_dir(run.join(&dir)).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = match listed {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(_) => {
                survey.unknown.insert(dir);
                continue;
            }
        };
        for entry in entries {
            let path = dir.join(entry.file_name());
            match entry.metadata() {
                Ok(metadata) => {
                    if metadata.is_dir() {
                        open.push(path.clone());
                    }
                    survey.files.insert(path, stamp(&metadata));
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(_) => drop(survey.unknown.insert(path)),
            }
        }
    }
    survey
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::Survey;

    #[test]
    fn a_file_that_could_not_be_looked_at_is_no_change() {
        let survey = |files: &[(&str, u64)], unknown: &[&str]| Survey {
            files: files.iter().map(|(path, ino)| (PathBuf::from(path), (0, 0, *ino, 0))).collect(),
            unknown: unknown.iter().map(PathBuf::from).collect(),
        };
        let differ = |before: &Survey, now: &Survey| -> Vec<String> {
            let paths = before.differing(now);
            paths.map(|path| path.display().to_string()).collect()
        };
        let before = survey(&[("a", 1), ("b", 1), ("d", 1), ("d/in", 1)], &[]);
        let now = survey(&[("a", 2), ("c", 1), ("d", 1), ("d/in", 1)], &[]);
        assert_eq!(differ(&before, &now), ["a", "c", "b"]);
        // One entry, and a directory that could not be listed.
        for hidden in [survey(&[("d", 1)], &["a", "b", "d"]), survey(&[], &[""])] {
            assert_eq!(differ(&before, &hidden), [] as [&str; 0], "{hidden:?}");
            assert_eq!(differ(&hidden, &before), [] as [&str; 0], "{hidden:?}");
        }
        let closed = survey(&[("a", 1), ("b", 1), ("d", 2)], &["d"]);
        assert_eq!(differ(&before, &closed), ["d"]);
    }
}
