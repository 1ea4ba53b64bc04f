//! The values that explored events are made of: as few as decisions tell apart.

use ftl_model::{Digest, Finding};

/// The finding that the explored policy distrusts.
pub(super) const DISTRUSTED: Finding = Finding::NoTests;

/// The bytes of a file before anybody wrote it. Explored digests differ in their first byte.
pub(super) const OLD: Digest = Digest::from_bytes([0; 32]);
/// Its bytes once the implementer wrote it.
pub(super) const NEW: Digest = Digest::from_bytes([1; 32]);
/// Its bytes after a command changed it behind the machine's back.
pub(super) const CHANGED: Digest = Digest::from_bytes([2; 32]);
