//! Which files git holds byte for byte, so that a snapshot need not copy them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::git::{Git, Index};
use crate::stamp::EntryType;
use crate::walk::found::Survey;
use crate::{RelPath, TreeError};

/// The files of the index that are as their objects are.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    index: Arc<Index>,
    /// Those that may differ; `None` where any may.
    differing: Option<BTreeSet<RelPath>>,
}

impl Clean {
    /// `dirty` are those of which git says that they may differ from the index or from HEAD; `None` where
    /// it cannot say so.
    ///
    /// Git's word is about what it would store. Hashing every clean file costs more than the walk, so it is
    /// done only where something could convert one: attributes anywhere, or settings that do.
    pub(crate) fn of(
        git: &Git,
        survey: &Survey,
        index: Arc<Index>,
        dirty: Option<BTreeSet<RelPath>>,
    ) -> Result<Self, TreeError> {
        let mut clean = Self { index, differing: dirty };
        let has_attributes = survey.entries.paths().any(|path| path.name() == b".gitattributes");
        if clean.differing.is_some() && git.may_convert(has_attributes) {
            let is_file = |path: &RelPath| {
                let at = survey.entries.get(path);
                at.is_some_and(|at| at.kind() == EntryType::File)
            };
            let files = clean.index.files.keys().filter(|path| is_file(path));
            let files: Vec<_> =
                files.filter_map(|path| Some((path, clean.object(path)?))).collect();
            let converted = git.converted(&files)?;
            let converted: Vec<RelPath> = converted.into_iter().cloned().collect();
            clean.differing.get_or_insert_default().extend(converted);
        }
        Ok(clean)
    }

    /// The object that holds what is at a path, which is a regular file.
    pub(crate) fn object(&self, path: &RelPath) -> Option<&str> {
        let differing = self.differing.as_ref()?;
        let file = self.index.files.get(path).filter(|file| file.plain)?;
        (!differing.contains(path)).then_some(&file.object)
    }
}
