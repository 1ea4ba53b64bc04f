//! The verify before the work: did it pass already, how did it fail, how many tests did it run?
//!
//! Where the command was the last to pass in the project as it is, that is known. Else, where one task is built at a time,
//! it runs in the project while the implementer writes in the workplace, so that it costs no time. Several tasks land in
//! the project at any time: there, and where the implementer is the project as it is, it runs only on demand, and first.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use ftl_analysis::findings::test_summary;
use ftl_machine::event::{Before, Work};
use ftl_model::Finding;
use ftl_process::{Command, Ended, Group, Observer, Trail};

use super::verifying;
use crate::result::Doing;
use crate::run::Fault;
use crate::run::commands::failed::failed;
use crate::run::commands::output::{self, Captured};
use crate::run::commands::reports::Reports;
use crate::run::commands::task_commands;
use crate::run::journal::recorder::{Note, Recorder};
use crate::run::recovery::own_run;
use crate::run::site::Site;

use crate::run::work::last_pass;
use crate::run::work::written::{self, Left};
use crate::run::world::World;

/// How a sentence calls the run.
const BY: &str = "the verify before the work";

/// Lets an implementer work, and runs the verify command beside it or first, where it is wanted at all.
pub(in crate::run) fn beside(
    world: &mut World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
    work: impl FnOnce(&mut World<'_>, &mut Recorder<'_>) -> Result<Work, Fault>,
) -> Result<Work, Fault> {
    let settings = world.site.settings;
    let known = world.workplace.as_mut().and_then(|place| place.last_pass.take());
    if let Some(before) = known {
        let mut done = work(world, recorder)?;
        add(&mut done, before, Left::default());
        return Ok(done);
    }
    let is_alone = settings.slot.is_none() && world.workplace.is_some();
    if is_alone && (settings.baseline || last_pass::is_wanted(world.site, command)) {
        return at_once(world, command, recorder, work);
    }
    if !settings.baseline {
        return work(world, recorder);
    }
    let log = output::next_log(world.site, "baseline")?;
    recorder.begins(Doing::Baseline, command);
    let reports = Reports::ask(world.site, command);
    let env = reports.environment(world.site);
    let (ended, left) = task_commands::run(world, command, &log, BY, env, recorder)?;
    let captured = Captured::keep(world.site, &ended, log, recorder)?;
    // What the verify wrote in the workplace is not the implementer's.
    if world.workplace.take().is_some() {
        world.make_workplace(recorder.reporter())?;
    }
    let mut done = work(world, recorder)?;
    add(&mut done, before(world.site, command, &ended, &captured, &reports), left);
    Ok(done)
}

/// Runs the verify command in the project while the implementer works.
fn at_once(
    world: &mut World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
    work: impl FnOnce(&mut World<'_>, &mut Recorder<'_>) -> Result<Work, Fault>,
) -> Result<Work, Fault> {
    let site = world.site;
    let log = output::next_log(site, "baseline")?;
    recorder.begins(Doing::Baseline, command);
    let watch = world.root_tree().watch()?;
    // What it prints is not shown as the implementer's.
    let quiet = Site { run: site.run.clone(), secrets: site.secrets.apart(), ..*site };
    let reports = Reports::ask(site, command);
    let child = quiet.shell(command, &log).env(reports.environment(site));
    let (ended, done) = run_beside(&child, recorder, |recorder| work(world, recorder))?;
    let mut done = done?;
    if let Some(warning) = own_run::mend(site, recorder)? {
        recorder.reporter().warning(&warning);
    }
    if let Some(signal) = ended.interrupted {
        return Err(Fault::Interrupted(signal));
    }
    let captured = Captured::keep(site, &ended, log, recorder)?;
    let found = world.root_tree().written_since(&watch)?;
    let left = written::left(found.files, found.scratch, BY);
    add(&mut done, before(site, command, &ended, &captured, &reports), left);
    Ok(done)
}

/// Starts a child and does something else while it runs. If that fails, the child is ended.
fn run_beside<T>(
    child: &Command,
    recorder: &mut Recorder<'_>,
    work: impl FnOnce(&mut Recorder<'_>) -> Result<T, Fault>,
) -> Result<(Ended, Result<T, Fault>), Fault> {
    let (to, notes) = channel();
    let (answer, answers) = channel();
    thread::scope(|scope| {
        let running = scope.spawn(move || child.run_observed(&mut Relay { to, answers }));
        let mut group = None;
        // Each is in the journal before the child goes on, so that a crash leaves none that no journal knows.
        while group.is_none() {
            let Ok(note) = notes.recv() else { break };
            recorder.note(&note)?;
            if let Note::Started(started) = note {
                group = Some(started);
            }
            let _ = answer.send(());
        }
        let done = work(recorder);
        if let (Err(_), Some(group)) = (&done, &group) {
            group.end(std::time::Duration::ZERO);
        }
        let ended = running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match (ended, done) {
            // The reason why the work failed comes first.
            (Err(_), Err(fault)) => Err(fault),
            (ended, done) => Ok((ended?, done)),
        }
    })
}

/// Hands the notes of a child to the thread that has the journal, and waits until they are in it.
struct Relay {
    to: Sender<Note>,
    answers: Receiver<()>,
}

impl Relay {
    fn hand(&self, note: Note) -> io::Result<()> {
        let handed = self.to.send(note).is_ok() && self.answers.recv().is_ok();
        handed.then_some(()).ok_or_else(|| io::Error::other("the journal takes no more notes"))
    }
}

impl Observer for Relay {
    fn starts(&mut self, trail: &Trail) -> io::Result<()> {
        self.hand(Note::Starts(trail.clone()))
    }

    fn started(&mut self, group: &Group) -> io::Result<()> {
        self.hand(Note::Started(group.clone()))
    }
}

/// How the command ended.
fn before(
    site: &Site<'_>,
    command: &str,
    ended: &Ended,
    captured: &Captured,
    reports: &Reports,
) -> Before {
    let passed = ended.success();
    let found = match passed {
        true => Vec::new(),
        false => failed(site, command, &captured.text, reports, None).failures,
    };
    Before {
        passed,
        error: (!passed).then(|| verifying::error_of(site, ended, &captured.text)),
        tests: found.into_iter().filter_map(|failure| failure.test).collect(),
        ran: test_summary(&captured.text).and_then(|summary| summary.ran),
        log: captured.log.clone(),
    }
}

fn add(work: &mut Work, before: Before, left: Left) {
    work.findings.extend(before.passed.then_some(Finding::PassedBefore));
    work.findings.extend(left.finding);
    work.before = Some(before);
    work.warnings.extend(left.warning);
    work.scratch.extend(left.scratch);
}
