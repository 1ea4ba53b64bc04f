//! Whether two builds gave the same bytes, and whether what they gave works where it is installed.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use crate::NAME;
use crate::archive::files_below;
use crate::target;

/// What an installed program may find beside itself: the system's own commands.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Of the manual, below `share`.
const MANUAL: [&str; 2] = ["man/man1/ftl-build.1", "bash-completion/completions/ftl"];

/// Installs a package of the first directory into the second, and returns the program's path.
type Install = fn(&Path, &Path) -> Result<PathBuf>;

/// Compares the files of two directories.
///
/// # Errors
///
/// One differs, or there are others.
pub(crate) fn are_equal(first: &Path, second: &Path) -> Result {
    let names = files_below(first)?;
    if files_below(second)? != names {
        return Err("the second build made other files".into());
    }
    for name in &names {
        if fs::read(first.join(name))? != fs::read(second.join(name))? {
            return Err(format!("two builds gave two different {}", name.display()).into());
        }
        println!("twice the same: {}", name.display());
    }
    Ok(())
}

/// Installs each package of `out` into an empty place and has it do its main job there.
///
/// # Errors
///
/// One could not be installed, or does not work.
pub(crate) fn work_where_installed(out: &Path, has_wheel: bool) -> Result {
    let sums =
        Program::new("sha256sum", out).args(["--check", "--quiet", "--strict", "SHA256SUMS"]);
    sums.run()?;
    let ways: [(&str, Install); 5] = [
        ("tarball", unpacked),
        ("script", by_script),
        ("Debian package", by_dpkg),
        ("wheel", by_pip),
        ("npm packages", by_npm),
    ];
    for (name, install) in ways {
        if name == "wheel" && !has_wheel {
            continue;
        }
        let place = Scratch::new("installed")?;
        let ftl = install(out, place.path())?;
        does_its_job(&ftl).map_err(|error| format!("{name}: {error}"))?;
        println!("works where it is installed: {name}");
    }
    Ok(())
}

/// The only file of `out` whose name ends so.
fn file(out: &Path, start: &str, end: &str) -> Result<PathBuf> {
    let names = files_below(out)?;
    let fits = |name: &&PathBuf| {
        let name = name.to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    };
    let found: Vec<_> = names.iter().filter(fits).collect();
    match found[..] {
        [name] => Ok(out.join(name)),
        _ => Err(format!("{} files are called {start}…{end}", found.len()).into()),
    }
}

/// Whether all of these are there.
fn holds(place: &Path, names: &[&str]) -> Result {
    let missing = names.iter().find(|name| !place.join(name).is_file());
    match missing {
        Some(name) => Err(format!("`{name}` was not installed").into()),
        None => Ok(()),
    }
}

fn unpacked(out: &Path, place: &Path) -> Result<PathBuf> {
    let tarball = file(out, NAME, "gnu.tar.gz").or_else(|_| file(out, NAME, "darwin.tar.gz"))?;
    Program::new("tar", place).args(["-xzf"]).args([tarball]).run()?;
    let top = files_below(place)?;
    let [top] = &top[..] else {
        return Err("the tarball holds more than one directory".into());
    };
    let top = place.join(top);
    holds(
        &top,
        &[
            "man/man1/ftl-build.1",
            "completions/zsh/_ftl",
            "LICENSE-MIT",
            "THIRD-PARTY-LICENSES.txt",
            "sbom.cdx.json",
        ],
    )?;
    Ok(top.join("ftl"))
}

/// By the script for everybody else, which checks digests.
fn by_script(out: &Path, place: &Path) -> Result<PathBuf> {
    let script = Program::new("sh", place).args([out.join("install.sh")]);
    script.env("FTL_RELEASE", out).env("PREFIX", place).text()?;
    holds(&place.join("share"), &MANUAL)?;
    Ok(place.join("bin/ftl"))
}

