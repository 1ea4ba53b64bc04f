//! What each language adds to a program that checks files: a build with it beside one without any.
//!
//! The program is the one outside of this project, `crates/ftl-preflight/tests/outside`, so that nothing else
//! needs the same dependencies.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::Language;
use ftl_testkit::Result;
use ftl_testkit::build::target_directory;
use ftl_testkit::program::Program;

use crate::sample::Sample;

const ROUNDS: usize = 200;

/// The section about sizes, and about the start of a program that has every language.
pub(super) fn section(scratch: &Path) -> Result<String> {
    let none = build(&[], scratch)?;
    let base = fs::metadata(&none)?.len();
    let mut features: Vec<&str> = Language::all().map(Language::feature).collect();
    features.sort_unstable();
    features.dedup();
    let mut text = String::from(
        "### Size and start\n\nA program that uses the crate `ftl-preflight`, built with one language's feature; what it adds to the same program without\n\
         any. Languages that share a parser do not add up.\n\n| feature | adds, KiB |\n|---|---|\n",
    );
    for feature in &features {
        let size = fs::metadata(build(&[feature], scratch)?)?.len();
        writeln!(text, "| `{feature}` | {} |", size.saturating_sub(base) >> 10)?;
    }
    let all = build(&features, scratch)?;
    let size = fs::metadata(&all)?.len() - base;
    let (mut with, mut without) = (Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        without.program(Program::new(&none, scratch))?;
        with.program(Program::new(&all, scratch))?;
    }
    write!(
        text,
        "| all of them | {} |\n\nWithout a file to check, the program runs {:.2} ms with all languages and {:.2} ms with none (medians of {ROUNDS}).\n",
        size >> 10,
        with.median(),
        without.median(),
    )?;
    Ok(text)
}

/// Builds the program with features of the crate, and copies it.
fn build(features: &[&str], scratch: &Path) -> Result<PathBuf> {
    let target = target_directory()?.join("bench/outside");
    let package = ftl_testkit::root().join("crates/ftl-preflight/tests/outside");
    let features: Vec<_> = features.iter().map(|it| format!("ftl-preflight/{it}")).collect();
    Program::new("cargo", &package)
        .without_cargo()
        .args(["build", "--release", "--quiet", "--no-default-features", "--target-dir"])
        .args([&target])
        .args([format!("--features={}", features.join(","))])
        .env("CARGO_PROFILE_RELEASE_LTO", "thin")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .run()?;
    let kept = scratch.join(format!("outside-{}", features.len()));
    fs::copy(target.join("release/outside"), &kept)?;
    Ok(kept)
}
