//! The coding agents that ftl knows: how each is started, and what its output says.
//!
//! What is peculiar to an agent is in `presets.toml`, and nowhere else; what several print when they reach no
//! model, in `outages.toml`. A command is put together by [`Agent::command`], an output is understood by a
//! [`Listener`], line by line. This crate starts nothing: it makes and reads text, and looks at how a program is
//! installed. What an agent says is never evidence of what it did.

mod agent;
mod installed;
mod login;
mod outage;
mod outage_kind;
mod preset;
mod quoting;
mod reset;
mod stream;

pub use agent::{Agent, Request, Session, Unfit};
pub use installed::{find, version_of};
pub use login::{Login, Variables};
pub use outage::{Outage, check_outage};
pub use outage_kind::OutageKind;
pub use preset::{
    Events, Package, Preset, PromptBy, SessionBy, VersionDifference, nearest, presets,
};
pub use stream::{Activity, ActivityKind, Listener, Report, reply_in};
