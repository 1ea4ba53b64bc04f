//! The machine is small, so it is explored in full: every plan up to a bound, and in each state
//! every event that decisions tell apart.
//!
//! That takes seconds because of three reductions, each of which has to be kept true. Of events that
//! the machine treats alike, one is tried (`events`). States that decide alike are one point (`point`),
//! visited once. And a point is shared by all plans that differ only in budget and the reading of tests,
//! since what counts is what is left of the budget (`search`). A new field of a task could make the second
//! wrong without anybody noticing, so `point` lists all fields by name, without `..`, and does not
//! compile until the new one is counted or left out on purpose.
//!
//! The search feeds the transition table and the diagrams of `crate::graph`, and it
//! is the machine's strongest test: an `Observer` that knows nothing of states watches the events
//! alone and objects when a promise is broken.

mod drawing;
mod events;
mod observer;
mod plan_case;
mod point;
mod search;
#[expect(clippy::print_stdout, reason = "the counts are for the reader of a test run")]
mod tests;
mod values;
