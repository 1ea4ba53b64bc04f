//! ftl-engine
