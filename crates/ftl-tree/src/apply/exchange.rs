//! Replacing one path of the tree without losing a version that a user saves at that very moment.
//!
//! A look and then a rename would leave a moment in between. So the new file and the old one are exchanged, and
//! what came out is looked at: if it is not the version that was expected, the two are exchanged back.
//!
//! ```text
//! .NAME.ftl-new    a copy that may be incomplete: of no value
//! .NAME.ftl-old    complete, about to come in, or just taken out
//! ```

use std::io;

use crate::apply::journal::PlannedChange;
use crate::openat::{Beneath, is_gone};
use crate::overlay::lower::State;
use crate::{RelPath, Tree, TreeError};

impl Tree {
    /// Brings in a complete file or link that is at `staged`, beside the path. `false` if another version than
    /// the expected one is at the path, and stays there.
    pub(crate) fn bring_in(
        &self,
        step: &PlannedChange,
        place: &Beneath,
        staged: &RelPath,
    ) -> io::Result<bool> {
        let (_, path) = self.places.locate(&step.path);
        let aside = aside(&path);
        remove_if_there(place, &aside)?;
        place.rename(staged, &aside)?;
        let is_in = match step.removes() || step.before == State::Nothing {
            true => place.rename_new(&aside, &path)?,
            false => replace(step, place, &aside, &path)?,
        };
        if !is_in {
            remove_if_there(place, &aside)?;
        }
        Ok(is_in)
    }

    /// Removes a file, link or pipe. `false` if another version than the expected one was there, and is again.
    pub(crate) fn remove_expected(&self, step: &PlannedChange) -> io::Result<bool> {
        let (place, path) = self.places.locate(&step.path);
        let aside = aside(&path);
        remove_if_there(place, &aside)?;
        match place.rename(&path, &aside) {
            Err(error) if is_gone(&error) => return Ok(true),
            done => done?,
        }
        if is_state(place, &aside, &step.before) {
            remove_if_there(place, &aside)?;
            return Ok(true);
        }
        // Where a name came in between, that is a later version.
        if !place.rename_new(&aside, &path)? {
            remove_if_there(place, &aside)?;
        }
        Ok(false)
    }

    /// Removes what a take-over that was cut short left beside a path; a user's version that had just come out
    /// is put back. `false` for a version that has to stay beside the path, since a later one is there.
    pub(crate) fn clear_beside(&self, step: &PlannedChange) -> Result<bool, TreeError> {
        let (place, path) = self.places.locate(&step.path);
        let failed = |error| TreeError::io("remove", place.full(&path))(error);
        remove_if_there(place, &beside(&path)).map_err(failed)?;
        let aside = aside(&path);
        let held = State::of(place, &aside).map_err(failed)?;
        if held == State::Nothing {
            return Ok(true);
        }
        if held == step.before || held == step.after {
            remove_if_there(place, &aside).map_err(failed)?;
            return Ok(true);
        }
        let now = self.state_at(&step.path)?;
        if now == step.after || now == State::Nothing {
            place.rename(&aside, &path).map_err(failed)?;
            return Ok(true);
        }
        Ok(false)
    }
}

fn replace(
    step: &PlannedChange,
    place: &Beneath,
    aside: &RelPath,
    path: &RelPath,
) -> io::Result<bool> {
    match place.exchange(aside, path) {
        // The file was removed in the meantime.
        Err(error) if is_gone(&error) => return Ok(false),
        Ok(false) => return place.rename(aside, path).map(|()| true),
        done => done?,
    };
    if is_state(place, aside, &step.before) {
        remove_if_there(place, aside)?;
        return Ok(true);
    }
    place.exchange(aside, path)?;
    if !is_state(place, aside, &step.after) {
        // Saved once more in between: the later version goes back, in place of the earlier one.
        place.exchange(aside, path)?;
    }
    Ok(false)
}

/// Something that cannot be read is another version.
pub(crate) fn is_state(place: &Beneath, path: &RelPath, expected: &State) -> bool {
    State::of_owned(place, path).is_ok_and(|state| state == *expected)
}

pub(crate) fn beside(path: &RelPath) -> RelPath {
    named(path, b".ftl-new")
}

fn aside(path: &RelPath) -> RelPath {
    named(path, b".ftl-old")
}

fn named(path: &RelPath, end: &[u8]) -> RelPath {
    let (parent, name) = path.split();
    parent.join(&[b".", name, end].concat())
}

pub(crate) fn remove_if_there(place: &Beneath, path: &RelPath) -> io::Result<()> {
    match place.remove(path) {
        Err(error) if !is_gone(&error) => Err(error),
        _ => Ok(()),
    }
}
