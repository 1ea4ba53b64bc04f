//! Landings that wait for the tree with the same verify command, and have no file in common, land together and are
//! verified by one run.
//!
//! The process that gets the tree leads those that wait for it: it lands their work after its own, runs the command, and
//! says to them that it passed. Each of them judges its own work. Once all would seal a complete record, they do. Until then
//! whatever else happens to one of them (the command fails, QUALITY blocks, an interrupt, a kill) undoes all of it, and each
//! lands by itself: nothing is decided against a task by a run that had another's work in it.
//!
//! The part of each task has a separate plan, and what becomes of it follows from the task's record, as for any landing
//! (`landed`). The leader keeps the tree until no follower is left, and so does the next holder of the tree after a leader
//! that died (`ftl_store::gate`).

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use ftl_machine::event::Verification;
use ftl_model::Digest;
use ftl_schedule::overlap;
use ftl_store::gate::{LandingPlace, OtherPlace, followers_left};
use ftl_store::{Layout, Operation};
use ftl_tree::Tree;
use ftl_tree::workplace::{Placement, Workplace};
use serde::{Deserialize, Serialize};

use super::landed::{Owner, dir, part_dir};
use crate::run::commands::setup;
use crate::run::site::Site;
use crate::run::work::work_files::WorkFiles;
use crate::run::{Fault, Reporter, Settings};

/// Between two looks at what others do.
const PAUSE: Duration = Duration::from_millis(20);

/// What a run has to do with others that land at the same time.
#[derive(Debug)]
pub(in crate::run) enum Together {
    /// It holds the tree for them.
    Leads(Leading),
    /// Another one holds the tree for it.
    Follows(LandingPlace),
}

#[derive(Debug)]
pub(in crate::run) struct Leading {
    gate: PathBuf,
    /// By which the others know that it is there.
    place: Option<LandingPlace>,
    task: String,
    others: Vec<(OtherPlace, String)>,
}

/// What a landing that waits says of itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct About {
    owner: Owner,
    task: String,
    /// How the command runs.
    settings: Digest,
    /// All that the work may touch.
    paths: Vec<String>,
    /// Where its run and its workplace are.
    run: PathBuf,
    copy: PathBuf,
    placement: Placement,
}

/// What a leader says.
#[derive(Debug, Serialize, Deserialize)]
enum Word {
    /// The command passed.
    Passed(Box<Verification>),
    /// All agreed.
    Seal,
}

/// A place among the landings that wait, for one of several tasks that are built side by side. Without one it lands by
/// itself.
pub(super) fn wait_in(
    site: &Site<'_>,
    copy: &Workplace,
    paths: Vec<String>,
    owner: Owner,
) -> Result<Option<(LandingPlace, About)>, Fault> {
    let how = (&site.settings.commands, site.settings.grace, site.settings.evidence);
    let about = About {
        task: crate::run::id_of(&owner.task)?.to_string(),
        owner,
        settings: Digest::of(format!("{how:?}").as_bytes()),
        paths,
        run: site.run.dir().to_owned(),
        copy: copy.dir().to_owned(),
        placement: copy.placement(),
    };
    let bytes = serde_json::to_vec(&about).expect("because every key is a string");
    // Where the state directory refuses it, it lands by itself.
    let place = LandingPlace::take(&gate(site.settings, site.layout)?, &bytes).ok().flatten();
    Ok(place.map(|place| (place, about)))
}

fn gate(settings: &Settings, layout: &Layout) -> Result<PathBuf, Fault> {
    let private = settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    Ok(private.join("gate").join(layout.key()))
}

/// Lands the work of others that wait beside that of a run that holds the tree.
pub(super) fn lead(
    site: &Site<'_>,
    bench: &Path,
    tree: &Tree,
    place: LandingPlace,
    own: About,
) -> Result<Option<Together>, Fault> {
    let dir = dir(site.settings, site.layout)?;
    let (mut paths, mut others) = (own.paths, Vec::new());
    // Where they can't be found, it lands by itself.
    for (other, about) in place.waiting().unwrap_or_default() {
        let Ok(about) = serde_json::from_slice::<About>(&about) else { continue };
        let is_alike = about.owner.verify == own.owner.verify && about.settings == own.settings;
        if !is_alike || overlap(&paths, &about.paths) {
            continue;
        }
        let files = WorkFiles::in_dir(&about.run);
        let (Some(base), Some(work)) = (files.base(tree)?, files.work(tree)?) else { continue };
        // What has to be merged is checked by its own run.
        let landing = tree.plan_landing(&base, &work, bench, &mut |_, _| false)?;
        let mut copy = Workplace::open(&about.copy, about.placement)?;
        let is_set_up = setup::due(site, landing.paths()).is_some();
        if is_set_up
            || !landing.conflicts.is_empty()
            || !copy.load(tree)
            || place.lead(&other).is_err()
        {
            continue;
        }
        let owner = serde_json::to_string(&about.owner).expect("because every key is a string");
        let part = part_dir(&dir, others.len());
        if !tree.land(&landing, &work, &copy.tree(tree)?, (&part, &owner))?.is_empty() {
            other.release();
            continue;
        }
        paths.extend(about.paths);
        others.push((other, about.task));
    }
    let gate = gate(site.settings, site.layout)?;
    let leading = Leading { gate, place: Some(place), task: own.task, others };
    Ok((!leading.others.is_empty()).then_some(Together::Leads(leading)))
}

