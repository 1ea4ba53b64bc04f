//! How those behave who act in a scenario: implementers, and the commands of the task.

use super::known::Trouble;
use super::text::Text;

/// A `preflight` command.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// How many of its first runs fail; None: all.
    pub(super) failing_runs: Option<usize>,
    /// A delta file that its first run overwrites.
    pub(super) overwrites: Option<(usize, Text)>,
}

/// A delta file, by its place, and its new text; None deletes it.
pub(super) type Edit = (usize, Option<Text>);

#[derive(Clone, Debug)]
pub(super) enum Implementer {
    /// The behaviour request by request; afterwards it does nothing.
    Agent(Vec<Turn>),
    Patches(Vec<Patch>),
    Tree(Tree),
}

/// The place of the agent's command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AgentNamed {
    ByFlag,
    /// In the configuration, and the flag names it.
    InConfiguration,
    /// In the configuration, which makes it the default.
    AsDefault,
}

/// What an agent does when it is asked once.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub(super) edits: Vec<Edit>,
    pub(super) transform: Option<(usize, Transform)>,
    pub(super) outside: Option<Outside>,
    pub(super) scratch: Option<Scratch>,
    pub(super) no_change: bool,
    pub(super) needs: Option<Needs>,
    pub(super) utilized: Vec<Utilized>,
    pub(super) exit: Exit,
}

/// What becomes of a delta file that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transform {
    Executable,
    Directory,
    Link,
}

/// A change outside the delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outside {
    Create,
    Change,
    Delete,
    Mode,
    /// A new file below `.git/hooks`.
    Hook,
}

/// A change that counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scratch {
    PythonCache,
    NodeModules,
    /// A path that `.gitignore` lists.
    Ignored,
    /// A path in `.git` that is neither a hook nor the configuration.
    GitNoise,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    InsideDelta,
    OutsideDelta,
}

/// A piece of knowledge that an agent claims to have used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Utilized {
    /// The first of the failures, if there is any.
    FirstFailure,
    Invented,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Exit {
    #[default]
    Success,
    Code(u8),
    Signal,
    /// Does not end by itself; the time limit is a second then.
    Hang,
}

#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) hunks: Vec<Hunk>,
    /// With `a/` and `b/`.
    pub(super) prefixes: bool,
    /// Changes a file outside the delta as well.
    pub(super) strays: bool,
}

/// Replaces a whole file: it applies where the file reads exactly so.
#[derive(Clone, Debug)]
pub(super) struct Hunk {
    pub(super) file: usize,
    pub(super) from: Option<Text>,
    pub(super) to: Option<Text>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree {
    /// `--tree` rather than the default.
    pub(super) named: bool,
    pub(super) base_head: bool,
    pub(super) strict_scope: bool,
    /// A file outside the delta differs from HEAD.
    pub(super) outside_differs: bool,
}

#[derive(Clone, Debug)]
pub(super) struct VerifyRun {
    pub(super) ending: Ending,
    pub(super) troubles: Vec<Trouble>,
    pub(super) to_stderr: bool,
    /// Delta files that it overwrites or deletes.
    pub(super) edits: Vec<Edit>,
    /// Leaves a file outside the delta.
    pub(super) litters: bool,
}

/// How a verify command's exit code is thrown away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    Silent,
    /// A line is printed where the exit code would tell.
    Spoken,
}

impl Mask {
    /// What is written behind the command.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Silent => " || true",
            Self::Spoken => " || echo THE CHECK FAILED",
        }
    }
}

/// What makes a passing verify command less than a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The command masks its exit code.
    Masked,
    /// It passed before the change already, as `--baseline` found.
    PassedBefore,
    /// The test file, which the implementer changed, fails as it was.
    TestChanged,
    /// What is printed in place of the exit code was printed.
    FailedAnyway,
}

impl Finding {
    /// The finding's name in the configuration.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Masked => "masked_exit",
            Self::PassedBefore => "passed_before",
            Self::TestChanged => "tests_changed",
            Self::FailedAnyway => "failed_anyway",
        }
    }
}

/// How a run of the verify command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Pass,
    Fail,
    Signal,
    /// Not by itself; the time limit is a second then.
    Hang,
}
