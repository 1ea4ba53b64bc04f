//! What each language adds to a program that checks files: a build with it beside one without any.
//!
//! The program is the one outside of this project, `crates/ftl-preflight/tests/outside`, so that nothing else
//! needs the same dependencies. A copy of it is built, with the versions of this project.

use std::collections::HashSet;
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
    let package = copy(scratch)?;
    let none = build(&package, &[], scratch)?;
    let (base, base_packages) = (fs::metadata(&none)?.len(), packages(&package, &[])?);
    let mut features: Vec<&str> = Language::all().map(Language::feature).collect();
    features.sort_unstable();
    features.dedup();
    let mut text = String::from(
        "### Size and start\n\nA program that uses the crate `ftl-preflight`, built with one language's feature; what it adds to the same program without\n\
         any. Languages that share a parser do not add up.\n\n| feature | packages | KiB |\n|---|---|---|\n",
    );
    let mut row = |name: &str, features: &[&str]| -> Result<PathBuf> {
        let program = build(&package, features, scratch)?;
        let size = fs::metadata(&program)?.len().saturating_sub(base) >> 10;
        let packages = packages(&package, features)?.saturating_sub(base_packages);
        writeln!(text, "| {name} | {packages} | {size} |")?;
        Ok(program)
    };
    for feature in &features {
        row(&format!("`{feature}`"), &[feature])?;
    }
    let all = row("all of them", &features)?;
    let (mut with, mut without) = (Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        without.program(Program::new(&none, scratch))?;
        with.program(Program::new(&all, scratch))?;
    }
    write!(
        text,
        "\nWithout a file to check, the program runs {:.2} ms with all languages and {:.2} ms with none (the fastest of {ROUNDS}).\n",
        with.fastest(),
        without.fastest(),
    )?;
    Ok(text)
}

/// Copies the package to where its lock file changes nothing.
fn copy(scratch: &Path) -> Result<PathBuf> {
    let root = ftl_testkit::root();
    let outside = root.join("crates/ftl-preflight/tests/outside");
    let copy = scratch.join("outside");
    fs::create_dir_all(copy.join("src"))?;
    fs::copy(outside.join("src/main.rs"), copy.join("src/main.rs"))?;
    fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock"))?;
    let manifest = fs::read_to_string(outside.join("Cargo.toml"))?;
    let library = root.join("crates/ftl-preflight").display().to_string();
    fs::write(copy.join("Cargo.toml"), manifest.replace("../..", &library))?;
    Ok(copy)
}

/// Cargo with features of the crate.
fn cargo(package: &Path, words: &[&str], features: &[&str]) -> Program {
    let features: Vec<_> = features.iter().map(|it| format!("ftl-preflight/{it}")).collect();
    Program::new("cargo", package)
        .without_cargo()
        .args(words)
        .args(["--quiet", "--no-default-features"])
        .args([format!("--features={}", features.join(","))])
}

/// How many packages a build needs.
fn packages(package: &Path, features: &[&str]) -> Result<usize> {
    let words = ["tree", "--edges=normal", "--prefix=none", "--no-dedupe"];
    let listed = cargo(package, &words, features).text()?;
    Ok(listed.lines().collect::<HashSet<_>>().len())
}

/// Builds the program with features of the crate, and keeps a copy.
fn build(package: &Path, features: &[&str], scratch: &Path) -> Result<PathBuf> {
    let target = target_directory()?.join("bench/outside");
    cargo(package, &["build", "--release"], features)
        .args(["--target-dir"])
        .args([&target])
        .env("CARGO_PROFILE_RELEASE_LTO", "thin")
        .run()?;
    let kept = scratch.join(format!("outside-{}", features.len()));
    fs::copy(target.join("release/outside"), &kept)?;
    Ok(kept)
}
