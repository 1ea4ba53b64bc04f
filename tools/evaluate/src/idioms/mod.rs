//! Idioms: labelled snippets, and what the rules find in real code.

mod real;
pub(crate) mod snippets;
pub(crate) mod texts;

pub(crate) use real::print_hits;
