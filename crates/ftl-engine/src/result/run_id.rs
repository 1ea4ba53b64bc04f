//! The name of a run, as results and events carry it. `ftl_store::Runs` knows its directory.

use std::borrow::Cow;
use std::fmt;

use ftl_model::WorkspaceId;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A run of a workspace, written `NNN_slug/3`; a dry one, which has no number, `NNN_slug/dry`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId {
    workspace: WorkspaceId,
    number: Option<u64>,
}

impl RunId {
    /// The run of this number, from 1.
    #[must_use]
    pub const fn new(workspace: WorkspaceId, number: u64) -> Self {
        Self { workspace, number: Some(number) }
    }

    /// A dry run.
    #[must_use]
    pub const fn dry(workspace: WorkspaceId) -> Self {
        Self { workspace, number: None }
    }

    /// The workspace that was built.
    #[must_use]
    pub const fn workspace(&self) -> &WorkspaceId {
        &self.workspace
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            Some(number) => write!(f, "{}/{number}", self.workspace),
            None => write!(f, "{}/dry", self.workspace),
        }
    }
}

impl Serialize for RunId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RunId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (id, number) = text.rsplit_once('/').unwrap_or((&text, ""));
        let (seq, slug) = id.split_once('_').unwrap_or((id, ""));
        Ok(Self { workspace: WorkspaceId::new(seq, slug), number: number.parse().ok() })
    }
}

/// In schemas a plain string where it is used.
impl JsonSchema for RunId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RunId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}
