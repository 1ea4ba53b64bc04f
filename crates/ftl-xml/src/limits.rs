//! Bounds on documents: far above any honest workspace, low enough that a hostile one costs nothing.

/// Bytes in a document without a `run` element.
pub const MAX_BYTES: usize = 4 << 20;
/// Bytes in a record, whose root has a `run` element: ftl adds to what a task may be.
pub const MAX_RECORD_BYTES: usize = 8 << 20;
/// Levels of elements, the root being the first.
pub const MAX_DEPTH: usize = 64;
/// Tags, attributes, comments, sections and instructions in a document. Text costs nothing beyond its
/// bytes, so it does not count: a record full of escaped characters stays readable.
pub const MAX_EVENTS: usize = 200_000;
/// The same of a record.
pub const MAX_RECORD_EVENTS: usize = 300_000;
/// Attributes on one element, and namespaces declared at one point of a document.
pub const MAX_ATTRIBUTES: usize = 256;
