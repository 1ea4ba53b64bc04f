//! Who performs which effect: one row for each, and a file for each row.
//!
//! Nothing is done here but that the first effect that needs the world opens it, if recovery did not.

pub(super) mod beforehand;
pub(super) mod breaking;
pub(crate) mod checking;
pub(super) mod idiom_judge;
pub(super) mod implementer;
pub(super) mod judge;
pub(super) mod judging;
pub(super) mod match_judge;
pub(super) mod old_tests;
pub(super) mod old_tests_beside;
pub(super) mod planner;
pub(super) mod preflighting;
pub(super) mod requests;
pub(super) mod sealing;
pub(super) mod setting_up;
pub(super) mod verifying;

use ftl_machine::{Effect, Event};

use crate::run::Fault;
use crate::run::driver::Perform;
use crate::run::journal::recorder::Recorder;
use crate::run::world::{Task, World};

/// Performs the effects of a task.
pub(super) struct Performer<'a> {
    pub(super) task: &'a Task<'a>,
    /// Where the work is done, once the tree is open.
    pub(super) world: Option<World<'a>>,
}

impl<'a> Performer<'a> {
    fn open(&mut self, recorder: &mut Recorder<'_>) -> Result<&mut World<'a>, Fault> {
        match &mut self.world {
            Some(world) => Ok(world),
            none => Ok(none.insert(World::open(self.task, recorder.reporter())?)),
        }
    }
}

impl Perform for Performer<'_> {
    fn perform(&mut self, effect: Effect, recorder: &mut Recorder<'_>) -> Result<Event, Fault> {
        // Between effects nothing is half done: a good place to stop.
        if let Some(signal) = ftl_process::interrupted() {
            return Err(Fault::Interrupted(signal));
        }
        let task = self.task;
        let (settings, root) = (task.site.settings, task.site.root());
        match effect {
            Effect::ReadWorkspace => Ok(planner::read(task.source)),
            Effect::CheckPlan => planner::check_plan(task.brief(), root, settings),
            Effect::ReadTests(path) => Ok(planner::digest_tests(&path, root)),
            Effect::Implement(request) => {
                requests::implement(self.open(recorder)?, &request, recorder)
            }
            Effect::CheckFile(path) => {
                preflighting::file(self.open(recorder)?, &path).map(Event::FileChecked)
            }
            Effect::RunPreflight { index, command } => {
                preflighting::command(self.open(recorder)?, index, &command, recorder)
            }
            Effect::Mend(request) => requests::mend(self.open(recorder)?, &request, recorder),
            Effect::TryOldTests { command } => {
                let world = self.open(recorder)?;
                match world.workplace {
                    Some(_) => old_tests::run(world, &command, recorder),
                    None => old_tests_beside::run(world, &command, recorder),
                }
            }
            Effect::Verify { command } => {
                verifying::verify(self.open(recorder)?, &command, recorder)
            }
            Effect::TryBroken { command, took_ms, touched } => {
                breaking::run(self.open(recorder)?, &command, took_ms, &touched, recorder)
            }
            Effect::Confirm { command } => {
                verifying::confirm(self.open(recorder)?, &command, recorder)
            }
            Effect::MatchFailure { verification, earlier_time_limits } => {
                let world = self.open(recorder)?;
                verifying::match_failure(world, &verification, earlier_time_limits, recorder)
            }
            Effect::ApplyFix { failure, request, touched } => {
                requests::apply_fix(self.open(recorder)?, failure, &request, touched, recorder)
            }
            Effect::Judge => judging::judge(self.open(recorder)?, recorder),
            Effect::Seal(verdict) => sealing::seal(task, self.world.as_mut(), &verdict, recorder),
        }
    }
}
