//! The Python wheel that installs the program, made by maturin as pyproject.toml says.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::scratch::{Scratch, copy};
use ftl_testkit::{Result, root};

use crate::archive::files_below;
use crate::payload::{COMPLETIONS, Payload};
use crate::program::Build;
use crate::target::Target;

/// Their form of a wheel is part of what is made.
const TOOLS: [&str; 2] = ["maturin==1.16.0", "wheel==0.48.0"];
/// Where an environment has completion scripts, in the order of `payload::COMPLETIONS`.
const SHELLS: [&str; 3] =
    ["bash-completion/completions", "zsh/site-functions", "fish/vendor_completions.d"];

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
    let tools = tools(home)?;
    let made = Scratch::new("wheel")?;
    let program = Program::new(tools.join("maturin"), &root()).without_cargo();
    let program = program.args(["build", "--profile", "dist", "--locked", "--quiet", "--out"]);
    let program = program.args([made.path()]);
    let program = program.args([Path::new("--sbom-include"), &payload.sbom()]);
    let program = build.configured(program);
    program.env("SOURCE_DATE_EPOCH", &target.time).run()?;
    add_manual(&tools.join("wheel"), made.path(), payload, target, out)
}

/// Packs the wheel of a directory again, with man pages and completions, which maturin only takes from the sources.
fn add_manual(wheel: &Path, made: &Path, payload: &Payload, target: &Target, out: &Path) -> Result {
    let run = |words: [&str; 2], last: &Path| {
        let program = Program::new(wheel, made).args(words).args([last]);
        program.env("SOURCE_DATE_EPOCH", &target.time).text().map(drop)
    };
    let [file] = &files_below(made)?[..] else {
        return Err("maturin made other files than a wheel".into());
    };
    run(["unpack", "--dest=tree"], file)?;
    let name = format!("ftl_task-{}", target.version);
    let share = made.join("tree").join(&name).join(format!("{name}.data/data/share"));
    copy(&payload.man(), &share.join("man/man1"))?;
    for ((shell, file), directory) in COMPLETIONS.iter().zip(SHELLS) {
        fs::create_dir_all(share.join(directory))?;
        fs::copy(payload.completion(shell, file), share.join(directory).join(file))?;
    }
    run(["pack", &format!("--dest-dir={}", out.display())], &made.join("tree").join(name))
}

/// The directory of maturin and what packs its wheels again.
fn tools(home: &Path) -> Result<PathBuf> {
    let python = home.join("python");
    if !python.join("bin/wheel").exists() {
        let venv = Program::new("python3", &root());
        venv.args(["-m", "venv"]).args([&python]).run()?;
        let pip = Program::new(python.join("bin/pip"), &root());
        pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(TOOLS).run()?;
    }
    Ok(python.join("bin"))
}
