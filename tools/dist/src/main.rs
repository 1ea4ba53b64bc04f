//! `cargo xtask dist` and `cargo xtask release`: what people install, and the commit that it is made from.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod archive;
mod check;
mod crates;
mod debian;
mod licences;
mod node;
mod payload;
mod program;
mod release;
mod sbom;
mod target;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ftl_testkit::{Result, root};

use crate::program::Build;
use crate::target::Target;

const HELP: &str = "\
usage: cargo xtask dist [--check] [--dev]     make what people install, in target/dist/out; with --check, make it twice,
                                              compare the bytes, and try each in an empty place; with --dev, of the
                                              program as tests build it
       cargo xtask release VERSION [--dry-run]
                                              set the version, date the changelog, commit and tag; or only show it";

/// The name in the registries of crates, Python, npm and Debian. `ftl` belongs to others there.
const NAME: &str = "ftl-task";

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Makes what people install, or a release.
///
/// # Errors
///
/// Something could not be built, differs between two builds, or does not work where it is installed.
fn run(words: &[&str]) -> Result {
    match words {
        ["dist", words @ ..] => dist(words)?,
        ["release", version] => release::run(version, false)?,
        ["release", version, "--dry-run"] => release::run(version, true)?,
        _ => return Err(HELP.into()),
    }
    Ok(())
}

fn dist(words: &[&str]) -> Result {
    let known = ["--check", "--dev"];
    if words.iter().any(|word| !known.contains(word)) {
        return Err(HELP.into());
    }
    let is_dev = words.contains(&"--dev");
    let first = make("out", is_dev)?;
    if words.contains(&"--check") {
        check::are_equal(&first, &make("again", is_dev)?)?;
        check::work_where_installed(&first, !is_dev)?;
    }
    println!("{}", first.display());
    Ok(())
}

/// All packages, in a directory of this name below target/dist. What stood there is removed.
fn make(name: &str, is_dev: bool) -> Result<PathBuf> {
    let home = ftl_testkit::build::target_directory()?.join("dist");
    let (out, stage) = (home.join(name), home.join(format!("{name}.stage")));
    for directory in [&out, &stage] {
        if directory.exists() {
            fs::remove_dir_all(directory)?;
        }
        fs::create_dir_all(directory)?;
    }
    let target = Target::of_this_machine(is_dev)?;
    let build = match is_dev {
        true => Build::Dev(home.join("dev")),
        false => Build::Release(home.join(format!("{name}.build"))),
    };
    let ftl = build.run()?;
    let crates = crates::of_the_program()?;
    let payload = payload::stage(&ftl, &crates, &target, &stage.join("payload"))?;
    archive::tarball(&payload, &target, &out)?;
    if let Some(architecture) = target.debian {
        debian::package(&payload, &target, architecture, &stage.join("debian"), &out)?;
    }
    wheel::build(&build, &home, &payload, &target, &out)?;
    node::packages(&payload, &target, &stage.join("npm"), &out)?;
    fs::copy(payload.sbom(), out.join(format!("{NAME}-{}.cdx.json", target.version)))?;
    installer(&target.version, &out)?;
    archive::checksums(&out)?;
    Ok(out)
}

/// The script that installs the tarball of this version, from the release that it is part of.
fn installer(version: &str, out: &Path) -> Result {
    let release = match target::repository()? {
        // Without an address, the directory that it is started in.
        none if none.is_empty() => ".".to_owned(),
        repository => format!("{repository}/releases/download/v{version}"),
    };
    let script = fs::read_to_string(own("install.sh"))?;
    let script = script.replace("@RELEASE@", &release).replace("@VERSION@", version);
    Ok(fs::write(out.join("install.sh"), script)?)
}

/// A file of this package.
fn own(path: &str) -> PathBuf {
    root().join("tools/dist").join(path)
}
