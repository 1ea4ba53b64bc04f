//! Which known failure an error is, and how often it may be retried.
//!
//! Three ways of telling, in this order: the failure's own pattern, its trigger's text with quoted
//! values and numbers masked, and a similarity whose weights are constants, so that a pair's score
//! never depends on what else is known. Of two failures that fit alike, the first in the file wins.

mod compare;
mod failure;
mod found;
mod generalise;
mod mask;
mod retries;
mod search;
mod similarity;
mod words;

pub use compare::{Comparison, compare};
pub use failure::{check_patterns, fits_passing, has_fix, name_of};
pub use found::{Candidate, MatchResult, Matched};
pub use generalise::generalised;
pub use mask::same_error;
pub use retries::{TimeLimit, max_retries};
pub use search::match_failure;
