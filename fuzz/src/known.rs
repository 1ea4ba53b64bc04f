//! Panics of the parsers that are known, cannot be fixed here, and would hide others.

use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends of the files that panic. oxc looks for four digits after `\\u` in the name of an export.
const PLACES: &[&str] = &["oxc_ast-0.146.0/src/ast_impl/literal.rs"];

/// The message of a panic of ruff's parser that the notebook's check answers itself.
const ANSWERED: &str = "IPython escape command expression";

static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// Keeps known panics from libFuzzer's hook, which ends the process. To be called once.
pub(crate) fn tolerate() {
    let fatal = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str().is_some_and(|it| it.contains(ANSWERED)) {
            return;
        }
        let file = panic.location().map_or("", |place| place.file());
        if PLACES.iter().any(|place| file.ends_with(place)) {
            HAS_PANICKED.store(true, Ordering::Relaxed);
        } else {
            fatal(panic);
        }
    }));
}

/// Whether there was a known panic since this was last asked.
pub(crate) fn has_panicked() -> bool {
    HAS_PANICKED.swap(false, Ordering::Relaxed)
}
