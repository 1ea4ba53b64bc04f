//! `ftl.toml` and the user's own file: where they are found, and what they configure.
//!
//! Nothing here knows options: `commands/build` decides which of the two takes precedence. The files are
//! read strictly, since a mistyped key would silently leave a default in force.

pub(crate) mod knowledge;
mod origins;
mod reader;
mod sections;
mod user;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io};

use ftl_engine::Rules;
use ftl_engine::project::read_regular;
use ftl_engine::run::{Families, Isolate, Judge, Setup, TreeSettings};
use ftl_machine::{Evidence, Undecided};
use ftl_model::{Finding, SourcePosition};
use ftl_preflight::CheckerName;
use ftl_process::Environment;

use crate::failure::Failure;
pub(crate) use origins::{Setting, settings};
pub(crate) use reader::Problem;
use reader::Problems;

/// Name of the configuration file at the root.
pub(crate) const FILE: &str = "ftl.toml";
/// Largest configuration file, in bytes.
const LARGEST: u64 = 1 << 20;
/// Names another file.
const VARIABLE: &str = "FTL_CONFIG";

/// What a project configures; what it leaves open is the default.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// Runs that a build with an agent makes of a task at most.
    pub(crate) attempts: Option<u32>,
    /// Whether verify commands run once more at the end.
    pub(crate) check: Option<bool>,
    /// Whether complete tasks are committed.
    pub(crate) commit: bool,
    /// Lines for the messages of commits.
    pub(crate) trailers: Vec<String>,
    /// Tasks that a build with an agent has under way at once.
    pub(crate) jobs: Option<usize>,
    pub(crate) workers: Workers,
    pub(crate) default_agent: Option<String>,
    /// How agents are isolated that do not say so themselves.
    pub(crate) isolate: Option<Isolate>,
    /// How long the quota of agents is waited for that do not say so themselves.
    pub(crate) wait: Option<Duration>,
    pub(crate) agents: BTreeMap<String, Agent>,
    pub(crate) verify: Verify,
    pub(crate) preflight: Preflight,
    pub(crate) undecided: Undecided,
    /// Who is asked about undecided idioms.
    pub(crate) idiom_judge: Option<Judge>,
    /// Files of rules, from the root.
    pub(crate) rules: Vec<String>,
    /// `None`: the built-in ones, which need not be built before a test fails.
    pub(crate) families: Option<Families>,
    /// Who is asked where an error is like a known failure, but not like enough.
    pub(crate) judge: Option<Judge>,
    /// Files of failures that the project shares.
    pub(crate) knowledge: Vec<String>,
    pub(crate) tree: TreeSettings,
    /// What makes dependencies equal to their manifests.
    pub(crate) setup: Option<Setup>,
    /// Names of shapes and variables that are not redacted.
    pub(crate) redact_off: Vec<String>,
}

/// `[workers]`.
#[derive(Debug, Default)]
#[cfg_attr(
    not(feature = "workers"),
    expect(dead_code, reason = "read, so that mistakes are reported")
)]
pub(crate) struct Workers {
    pub(crate) url: Option<String>,
    /// A file.
    pub(crate) credentials: Option<PathBuf>,
    /// Certificates of authorities.
    pub(crate) ca: Option<PathBuf>,
    /// This machine's certificate, and its key.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    /// Globs of files that are not sent to workers.
    pub(crate) exclude: Vec<String>,
    pub(crate) agents: Vec<String>,
    pub(crate) slots: Option<u32>,
}

/// `[agent.NAME]`.
#[derive(Debug, Default)]
pub(crate) struct Agent {
    /// The shell command; a built-in preset's when there is none.
    pub(crate) command: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) effort: Option<String>,
    /// More words for the command.
    pub(crate) args: Vec<String>,
    /// What it prints when it can't reach a model: regular expressions.
    pub(crate) outage: Vec<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) env: Environment,
    pub(crate) isolate: Option<Isolate>,
    pub(crate) wait: Option<Duration>,
}

/// `[preflight]`.
#[derive(Debug, Default)]
pub(crate) struct Preflight {
    pub(crate) checker: Option<CheckerName>,
    /// How long a front end or a command may take over one file.
    pub(crate) timeout: Option<Duration>,
    /// `[preflight.commands]`: the words of a command, by the suffix of the files that it checks.
    pub(crate) commands: BTreeMap<String, Vec<String>>,
}

