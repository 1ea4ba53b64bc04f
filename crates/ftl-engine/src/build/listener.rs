//! Who hears of a build while it runs. Nothing in here prints: that is the listener's business.

use serde_json::Value;

/// Hears of a build while it runs.
pub trait Listener {
    /// One line of the event stream: the first tells the versions, the last the outcome.
    fn event(&mut self, line: &Value) {
        let _ = line;
    }

    /// One of the lines that are said aloud, in their fixed forms.
    fn announce(&mut self, line: &str) {
        let _ = line;
    }

    /// A warning, as it arises.
    fn warning(&mut self, text: &str) {
        let _ = text;
    }

    /// Something that may take long begins.
    fn begins(&mut self, what: &str) {
        let _ = what;
    }

    /// A lock is held, by the process named where it is known. Called some twenty times a second;
    /// `false` gives up.
    fn waiting(&mut self, holder: Option<u32>) -> bool {
        let _ = holder;
        true
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deaf;

impl Listener for Deaf {}
