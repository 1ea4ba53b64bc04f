//! Where a run reports while it goes on. Nothing in the engine prints: a reporter may.

use ftl_agents::Activity;
use ftl_machine::StateName;

use crate::result::{Doing, EventLine, Spent};

/// Gets the reports of a run while it goes on.
pub trait Reporter {
    /// One line of the event stream: the first has the versions, the last the outcome.
    fn event(&mut self, line: &EventLine<'_>) {
        let _ = line;
    }

    /// A line that announces a step, in its fixed form.
    fn announce(&mut self, line: &str) {
        let _ = line;
    }

    /// A warning, as it arises.
    fn warning(&mut self, text: &str) {
        let _ = text;
    }

    /// The run entered a state, with so many tool calls spent by then.
    fn entered(&mut self, state: StateName, budget: Option<&Spent>) {
        let _ = (state, budget);
    }

    /// A command begins, which may take long.
    fn begins(&mut self, doing: Doing, command: &str) {
        let _ = (doing, command);
    }

    /// The command under way has printed these lines last. Called twice a second at most.
    fn printed(&mut self, lines: &[String]) {
        let _ = lines;
    }

    /// An agent does something, as it says itself. Whatever it says is untrusted text.
    fn activity(&mut self, activity: &Activity) {
        let _ = activity;
    }

    /// What the agent's requests of the run cost so far, as it says itself, in US dollars.
    fn cost(&mut self, usd: f64) {
        let _ = usd;
    }

    /// A lock is held, by the process named where it is known. Called some twenty times a second;
    /// `false` gives up.
    fn waiting(&mut self, holder: Option<u32>) -> bool {
        let _ = holder;
        true
    }
}

/// Passes nothing on.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullReporter;

impl Reporter for NullReporter {}
