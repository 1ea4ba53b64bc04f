//! Task files that no run writes: a [`new`] one, those of a plan ([`create`]), which an agent makes of a goal ([`plan`]), and the record of a task
//! that a person finished without a run ([`seal`]). A blocked one becomes a task again by [`reopen`].
//!
//! Each function takes a request and gives the paths that it wrote, with warnings as data. Which option
//! a request comes from, which exit code an error has and what to do about it, the command line knows.
//! A run's own seal is not here: see `run/sealing.rs`.

pub mod create;
pub mod new;
pub mod plan;
pub mod reopen;
pub mod seal;
pub mod take;

use std::path::{Path, PathBuf};

use ftl_xml::{Document, ReadError};
use thiserror::Error;

/// A document that is not a task file, with what it takes to show the place.
#[derive(Debug, Error)]
#[error("{error}")]
pub struct Malformed {
    /// The file that holds the document, or was to hold it.
    pub path: PathBuf,
    /// The document.
    pub bytes: Vec<u8>,
    /// What is wrong, and where.
    pub error: Box<ReadError>,
}

/// The document that `bytes` hold. What ftl writes is read back by this as well: a task file that ftl
/// itself refuses would be lost.
fn document<'b>(path: &Path, bytes: &'b [u8]) -> Result<Document<'b>, Malformed> {
    ftl_xml::read(bytes).map_err(|error| Malformed {
        path: path.to_owned(),
        bytes: bytes.to_owned(),
        error: Box::new(error),
    })
}
