//! The name of a run, as results and events carry it. `ftl_store::Runs` knows its directory.

use std::borrow::Cow;
use std::fmt;

use ftl_model::WorkspaceId;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A run of a workspace, written `NNN_slug/3`; without a number, a dry one, `NNN_slug/dry`, or a check at the end,
/// `NNN_slug/check`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId {
    workspace: WorkspaceId,
    which: Which,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Which {
    Number(u64),
    Dry,
    Check,
}

impl RunId {
    /// The run of this number, from 1.
    #[must_use]
    pub const fn new(workspace: WorkspaceId, number: u64) -> Self {
        Self { workspace, which: Which::Number(number) }
    }

    /// A dry run.
    #[must_use]
    pub const fn dry(workspace: WorkspaceId) -> Self {
        Self { workspace, which: Which::Dry }
    }

    /// A check at the end, of whose tasks this is the first.
    #[must_use]
    pub const fn check(workspace: WorkspaceId) -> Self {
        Self { workspace, which: Which::Check }
    }

    /// The workspace that was built.
    #[must_use]
    pub const fn workspace(&self) -> &WorkspaceId {
        &self.workspace
    }

    /// The number; `None` of a dry run or a check.
    pub(crate) const fn number(&self) -> Option<u64> {
        match self.which {
            Which::Number(number) => Some(number),
            Which::Dry | Which::Check => None,
        }
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.which {
            Which::Number(number) => write!(f, "{}/{number}", self.workspace),
            Which::Dry => write!(f, "{}/dry", self.workspace),
            Which::Check => write!(f, "{}/check", self.workspace),
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
        let (id, which) = text.rsplit_once('/').unwrap_or((&text, ""));
        let (seq, slug) = id.split_once('_').unwrap_or((id, ""));
        let which = match (which, which.parse()) {
            (_, Ok(number)) => Which::Number(number),
            ("check", _) => Which::Check,
            (_, Err(_)) => Which::Dry,
        };
        Ok(Self { workspace: WorkspaceId::new(seq, slug), which })
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
