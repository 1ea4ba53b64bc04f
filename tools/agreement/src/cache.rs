//! What is fetched once and kept below `target/agreement`.
//!
//! Which packages are fetched, the tables of `origins` and `engines` say.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, fetched};

use crate::apt::Apt;

/// The directory of what was fetched; `cargo clean` removes it.
pub(crate) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// Opens the directory.
    ///
    /// # Errors
    ///
    /// It could not be made.
    pub(crate) fn open() -> Result<Self> {
        let directory = ftl_testkit::root().join("target/agreement");
        fs::create_dir_all(&directory)?;
        Ok(Self { directory })
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// A directory that `fetch` fills, unless it holds what `stamp` says already.
    ///
    /// # Errors
    ///
    /// Fetching failed; the incomplete files are removed the next time.
    pub(crate) fn keep(
        &self,
        name: &str,
        stamp: &str,
        fetch: impl FnOnce(&Path) -> Result,
    ) -> Result<PathBuf> {
        fetched::keep(&self.directory.join(name), stamp, fetch)
    }

    /// Packages of npm; none of their scripts is run.
    ///
    /// # Errors
    ///
    /// npm is missing or failed.
    pub(crate) fn npm(&self, name: &str, packages: &[&str]) -> Result<PathBuf> {
        fetched::npm(&self.directory.join(name), packages)
    }

    /// Packages of PyPI, unpacked and not compiled.
    ///
    /// # Errors
    ///
    /// pip is missing or failed.
    pub(crate) fn pip(&self, name: &str, packages: &[&str]) -> Result<PathBuf> {
        self.keep(name, &packages.join(" "), |directory| {
            Program::new("python3", directory)
                .args(["-m", "pip", "install", "--quiet", "--no-compile"])
                .args(["--disable-pip-version-check", "--no-warn-conflicts"])
                .args(["--root-user-action", "ignore", "--target", "."])
                .args(packages)
                .run()
        })
    }

    /// The programs of a virtual environment of Python with a package of PyPI.
    ///
    /// # Errors
    ///
    /// python3 is missing, or pip failed.
    pub(crate) fn virtual_environment(&self, package: &str) -> Result<PathBuf> {
        let home = self.keep(&format!("venv-{package}"), package, |directory| {
            Program::new("python3", directory).args(["-m", "venv", "."]).run()?;
            Program::new(directory.join("bin/pip"), directory)
                .args(["install", "--quiet", "--disable-pip-version-check", package])
                .run()
        })?;
        Ok(home.join("bin"))
    }

    /// Crates and all that they depend on. A crate is a name, `=` and a requirement.
    ///
    /// # Errors
    ///
    /// cargo failed.
    pub(crate) fn crates(&self, name: &str, crates: &[(&str, &str)]) -> Result<PathBuf> {
        let wanted: String =
            crates.iter().map(|(name, version)| format!("{name} = \"{version}\"\n")).collect();
        self.keep(name, &wanted, |directory| {
            let manifest = format!(
                "[workspace]\n\n[package]\nname = \"corpora\"\nedition = \"2024\"\n\n[dependencies]\n{wanted}"
            );
            fs::write(directory.join("Cargo.toml"), manifest)?;
            fs::create_dir(directory.join("src"))?;
            fs::write(directory.join("src/lib.rs"), "")?;
            Program::new("cargo", directory)
                .without_cargo()
                .args(["vendor", "--quiet", "vendor"])
                .text()
                .map(drop)
        })
    }

    /// The parts of a Debian source package's upstream archive that match patterns of tar.
    ///
    /// # Errors
    ///
    /// The machine has no apt, or apt does not find the package.
    pub(crate) fn debian(&self, source: &str, archive: &str, parts: &[&str]) -> Result<PathBuf> {
        let name = format!("debian-{source}");
        let stamp = format!("{source} {archive} {}", parts.join(" "));
        self.keep(&name, &stamp, |directory| {
            let apt = Apt::with_sources(&self.directory)?;
            let file = apt.download(source, archive, directory)?;
            Program::new("tar", directory)
                .args(["--extract", "--no-same-owner", "--strip-components=1"])
                .args(["--wildcards", "--file"])
                .args([&file])
                .args(parts)
                .run()?;
            Ok(fs::remove_file(file)?)
        })
    }
}
