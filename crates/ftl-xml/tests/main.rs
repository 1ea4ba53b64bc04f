//! Tests of ftl-xml against other readers of XML, and over whole documents.

mod conformance;
