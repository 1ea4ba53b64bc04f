//! The agents, installed from their packages below `target/agents`.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, fetched, root};

/// The agents that can be pointed at a local server without a login, the slowest first.
pub(crate) const NAMES: [&str; 7] =
    ["opencode", "qwen", "gemini", "aider", "codex", "claude", "copilot"];

/// The Node.js that the agents run on.
const NODE: &str = "24.9.0";

/// An agent that can be started.
pub(crate) struct Installed {
    pub(crate) name: String,
    pub(crate) version: &'static str,
    /// The search path that it is found on.
    pub(crate) path: OsString,
}

struct Source {
    package: &'static str,
    version: &'static str,
    /// A native program that the package's install script would link, and where to: no script is run here.
    native: Option<(&'static str, &'static str)>,
}

fn source(name: &str) -> Source {
    let of = |package, version| Source { package, version, native: None };
    match name {
        "claude" => Source {
            native: Some((
                "@anthropic-ai/claude-code-linux-ARCH/claude",
                "@anthropic-ai/claude-code/bin/claude.exe",
            )),
            ..of("@anthropic-ai/claude-code", "2.1.330")
        },
        "codex" => of("@openai/codex", "0.169.0"),
        "gemini" => of("@google/gemini-cli", "0.61.0"),
        "qwen" => of("@qwen-code/qwen-code", "0.24.4"),
        "opencode" => Source {
            native: Some(("opencode-linux-ARCH/bin/opencode", "opencode-ai/bin/opencode.exe")),
            ..of("opencode-ai", "1.18.33")
        },
        "copilot" => of("@github/copilot", "1.0.102"),
        _ => of("aider-chat", "0.86.2"),
    }
}

/// The directory of everything of these runs; `cargo clean` removes it.
pub(crate) fn directory() -> PathBuf {
    root().join("target/agents")
}

/// Takes the place for one run: two at once would share the agents' homes.
///
/// # Errors
///
/// Another run is under way.
pub(crate) fn alone() -> Result<File> {
    fs::create_dir_all(directory())?;
    let lock = File::create(directory().join(".lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            let at = directory();
            Err(format!("another run is under way in `{}`: wait until it has ended", at.display())
                .into())
        }
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// The program under test, copied: it stays the same while it is built again.
///
/// # Errors
///
/// It could not be copied.
pub(crate) fn program(ftl: &Path) -> Result<Build> {
    let at = directory().join("bin");
    if at.exists() {
        fs::remove_dir_all(&at)?;
    }
    fs::create_dir_all(&at)?;
    let program = at.join("ftl");
    fs::copy(ftl, &program)?;
    let digest =
        Program::git(&root()).args(["hash-object".as_ref(), program.as_os_str()]).text()?;
    let version = Program::new(&program, &at).args(["--version"]).text()?;
    Ok(Build { program, digest: digest.trim().to_owned(), version: version.trim().to_owned() })
}

/// A program under test.
pub(crate) struct Build {
    pub(crate) program: PathBuf,
    /// Git's digest of its bytes.
    pub(crate) digest: String,
    /// As it prints it.
    pub(crate) version: String,
}

/// A directory for a search path with nothing in it but `ftl`.
///
/// # Errors
///
/// It could not be made.
pub(crate) fn ftl_beside(work: &Path, ftl: &Path) -> Result<PathBuf> {
    let at = work.join("bin");
    fs::create_dir_all(&at)?;
    symlink(ftl, at.join("ftl"))?;
    Ok(at)
}

/// The directory with `pytest`, installed unless it is there.
///
/// # Errors
///
/// It could not be had.
pub(crate) fn pytest() -> Result<PathBuf> {
    python(&directory().join("pytest"), "pytest==8.3.4")
}

/// An agent by its name, installed unless it is there. Where only those that are there are wanted, nothing is.
///
/// # Errors
///
/// Its package could not be had, in the registry's own words, or it does not start.
pub(crate) fn agent(name: &str, only_present: bool) -> Result<Installed> {
    let at = directory().join(name);
    if only_present && !at.join(".fetched").exists() {
        return Err("is not installed".into());
    }
    fs::create_dir_all(directory())?;
    let source = source(name);
    let bin = match name {
        "aider" => python(&at, &format!("{}=={}", source.package, source.version))?,
        _ => node(&at, &source)?,
    };
    let path = search_path(bin)?;
    let home = directory().join("probe");
    fs::create_dir_all(&home)?;
    let said = Program::new("timeout", &home)
        .args(["60", name, "--version"])
        .without_env()
        .env("PATH", &path)
        .env("HOME", &home)
        .output()?;
    fs::remove_dir_all(&home)?;
    if !said.status.success() {
        let words = String::from_utf8_lossy(&said.stderr).into_owned();
        let last = words.lines().last().unwrap_or("it does not start");
        return Err(last.to_owned().into());
    }
    let printed = String::from_utf8_lossy(&said.stdout);
    if !printed.contains(source.version) {
        return Err(format!("is {}, not {}", printed.trim(), source.version).into());
    }
    Ok(Installed { name: name.to_owned(), version: source.version, path })
}

/// A search path of this directory, Node.js and the system.
///
/// # Errors
///
/// Node.js could not be had.
pub(crate) fn search_path(bin: PathBuf) -> Result<OsString> {
    let system: OsString = "/usr/local/bin:/usr/bin:/bin".into();
    let mut dirs = vec![bin, node_dir()?];
    dirs.extend(std::env::split_paths(&system));
    Ok(std::env::join_paths(dirs)?)
}

fn arch() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "arm64",
        _ => "x64",
    }
}

/// The directory with `node`.
fn node_dir() -> Result<PathBuf> {
    let package = format!("node-linux-{}", arch());
    let at = directory().join("node");
    fetched::npm(&at, &[&format!("{package}@{NODE}")])?;
    Ok(at.join("node_modules").join(package).join("bin"))
}

fn node(at: &Path, source: &Source) -> Result<PathBuf> {
    fetched::npm(at, &[&format!("{}@{}", source.package, source.version)])?;
    let modules = at.join("node_modules");
    if let Some((from, to)) = source.native {
        let (from, to) = (modules.join(from.replace("ARCH", arch())), modules.join(to));
        if from.metadata()?.len() != to.metadata()?.len() {
            fs::remove_file(&to)?;
            fs::hard_link(from, to)?;
        }
    }
    Ok(modules.join(".bin"))
}

fn python(at: &Path, wanted: &str) -> Result<PathBuf> {
    let at = fetched::keep(at, wanted, |directory| {
        Program::new("python3", directory).args(["-m", "venv", "."]).run()?;
        Program::new(directory.join("bin/pip"), directory)
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .args(["--no-compile", wanted])
            .run()
    })?;
    Ok(at.join("bin"))
}