fn by_dpkg(out: &Path, place: &Path) -> Result<PathBuf> {
    for directory in ["updates", "info", "triggers"] {
        fs::create_dir_all(place.join("var/lib/dpkg").join(directory))?;
    }
    fs::write(place.join("var/lib/dpkg/status"), "")?;
    let mut root = std::ffi::OsString::from("--root=");
    root.push(place);
    let dpkg = Program::new("dpkg", place).args([root]);
    dpkg.args(["--force-not-root,depends", "--install"])
        .args([file(out, NAME, ".deb")?])
        .env("PATH", "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin")
        .text()?;
    holds(
        place,
        &[
            "usr/share/man/man1/ftl.1.gz",
            "usr/share/bash-completion/completions/ftl",
            "usr/share/doc/ftl-task/copyright",
        ],
    )?;
    Ok(place.join("usr/bin/ftl"))
}

fn by_pip(out: &Path, place: &Path) -> Result<PathBuf> {
    let environment = place.join("environment");
    let venv = Program::new("python3", place).args(["-m", "venv"]);
    venv.args([&environment]).run()?;
    let pip = Program::new(environment.join("bin/pip"), place);
    pip.args(["install", "--quiet", "--no-index", "--disable-pip-version-check"])
        .args([file(out, "ftl_task", ".whl")?])
        .run()?;
    holds(&environment.join("share"), &MANUAL)?;
    Ok(environment.join("bin/ftl"))
}

fn by_npm(out: &Path, place: &Path) -> Result<PathBuf> {
    let platform =
        file(out, "ftl-task-linux", ".tgz").or_else(|_| file(out, "ftl-task-darwin", ".tgz"))?;
    let launcher = file(out, &format!("{NAME}-{}", target::version()?), ".tgz")?;
    // The other platforms' packages are in no registry that is asked here.
    let npm = Program::new("npm", place).args(["install", "--silent", "--offline", "--no-audit"]);
    npm.args(["--no-fund", "--prefix", "."]).args([platform, launcher]).run()?;
    let launcher = place.join("node_modules").join(NAME);
    holds(&launcher, &["man/ftl-build.1", "completions/bash/ftl"])?;
    Ok(place.join("node_modules/.bin/ftl"))
}

/// A task to complete and another to blocked, in a fresh project.
fn does_its_job(ftl: &Path) -> Result {
    let project = Scratch::new("project")?;
    let home = Scratch::new("home")?;
    let run = |program: &Path, words: &[&str]| {
        let program = Program::new(program, project.path()).without_cargo().args(words);
        program.env("PATH", PATH).env("HOME", home.path()).output()
    };
    let ends = |words: &[&str], code: i32| -> Result {
        let said = run(ftl, words)?;
        if said.status.code() == Some(code) {
            return Ok(());
        }
        let error = String::from_utf8_lossy(&said.stderr).into_owned();
        Err(format!("`ftl {}` ended with {}: {error}", words.join(" "), said.status).into())
    };
    let version = String::from_utf8(run(ftl, &["--version"])?.stdout)?;
    if version.trim() != format!("ftl {}", target::version()?) {
        return Err(format!("it says that it is `{}`", version.trim()).into());
    }
    run(Path::new("git"), &["init", "--quiet"])?;
    fs::write(project.path().join("hello.txt"), "hello\n")?;
    fs::write(project.path().join("wanted.txt"), "hello world\n")?;
    let task = |objective, verify| ["new", objective, "--delta", "hello.txt", "--verify", verify];
    ends(&task("Greet the world", "grep -q world hello.txt"), 0)?;
    ends(&["build", "1", "--agent", "cp wanted.txt hello.txt"], 0)?;
    ends(&task("Say goodbye", "grep -q goodbye hello.txt"), 0)?;
    ends(&["build", "2", "--tree"], 3)?;
    let records = project.path().join(".ftl/workspace");
    holds(&records, &["001_greet-the-world_complete.xml", "002_say-goodbye_blocked.xml"])
}
