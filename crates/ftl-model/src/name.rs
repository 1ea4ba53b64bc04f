//! Names of task files: `NNN_slug_STATUS.xml`. The ID in the name is the task's identity. The status is
//! in the name so that a listing shows it; after a crash the content may be ahead of it, which the store
//! corrects.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::words;

words! {
    /// State of a task, as its file name and its root attribute say it.
    pub enum Status {
        /// Not finished.
        Active = "active",
        /// Done, and proven.
        Complete = "complete",
        /// Handed off.
        Blocked = "blocked",
        /// Given up by its owner.
        Dropped = "dropped",
    }
}

impl Status {
    /// Whether nothing more is to be done.
    #[must_use]
    pub const fn is_finished(self) -> bool {
        match self {
            Self::Active => false,
            Self::Complete | Self::Blocked | Self::Dropped => true,
        }
    }
}

/// A file name that is not `NNN_slug_STATUS.xml`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{name}` is not named `NNN_slug_STATUS.xml`")]
pub struct NotAWorkspaceName {
    /// The name in question.
    pub name: String,
}

/// A task's sequence number: the text before the first `_` of its ID. Compared as text, so that `1`
/// is not `001`.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Seq(String);

impl Seq {
    /// The number as it is written.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The number as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Seq {
    fn eq(&self, text: &str) -> bool {
        self.0 == text
    }
}

/// A task's ID: the `NNN_slug` of its file name.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
#[schemars(inline)]
pub struct WorkspaceId(String);

impl WorkspaceId {
    /// The ID made of a sequence number and a slug.
    pub fn new(seq: &str, slug: &str) -> Self {
        Self(format!("{seq}_{slug}"))
    }

    /// `NNN_slug`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text before the first `_`; the whole ID where there is none.
    pub fn seq(&self) -> &str {
        self.0.split_once('_').map_or(&self.0, |(seq, _)| seq)
    }

    /// What follows the first `_`; empty where there is none.
    pub fn slug(&self) -> &str {
        self.0.split_once('_').map_or("", |(_, slug)| slug)
    }

    /// The root attribute `id` that belongs to it, `NNN-slug`.
    pub fn attribute(&self) -> String {
        self.0.replacen('_', "-", 1)
    }
}

impl fmt::Display for WorkspaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a task file, `NNN_slug_STATUS.xml`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkspaceName {
    /// The task.
    pub id: WorkspaceId,
    /// Its state.
    pub status: Status,
}

impl WorkspaceName {
    /// The same task's name in another state.
    pub fn with_status(&self, status: Status) -> Self {
        Self { id: self.id.clone(), status }
    }
}

impl FromStr for WorkspaceName {
    type Err = NotAWorkspaceName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let stem = name.strip_suffix(".xml")?;
            let (id, word) = stem.rsplit_once('_')?;
            let status = Status::named(word)?;
            let plain = !id.is_empty() && !id.starts_with('.') && !id.contains('/');
            plain.then(|| Self { id: WorkspaceId(id.to_owned()), status })
        };
        parse().ok_or_else(|| NotAWorkspaceName { name: name.to_owned() })
    }
}

impl fmt::Display for WorkspaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}.xml", self.id, self.status)
    }
}

#[cfg(test)]
mod tests {
    use super::{Status, WorkspaceName};

    #[test]
    fn names_are_split_at_the_status() {
        let cases = [
            ("001_models_active.xml", "001_models", Status::Active),
            ("001_a_b_complete.xml", "001_a_b", Status::Complete),
            ("12_x-2_blocked.xml", "12_x-2", Status::Blocked),
            ("001_active_active.xml", "001_active", Status::Active),
            ("lone_active.xml", "lone", Status::Active),
        ];
        for (text, id, status) in cases {
            let name: WorkspaceName = text.parse().unwrap();
            assert_eq!((name.id.as_str(), name.status), (id, status));
            assert_eq!(name.to_string(), text);
        }
    }

    #[test]
    fn other_names_are_refused() {
        for text in [
            "",
            "_active.xml",
            "001_models.xml",
            "001_models_Active.xml",
            "001_models_active.xml.tmp",
            ".001_models_active.xml",
            "a/001_models_active.xml",
        ] {
            assert!(text.parse::<WorkspaceName>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_id_gives_its_parts_and_its_attribute() {
        let name: WorkspaceName = "003_routes_crud_active.xml".parse().unwrap();
        assert_eq!(name.id.seq(), "003");
        assert_eq!(name.id.slug(), "routes_crud");
        assert_eq!(name.id.attribute(), "003-routes_crud");
        let done = name.with_status(Status::Complete);
        assert_eq!(done.to_string(), "003_routes_crud_complete.xml");
    }
}
