//! The machine: pure, and small enough to be explored in full.
//!
//! It has two functions. [`State::apply`] takes an event, a fact that arrived, and gives the next state;
//! [`State::next`] gives the effect that the world is asked for. The run loop is
//!
//! ```text
//! loop {
//!     match state.next() {
//!         Next::Perform(effect) => state = state.apply(world.perform(effect)?)?,
//!         Next::Finished(verdict) => return verdict,
//!     }
//! }
//! ```
//!
//! Nothing in here reads a file, a clock or the environment, draws a random number or walks an
//! unordered collection. A failing check, a failing test and a time-out are events. States and
//! effects are never stored: events are, and a crashed run resumes from a fold over them. So a change
//! of what a state does is a change of what old journals mean, and a change of an event's fields is one
//! of the format.
//!
//! Each state is a struct in a separate module (`reading`, `planning`, `implementing`, `preflighting`,
//! `evidence`, `verifying`, `breaking`, `retrying`, `judging`, `sealing`), consumed by the event that it waits for. It matches
//! on every event by name: a new event does not compile until each state says what it does with it.
//! `explore` visits every state within a bound in the tests, and is the proof of all of them.

pub mod event;
pub mod graph;
pub mod plan;

mod block;
mod breaking;
mod budget;
mod effect;
mod evidence;
mod experiments;
#[cfg(test)]
mod explore;
mod illegal_event;
mod implementing;
mod judging;
mod log;
mod planning;
mod preflighting;
mod reading;
mod retrying;
mod sealing;
mod state;
mod state_name;
mod task;
mod verdict;
mod verifying;

pub use block::{Block, BlockKind, Misfit, Outside, Reason, SpecProblem, Unmended, Unretried};
pub use budget::Budget;
pub use effect::{Effect, Phase, Request};
pub use event::{Event, IllegalEvent};
pub use log::{CheckEntry, Log, Tried, Warning};
pub use plan::{Evidence, Options, Plan, ReadTests, Undecided};
pub use state::{Next, State};
pub use state_name::{Cost, StateName};
pub use verdict::{Outcome, Verdict};
