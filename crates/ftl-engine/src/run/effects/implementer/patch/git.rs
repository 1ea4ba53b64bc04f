//! How git is run on a workbench: with a separate, empty repository and without the user's
//! configuration. Without a repository it would not heed attributes, which say how lines end; without
//! configuration no attribute can name a program.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use ftl_process::{Capture, Command, Environment};
use ftl_tree::{TreeError, Workbench};

use super::ASIDE;

/// Git needs far less for any patch that a person would read.
const LIMIT: Duration = Duration::from_secs(600);

/// Makes the repository. Its hash must be the one that the patch names objects by, or git refuses binary
/// files.
pub(super) fn prepare(bench: &Workbench, sha256: bool) -> Result<(), TreeError> {
    let format = if sha256 {
        "repositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n"
    } else {
        "repositoryformatversion = 0\n"
    };
    for (name, text) in [
        ("HEAD", "ref: refs/heads/none\n"),
        ("config", &format!("[core]\nbare = false\n{format}")),
        ("objects/info/none", ""),
        ("refs/heads/.none", ""),
    ] {
        bench.add(&format!("{ASIDE}/{name}"), text.as_bytes())?;
    }
    Ok(())
}

/// `git apply` on the workbench, its output in a separate file.
pub(super) fn apply(bench: &Path, words: &[&str], patch: &Path, out: &Path) -> Command {
    let mut args: Vec<OsString> = Vec::new();
    for setting in [
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "core.attributesFile=/dev/null",
        "core.autocrlf=false",
    ] {
        args.extend(["-c".into(), setting.into()]);
    }
    args.push("apply".into());
    args.extend(words.iter().map(OsString::from));
    args.extend(["--whitespace=nowarn".into(), "--".into(), patch.into()]);
    Command::new("git", args)
        .dir(bench)
        .env(environment(bench))
        .time_limit(Some(LIMIT))
        .capture(Capture::bounded(0, 0).spill(out))
        .separate_stderr(Capture::default())
}

fn environment(bench: &Path) -> Environment {
    let names = std::env::vars_os().map(|(name, _)| name);
    let foreign = names.filter(|name| name.as_bytes().starts_with(b"GIT_"));
    foreign
        .fold(Environment::inherit(), Environment::remove)
        .set("GIT_DIR", bench.join(ASIDE))
        .set("GIT_WORK_TREE", bench)
        .set("GIT_CONFIG_GLOBAL", "/dev/null")
        .set("GIT_CONFIG_NOSYSTEM", "1")
        .set("GIT_ATTR_NOSYSTEM", "1")
        .set("LC_ALL", "C")
}
