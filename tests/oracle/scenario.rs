//! The facts of one task and of the world around it, as plain data.

pub(super) use super::actors::*;
pub(super) use super::known::*;
use super::text::Text;

/// One task, its tree, and everybody's behaviour in it.
#[derive(Clone, Debug)]
pub(super) struct Scenario {
    pub(super) file_name: FileName,
    pub(super) document: Document,
    /// None: the element is missing.
    pub(super) budget: Option<i64>,
    pub(super) delta: Vec<Delta>,
    /// Paths and numbers are written with blanks around them, and paths with `./` before them.
    pub(super) padded: bool,
    pub(super) bad_path: Option<BadPath>,
    pub(super) verify_command: VerifyCommand,
    pub(super) verify_source: Option<TestFile>,
    pub(super) read_tests: Option<ReadTests>,
    pub(super) framework: Option<&'static str>,
    pub(super) idioms: Vec<Idiom>,
    pub(super) undecided_blocks: bool,
    /// Strays are left out of the project, as by default; else they block.
    pub(super) drops_strays: bool,
    pub(super) agent_named: AgentNamed,
    pub(super) confidence: Confidence,
    pub(super) contexts: Vec<Context>,
    pub(super) allow_removed: Option<&'static str>,
    pub(super) checks: Vec<Check>,
    pub(super) failures: Vec<Failure>,
    pub(super) implementer: Implementer,
    /// The runs of the verify command; the last one is repeated for ever.
    pub(super) verify: Vec<VerifyRun>,
    pub(super) baseline: bool,
    /// The verify command's exit code is thrown away.
    pub(super) mask: Option<Mask>,
    /// Findings that the configuration makes a block; `None` where it does not say.
    pub(super) untrusted: Option<Vec<Finding>>,
    pub(super) git: bool,
    pub(super) dry_run: bool,
    /// Built once more when it is finished.
    pub(super) built_again: bool,
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
    /// The content of the tree when ftl is called.
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
    /// The first file of the delta.
    InDelta,
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

impl Idiom {
    pub(super) fn kind(&self) -> &'static str {
        if self.required { "required" } else { "forbidden" }
    }

    pub(super) fn text(&self) -> String {
        match self.rule {
            IdiomRule::Mark(mark) => format!("the word {mark}"),
            IdiomRule::DoesNotCompile => "a broken rule".to_owned(),
            IdiomRule::Prose(text) => text.to_owned(),
        }
    }
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
