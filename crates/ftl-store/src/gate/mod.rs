//! Where landings meet that wait for the lock of the tree.
//!
//! ```text
//! DIR/NAME/lock      locked by the process of NAME for as long as it waits, leads or follows
//! DIR/NAME/about     what lands, in the caller's words; comes last of what a waiting process writes
//! DIR/NAME/leader    the name of the process that lands it, which holds the lock of the tree
//! DIR/NAME/word      what the leader says, in the caller's words; the last word counts
//! DIR/NAME/agreed    that the process would seal its record
//! ```
//!
//! A process has a place here before it waits for the tree. The holder of the tree takes others along: it leads, and they
//! stop waiting. A process that dies leaves its place unlocked. A follower whose leader has left goes on by itself, and
//! the next process that gets the tree waits until no follower of an earlier leader is left. So no process undoes a landing while a
//! follower writes the record that says it is there.
//!
//! What can't be looked at is an error, never a process that is not there: its work would be undone while it seals. A
//! follower that can't look takes its leader for gone, and seals nothing.
//!
//! Nothing here has to survive a power cut, which ends every process.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::lock_file::open;

#[cfg(test)]
mod model;

const LOCK: &str = "lock";
const ABOUT: &str = "about";
const LEADER: &str = "leader";
const WORD: &str = "word";
const AGREED: &str = "agreed";

/// The place of this process, given up when it is dropped.
#[derive(Debug)]
#[must_use = "the place is given up when this is dropped"]
pub struct LandingPlace {
    dir: PathBuf,
    _lock: File,
}

/// The place of another process.
#[derive(Debug)]
pub struct OtherPlace {
    dir: PathBuf,
    lock: File,
}

/// What a follower knows of its leader.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Leader {
    /// What it said last.
    pub word: Option<Vec<u8>>,
    /// Whether it says nothing more: it has left, or leads no longer.
    pub has_left: bool,
}

impl LandingPlace {
    /// Takes a place in a private directory. `None` where there are no locks, since without them it is not known which process lives.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn take(gate: &Path, about: &[u8]) -> io::Result<Option<Self>> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        // In the order of arrival.
        let dir = gate.join(format!("{now:020}-{}", std::process::id()));
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
        let lock = open(&dir.join(LOCK))?;
        if lock.try_lock().is_err() {
            fs::remove_dir_all(&dir)?;
            return Ok(None);
        }
        let place = Self { dir, _lock: lock };
        write(&place.dir, ABOUT, about)?;
        Ok(Some(place))
    }

    /// Whether another process lands this.
    #[must_use]
    pub fn is_led(&self) -> bool {
        self.dir.join(LEADER).exists()
    }

    /// What is known of the process that lands this.
    #[must_use]
    pub fn leader(&self) -> Leader {
        let name = fs::read_to_string(self.dir.join(LEADER)).ok();
        let leader = name.map(|name| OtherPlace::at(self.dir.with_file_name(name)));
        // In this order: its last word was said before it left.
        let has_left = !matches!(leader, Some(Ok(Some(_))));
        Leader { word: fs::read(self.dir.join(WORD)).ok(), has_left }
    }

    /// Agrees to seal.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn agree(&self) -> io::Result<()> {
        write(&self.dir, AGREED, b"")
    }

    /// The others that wait, in the order of their arrival, each with what it said of itself. Only the holder of the tree's
    /// lock may ask.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn waiting(&self) -> io::Result<Vec<(OtherPlace, Vec<u8>)>> {
        let mut others = others(self.dir.parent().unwrap_or(&self.dir))?;
        others.retain(|place| place.dir != self.dir);
        let about = |place: OtherPlace| {
            let about = fs::read(place.dir.join(ABOUT)).ok()?;
            Some((place, about))
        };
        Ok(others.into_iter().filter_map(about).collect())
    }

    /// Leads another one.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn lead(&self, other: &OtherPlace) -> io::Result<()> {
        let own = self.dir.file_name().unwrap_or_default();
        write(&other.dir, LEADER, own.as_encoded_bytes())
    }
}

