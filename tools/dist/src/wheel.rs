//! The Python wheel that installs the program, made by maturin as pyproject.toml says.

use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

use crate::payload::Payload;
use crate::program::Build;
use crate::target::Target;

/// Its form of a wheel is part of what is made.
const MATURIN: &str = "maturin==1.16.0";

/// Builds the wheel into `out`; `home` keeps maturin itself. Of the program as tests build it there is none: maturin
/// would build it again, with other features of its dependencies.
///
/// # Errors
///
/// Maturin could not be installed, or failed.
pub(crate) fn build(
    build: &Build,
    home: &Path,
    payload: &Payload,
    target: &Target,
    out: &Path,
) -> Result {
    if matches!(build, Build::Dev(_)) {
        println!("no wheel: it is made of a release build");
        return Ok(());
    }
    let maturin = maturin(home)?;
    let program = Program::new(maturin, &root()).without_cargo();
    let program = program.args(["build", "--profile", "dist", "--locked", "--quiet", "--out"]);
    let program = program.args([out]);
    let program = program.args([Path::new("--sbom-include"), &payload.sbom()]);
    let program = build.configured(program);
    program.env("SOURCE_DATE_EPOCH", &target.time).run()
}

fn maturin(home: &Path) -> Result<PathBuf> {
    let python = home.join("python");
    let maturin = python.join("bin/maturin");
    if !maturin.exists() {
        let venv = Program::new("python3", &root());
        venv.args(["-m", "venv"]).args([&python]).run()?;
        let pip = Program::new(python.join("bin/pip"), &root());
        pip.args(["install", "--quiet", "--disable-pip-version-check", MATURIN]).run()?;
    }
    Ok(maturin)
}
