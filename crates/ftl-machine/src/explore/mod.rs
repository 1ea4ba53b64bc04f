//! The machine is small, so it is explored in full: every plan up to a bound, and in each state
//! every event that decisions tell apart.
//!
//! The search feeds the transition table and the diagram, so both are made from the code, and it
//! is the machine's strongest test: an `Observer` that knows nothing of states watches the events
//! alone and objects when a promise is broken.

mod events;
mod observer;
mod point;
mod search;

pub use events::possible;
pub use search::{Arrow, Bound, Case, Exploration, explore, groups};
