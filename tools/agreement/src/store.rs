//! What is fetched once and kept below `target/agreement`.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// The kept directory; a clean build directory is fetched anew.
pub(crate) struct Store {
    home: PathBuf,
}

/// In a fetched directory, what it was fetched from.
const STAMP: &str = ".fetched";

impl Store {
    /// Opens the directory.
    ///
    /// # Errors
    ///
    /// It could not be made.
    pub(crate) fn open() -> Result<Self> {
        let home = ftl_testkit::root().join("target/agreement");
        fs::create_dir_all(&home)?;
        Ok(Self { home })
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// A directory that `fetch` fills, unless it holds what `stamp` says already.
    ///
    /// # Errors
    ///
    /// Fetching failed; what came of it is removed the next time.
    pub(crate) fn keep(
        &self,
        name: &str,
        stamp: &str,
        fetch: impl FnOnce(&Path) -> Result,
    ) -> Result<PathBuf> {
        let directory = self.home.join(name);
        let mark = directory.join(STAMP);
        if fs::read_to_string(&mark).is_ok_and(|kept| kept == stamp) {
            return Ok(directory);
        }
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir_all(&directory)?;
        println!("fetching {name}");
        fetch(&directory)?;
        fs::write(mark, stamp)?;
        Ok(directory)
    }

    /// Packages of npm; none of their scripts is run.
    ///
    /// # Errors
    ///
    /// npm is missing or failed.
    pub(crate) fn npm(&self, name: &str, packages: &[&str]) -> Result<PathBuf> {
        self.keep(name, &packages.join(" "), |directory| {
            fs::write(directory.join("package.json"), "{\"private\": true}\n")?;
            Program::new("npm", directory)
                .args(["install", "--silent", "--no-audit", "--no-fund"])
                .args(["--ignore-scripts", "--legacy-peer-deps"])
                .args(packages)
                .run()
        })
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

    /// Crates and all that they depend on. A crate is a name, `=` and a requirement.
    ///
    /// # Errors
    ///
    /// cargo failed.
    pub(crate) fn crates(&self, name: &str, crates: &[(&str, &str)]) -> Result<PathBuf> {
        let wanted: String = crates
            .iter()
            .map(|(name, version)| format!("{name} = \"{version}\"\n"))
            .collect();
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
            let apt = Apt::with_sources(&self.home)?;
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

/// apt with the machine's own sources turned to source packages, and lists of its own.
struct Apt {
    configuration: PathBuf,
}

impl Apt {
    fn with_sources(home: &Path) -> Result<Self> {
        let home = home.join("apt");
        let configuration = home.join("apt.conf");
        let apt = Self { configuration };
        if apt.configuration.exists() {
            return Ok(apt);
        }
        for directory in ["parts", "lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(home.join(directory))?;
        }
        let mut found = 0;
        for entry in fs::read_dir("/etc/apt/sources.list.d")? {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == "sources") {
                let text = fs::read_to_string(&path)?;
                let name = path.file_name().unwrap_or_default();
                let text = text.replace("Types: deb\n", "Types: deb-src\n");
                fs::write(home.join("parts").join(name), text)?;
                found += 1;
            }
        }
        if found == 0 {
            return Err("apt has no sources to take source packages from".into());
        }
        let at = home.display();
        let text = format!(
            "Dir::Etc::sourcelist \"/dev/null\";\nDir::Etc::sourceparts \"{at}/parts\";\n\
             Dir::State::lists \"{at}/lists\";\nDir::Cache \"{at}/cache\";\nAPT::Sandbox::User \"root\";\n"
        );
        let fresh = home.join("fresh.conf");
        fs::write(&fresh, text)?;
        Program::new("apt-get", &home)
            .env("APT_CONFIG", &fresh)
            .args(["update", "-qq"])
            .run()?;
        fs::rename(fresh, &apt.configuration)?;
        Ok(apt)
    }

    /// Downloads the file of a source package whose name ends as `archive` does: of the newest
    /// version that the mirror still has.
    fn download(&self, source: &str, archive: &str, directory: &Path) -> Result<PathBuf> {
        let shown = self
            .program("apt-cache", directory)
            .args(["showsrc", "--only-source", source])
            .text()?;
        let versions = shown
            .lines()
            .filter_map(|line| line.strip_prefix("Version: "));
        let mut versions: Vec<&str> = versions.collect();
        versions.sort_unstable();
        for version in versions.iter().rev() {
            let wanted = format!("{source}={version}");
            let listed = self
                .program("apt-get", directory)
                .args(["source", "--print-uris", "--only-source", "-qq", &wanted])
                .text()?;
            let Some((address, name, sum)) = listed.lines().find_map(|it| archived(it, archive))
            else {
                continue;
            };
            let target = directory.join(name);
            let is_here = self
                .program("/usr/lib/apt/apt-helper", directory)
                .args(["-qq", "download-file", address])
                .args([&target])
                .args([sum])
                .succeeds();
            if is_here {
                return Ok(target);
            }
        }
        Err(format!("no `{archive}` of `{source}` can be had").into())
    }

    fn program(&self, name: &str, directory: &Path) -> Program {
        Program::new(name, directory).env("APT_CONFIG", &self.configuration)
    }
}

/// Address, name and digest in a line of apt's, if the name ends as `archive` does.
fn archived<'a>(line: &'a str, archive: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [address, name, _, sum] = words[..] else {
        return None;
    };
    name.ends_with(archive)
        .then(|| (address.trim_matches('\''), name, sum))
}
