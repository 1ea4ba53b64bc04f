//! What every package holds: the program and what belongs beside it, staged in one directory.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

use crate::crates::Crate;
use crate::target::Target;
use crate::{licences, sbom};

/// Pages of this repository that go along.
const PAGES: [&str; 5] =
    ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "ftl.toml.example"];

/// Where a shell looks for a completion script, by the name of the file there.
pub(crate) const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "ftl"), ("zsh", "_ftl"), ("fish", "ftl.fish")];

/// A directory with `ftl`, `man/`, `completions/`, licences, pages and the bill of materials.
pub(crate) struct Payload {
    directory: PathBuf,
}

impl Payload {
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.directory.join("ftl")
    }

    pub(crate) fn sbom(&self) -> PathBuf {
        self.directory.join("sbom.cdx.json")
    }

    pub(crate) fn licences(&self) -> PathBuf {
        self.directory.join("THIRD-PARTY-LICENSES.txt")
    }

    /// The pages of the manual, in the first section.
    pub(crate) fn man(&self) -> PathBuf {
        self.directory.join("man/man1")
    }

    pub(crate) fn completions(&self) -> PathBuf {
        self.directory.join("completions")
    }

    pub(crate) fn completion(&self, shell: &str, file: &str) -> PathBuf {
        self.completions().join(shell).join(file)
    }
}

/// Puts all of it into `directory`.
///
/// # Errors
///
/// A file could not be written, or the program could not be asked for its pages.
pub(crate) fn stage(
    ftl: &Path,
    crates: &[Crate],
    target: &Target,
    directory: &Path,
) -> Result<Payload> {
    let payload = Payload { directory: directory.to_owned() };
    fs::create_dir_all(payload.man())?;
    fs::copy(ftl, payload.program())?;
    for page in PAGES {
        fs::copy(root().join(page), directory.join(page))?;
    }
    let ask = |words: &[&str]| Program::new(ftl, &root()).args(words).text();
    for (shell, file) in COMPLETIONS {
        let path = payload.completion(shell, file);
        fs::create_dir_all(path.parent().ok_or("a script has no directory")?)?;
        fs::write(path, ask(&["completions", shell])?)?;
    }
    for name in ask(&["man", "--list"])?.lines() {
        let words: Vec<&str> = name.split(' ').collect();
        let page = ask(&[&["man"], &words[1..]].concat())?;
        fs::write(payload.man().join(format!("{}.1", words.join("-"))), page)?;
    }
    fs::write(payload.licences(), licences::text(crates)?)?;
    fs::write(payload.sbom(), sbom::text(crates, target)?)?;
    Ok(payload)
}
