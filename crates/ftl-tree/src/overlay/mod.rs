//! The tree seen through an overlay: what an implementer writes is kept elsewhere, and is taken over or
//! set apart when it has ended.
//!
//! Nothing here mounts: `ftl_process::View` does. This module decides over which directories to lay an overlay
//! and what passes through it ([`layers`]), what the implementer changed ([`written`], from the upper
//! layer alone, which is read beneath descriptors and never through links), and how that comes into the
//! tree ([`take_over`]) or into a directory of the run ([`apart`]).
//!
//! Nothing here grows with the tree. A file that the implementer did not write is not looked at, and
//! what it changed is exactly what the upper layer holds: a changed or new file as itself, a deleted one
//! as a character device 0/0, a directory that hides the one below it with an attribute.

mod apart;
mod changed_by_both;
mod dropped;
mod landing;
pub(crate) mod lands;
mod layers;
mod laying;
mod merging;
mod references;
mod scratch;
mod strays;
pub(crate) mod upper;
pub(crate) mod written;

pub use apart::SetApart;
pub use lands::Landing;
pub use layers::{OverlayLayer, Passing, remove_layers};
pub use laying::LaidFile;
pub use written::OverlayWork;