/// `[verify]`.
#[derive(Debug, Default)]
pub(crate) struct Verify {
    pub(crate) timeout: Option<Duration>,
    pub(crate) env: Environment,
    /// `None`: those that block by default.
    pub(crate) untrusted: Option<BTreeSet<Finding>>,
    /// Globs of the reports of tests that the command writes.
    pub(crate) reports: Vec<String>,
    pub(crate) evidence: Option<Evidence>,
}

impl Config {
    /// The configuration of a project: the file that was named, else the one at the root, above the user's own; else the
    /// defaults. The problems of both files are reported at once.
    pub(crate) fn load(named: Option<&Path>, root: &Path) -> Result<Self, Failure> {
        let (path, must_exist) = Self::place(named, root);
        let project = text_of(&path, must_exist)?;
        let user = user::text()?;
        let mut failures = Vec::new();
        let mut parsed = |path: &Path, text: Option<&String>, parse: Parse| {
            let parsed = text.map_or_else(|| Ok(Self::default()), |text| parse(text));
            parsed.unwrap_or_else(|problems| {
                failures.extend(failures_of(path, text.map_or("", String::as_str), problems));
                Self::default()
            })
        };
        let project = parsed(&path, project.as_ref(), Self::parse);
        let user = match &user {
            Some((path, text)) => parsed(path, Some(text), user::parse),
            None => Self::default(),
        };
        match Failure::of_all(failures) {
            Some(failure) => Err(failure),
            None => Ok(project.above(user)),
        }
    }

    /// Where the configuration is read from, and whether it must be there.
    pub(crate) fn place(named: Option<&Path>, root: &Path) -> (PathBuf, bool) {
        let variable = env::var_os(VARIABLE).filter(|path| !path.is_empty());
        match (named, variable) {
            (Some(path), _) => (path.to_owned(), true),
            (None, Some(path)) => (PathBuf::from(path), true),
            (None, None) => (root.join(FILE), false),
        }
    }

    /// The built-in rules of idioms, and those of the files that are named.
    pub(crate) fn rules(&self, root: &Path) -> Result<Rules, Failure> {
        let file = |path: &String| match read(&root.join(path)) {
            Ok(text) => Ok((path.clone(), text)),
            Err(error) => {
                let message = format!("cannot read the rule file `{path}`: {error}");
                Err(Failure::usage("config::rules", message)
                    .help("correct `[quality] rules` in `ftl.toml`: paths are taken from the root"))
            }
        };
        let files: Result<Vec<(String, String)>, Failure> = self.rules.iter().map(file).collect();
        Ok(Rules::with(files?))
    }

    /// The configuration that a file's text holds.
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::default();
        let config = sections::config(text, &mut problems);
        problems.into_result(config)
    }
}

/// How the text of a file becomes a configuration.
type Parse = fn(&str) -> Result<Config, Vec<Problem>>;

/// The text of a file; `None` where there is none and none must be.
fn text_of(path: &Path, must_exist: bool) -> Result<Option<String>, Failure> {
    match read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if !must_exist && error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("cannot read `{}`: {error}", path.display());
            Err(Failure::usage("config::unreadable", message)
                .help("name a file that can be read with `--config`, or fix this one"))
        }
    }
}

/// The text of a configuration file.
fn read(path: &Path) -> io::Result<String> {
    let bytes = read_regular(path, LARGEST)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}

fn failure(path: &Path, text: &str, problems: Vec<Problem>) -> Failure {
    Failure::of_all(failures_of(path, text, problems))
        .expect("because a configuration is refused for a problem")
}

fn failures_of(path: &Path, text: &str, problems: Vec<Problem>) -> Vec<Failure> {
    let failures = problems.into_iter().map(|problem| {
        let place = SourcePosition::of(text.as_bytes(), problem.span.start, problem.span.end);
        let failure = Failure::usage(problem.code, problem.message).at(path, text, place);
        match problem.help {
            Some(help) => failure.help(help),
            None => failure,
        }
    });
    failures.collect()
}

#[cfg(test)]
mod page;
#[cfg(test)]
mod tests;
