//! What the exit code of a program says: the programs whose failure is a verdict, and those that never fail or only
//! pass on what they read.

use std::sync::LazyLock;

use super::program::{Program, program_in};

/// What a program's exit code is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A runner of tests.
    Tests,
    /// A compiler, linter, type checker or a build tool's check.
    Check,
    /// It passes on what it reads, and succeeds whatever that was.
    Filter,
    /// It compares what it reads with what is expected: `diff`, `cmp`.
    Comparison,
    /// It searches in what it reads: `grep -q OK`.
    Search,
    /// It asks about the environment: `test -f x`, `command -v x`.
    Question,
    /// It succeeds, whatever ran before it: `true`, `echo`.
    Formality,
    /// Any other program.
    Unknown,
}

/// Roles of programs: a role and its programs, or a role, one program, and its subcommands of that role.
const TOOLS: &str = include_str!("tools.tsv");

/// Words that name tests or checks in the targets of build tools.
const TASKS: [&str; 12] = [
    "test",
    "check",
    "lint",
    "spec",
    "verify",
    "ci",
    "e2e",
    "build",
    "typecheck",
    "compile",
    "unit",
    "coverage",
];

/// Role, programs, subcommands.
type ToolRow = (&'static str, Vec<&'static str>, Vec<&'static str>);

static ROWS: LazyLock<Vec<ToolRow>> = LazyLock::new(|| {
    let words =
        |column: Option<&'static str>| column.map_or(Vec::new(), |it| it.split(' ').collect());
    let rows = TOOLS.lines().map(|line| {
        let mut columns = line.split('\t');
        (columns.next().unwrap_or(""), words(columns.next()), words(columns.next()))
    });
    rows.collect()
});

/// Whether the table lists the program under a role.
fn is_listed(role: &str, name: &str) -> bool {
    ROWS.iter().any(|(row, names, subcommands)| {
        *row == role && subcommands.is_empty() && names.contains(&name)
    })
}

impl Program<'_> {
    /// What the exit code of this program is worth.
    pub(crate) fn role(&self) -> Role {
        let is = |role: &str| is_listed(role, self.name);
        let has = |word: &str| self.arguments.contains(&word);
        let subcommand = self.arguments.iter().find(|it| !it.starts_with(['-', '+']));
        let known = ROWS.iter().find(|(_, tools, tasks)| {
            tools.contains(&self.name) && subcommand.is_some_and(|it| tasks.contains(it))
        });
        match self.name {
            _ if known.is_some_and(|(role, ..)| *role == "tests") => Role::Tests,
            _ if known.is_some() => Role::Check,
            _ if is("tests") => Role::Tests,
            _ if is("check") => Role::Check,
            _ if is("build") => self.build_tool(),
            "python" if has("manage.py") && has("test") => Role::Tests,
            "node" if has("--test") => Role::Tests,
            "cmake" if has("--build") => Role::Check,
            "ninja" | "xcodebuild" => Role::Check,
            "awk" | "gawk" | "perl" if self.arguments.iter().any(|it| it.contains("exit")) => {
                Role::Search
            }
            "jq" if has("-e") || has("--exit-status") => Role::Search,
            "sort" if self.arguments.iter().any(|it| matches!(*it, "-c" | "-C" | "--check")) => {
                Role::Comparison
            }
            "git" if !has("--exit-code") && !has("--quiet") && !has("--check") => {
                match subcommand {
                    Some(&("status" | "log" | "diff" | "show" | "branch" | "stash" | "add")) => {
                        Role::Formality
                    }
                    _ => Role::Unknown,
                }
            }
            "sed" if self.arguments.iter().any(|it| it.contains('q')) => Role::Search,
            _ if is("question") => Role::Question,
            _ if is("comparison") => Role::Comparison,
            _ if is("search") => Role::Search,
            _ if is("formality") => Role::Formality,
            _ if is("filter") => Role::Filter,
            _ => Role::Unknown,
        }
    }

    /// Whether the program, behind a pipe, succeeds whatever it reads.
    pub(crate) fn filters(&self) -> bool {
        match self.role() {
            Role::Filter => true,
            Role::Formality => {
                is_listed("filter", self.name)
                    || matches!(self.name, "true" | ":" | "echo" | "printf")
            }
            _ => false,
        }
    }

    fn build_tool(&self) -> Role {
        let names_task = |argument: &&str| {
            let parts = argument.split([':', '-', '_', '.', '/']);
            !argument.starts_with('-') && parts.into_iter().any(|part| TASKS.contains(&part))
        };
        let is_make = matches!(self.name, "make" | "gmake" | "just" | "task");
        let has_target = self.arguments.iter().any(|it| !it.starts_with('-') && !it.contains('='));
        match self.arguments.iter().any(names_task)
            || is_make && !has_target
            || self.name == "npm" && self.arguments == ["t"]
        {
            true => Role::Check,
            false => Role::Unknown,
        }
    }

    /// The option with which a known program passes whatever it finds.
    pub(crate) fn pass_option(&self) -> Option<&str> {
        let options: &[&str] = match self.name {
            "ruff" | "flake8" | "pylint" | "bandit" => &["--exit-zero", "-e0"],
            "make" | "gmake" => &["-i", "--ignore-errors", "-ik", "-ki"],
            "mvn" | "mvnw" => &[
                "-fn",
                "--fail-never",
                "-Dmaven.test.failure.ignore",
                "-Dmaven.test.failure.ignore=true",
                "-DtestFailureIgnore=true",
            ],
            "golangci-lint" => &["--issues-exit-code=0"],
            "rspec" => &["--failure-exit-code=0", "--dry-run"],
            "prove" => &["--norc-exit"],
            "tox" => &["--ignore-outcome"],
            _ => &[],
        };
        let valued =
            |pair: &[&str]| matches!(pair, ["--failure-exit-code" | "--issues-exit-code", "0"]);
        let found = self.arguments.iter().find(|argument| options.contains(*argument));
        found
            .or_else(|| self.arguments.windows(2).find(|pair| valued(pair)).map(|pair| &pair[0]))
            .copied()
    }

    /// The program that `find -exec PROGRAM ;` starts for each file, losing its exit code.
    pub(crate) fn lost(&self) -> Option<Program<'_>> {
        let at =
            self.arguments.iter().position(|it| matches!(*it, "-exec" | "-execdir" | "-ok"))?;
        let is_lost = self.name == "find" && self.arguments.contains(&";");
        is_lost.then(|| program_in(&self.arguments[at + 1..])).flatten()
    }

    /// Whether the program checks code without running tests.
    pub(crate) fn is_linter(&self) -> bool {
        self.role() == Role::Check && !is_listed("build", self.name)
    }

    /// Whether the program passes on only some of the lines that it reads.
    pub(crate) fn cuts_lines(&self) -> bool {
        let passes_all =
            matches!(self.name, "tee" | "cat" | "ts" | "nl" | "column" | "pv" | "sponge");
        self.role() == Role::Search || (is_listed("filter", self.name) && !passes_all)
    }

    /// Whether the failure of the program is a verdict.
    pub(crate) fn is_judge(&self) -> bool {
        matches!(self.role(), Role::Tests | Role::Check)
    }
}