/// What the leader's run of the command came to; `None` if the work lands by itself.
pub(super) fn passed(
    place: &LandingPlace,
    reporter: &mut dyn Reporter,
) -> Result<Option<Box<Verification>>, Fault> {
    loop {
        let leader = place.leader();
        if let Some(Word::Passed(verification)) = word(leader.word.as_deref()) {
            return Ok(Some(verification));
        }
        if leader.has_left {
            return Ok(None);
        }
        pause(reporter)?;
    }
}

fn word(bytes: Option<&[u8]>) -> Option<Word> {
    serde_json::from_slice(bytes?).ok()
}

impl Leading {
    /// Says to the others that the command passed; returns the tasks that the run was shared with.
    pub(super) fn tell(&self, verification: &Verification) -> Vec<String> {
        let tasks = || std::iter::once(&self.task).chain(self.others.iter().map(|other| &other.1));
        for (place, task) in &self.others {
            let with = tasks().filter(|it| *it != task).cloned().collect();
            let own = Verification { with, ..verification.clone() };
            // One that does not read it has not agreed when the leader leaves.
            let _ = say(place, &Word::Passed(Box::new(own)));
        }
        self.others.iter().map(|other| other.1.clone()).collect()
    }

    /// Whether all of them would seal a complete record, which they do then.
    fn agree(&self, reporter: &mut dyn Reporter) -> Result<bool, Fault> {
        let failed = |error| self.failed(error);
        for (place, _) in &self.others {
            while place.is_taken().map_err(failed)? && !place.has_agreed().map_err(failed)? {
                pause(reporter)?;
            }
        }
        for (place, _) in &self.others {
            if !place.is_taken().map_err(failed)? || !place.has_agreed().map_err(failed)? {
                return Ok(false);
            }
        }
        Ok(self.others.iter().all(|(place, _)| say(place, &Word::Seal).is_ok()))
    }

    /// Leaves the others, and waits until none of them is left.
    pub(super) fn close(&mut self) -> Result<(), Fault> {
        self.place = None;
        for (place, _) in &self.others {
            while place.is_taken().map_err(|error| self.failed(error))? {
                sleep(PAUSE);
            }
        }
        Ok(())
    }

    fn failed(&self, error: std::io::Error) -> Fault {
        Operation::Lock.failed(&self.gate, error).into()
    }
}

fn say(place: &OtherPlace, word: &Word) -> std::io::Result<()> {
    place.say(&serde_json::to_vec(word).expect("because every key is a string"))
}

impl Together {
    /// Whether all would seal a complete record. If not, the landing is to be undone.
    pub(super) fn agree(&self, reporter: &mut dyn Reporter) -> Result<bool, Fault> {
        let place = match self {
            Self::Leads(leading) => return leading.agree(reporter),
            Self::Follows(place) => place,
        };
        if place.agree().is_err() {
            return Ok(false);
        }
        loop {
            let leader = place.leader();
            if let Some(Word::Seal) = word(leader.word.as_deref()) {
                return Ok(true);
            }
            if leader.has_left {
                return Ok(false);
            }
            pause(reporter)?;
        }
    }
}

/// Waits for what follows a leader that died, as the holder of the tree.
pub(super) fn await_followers(site: &Site<'_>, reporter: &mut dyn Reporter) -> Result<(), Fault> {
    let Ok(gate) = gate(site.settings, site.layout) else { return Ok(()) };
    let failed = |error| Fault::from(Operation::Lock.failed(&gate, error));
    for place in followers_left(&gate).map_err(failed)? {
        while place.is_taken().map_err(failed)? {
            pause(reporter)?;
        }
    }
    Ok(())
}

fn pause(reporter: &mut dyn Reporter) -> Result<(), Fault> {
    sleep(PAUSE);
    reporter.waiting(None);
    ftl_process::interrupted().map_or(Ok(()), |signal| Err(Fault::Interrupted(signal)))
}
