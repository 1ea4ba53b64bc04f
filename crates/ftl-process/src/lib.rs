//! ftl-process
