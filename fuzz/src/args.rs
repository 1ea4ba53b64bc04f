//! Time limits as `ftl.toml` writes them: the program's own source.

#[path = "../../crates/ftl-cli/src/args/limit.rs"]
mod limit;

pub(crate) use limit::parse as parse_limit;