impl Drop for LandingPlace {
    fn drop(&mut self) {
        // Before the lock goes. What is left is removed by the next holder of the tree.
        let _ = fs::remove_dir_all(&self.dir);
        // The last one leaves nothing.
        let _ = self.dir.parent().map(fs::remove_dir);
    }
}

impl OtherPlace {
    /// The place in a directory; `None` if no process is there any more.
    fn at(dir: PathBuf) -> io::Result<Option<Self>> {
        let lock = match File::open(dir.join(LOCK)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            lock => lock?,
        };
        let place = Self { dir, lock };
        Ok(place.is_taken()?.then_some(place))
    }

    /// Whether its process is still there.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn is_taken(&self) -> io::Result<bool> {
        // Shared: of two that look at once none takes the other for the process.
        match self.lock.try_lock_shared() {
            Ok(()) => self.lock.unlock().map(|()| false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Leads it no longer.
    pub fn release(&self) {
        let _ = fs::remove_file(self.dir.join(LEADER));
    }

    /// Says something to it.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn say(&self, word: &[u8]) -> io::Result<()> {
        write(&self.dir, WORD, word)
    }

    /// Whether it agreed to seal.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn has_agreed(&self) -> io::Result<bool> {
        self.dir.join(AGREED).try_exists()
    }
}

/// The places that followed an earlier leader and are not given up yet. Called as the holder of the tree's lock, by which
/// no leader is left. What dead processes left is removed.
///
/// # Errors
/// When the file system refuses.
pub fn followers_left(gate: &Path) -> io::Result<Vec<OtherPlace>> {
    let own = format!("-{}", std::process::id());
    let mut left = Vec::new();
    for place in others(gate)? {
        let is_own = place.dir.as_os_str().as_encoded_bytes().ends_with(own.as_bytes());
        if !is_own && place.dir.join(LEADER).try_exists()? {
            left.push(place);
        }
    }
    Ok(left)
}

fn others(gate: &Path) -> io::Result<Vec<OtherPlace>> {
    let entries = match fs::read_dir(gate) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut dirs = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    dirs.sort();
    let mut others = Vec::new();
    for dir in dirs {
        match OtherPlace::at(dir.clone())? {
            Some(place) => others.push(place),
            // One without is about to be taken.
            None if dir.join(ABOUT).exists() => drop(fs::remove_dir_all(&dir)),
            None => {}
        }
    }
    Ok(others)
}

/// By rename: a reader finds all of it.
fn write(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let new = dir.join(format!("{name}.new"));
    fs::write(&new, bytes)?;
    fs::rename(new, dir.join(name))
}

#[cfg(test)]
mod tests {
    use super::{LandingPlace, followers_left};

    #[test]
    fn followers_read_their_leader_until_it_leaves_and_nothing_is_left() {
        let temp = tempfile::tempdir().unwrap();
        let gate = temp.path().join("gate");
        let take = |about: &str| LandingPlace::take(&gate, about.as_bytes()).unwrap().unwrap();
        let (leader, follower, third) = (take("1"), take("2"), take("3"));
        let waiting = leader.waiting().unwrap();
        assert_eq!(waiting.iter().map(|it| &it.1[..]).collect::<Vec<_>>(), [b"2", b"3"]);
        let (other, _) = &waiting[0];
        assert!(follower.leader().has_left && !follower.is_led());
        leader.lead(other).unwrap();
        assert!(follower.is_led() && !third.is_led());
        other.say(b"word").unwrap();
        assert!(!other.has_agreed().unwrap());
        follower.agree().unwrap();
        assert!(other.has_agreed().unwrap() && other.is_taken().unwrap());
        let read = follower.leader();
        assert_eq!((read.word.as_deref(), read.has_left), (Some(&b"word"[..]), false));
        drop(leader);
        let read = follower.leader();
        assert_eq!((read.word.as_deref(), read.has_left), (Some(&b"word"[..]), true));
        // Its own process waits for none of its places.
        assert!(followers_left(&gate).unwrap().is_empty());
        drop(follower);
        assert!(!other.is_taken().unwrap());
        drop(third);
        assert!(!gate.exists());
    }
}
