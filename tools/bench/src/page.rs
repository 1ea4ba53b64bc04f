//! What the parts of lab/benchmarks.md have in common.
//!
//! What a part says is rendered where it is measured.

/// A part: what was `measured`, with the machine that it was measured on under its heading.
pub(crate) fn part(machine: &str, measured: &str) -> String {
    let (heading, rest) = measured.split_once('\n').unwrap_or((measured, ""));
    format!("{heading}\n\n{machine}\n\n{}\n", rest.trim())
}

/// `yes`, or a miss that can't be overlooked.
pub(crate) fn reached(good: bool) -> &'static str {
    if good { "yes" } else { "**no**" }
}
