//! The APIs that agents speak: how a conversation is read in each, and how an answer is worded.

mod chat;
mod generate;
mod messages;
mod responses;

use serde_json::{Value, json};

use crate::Conversation;
use crate::script::Say;

/// What the model calls itself.
const MODEL: &str = "scripted";
/// Tokens of every request and every answer.
const TOKENS: (u64, u64) = (100, 7);

/// An API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Chat,
    Generate,
    Messages,
    Responses,
}

impl Dialect {
    /// The API that a path belongs to; none of those that ask for no answer.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        let ends = [
            ("chat/completions", Self::Chat),
            ("/responses", Self::Responses),
            ("/messages", Self::Messages),
            (":generateContent", Self::Generate),
            (":streamGenerateContent", Self::Generate),
        ];
        let found = ends.into_iter().find(|(end, _)| path.ends_with(end));
        found.map(|(_, dialect)| dialect)
    }

    pub(crate) fn is_streamed(self, path: &str, body: &Value) -> bool {
        match self {
            Self::Generate => path.contains(":stream"),
            Self::Chat | Self::Messages | Self::Responses => body["stream"] == true,
        }
    }

    pub(crate) fn read(self, body: &Value) -> Conversation {
        match self {
            Self::Chat => chat::read(body),
            Self::Generate => generate::read(body),
            Self::Messages => messages::read(body),
            Self::Responses => responses::read(body),
        }
    }

    pub(crate) fn whole(self, say: &Say) -> Value {
        match self {
            Self::Chat => chat::whole(say),
            Self::Generate => generate::whole(say),
            Self::Messages => messages::whole(say),
            Self::Responses => responses::whole(say),
        }
    }

    /// The same as events of a stream.
    pub(crate) fn streamed(self, say: &Say) -> String {
        match self {
            Self::Chat => chat::streamed(say),
            Self::Generate => data(&generate::whole(say)),
            Self::Messages => messages::streamed(say),
            Self::Responses => responses::streamed(say),
        }
    }

    /// That the key is not known.
    pub(crate) fn refusal(self) -> Value {
        let message = "invalid API key";
        match self {
            Self::Messages => {
                json!({"type": "error", "error": {"type": "authentication_error", "message": message}})
            }
            Self::Generate => {
                json!({"error": {"code": 401, "status": "UNAUTHENTICATED", "message": message}})
            }
            Self::Chat | Self::Responses => {
                json!({"error": {"type": "invalid_request_error", "code": "invalid_api_key", "message": message}})
            }
        }
    }
}

/// An event without a name.
fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// An event that its `type` names.
fn event(value: &Value) -> String {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\n{}", data(value))
}

/// The elements of an array; none of anything else.
fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
