//! Labelled outputs: what a tool printed, and what a reader would quote of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A corpus, as its `outputs.json` holds it.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Corpus {
    /// The outputs, by name.
    pub(crate) outputs: BTreeMap<String, Output>,
    /// What planners might have written of errors.
    #[serde(default)]
    pub(crate) triggers: Vec<Trigger>,
    /// An output, the place of a trigger, and whether the trigger describes the output's error.
    #[serde(default)]
    pub(crate) pairs: Vec<(String, usize, bool)>,
    /// What could not be made, and why.
    #[serde(default)]
    pub(crate) skipped: Vec<String>,
}

/// The output of one command.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Output {
    pub(crate) runner: String,
    pub(crate) cmd: String,
    pub(crate) exit: i32,
    /// What was wrong with the project; one fault shows in several outputs.
    #[serde(default)]
    pub(crate) fault: Option<String>,
    /// Whether the same command would plausibly pass when run again.
    #[serde(default)]
    pub(crate) transient: Option<Transient>,
    /// The lines that a reader would quote, the best first. None where no reader looked for
    /// them, or no line reports an error.
    #[serde(default)]
    pub(crate) lines: Option<Vec<String>>,
    /// Whether no rule was written for its runner.
    #[serde(default)]
    pub(crate) held_out: bool,
    pub(crate) text: String,
}

/// Whether an error may vanish.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub(crate) enum Transient {
    /// It may, or it may not.
    Known(bool),
    /// Honest readers differ: `either`.
    Unclear(String),
}

/// A description of an error that was written down to recognise it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Trigger {
    /// `error text`, `loose error text`, `prose` or `regex`.
    pub(crate) style: String,
    pub(crate) text: String,
}

impl Corpus {
    /// Reads `outputs.json`, or `outputs.json.gz` by way of gzip, in `directory`.
    ///
    /// # Errors
    ///
    /// Neither is there, or it holds something else.
    pub(crate) fn read(directory: &Path) -> Result<Self> {
        read_zipped(directory, "outputs.json")
    }
}

/// Reads `NAME`, or `NAME.gz` by way of gzip, in `directory`.
///
/// # Errors
///
/// Neither is there, or it holds something else.
pub(crate) fn read_zipped<T: DeserializeOwned>(directory: &Path, name: &str) -> Result<T> {
    let plain = directory.join(name);
    let text = match plain.exists() {
        true => fs::read_to_string(plain)?,
        false => Program::new("gzip", directory).args(["-dc", &format!("{name}.gz")]).text()?,
    };
    Ok(serde_json::from_str(&text)?)
}
