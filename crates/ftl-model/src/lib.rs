//! ftl-model
