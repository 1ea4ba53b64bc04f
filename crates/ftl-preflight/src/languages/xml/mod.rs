//! XML 1.0 (fifth edition): well-formedness, by a recogniser that builds no tree and does not recurse.
//!
//! Not asked are validity, namespaces, and what is in other files. So an entity that is not declared is an
//! error only where every declaration can be seen: without an external subset and without references to
//! parameter entities, unless the file is standalone (section 4.1). Productions are cited by their number.

mod content;
mod cursor;
mod declarations;
mod encoding;
#[cfg(feature = "toolchain")]
mod xmllint;

use self::content::Document;
pub(crate) use self::encoding::decode;
#[cfg(feature = "toolchain")]
pub(crate) use self::xmllint::FRONT_END;
use crate::finding::{Outcome, Setting};

/// A document with its root element.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    match Document::new(text).check() {
        Ok(()) => Outcome::Valid,
        Err(found) => Outcome::Invalid(vec![found]),
    }
}
