//! Replacing what is at one path without losing a version that a user saves at that very moment.
//!
//! A look and then a rename would leave a moment in between. So the new file and the old one are exchanged, and
//! what came out is looked at: if it is not the version that was expected, the two are exchanged back.
//!
//! ```text
//! .NAME.ftl-new    a copy that may be incomplete: of no value
//! .NAME.ftl-old    complete, about to come in, or just taken out
//! ```

use std::io;

use super::Change;
use crate::PathState;
use crate::openat::{At, is_gone};

/// Brings in a complete file or link that is at `staged`, beside the path. `false` if another version than
/// the expected one is at the path, and stays there.
pub(super) fn bring_in(change: &Change, at: &At<'_>, staged: &At<'_>) -> io::Result<bool> {
    let aside = aside(at);
    aside.remove_if_there()?;
    staged.rename(&aside)?;
    let is_in = match change.removes() || change.before.is_nothing() {
        true => aside.move_new(at)?,
        false => replace(change, &aside, at)?,
    };
    if !is_in {
        aside.remove_if_there()?;
    }
    Ok(is_in)
}

fn replace(change: &Change, aside: &At<'_>, at: &At<'_>) -> io::Result<bool> {
    match aside.exchange(at) {
        // The file was removed in the meantime.
        Err(error) if is_gone(&error) => return Ok(false),
        Ok(false) => return aside.rename(at).map(|()| true),
        done => done?,
    };
    let is_expected = is_state(aside, &change.before);
    if matches!(is_expected, Ok(true)) {
        aside.remove_if_there()?;
        return Ok(true);
    }
    // What cannot be read goes back too, before the error is reported.
    aside.exchange(at)?;
    if !is_state(aside, &change.after)? {
        // Saved once more in between: the later version goes back, in place of the earlier one.
        aside.exchange(at)?;
    }
    is_expected
}

/// Removes a file, link or pipe. `false` if another version than the expected one was there, and is again.
pub(super) fn remove_expected(change: &Change, at: &At<'_>) -> io::Result<bool> {
    let aside = aside(at);
    aside.remove_if_there()?;
    match at.rename(&aside) {
        Err(error) if is_gone(&error) => return Ok(true),
        done => done?,
    }
    match is_state(&aside, &change.before) {
        Ok(is_expected) => {
            // Where a name came in between, that is a later version.
            if is_expected || !aside.move_new(at)? {
                aside.remove_if_there()?;
            }
            Ok(is_expected)
        }
        Err(error) => {
            aside.move_new(at)?;
            Err(error)
        }
    }
}

/// Removes what a change that was cut short left beside a path; a user's version that had just come out
/// is put back. `false` for a version that has to stay beside the path, since a later one is there.
pub(super) fn clear_beside(change: &Change, at: &At<'_>) -> io::Result<bool> {
    at.staging().remove_if_there()?;
    let aside = aside(at);
    let held = PathState::of(&aside)?;
    let is_known = |state: &PathState| *state == change.before || change.made(state);
    if held.is_nothing() || is_known(&held) {
        aside.remove_if_there()?;
        return Ok(true);
    }
    let now = PathState::of(at)?;
    let is_ours = change.made(&now) || now.is_nothing();
    if is_ours {
        aside.rename(at)?;
    }
    Ok(is_ours)
}

/// Whether this version is at a path. A directory above it that is gone, or is none any more, is another version.
///
/// # Errors
/// When the path cannot be looked at, or be read.
pub(super) fn is_state(at: &At<'_>, expected: &PathState) -> io::Result<bool> {
    match PathState::of_owned(at) {
        Err(error) if is_gone(&error) => Ok(false),
        state => Ok(state? == *expected),
    }
}

fn aside<'a>(at: &At<'a>) -> At<'a> {
    at.beside(b".ftl-old")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::is_state;
    use crate::openat::Beneath;
    use crate::{PathState, RelPath};

    #[test]
    fn a_path_that_cannot_be_looked_at_is_an_error_and_one_that_is_gone_another_version() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("file"), "").unwrap();
        let beneath = Beneath::open(temp.path()).unwrap();
        let is_file = |path: &str| {
            let file = PathState::of_owned(&beneath.at(&RelPath::new("file"))).unwrap();
            is_state(&beneath.at(&RelPath::new(path)), &file)
        };
        assert!(is_file("file").unwrap());
        for gone in ["none", "none/below", "file/below"] {
            assert!(!is_file(gone).unwrap(), "{gone}");
        }
        assert!(is_file(&"n".repeat(300)).is_err());
    }
}
