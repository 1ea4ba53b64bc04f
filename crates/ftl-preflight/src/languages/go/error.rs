//! The one error that the recogniser stops at.

use std::ops::Range;

/// Why a file is not Go, and the bytes that show it.
#[derive(Debug, Clone)]
pub(super) struct Error {
    pub(super) message: String,
    pub(super) range: Range<usize>,
}

impl Error {
    pub(super) fn new(message: impl Into<String>, range: Range<usize>) -> Self {
        Self { message: message.into(), range }
    }
}
