//! ftl-preflight
