//! Source packages of Debian, by apt.
//!
//! What is done with their archives is the cache's business.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// apt with the machine's own sources turned to source packages, and private lists.
pub(crate) struct Apt {
    configuration: PathBuf,
}

impl Apt {
    pub(crate) fn with_sources(home: &Path) -> Result<Self> {
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
        Program::new("apt-get", &home).env("APT_CONFIG", &fresh).args(["update", "-qq"]).run()?;
        fs::rename(fresh, &apt.configuration)?;
        Ok(apt)
    }

    /// Downloads the file of a source package whose name ends as `archive` does: of the newest
    /// version that the mirror still has.
    pub(crate) fn download(
        &self,
        source: &str,
        archive: &str,
        directory: &Path,
    ) -> Result<PathBuf> {
        let shown = self
            .program("apt-cache", directory)
            .args(["showsrc", "--only-source", source])
            .text()?;
        let versions = shown.lines().filter_map(|line| line.strip_prefix("Version: "));
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
    name.ends_with(archive).then(|| (address.trim_matches('\''), name, sum))
}
