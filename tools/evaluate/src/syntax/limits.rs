//! Known wrong verdicts, with an example of each: the files of the preflight crate's `tests/limits`.
//!
//! That our verdicts on them are still wrong is tested there; here the front ends are asked.

use std::fs;
use std::path::PathBuf;

use ftl_testkit::Result;

use super::engines::Engines;
use super::languages::MeasuredLanguage;
use super::verdict::{Status, Verdict};
use crate::files;

/// A file that we judge otherwise than the front end does.
pub(crate) struct Limit {
    /// The file's name, as words.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) we_accept: bool,
    pub(crate) theirs: Verdict,
}

impl Limit {
    /// Whether the front end judges as we do, so that there is no limit.
    pub(crate) fn is_none(&self) -> bool {
        (self.theirs.status == Status::Valid) == self.we_accept
    }
}

/// The limits of a language.
///
/// # Errors
///
/// The front end failed, or a file could not be read.
pub(crate) fn of(language: &MeasuredLanguage, engines: &Engines<'_>) -> Result<Vec<Limit>> {
    let root = ftl_testkit::root()
        .join("crates/ftl-preflight/tests/limits")
        .join(language.language.name());
    let mut limits = Vec::new();
    for (folder, we_accept) in [("accepted", true), ("refused", false)] {
        let folder = root.join(folder);
        if !folder.exists() {
            continue;
        }
        let paths: Vec<PathBuf> = files::below(&folder, language.language.extensions())?;
        let verdicts = engines.judge(language.engines[0], &paths)?;
        for (path, theirs) in paths.iter().zip(verdicts) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            limits.push(Limit {
                name: stem.replace('_', " "),
                text: String::from_utf8_lossy(&fs::read(path)?).into_owned(),
                we_accept,
                theirs,
            });
        }
    }
    Ok(limits)
}
