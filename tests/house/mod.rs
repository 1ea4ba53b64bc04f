//! The house itself: who may use whom, what must be absent, what is generated.

mod book;
mod commands;
mod generated;
mod layers;
mod machine;
mod messages;
mod tidy;
