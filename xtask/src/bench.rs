//! `cargo xtask bench`: figures of a release build, taken side by side in one run.
//!
//! Nothing here is a test: a slow machine must not fail anybody's work. The page says what was
//! aimed at and what was missed.

mod build;
mod machine;
mod page;
mod python;
mod sample;

use std::fs;

use crate::Result;
use crate::scratch::Scratch;

/// Builds a release, measures, and writes docs/benchmarks.md.
///
/// # Errors
///
/// The build failed, or a measured command did.
pub fn run() -> Result {
    let ftl = crate::quickstart::build("release")?;
    let scratch = Scratch::new("bench")?;
    let figures = build::measure(&ftl, scratch.path())?;
    let machine = machine::describe(&ftl, scratch.path())?;
    let page = page::render(&machine, &figures)?;
    print!("{page}");
    fs::write(crate::root().join("docs/benchmarks.md"), page)?;
    Ok(())
}
