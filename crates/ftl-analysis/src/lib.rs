//! What texts say: the line that carries an error, which known failure it is, what makes a passing
//! verify doubtful, whether the code keeps its idioms and its exports.
//!
//! Every function takes text and gives a verdict. Nothing here opens a file, starts a program, or
//! knows what a verdict leads to: the engine reads, the machine decides.

pub mod diagnosis;
pub mod findings;
pub mod matching;
pub mod pattern;
pub mod quality;
