//! How the program words what is wrong with a configuration; not checked here.

use std::path::Path;

use ftl_model::SourcePosition;

/// A diagnostic without its words.
#[derive(Debug)]
pub(crate) struct Failure;

impl Failure {
    pub(crate) fn usage(_: impl Into<String>, _: impl Into<String>) -> Self {
        Self
    }

    pub(crate) fn help(self, _: impl Into<String>) -> Self {
        self
    }

    pub(crate) fn at(self, _: &Path, text: &str, place: SourcePosition) -> Self {
        assert!(place.start <= place.end && place.end <= text.len(), "{place:?}");
        self
    }

    pub(crate) fn of_all(failures: impl IntoIterator<Item = Self>) -> Option<Self> {
        failures.into_iter().last()
    }
}
