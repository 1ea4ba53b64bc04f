//! The facts of one task and of the world around it, as plain data.

use super::text::Text;

/// One task, its tree, and everybody's behaviour in it.
#[derive(Clone, Debug)]
pub(super) struct Scenario {
    pub(super) file_name: FileName,
    pub(super) document: Document,
    /// None: the element is missing.
    pub(super) budget: Option<i64>,
    pub(super) delta: Vec<Delta>,
    pub(super) bad_path: Option<BadPath>,
    pub(super) verify_command: VerifyCommand,
    pub(super) verify_source: Option<TestFile>,
    pub(super) read_tests: Option<ReadTests>,
    pub(super) idioms: Vec<Idiom>,
    pub(super) undecided_blocks: bool,
    pub(super) confidence: Confidence,
    pub(super) contexts: Vec<Context>,
    pub(super) allow_removed: Option<&'static str>,
    pub(super) checks: Vec<Check>,
    pub(super) failures: Vec<Failure>,
    pub(super) implementer: Implementer,
    /// The runs of the verify command; the last one is repeated for ever.
    pub(super) verify: Vec<VerifyRun>,
    pub(super) baseline: bool,
    pub(super) git: bool,
    pub(super) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileName {
    Active,
    AlreadyComplete,
    AlreadyBlocked,
    NoStatus,
    Missing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Document {
    Sound,
    Malformed(Malformed),
    Status(&'static str),
    NoDelta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Malformed {
    CutShort,
    Doctype,
    Encoding,
    Version,
    NotUtf8,
    BudgetWord,
    BudgetUnderscore,
    BudgetHuge,
    CostEmpty,
    ConfidenceWord,
    TooDeep,
}

#[derive(Clone, Debug)]
pub(super) struct Delta {
    pub(super) path: &'static str,
    /// What git's HEAD holds; None without git.
    pub(super) committed: Option<Text>,
    /// What stands in the tree when ftl is called.
    pub(super) start: Option<Text>,
    /// Listed in `.gitignore`.
    pub(super) ignored: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadPath {
    Empty,
    Absolute,
    Parent,
    ParentInside,
    Star,
    Question,
    Backslash,
    Control,
    LinkOut,
    Directory,
    InFtl,
    InGit,
    Duplicate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerifyCommand {
    Script,
    Absent,
    Blank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestFile {
    Readable,
    Absent,
    Directory,
    NotUtf8,
    TooLarge,
    Outside,
    LinkOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadTests {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Idiom {
    pub(super) required: bool,
    pub(super) rule: IdiomRule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdiomRule {
    /// A regular expression that finds this mark.
    Mark(&'static str),
    /// A regular expression that does not compile.
    DoesNotCompile,
    /// Prose that no registry knows.
    Prose(&'static str),
}

/// As written: the attribute of `idioms`, and the element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Confidence {
    pub(super) attribute: Option<&'static str>,
    pub(super) element: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) struct Context {
    /// Place in the delta; None: a file outside it.
    pub(super) file: Option<usize>,
    pub(super) exports: Vec<&'static str>,
}

/// A `preflight` command.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// How many of its first runs fail; None: all.
    pub(super) failing_runs: Option<usize>,
    /// A delta file that its first run overwrites.
    pub(super) overwrites: Option<(usize, Text)>,
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
    /// The trouble's line, with other numbers and other quoted values.
    Masked(Trouble),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Empty,
    /// Finds the trouble's line.
    Line(Trouble),
    /// Finds the line that every run prints, which tells of no error.
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

/// A delta file, by its place, and its new text; None deletes it.
pub(super) type Edit = (usize, Option<Text>);

#[derive(Clone, Debug)]
pub(super) enum Implementer {
    /// The behaviour request by request; afterwards it does nothing.
    Agent(Vec<Turn>),
    Patches(Vec<Patch>),
    Tree(Tree),
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
    pub(super) passes: bool,
    pub(super) troubles: Vec<Trouble>,
    pub(super) to_stderr: bool,
    pub(super) hangs: bool,
    /// Delta files that it overwrites or deletes.
    pub(super) edits: Vec<Edit>,
    /// Leaves a file outside the delta.
    pub(super) litters: bool,
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
            Self::Assertion => "AssertionError: expected 'omega' but found 7 in the ledger",
            Self::Import => "ModuleNotFoundError: No module named 'omega_lib'",
            Self::Syntax => "SyntaxError: invalid syntax before 'omega', column 12",
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
pub(super) const FOREIGN: [&str; 3] = [
    "zebra quilt overturned",
    "glacier umbrella misplaced",
    "walnut harpsichord detuned",
];
