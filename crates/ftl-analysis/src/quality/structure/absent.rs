//! Replaces structural rules where they were not built in: nothing is known, and says so.

use ftl_model::{Idiom, IdiomKind};

use super::RuleCard;
use crate::quality::FileText;

const ABSENT: &str = "this build of ftl has no structural rules";

/// No rules.
#[derive(Clone, Debug, Default)]
pub struct Rules {}

impl Rules {
    /// Rules of the house, which are not read.
    #[must_use]
    pub fn with(_files: Vec<(String, String)>) -> Self {
        Self {}
    }

    /// Nothing is checked.
    ///
    /// # Errors
    ///
    /// None.
    pub fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// None.
    #[must_use]
    pub fn cards(&self) -> Vec<RuleCard> {
        Vec::new()
    }

    pub(in crate::quality) fn structure_of(
        &self,
        idiom: &Idiom,
        _kind: IdiomKind,
        _framework: Option<&str>,
    ) -> Result<Result<Structure, String>, String> {
        let is_prose = idiom.pattern.is_none() && idiom.rule.is_none();
        Ok(Err(if is_prose {
            format!("no rule decides this text: {ABSENT}")
        } else {
            ABSENT.to_owned()
        }))
    }
}

/// A structure that cannot be made.
pub(in crate::quality) enum Structure {}

/// What a structure found: nothing, ever.
#[derive(Default)]
pub(in crate::quality) struct FoundNode {
    pub(in crate::quality) ranges: Vec<(usize, usize)>,
    pub(in crate::quality) applies: bool,
    pub(in crate::quality) unread: Option<String>,
}

impl Structure {
    pub(in crate::quality) fn in_file(
        &self,
        _: &Trees,
        _: usize,
        _: &FileText<'_>,
        _: bool,
    ) -> FoundNode {
        match *self {}
    }

    pub(in crate::quality) fn is_guarded(&self, _: &Trees, _: usize, _: &FileText<'_>) -> bool {
        match *self {}
    }

    pub(in crate::quality) fn id(&self) -> Option<&str> {
        match *self {}
    }

    pub(in crate::quality) fn has_guard(&self) -> bool {
        match *self {}
    }

    pub(in crate::quality) fn is_of_rule(&self) -> bool {
        match *self {}
    }

    pub(in crate::quality) fn is_warning(&self) -> bool {
        match *self {}
    }

    pub(in crate::quality) fn advice(&self) -> Option<String> {
        match *self {}
    }
}

/// No trees.
#[derive(Default)]
pub(in crate::quality) struct Trees {}
