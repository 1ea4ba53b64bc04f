//! ftl-xml
