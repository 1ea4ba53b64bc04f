//! The house itself: who may use whom, what must be absent, what is generated.

mod book;
mod circles;
mod commands;
mod generated;
mod layers;
mod lines;
mod machine;
mod messages;
mod sizes;
mod sources;
mod tidy;
mod words;
