//! How a build goes on once it was interrupted, and what the person answers.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// How a build goes on.
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
    /// What a program knows. An older one asks nothing.
    pub(super) fn known_to(ftl: &Path) -> Result<&'static [Self]> {
        let help = Program::new(ftl, Path::new(".")).args(["build", "--help"]);
        Ok(if help.text()?.contains("--put-back") {
            &[
                Self::Plain,
                Self::Keep,
                Self::PlainThenBack,
                Self::PutBack,
                Self::RestartThenKeep,
                Self::Plain,
                Self::Restart,
            ]
        } else {
            &[Self::Plain, Self::Restart]
        })
    }

    pub(super) fn first(self) -> &'static [&'static str] {
        match self {
            Self::Plain | Self::PlainThenBack => &[],
            Self::Keep => &["--keep"],
            Self::PutBack => &["--put-back"],
            Self::Restart | Self::RestartThenKeep => &["--restart"],
        }
    }

    pub(super) fn once_asked(self) -> &'static [&'static str] {
        match self {
            Self::Plain | Self::Keep => &["--keep"],
            Self::PlainThenBack | Self::PutBack => &["--put-back"],
            Self::Restart => &["--restart", "--put-back"],
            Self::RestartThenKeep => &["--restart", "--keep"],
        }
    }

    /// Whether the person says that what differs is not theirs.
    pub(super) fn gives_up(self) -> bool {
        self.first().contains(&"--put-back") || self.once_asked().contains(&"--put-back")
    }
}
