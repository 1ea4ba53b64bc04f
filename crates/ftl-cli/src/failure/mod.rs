//! Why a command has no result: one diagnostic for people, one JSON object for programs.
//!
//! A block is not a failure: it is a result, see `render/outcome.rs`. Which failure an error of the
//! engine becomes, `engine.rs` says.

mod engine;
mod messages;
mod snippet;
mod task_file;

use std::fmt;
use std::path::Path;

use ftl_engine::result::{ErrorText, Failed, OutcomeWord};
use ftl_engine::tasks::FailedChild;
use ftl_model::SourcePosition;
use ftl_text::terminal_text;
use miette::{Diagnostic, LabeledSpan, SourceCode};

use crate::exit::{FAILED, USAGE};
pub(crate) use snippet::Snippet;
pub(crate) use task_file::unreadable;

/// Why there is no result: a diagnostic, and the exit code that goes with it.
#[derive(Debug)]
pub(crate) struct Failure(Box<Details>);

#[derive(Debug)]
struct Details {
    exit: u8,
    code: String,
    message: String,
    help: Option<String>,
    next: Vec<String>,
    paths: Vec<String>,
    snippet: Option<Snippet>,
    others: Vec<Failure>,
}

/// How many failures are printed at once.
const MOST: usize = 50;

impl Failure {
    pub(crate) fn new(exit: u8, code: impl Into<String>, message: impl Into<String>) -> Self {
        let code = code.into();
        Self(Box::new(Details {
            exit,
            help: messages::advice(&code).map(str::to_owned),
            code,
            message: terminal_text(message.into().as_bytes()),
            next: Vec::new(),
            paths: Vec::new(),
            snippet: None,
            others: Vec::new(),
        }))
    }

    /// A failure with exit code 1.
    pub(crate) fn failed(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(FAILED, code, message)
    }

    /// What a child process that built a task said.
    pub(crate) fn of_child(failed: FailedChild) -> Self {
        let FailedChild { error, exit, .. } = failed;
        let failure = Self::new(exit, error.code, error.message);
        let failure = failure.paths(&error.paths).next(error.next);
        match error.help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }

    /// A usage error, with exit code 2.
    pub(crate) fn usage(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(USAGE, code, message)
    }

    /// Says what to do about it, in place of what the table of messages says of its code.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(terminal_text(help.into().as_bytes()));
        self
    }

    /// Adds the commands that go on from here.
    pub(crate) fn next(mut self, commands: Vec<String>) -> Self {
        self.0.next = commands;
        self
    }

    /// Adds the files that it is about.
    pub(crate) fn paths(mut self, paths: &[String]) -> Self {
        self.0.paths = paths.to_vec();
        self
    }

    /// Points at a place of a file.
    pub(crate) fn at(mut self, path: &Path, text: &str, place: SourcePosition) -> Self {
        self.0.snippet = Some(Snippet::new(&path.to_string_lossy(), text, place));
        self
    }

    /// The first of several, with the others below it; `None` when there are none. Of very many the
    /// last are left out: they are too many to read, and each holds the text that it points at.
    pub(crate) fn of_all(failures: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut failures = failures.into_iter();
        let mut first = failures.next()?;
        first.0.others.extend(failures.by_ref().take(MOST - 1));
        if failures.next().is_some() {
            let rest = Self::new(first.0.exit, first.0.code.clone(), "and more of the kind");
            let rest = rest.help(format!("mend these {MOST} first, and run the command again"));
            first.0.others.push(rest);
        }
        Some(first)
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> u8 {
        self.0.exit
    }

    /// The JSON object that `--format json` prints instead of a result.
    pub(crate) fn result(&self) -> Failed {
        Failed {
            v: 1,
            outcome: OutcomeWord::Failed,
            error: ErrorText {
                code: self.0.code.clone(),
                message: self.whole_message(),
                help: self.0.help.clone(),
                paths: self.0.paths.clone(),
                next: self.0.next.clone(),
            },
        }
    }

    /// Every message, each with its place, as one text.
    fn whole_message(&self) -> String {
        let own = match &self.0.snippet {
            Some(snippet) => format!("{} ({})", self.0.message, snippet.at()),
            None => self.0.message.clone(),
        };
        let others = self.0.others.iter().map(Self::whole_message);
        std::iter::once(own).chain(others).collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}

impl Diagnostic for Failure {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.0.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.0.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.0.snippet.as_ref()?)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::underline(self.0.snippet.as_ref()?.label());
        Some(Box::new(std::iter::once(label)))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let others = self.0.others.iter().map(|other| other as &dyn Diagnostic);
        (!self.0.others.is_empty()).then(|| Box::new(others) as Box<_>)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ftl_model::SourcePosition;
    use serde_json::json;

    use super::{Failure, MOST, USAGE};

    #[test]
    fn a_failure_says_the_same_to_programs_with_its_place() {
        let text = "one\ntwo";
        let place = SourcePosition::of(text.as_bytes(), 4, 7);
        let first = Failure::usage("config::unknown_key", "unknown key `two`")
            .help("remove it")
            .at(Path::new("ftl.toml"), text, place);
        let all = Failure::of_all([first, Failure::failed("x", "more")]).unwrap();
        assert_eq!(all.exit(), USAGE);
        let error = json!({
            "code": "config::unknown_key",
            "message": "unknown key `two` (ftl.toml:2:1); more",
            "help": "remove it",
        });
        assert_eq!(
            serde_json::to_value(all.result()).unwrap(),
            json!({"v": 1, "outcome": "failed", "error": error})
        );
    }

    #[test]
    fn of_very_many_the_first_are_printed_and_that_there_are_more() {
        let printed = |count: usize| {
            let each = (0..count).map(|n| Failure::failed("x", format!("the {n}th")));
            Failure::of_all(each).unwrap().result().error.message
        };
        assert!(printed(MOST).ends_with("the 49th"));
        assert!(printed(1_000_000).ends_with("the 49th; and more of the kind"));
    }

    #[test]
    fn control_characters_of_a_terminal_are_left_out() {
        let failure = Failure::failed("x", "a\u{1b}[31mb\u{7}").help("\u{202e}c");
        assert_eq!(failure.to_string(), "ab\u{2407}");
        assert_eq!(failure.result().error.help.as_deref(), Some("\\u{202e}c"));
    }
}
