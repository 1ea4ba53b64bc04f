use std::time::{Duration, Instant};

use super::GivenUp;

/// How long all patterns of a phase may be searched for. Innocent ones take milliseconds.
const PHASE: Duration = Duration::from_secs(5);

/// The end of the time that all patterns of a phase share.
///
/// It is looked at between searches and between the matches of one, so it may pass by as long as one
/// search takes, which is bounded by itself.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// The deadline of a phase that begins now.
    pub fn of_a_phase() -> Self {
        Self::after(PHASE)
    }

    /// A deadline that passes after `time`.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// # Errors
    ///
    /// [`GivenUp::TooLate`] once it has passed.
    pub fn check(&self) -> Result<(), GivenUp> {
        match Instant::now() < self.0 {
            true => Ok(()),
            false => Err(GivenUp::TooLate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Deadline, Duration, Instant};
    use crate::pattern::{Dialect, GivenUp, Pattern};

    fn python(source: &str) -> Pattern {
        Pattern::compile(source, Dialect::Python).unwrap_or_else(|why| panic!("{source}: {why}"))
    }

    #[test]
    fn a_search_ends_at_the_deadline_whichever_engine_runs() {
        let text = "A".repeat(1_000_000);
        let before = Instant::now();
        for source in [".*[^A-Z]|[A-Z]", r"(?=A)(?:.*[^A-Z]|[A-Z])"] {
            let deadline = Deadline::after(Duration::from_millis(200));
            assert_eq!(python(source).find_all(&text, &deadline), Err(GivenUp::TooLate));
            assert_eq!(python("A").is_match(&text, &deadline), Err(GivenUp::TooLate));
        }
        assert!(before.elapsed() < Duration::from_secs(60));
    }
}
