//! What an agent lacked that could not reach a model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an agent lacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutageKind {
    /// A login.
    Login,
    /// A key, or one that is accepted.
    Key,
    /// Something left of a quota.
    Quota,
    /// A model server that answers.
    Server,
    /// A version that knows the options which it is given.
    Version,
}

impl fmt::Display for OutageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Login => "it is not logged in",
            Self::Key => "its key is missing or was refused",
            Self::Quota => "its quota is used up",
            Self::Server => "its model server can't be reached",
            Self::Version => "it does not know an option that it is given",
        })
    }
}
