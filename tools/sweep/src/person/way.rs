//! How a build goes on once it was interrupted, and what the person answers.

use ftl_testkit::sweep::build::Answers;

/// A way to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// As it began; asked whose work it is, the person keeps it.
    Plain,
    /// As it began; asked, the person has it put back.
    PlainThenBack,
    Keep,
    PutBack,
    Restart,
    /// From the beginning; asked, the person keeps it.
    RestartThenKeep,
}

impl Way {
    /// In turn.
    pub(super) const ALL: [Self; 7] = [
        Self::Plain,
        Self::Keep,
        Self::PlainThenBack,
        Self::PutBack,
        Self::RestartThenKeep,
        Self::Plain,
        Self::Restart,
    ];

    pub(super) const fn answers(self) -> Answers {
        let (first, once_asked): (&[&str], &[&str]) = match self {
            Self::Plain => (&[], &["--keep"]),
            Self::PlainThenBack => (&[], &["--put-back"]),
            Self::Keep => (&["--keep"], &["--keep"]),
            Self::PutBack => (&["--put-back"], &["--put-back"]),
            Self::Restart => (&["--restart"], &["--restart", "--put-back"]),
            Self::RestartThenKeep => (&["--restart"], &["--restart", "--keep"]),
        };
        Answers { first, once_asked }
    }

    /// Whether the person says that what differs is not theirs.
    pub(super) fn gives_up(self) -> bool {
        self.answers().once_asked.contains(&"--put-back")
    }
}
