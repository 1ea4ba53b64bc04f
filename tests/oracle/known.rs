//! What a scenario knows of failures, and the failures that its verify command shows.

use super::actors::{Edit, Outside, Patch};

/// The name of the failure at this place of `prior_knowledge`.
pub(super) fn failure_name(place: usize) -> String {
    format!("known-{place}")
}

/// An entry of `prior_knowledge`.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) trigger: Trigger,
    pub(super) pattern: Option<Pattern>,
    pub(super) fix: Fix,
    pub(super) flaky: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    Empty,
    /// Shares no word with anything that verify prints.
    Foreign(usize),
    /// The trouble's line with other numbers; what it quotes is kept, since names are never masked.
    Masked(Trouble),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Empty,
    /// Finds the trouble's line.
    Line(Trouble),
    /// Finds the line that every run prints, which reports no error.
    Preamble,
    Misses,
    DoesNotCompile,
}

#[derive(Clone, Debug)]
pub(super) enum Fix {
    Prose,
    Command(FixCommand),
    Patch(Patch),
    Rerun,
    None(NoFix),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoFix {
    Empty,
    Unknown,
    Attempted,
    SeeBlocked,
    EmptyCommand,
    EmptyPatch,
}

#[derive(Clone, Debug)]
pub(super) struct FixCommand {
    pub(super) edits: Vec<Edit>,
    pub(super) outside: Option<Outside>,
    pub(super) exit: u8,
}

/// A line that a failing verify command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    Assertion,
    Import,
    Syntax,
    Refused,
    TimedOut,
    Unavailable,
    AddressInUse,
    NameResolution,
}

impl Trouble {
    pub(super) const ALL: [Self; 8] = [
        Self::Assertion,
        Self::Import,
        Self::Syntax,
        Self::Refused,
        Self::TimedOut,
        Self::Unavailable,
        Self::AddressInUse,
        Self::NameResolution,
    ];

    pub(super) fn line(self) -> &'static str {
        match self {
            Self::Assertion => "AssertionError: expected 'alpha' but found 42 in the ledger",
            Self::Import => "ModuleNotFoundError: No module named 'alpha_lib'",
            Self::Syntax => "SyntaxError: invalid syntax before 'alpha', column 7",
            Self::Refused => "ConnectionRefusedError: [Errno 111] Connection refused",
            Self::TimedOut => "TimeoutError: the request timed out after 30 seconds",
            Self::Unavailable => "error: HTTP 503 Service Unavailable",
            Self::AddressInUse => "OSError: [Errno 98] Address already in use",
            Self::NameResolution => "error: Temporary failure in name resolution",
        }
    }

    /// The same line but for what masking hides.
    pub(super) fn masked_twin(self) -> &'static str {
        match self {
            Self::Assertion => "AssertionError: expected 'alpha' but found 7 in the ledger",
            Self::Import => "ModuleNotFoundError: No module named 'alpha_lib'",
            Self::Syntax => "SyntaxError: invalid syntax before 'alpha', column 12",
            Self::Refused => "ConnectionRefusedError: [Errno 61] Connection refused",
            Self::TimedOut => "TimeoutError: the request timed out after 45 seconds",
            Self::Unavailable => "error: HTTP 502 Service Unavailable",
            Self::AddressInUse => "OSError: [Errno 48] Address already in use",
            Self::NameResolution => "Temporary failure in name resolution",
        }
    }

    /// A Python pattern that finds the line and no other of these.
    pub(super) fn pattern(self) -> &'static str {
        match self {
            Self::Assertion => r"(?<!x)found \d+ in the ledger",
            Self::Import => r"No module named '(alpha|beta)_lib'",
            Self::Syntax => r"invalid syntax before",
            Self::Refused => r"Connection(?=RefusedError)",
            Self::TimedOut => r"timed out after \d+",
            Self::Unavailable => r"HTTP 5\d\d",
            Self::AddressInUse => r"Address already in use$",
            Self::NameResolution => r"name resolution",
        }
    }

    pub(super) fn is_transient(self) -> bool {
        match self {
            Self::Assertion | Self::Import | Self::Syntax => false,
            Self::Refused
            | Self::TimedOut
            | Self::Unavailable
            | Self::AddressInUse
            | Self::NameResolution => true,
        }
    }
}

/// Printed first by every run of verify that prints anything.
pub(super) const PREAMBLE: &str = "collected 3 items";
/// A Python pattern that finds it.
pub(super) const PREAMBLE_PATTERN: &str = r"collected \d items";
/// Triggers that share no word with what verify prints.
pub(super) const FOREIGN: [&str; 3] =
    ["zebra quilt overturned", "glacier umbrella misplaced", "walnut harpsichord detuned"];
