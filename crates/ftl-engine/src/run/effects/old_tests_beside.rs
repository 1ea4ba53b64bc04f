//! The tests as they were, where the implementer is the project as it is: there is no landing that could bring the work
//! in two steps, so the command runs in a workplace, with the tests as they were before the work.
//!
//! Only where the workplace is at the project's own path: at another one a command may fail for that alone.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ftl_analysis::test_code::{AsItWas, is_about_tests, word_for};
use ftl_machine::Event;
use ftl_machine::event::OldTests;
use ftl_model::DeltaPath;
use ftl_store::Operation;
use ftl_tree::workplace::Workplace;
use ftl_tree::{DeltaContent, Tree};

use super::old_tests::{Decides, Held, LARGEST, outcome, removable};
use super::verifying::Ran;
use crate::result::Doing;
use crate::run::Fault;
use crate::run::commands::output;
use crate::run::journal::recorder::Recorder;
use crate::run::work::before::Before;
use crate::run::work::placing::place;
use crate::run::work::workplace;
use crate::run::world::World;

/// The number of the workplace: no implementer works in it.
const NUMBER: u32 = 998;

/// Files of the delta in which what defines tests is not as it was.
pub(in crate::run) fn changed(
    world: &World<'_>,
    before: &Before,
    touched: impl Iterator<Item = DeltaPath>,
) -> Result<Vec<String>, Fault> {
    let decides = Decides::new(world.site, world.brief());
    let mut found = Vec::new();
    for path in touched.filter(|path| before.len(path).is_some()) {
        if as_it_was(&decides, world.tree(), before, &path)?.is_some() {
            found.push(path.to_string());
        }
    }
    Ok(found)
}

fn as_it_was(
    decides: &Decides<'_>,
    tree: &Tree,
    before: &Before,
    path: &DeltaPath,
) -> Result<Option<AsItWas>, Fault> {
    let old = decides.text(path, || before.read(path))?;
    let new = decides.text(path, || match tree.read_up_to(path, LARGEST)? {
        Some(DeltaContent::Bytes(bytes)) => Ok(Some(bytes)),
        Some(DeltaContent::TooLarge(_)) | None => Ok(None),
    })?;
    Ok(decides.as_it_was(path, old.as_deref(), new.as_deref()))
}

/// Runs the verify command in a workplace with the tests as they were.
pub(super) fn run(
    world: &World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let (site, tree) = (world.site, world.tree());
    let placed = place(site.settings, tree)?;
    if placed.means.is_none() {
        return Ok(Event::OldTestsTried(Box::default()));
    }
    let (dir, _lock) = workplace::claim(site.settings, site.layout, NUMBER)?;
    let mut at = Workplace::open(&dir.join("copy"), placed.placement())?;
    workplace::refresh(&mut at, tree)?;
    let held = put_back(world, at.tree(tree)?.root())?;
    if held.paths.is_empty() {
        return Ok(Event::OldTestsTried(Box::default()));
    }
    let log = output::next_log(site, "old-tests")?;
    recorder.begins(Doing::OldTests, command);
    let view = placed.view(&at.mounts(tree)?, &dir.join("report"));
    let ran = Ran::placed(site, command, log, recorder, |child| match view {
        Some(view) => child.within(view),
        None => child,
    })?;
    let old: OldTests = outcome(ran.verification(site, command), &held, &removable(world));
    Ok(Event::OldTestsTried(Box::new(old)))
}

/// Puts what defines tests back as it was, in the workplace alone. New tests go, but for those that the command names.
fn put_back(world: &World<'_>, copy: &Path) -> Result<Held, Fault> {
    let (before, decides) = (world.before()?, Decides::new(world.site, world.brief()));
    let mut held = Held::default();
    let mut new = BTreeSet::new();
    for file in world.delta_state()?.touched {
        let (path, at) = (file.path.clone(), copy.join(&file.path));
        let failed = |error| Fault::from(Operation::Write.failed(&at, error));
        if before.len(&path).is_none() {
            if is_about_tests(path.as_str()) {
                held.new.push(path.to_string());
                new.insert(at);
            }
            continue;
        }
        let text = match as_it_was(&decides, world.tree(), before, &path)? {
            None => continue,
            Some(AsItWas::Part(text)) => text.into_bytes(),
            Some(AsItWas::Whole) => match before.read(&path)? {
                Some(bytes) => bytes,
                None => continue,
            },
        };
        fs::create_dir_all(at.parent().unwrap_or(copy)).map_err(failed)?;
        fs::write(&at, text).map_err(failed)?;
        held.paths.push(path.to_string());
    }
    let asked_for = |at: &PathBuf| {
        let path = at.strip_prefix(copy).unwrap_or(at).to_string_lossy();
        word_for(decides.command, &path).is_some_and(|word| has_only(&copy.join(word), &new))
    };
    for at in new.iter().filter(|at| !asked_for(at)) {
        match fs::remove_file(at) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Operation::Remove.failed(at, error).into());
            }
            _ => {}
        }
    }
    Ok(held)
}

/// Whether there is nothing but these files.
fn has_only(at: &Path, files: &BTreeSet<PathBuf>) -> bool {
    match fs::read_dir(at) {
        Ok(entries) => entries.flatten().all(|entry| has_only(&entry.path(), files)),
        Err(_) => files.contains(at),
    }
}
