//! Who performs which effect: one row for each, and a file for each row.
//!
//! Nothing is done here. An effect that needs the tree can come only after IMPLEMENT opened it, or
//! recovery did: one that comes earlier is a bug in ftl, reported as such ([`Fault::OutOfOrder`]).

use ftl_machine::{Effect, Event};

use super::driver::Perform;
use super::recorder::Recorder;
use super::world::World;
use super::{Fault, judging, planner, preflighting, requests, sealing, verifying};

impl Perform for World<'_> {
    fn perform(&mut self, effect: Effect, recorder: &mut Recorder<'_>) -> Result<Event, Fault> {
        // Between effects nothing is half done: a good place to stop.
        if let Some(signal) = ftl_process::interrupted() {
            return Err(Fault::Interrupted(signal));
        }
        match effect {
            Effect::ReadWorkspace => Ok(planner::read(self.source)),
            Effect::CheckPlan => Ok(planner::check_plan(
                self.brief(),
                self.site.root(),
                &self.site.settings.verify_env,
                &self.site.settings.rules,
            )),
            Effect::ReadTests(path) => Ok(planner::digest_tests(&path, self.site.root())),
            Effect::Implement(request) => requests::implement(self, &request, recorder),
            Effect::CheckFile(path) => preflighting::file(self, &path).map(Event::FileChecked),
            Effect::RunPreflight { index, command } => {
                preflighting::command(self, index, &command, recorder)
            }
            Effect::Mend(request) => requests::mend(self, &request, recorder),
            Effect::Verify { command } => verifying::verify(self, &command, recorder),
            Effect::Confirm { command } => verifying::confirm(self, &command, recorder),
            Effect::MatchFailure { verification, earlier_time_limits } => {
                verifying::match_failure(self, &verification, earlier_time_limits, recorder)
            }
            Effect::ApplyFix { failure, request, touched } => {
                requests::apply_fix(self, failure, &request, touched, recorder)
            }
            Effect::Judge => judging::judge(self, recorder),
            Effect::Seal(verdict) => {
                // A sealed record whose journal ends earlier could not be explained.
                recorder.settle()?;
                sealing::seal(self, &verdict).map(Event::Sealed)
            }
        }
    }
}
