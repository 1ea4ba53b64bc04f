//! Texts in, verdicts out: the line that carries an error, which known failure it is, what makes a
//! passing verify doubtful, whether the code keeps its idioms and its exports.
//!
//! Every function takes text and gives a verdict. Nothing here opens a file, starts a program, or
//! knows what a verdict leads to: the engine reads, the machine decides.
//!
//! Texts come from tests, compilers, planners and implementers, so none of them is trusted to be short,
//! well-formed or shallow. Patterns run in linear time or give up, nesting is measured before anything
//! recurses, and lists and lines are cut at fixed limits. The same text always gives the same verdict,
//! unless patterns take so long that their deadline passes; the verdict says so then.

mod constants;
mod each;
mod shell;

pub mod diagnosis;
pub mod failures;
pub mod findings;
pub mod matching;
pub mod pattern;
pub mod quality;
pub mod test_code;
