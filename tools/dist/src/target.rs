//! What is made, and for which machines: version, time, and the names of the platform.

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

/// A version for a platform.
pub(crate) struct Target {
    /// Of the workspace.
    pub(crate) version: String,
    /// Of the commit, in seconds since 1970: the only time that goes into a package.
    pub(crate) time: String,
    /// What rustc calls it.
    pub(crate) triple: String,
    /// What Debian calls the processor; none on other systems than Linux.
    pub(crate) debian: Option<&'static str>,
    /// Whether the program is the one that tests build.
    pub(crate) is_dev: bool,
    /// What Node calls system and processor.
    pub(crate) node: (&'static str, &'static str),
}

impl Target {
    /// The one that this machine builds for.
    ///
    /// # Errors
    ///
    /// No other name of it is known, or git or rustc could not be asked.
    pub(crate) fn of_this_machine(is_dev: bool) -> Result<Self> {
        let said = Program::new("rustc", &root()).args(["-vV"]).text()?;
        let host = said.lines().find_map(|line| line.strip_prefix("host: "));
        let triple = host.ok_or("rustc names no host")?.to_owned();
        let (debian, node) = match triple.as_str() {
            "x86_64-unknown-linux-gnu" => (Some("amd64"), ("linux", "x64")),
            "aarch64-unknown-linux-gnu" => (Some("arm64"), ("linux", "arm64")),
            "aarch64-apple-darwin" => (None, ("darwin", "arm64")),
            "x86_64-apple-darwin" => (None, ("darwin", "x64")),
            other => return Err(format!("no package is made for `{other}`").into()),
        };
        Ok(Self { version: version()?, time: time()?, triple, debian, is_dev, node })
    }
}

/// The version that all of our published packages share.
///
/// # Errors
///
/// The manifest names none.
pub(crate) fn version() -> Result<String> {
    named("version")
}

/// The address of this repository; empty until there is one.
///
/// # Errors
///
/// The manifest has no such key.
pub(crate) fn repository() -> Result<String> {
    named("repository")
}

/// A key that all of our published packages take from the workspace.
fn named(key: &str) -> Result<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let start = format!("{key} = \"");
    let value = manifest.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix('"'));
    Ok(value.ok_or_else(|| format!("Cargo.toml has no `{key}`"))?.to_owned())
}

fn time() -> Result<String> {
    let git = Program::git(&root());
    let said = git.args(["log", "-1", "--format=%ct"]).text()?;
    Ok(said.trim().to_owned())
}
