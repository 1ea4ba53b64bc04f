//! The tree of a parsed command.

use std::ops::Range;

/// A sequence of lists, each ended by `;`, `&` or a line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) lists: Vec<List>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Joint, Pipeline)>,
    /// It ends with `&`.
    pub(crate) in_background: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    And,
    Or,
}

/// Commands joined by `|` or `|&`; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// It begins with `!`.
    pub(crate) is_negated: bool,
    pub(crate) commands: Vec<Command>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) body: Body,
    /// Here-documents included, without their text.
    pub(crate) redirects: Vec<Redirect>,
    /// Bytes of the source.
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Simple {
        assignments: Vec<Word>,
        words: Vec<Word>,
        inner: Option<Inner>,
    },
    /// `{ …; }`
    Group(Script),
    /// `( … )`
    Subshell(Script),
    If {
        branches: Vec<(Script, Script)>,
        otherwise: Option<Script>,
    },
    /// `while` and `until`
    While {
        condition: Script,
        is_until: bool,
        body: Script,
    },
    /// `for` and `select`
    For {
        variable: String,
        body: Script,
    },
    Case {
        arms: Vec<Script>,
    },
    /// `[[ … ]]` and `(( … ))`
    Test,
    Function {
        name: String,
        body: Box<Command>,
    },
}

/// The script that a shell or `eval` is given as an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inner {
    pub(crate) script: Script,
    pub(crate) options: Options,
    /// It runs in the same shell: `eval`.
    pub(crate) is_same_shell: bool,
}

/// Options of a shell that decide about exit codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) errexit: bool,
    pub(crate) pipefail: bool,
}

/// `> FILE`, `2>&1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    /// `>`, `>>`, `<`, `>&`, `&>`, `<<` and the like.
    pub(crate) operator: &'static str,
    pub(crate) target: Word,
}

/// A word with its quotes removed. Expansions stay in the text as they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Part of it was quoted, so it is no keyword.
    pub(crate) is_quoted: bool,
    /// Scripts of `$(…)`, backquotes and `<(…)` in it.
    pub(crate) substitutions: Vec<Script>,
    /// It is a `<(…)` or `>(…)`.
    pub(crate) is_process: bool,
}

impl Script {
    /// The simple commands of the script, those inside other commands and in substitutions included.
    pub(crate) fn simple_commands(&self) -> Vec<&Command> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    /// The `exit` in the script, with its code if that is a number.
    pub(crate) fn exit(&self) -> Option<Option<i32>> {
        let commands = self.simple_commands();
        let exit = commands
            .iter()
            .find(|it| it.words().first().is_some_and(|word| word.text == "exit"))?;
        Some(exit.words().get(1).and_then(|code| code.text.parse().ok()))
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a Command>) {
        for list in &self.lists {
            for pipeline in list.pipelines() {
                pipeline.commands.iter().for_each(|command| command.collect(found));
            }
        }
    }
}

impl List {
    pub(crate) fn pipelines(&self) -> impl Iterator<Item = &Pipeline> {
        std::iter::once(&self.first).chain(self.rest.iter().map(|(_, pipeline)| pipeline))
    }
}

impl Command {
    fn collect<'a>(&'a self, found: &mut Vec<&'a Self>) {
        match &self.body {
            Body::Simple { assignments, words, inner } => {
                found.push(self);
                let targets = self.redirects.iter().map(|redirect| &redirect.target);
                let words = assignments.iter().chain(words).chain(targets);
                let scripts = words.flat_map(|word| &word.substitutions);
                let inner = inner.iter().map(|inner| &inner.script);
                scripts.chain(inner).for_each(|script| script.collect(found));
            }
            Body::Group(script) | Body::Subshell(script) => script.collect(found),
            Body::If { branches, otherwise } => {
                for (condition, body) in branches {
                    condition.collect(found);
                    body.collect(found);
                }
                otherwise.iter().for_each(|script| script.collect(found));
            }
            Body::While { condition, body, .. } => {
                condition.collect(found);
                body.collect(found);
            }
            Body::For { body, .. } => body.collect(found),
            Body::Case { arms } => arms.iter().for_each(|script| script.collect(found)),
            Body::Function { body, .. } => body.collect(found),
            Body::Test => {}
        }
    }

    /// The texts of its words.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.words().iter().map(|word| word.text.as_str()).collect()
    }

    /// The words of a simple command; none of any other.
    pub(crate) fn words(&self) -> &[Word] {
        match &self.body {
            Body::Simple { words, .. } => words,
            _ => &[],
        }
    }
}
