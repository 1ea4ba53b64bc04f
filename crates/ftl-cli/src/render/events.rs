//! `--events`: what happens, one JSON object a line. Which events there are, the engine decides.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ftl_model::WorkspaceId;
use ftl_text::escape_json;
use ftl_text::redact::RedactionCounts;
use serde::Serialize;

use crate::args::{BuildOptions, Format};
use crate::failure::Failure;
use crate::output;

/// Where the lines go.
#[derive(Debug)]
pub(crate) enum Events {
    /// There is no `--events`.
    Nowhere,
    /// Standard output, which then carries nothing else.
    StandardOutput,
    /// A file, with the name that it was given by.
    File(PathBuf, File),
}

impl Events {
    /// Opens what `--events` names, before anything is built: a build cannot be undone.
    pub(crate) fn open(options: &BuildOptions) -> Result<Self, Failure> {
        let Some(path) = &options.events else {
            return Ok(Self::Nowhere);
        };
        if path != Path::new("-") {
            let file = File::create(path).map_err(|error| {
                let message = format!("cannot write events to `{}`: {error}", path.display());
                Failure::usage("usage::events", message)
                    .help("name a file that can be written, or `-`")
            })?;
            return Ok(Self::File(path.clone(), file));
        }
        match options.format {
            Format::Human => Ok(Self::StandardOutput),
            Format::Json => Err(Failure::usage(
                "usage::events",
                "`--events -` and `--format json` would both write to standard output",
            )
            .help("give `--events` a file, or leave `--format json` out: the last event holds the outcome")),
        }
    }

    /// Writes a line, its keys sorted, with the task that it is of.
    pub(crate) fn write(
        &mut self,
        line: &impl Serialize,
        task: Option<&WorkspaceId>,
    ) -> io::Result<()> {
        if matches!(self, Self::Nowhere) {
            return Ok(());
        }
        let mut line = serde_json::to_value(line).expect("because every key is a string");
        if let (Some(line), Some(task)) = (line.as_object_mut(), task) {
            line.insert("task".into(), task.as_str().into());
        }
        output::redactor().json(&mut line, &mut RedactionCounts::new());
        let text = escape_json(format!("{line}\n"));
        match self {
            Self::Nowhere => Ok(()),
            Self::StandardOutput => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()
            }
            Self::File(_, file) => file.write_all(text.as_bytes()),
        }
    }

    /// What to call it in a diagnostic.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Nowhere => "nowhere".to_owned(),
            Self::StandardOutput => "standard output".to_owned(),
            Self::File(path, _) => format!("`{}`", path.display()),
        }
    }
}
