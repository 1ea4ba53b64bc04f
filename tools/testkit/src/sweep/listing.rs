//! Everything that can be seen of a project: files with bytes, modes, links and extended attributes,
//! and of git what it answers to questions.
//!
//! It is made without git's or ftl's idea of what is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use crate::Result;
use crate::program::Program;

/// What was seen, by path below the top, or by question.
pub type Listing = BTreeMap<String, String>;

/// Where to look.
#[derive(Debug)]
pub struct ProjectPlace {
    /// Everything below is looked at.
    pub top: PathBuf,
    /// The project.
    pub root: PathBuf,
    /// Git's own directory, where git can be asked.
    pub git_dir: Option<PathBuf>,
}

/// Questions to git about its state. A program that looks at a tree refreshes the index, so its bytes
/// tell nothing.
const QUESTIONS: [(&str, &str); 4] = [
    ("HEAD", "git symbolic-ref -q HEAD || git rev-parse -q --verify HEAD"),
    ("refs", "git for-each-ref --format='%(refname) %(objectname)' --exclude=refs/ftl"),
    ("index", "git -c core.fsmonitor=false ls-files --stage -v --full-name :/"),
    ("stash", "git reflog show --format=%H refs/stash --"),
];

/// Looks at the whole project, but for paths below its root, with everything in them.
///
/// # Errors
///
/// Git could not be asked.
pub fn of(place: &ProjectPlace, passed: &[&str]) -> Result<Listing> {
    let mut listing = Listing::new();
    let below = place.root.strip_prefix(&place.top)?;
    take_in(place, &mut listing);
    let is_passed = |label: &str| {
        let inner = Path::new(label).strip_prefix(below);
        inner.is_ok_and(|inner| passed.iter().any(|path| inner.starts_with(path)))
    };
    listing.retain(|label, _| !is_passed(label));
    if place.git_dir.is_some() {
        let labels = QUESTIONS.map(|(name, _)| format!("git: {name}"));
        listing.extend(labels.into_iter().zip(answers(place)?));
    }
    Ok(listing)
}

/// What git answers to each question, asked by one shell: a sweep lists projects a hundred thousand times.
fn answers(place: &ProjectPlace) -> Result<Vec<String>> {
    let ask =
        |(_, question): (_, &str)| format!("{question} 2>/dev/null || echo $?; printf '\\0'\n");
    let text = Program::new("sh", &place.root)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(["-c", &QUESTIONS.map(ask).concat()])
        .text()?;
    Ok(text.split('\0').map(|answer| answer.trim().to_owned()).collect())
}

/// The first paths in which two listings differ.
pub fn differences(before: &Listing, after: &Listing) -> Vec<String> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path))
        .take(6)
        .map(|path| {
            let (then, now) = first_line(before.get(path), after.get(path));
            let path: String = path.chars().take(100).collect();
            format!("{path:?} is {now:?}, not {then:?}")
        })
        .collect()
}

/// The first line in which two texts differ, of each.
fn first_line(then: Option<&String>, now: Option<&String>) -> (String, String) {
    let lines = |text: Option<&String>| -> Vec<String> {
        let text = text.map_or("nothing there", String::as_str);
        text.lines().map(str::to_owned).collect()
    };
    let (then, now) = (lines(then), lines(now));
    let same = then.iter().zip(&now).take_while(|(then, now)| then == now);
    let at = same.count();
    let line = |lines: &[String]| {
        let line = lines.get(at).map_or("", String::as_str);
        line.chars().take(120).collect()
    };
    (line(&then), line(&now))
}

/// Of git's own directory only what decides how git acts: its objects and logs are its own business.
fn take_in(place: &ProjectPlace, listing: &mut Listing) {
    // No recursion: some ways make a thousand directories, one in the other.
    let mut open = vec![place.top.clone()];
    while let Some(path) = open.pop() {
        let label = path.strip_prefix(&place.top).unwrap_or(&path);
        let label = label.to_string_lossy().into_owned();
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => {
                listing.insert(label, error.to_string());
                continue;
            }
        };
        listing.insert(label, described(&path, &metadata));
        let deciding =
            place.git_dir.as_ref().and_then(|own| deciding(path.strip_prefix(own).ok()?));
        let decides = |name: &std::ffi::OsStr| {
            deciding.is_none_or(|names| names.iter().any(|known| name == *known))
        };
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| decides(&entry.file_name()));
        open.extend(entries.map(|entry| entry.path()).filter(|_| metadata.is_dir()));
    }
}

/// Of a directory of git's own, the names that decide how git acts, where not all do.
fn deciding(inner: &Path) -> Option<&'static [&'static str]> {
    match inner.to_str() {
        Some("") => Some(&["hooks", "config", "config.worktree", "info"]),
        Some("info") => Some(&["exclude", "attributes", "sparse-checkout", "grafts"]),
        _ => None,
    }
}

fn described(path: &Path, metadata: &fs::Metadata) -> String {
    let kind = metadata.file_type();
    let content = if kind.is_symlink() {
        fs::read_link(path)
            .map_or_else(|error| error.to_string(), |to| format!("-> {}", to.display()))
    } else if kind.is_dir() {
        "directory".to_owned()
    } else if kind.is_file() && metadata.len() > 1 << 24 {
        format!("{} bytes", metadata.len())
    } else if kind.is_file() {
        fs::read(path).map_or_else(
            |error| error.to_string(),
            |bytes| String::from_utf8_lossy(&bytes).into_owned(),
        )
    } else if kind.is_fifo() {
        "pipe".to_owned()
    } else {
        "socket or device".to_owned()
    };
    format!("{:o} {}{content}", metadata.mode() & 0o7777, attributes(path))
}

/// Extended attributes of the user's.
fn attributes(path: &Path) -> String {
    let mut names = vec![0_u8; 4096];
    let Ok(length) = rustix::fs::llistxattr(path, &mut names[..]) else {
        return String::new();
    };
    let names = String::from_utf8_lossy(&names[..length]).into_owned();
    let of = |name: &str| {
        let mut value = vec![0_u8; 4096];
        let length = rustix::fs::lgetxattr(path, name, &mut value[..]).unwrap_or(0);
        format!("{name}={} ", String::from_utf8_lossy(&value[..length]))
    };
    names.split('\0').filter(|name| name.starts_with("user.")).map(of).collect()
}
