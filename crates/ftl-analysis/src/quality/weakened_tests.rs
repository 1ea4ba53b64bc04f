//! Where a task's tests became weaker.

use ftl_model::Weakening;

/// Places at which tests became weaker.
#[derive(Clone, Debug, Default)]
pub struct WeakenedTests {
    /// Those without another reading.
    pub certain: Vec<Weakening>,
    /// Those that may also be rewritten tests: for the user to look at.
    pub uncertain: Vec<Weakening>,
}

impl WeakenedTests {
    #[cfg(feature = "structural")]
    pub(super) fn add(&mut self, place: Weakening, is_certain: bool) {
        match is_certain {
            true => self.certain.push(place),
            false => self.uncertain.push(place),
        }
    }
}
