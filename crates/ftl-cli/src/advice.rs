//! What to do about an error: the options and commands that help, and the exit codes.
//!
//! The engine and the store return errors as types and know no command line. What went wrong is not
//! said here: that is the error's own message.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use ftl_agents::OutageKind;
use ftl_engine::author::create::CreateError;
use ftl_engine::author::reopen::ReopenError;
use ftl_engine::author::take::TakeError;
use ftl_engine::knowledge::error_of_block;
use ftl_engine::project::{LookupError, read};
use ftl_engine::run::{Advice, Fault, StoreError, TreeError};
use ftl_model::{Status, WorkspaceId};

use crate::commands::agents::advice_on_version;
use crate::exit::{FAILED, USAGE};

/// What a task file is called.
const NAMING: &str = "task files are `.ftl/workspace/NNN_slug_active.xml`";
/// For a task file that exists and cannot be opened.
pub(crate) const READABLE: &str = "check that the file is readable";
/// For a task without a verify command.
pub(crate) const VERIFY: &str = "name a command that passes only when the task is done";
/// For a path that is none of a delta.
pub(crate) const DELTA: &str =
    "name files below the root, each of them once; `--root DIR` names another root";
/// For a delta file that exists and cannot be opened.
pub(crate) const DELTA_FILE: &str = "a delta file is a regular file, or does not exist yet";
/// For a finished document under an active name.
pub(crate) const STATUS: &str = "make the file name and the status agree";
/// For a plan with problems.
pub(crate) const PLAN: &str = "nothing was written: correct the plan and run the command again";

/// The sentences of records that name a command or an option.
pub(crate) fn for_records() -> Advice {
    Advice {
        check_file: |path| format!("ftl preflight {path}"),
        allow_removed: "`--allow-removed NAME` allows it",
        take_in,
    }
}

/// The command that takes strays of a blocked task in.
pub(crate) fn take_in(id: &str) -> String {
    format!("ftl reopen {} --take PATH", ftl_engine::shell_word(id))
}

/// The exit code of a build that could not begin or go on: 2 for what was asked wrongly, 128 + signal
/// after an interrupt, else 1.
pub(crate) fn exit_of(fault: &Fault) -> u8 {
    match fault {
        Fault::NoImplementer { .. }
        | Fault::NothingDiffers { .. }
        | Fault::Patch { .. }
        | Fault::Rules(_)
        | Fault::Finished { .. }
        | Fault::Tree(TreeError::NoSuchRevision { .. } | TreeError::NoGit { .. }) => USAGE,
        Fault::Interrupted(signal) => u8::try_from(128 + *signal).unwrap_or(FAILED),
        _ => FAILED,
    }
}

/// What to do about a build that could not begin or go on.
pub(crate) fn for_fault(fault: &Fault) -> Option<String> {
    match fault {
        Fault::TaskEdited { path, record } => {
            let (path, record) = (path.to_string_lossy(), record.to_string_lossy());
            Some(format!(
                "pass `--restart` to build the task as it is now; `cp {} {}` takes the record instead, and the \
                 next command gives it its name",
                ftl_engine::shell_word(&record),
                ftl_engine::shell_word(&path),
            ))
        }
        Fault::Outage { name, kind, setup, log, .. } => {
            let shows = matches!(kind, OutageKind::Login | OutageKind::Key);
            // Only of an agent that ftl knows is there anything to look for.
            let looked_for = name.as_deref().filter(|_| shows && setup.is_some());
            let update = (*kind == OutageKind::Version)
                .then(|| advice_on_version(name.as_deref()))
                .flatten();
            Some(outage(update.as_deref().or(*setup), looked_for, log.as_deref()))
        }
        Fault::Interrupted(_) => {
            Some(format!("the task is still active; to continue: `{}`", this_command()))
        }
        _ => known(fault).map(str::to_owned),
    }
}

/// Options of a run as the engine names them, and as they are typed. Those without a second name follow from another.
const TYPED: &[(&str, &str)] = &[
    ("allow removed", "`--allow-removed`"),
    ("baseline", "`--baseline`"),
    ("can mend", ""),
    ("checker", "`--checker`"),
    ("dry run", "`--dry-run`"),
    ("implementer agent model", "`--model`"),
    ("implementer agent effort", "`--effort`"),
    ("implementer agent name", "`--agent`"),
    ("implementer agent command", "`--agent`"),
    ("implementer agent", "`--agent`:"),
    ("implementer patches", "`--patch`"),
    ("implementer tree base", "`--base`"),
    ("knowledge", "`[knowledge] files`"),
    ("lands", ""),
    ("read tests", "`--read-tests`"),
    ("root", "`--root`"),
    ("strays block", "`[scope] strays`"),
    ("strict scope", "`--strict-scope`"),
    ("tree", "`[scope]`"),
    ("undecided", "`[quality] undecided`"),
    ("untrusted", "`[verify] untrusted`"),
];

/// Changed options by the names that a person typed.
pub(crate) fn as_typed(changes: &[String]) -> Vec<String> {
    let named = |change: &String| {
        let known = TYPED.iter().find_map(|(name, typed)| {
            let rest = change.strip_prefix(name)?;
            rest.starts_with(' ').then_some((*typed, rest))
        });
        match known {
            Some(("", _)) => None,
            Some((typed, rest)) => Some(format!("{typed}{rest}")),
            None => Some(change.clone()),
        }
    };
    changes.iter().filter_map(named).collect()
}

/// What to do about an agent that could not reach a model.
fn outage(setup: Option<&str>, name: Option<&str>, log: Option<&str>) -> String {
    let setup = setup.map_or_else(String::new, |setup| format!("{setup}; "));
    let looks = name.map_or_else(String::new, |name| {
        format!("`ftl doctor --agent {name}` says what shows of a login; ")
    });
    let log = log.map_or_else(String::new, |log| format!("; all that it printed is in `{log}`"));
    format!(
        "{setup}{looks}the task is still active, and nothing was charged: then `{}`{log}",
        this_command()
    )
}

/// The commands that go on from a build that could not.
pub(crate) fn next_for_fault(fault: &Fault) -> Vec<String> {
    match fault {
        Fault::Interrupted(_) | Fault::Outage { .. } => vec![this_command()],
        Fault::Changed { .. }
        | Fault::TaskEdited { .. }
        | Fault::NoWork { .. }
        | Fault::Illegal(_)
        | Fault::Store(StoreError::JournalDamaged { .. } | StoreError::JournalUnknown { .. }) => {
            vec![this_command_with("--restart")]
        }
        Fault::Finished { path, status: Status::Blocked } => next_for_record(path),
        Fault::Store(StoreError::Held { .. }) => vec![this_command_with("--wait")],
        _ => Vec::new(),
    }
}

/// The command that goes on from the record of a blocked task.
pub(crate) fn next_for_lookup(error: &LookupError) -> Vec<String> {
    match error {
        LookupError::Finished { path, status: Status::Blocked } => next_for_record(path),
        _ => Vec::new(),
    }
}

/// Why a task was blocked, if its record says so.
fn blocked_by(path: &Path) -> String {
    let bytes = read(path).unwrap_or_default();
    let document = ftl_xml::read(&bytes).ok();
    let error = document.and_then(|document| error_of_block(&document));
    error.map_or_else(String::new, |(error, _)| {
        format!("; it was blocked by: {}", ftl_text::one_line(&error))
    })
}

fn next_for_record(path: &Path) -> Vec<String> {
    let path = path.to_string_lossy();
    vec![format!("ftl reopen {} --build", ftl_engine::shell_word(&path))]
}

/// The command that goes on, where that is another than the one that was given.
static GOES_ON: OnceLock<String> = OnceLock::new();

/// Says which command goes on from here: one that made a task and builds it would make another.
pub(crate) fn goes_on_with(command: String) {
    let _ = GOES_ON.set(command);
}

/// The command as it was given, for a shell; of one that made a task first, the build.
pub(crate) fn this_command() -> String {
    if let Some(command) = GOES_ON.get() {
        return command.clone();
    }
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| ftl_engine::shell_word(&word.to_string_lossy()));
    let words: Vec<String> = std::iter::once("ftl".to_owned()).chain(words).collect();
    words.join(" ")
}

/// The command as it was given, with one more option of a build, which may follow those of another command.
fn this_command_with(option: &str) -> String {
    format!("{} {option}", this_command())
}

fn known(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::NoImplementer { .. } => Some(
            "name an implementer: `--agent CMD`, `--patch FILE`, or `[agent] default` in ftl.toml; or write the delta \
             yourself, and build again",
        ),
        Fault::NothingDiffers { .. } => Some(
            "name who writes it: `--agent CMD` or `--patch FILE`; pass `--no-change` if nothing has to change",
        ),
        Fault::Isolation { .. } => Some(
            "pass `--isolate auto` to mount only where that is possible, or `--isolate copy`; \
             docs/security.md says what the mount needs",
        ),
        Fault::NoRoom(_) => {
            Some("make room on the disk of the state directory, or build with fewer `--jobs`")
        }
        Fault::NoStateDirectory => Some("set one of them to a directory that can be written"),
        Fault::Rules(_) => Some(
            "correct the rule, or take its file off `[quality] rules`; `ftl idioms test` checks them all",
        ),
        Fault::LinkedStore { .. } => {
            Some("move the directory to the root of the project, or build with `--tree`")
        }
        Fault::Patch { .. } => Some("check the path given to `--patch`"),
        Fault::Changed { .. } => Some(
            "undo the change to resume the run, or pass `--restart` to abandon it and start a new one",
        ),
        Fault::Applying { .. } => Some("the task is still active: build it again to resume"),
        Fault::Finished { .. } => Some(
            "a crash had interrupted the seal, and ftl has now finished it; the record is valid",
        ),
        Fault::Store(error) => for_store(error),
        Fault::Tree(TreeError::NoSuchRevision { .. }) => Some("name a revision that git knows"),
        Fault::Tree(TreeError::NoGit { .. }) => {
            Some("remove `--base`: the project is not in a git repository")
        }
        Fault::Tree(TreeError::Io { source, .. })
            if source.kind() == io::ErrorKind::PermissionDenied =>
        {
            Some(
                "give ftl access to it, or add it to `[scope] scratch` in ftl.toml to stop watching it; \
                 then build again",
            )
        }
        Fault::NoWork { .. } => Some("pass `--restart` to start a new run"),
        Fault::Illegal(_) => Some("pass `--restart` to start a new run"),
        _ => Some("fix what the system reports, then build again: the run continues"),
    }
}

/// What to do about a failure of the store.
pub(crate) fn for_store(error: &StoreError) -> Option<&'static str> {
    match error {
        StoreError::File(_) | StoreError::JournalFailed { .. } => {
            Some("fix what the system reports, then build again: the run continues")
        }
        StoreError::Held { .. } => {
            Some("wait for the other one to end; `ftl build --wait` waits by itself")
        }
        StoreError::Gone { .. } => Some("another builder may have finished it: see `ftl status`"),
        StoreError::Taken { .. } => Some("move the file that has this name out of the way"),
        StoreError::JournalDamaged { .. } | StoreError::JournalUnknown { .. } => {
            Some("pass `--restart` to start a new run")
        }
        StoreError::Name(_) | StoreError::JournalData(_) => None,
    }
}

/// What to do about a task file that is not there, or not to be worked on.
pub(crate) fn for_lookup(error: &LookupError) -> Option<String> {
    match error {
        LookupError::Name { .. } | LookupError::NotAFile { .. } | LookupError::Missing { .. } => {
            Some(NAMING.to_owned())
        }
        LookupError::Finished { path, status: Status::Blocked } => Some(format!(
            "nothing was changed{}; `{}` continues from there",
            blocked_by(path),
            next_for_record(path).concat()
        )),
        LookupError::Finished { path, .. } => Some(format!(
            "nothing was changed; write a new task with `ftl new`, or make this one active again: `{}`",
            next_for_record(path).concat()
        )),
        LookupError::Ambiguous { .. } => Some("name one of them by its ID".to_owned()),
        LookupError::Unknown { active, .. } if active.is_empty() => Some(
            "there are no active tasks: write one with `ftl new`, or name another project with \
             `--root`"
                .to_owned(),
        ),
        LookupError::Unknown { active, .. } => {
            let active: Vec<&str> = active.iter().map(WorkspaceId::as_str).collect();
            Some(format!("active tasks: {}", active.join(", ")))
        }
        _ => None,
    }
}

/// What to do about work or strays that can't be taken.
pub(crate) fn for_take(error: &TakeError) -> Option<String> {
    match error {
        TakeError::NotApart { apart, .. } if apart.is_empty() => Some(
            "no run of this task has anything in quarantine: name files of the delta with `ftl reopen --delta`"
                .to_owned(),
        ),
        TakeError::NotApart { apart, .. } => {
            let shown: Vec<&str> = apart.iter().take(20).map(String::as_str).collect();
            Some(format!("in quarantine are: {}", shown.join(", ")))
        }
        TakeError::Untakable { .. } => {
            Some("name it with `ftl reopen --delta`, and let the implementer write it".to_owned())
        }
        TakeError::NoWork { .. } => {
            Some("only a run of an agent or a patch leaves work that is not in the project".to_owned())
        }
        _ => None,
    }
}

/// What to do about a task that can't be made active again.
pub(crate) fn for_reopen(error: &ReopenError) -> Option<String> {
    match error {
        ReopenError::Active { .. } => {
            Some("it can be built as it is; `ftl edit` changes it".to_owned())
        }
        ReopenError::Finished { path, .. } => {
            let path = ftl_engine::shell_word(&path.to_string_lossy());
            Some(format!("`ftl reopen {path}` makes it active again, and takes the same options"))
        }
        ReopenError::OtherStatus { .. } => Some(STATUS.to_owned()),
        ReopenError::EmptyFix => Some("say what mends the error".to_owned()),
        ReopenError::NoError { .. } => {
            Some("write the failure into the task file, below `prior_knowledge`".to_owned())
        }
        ReopenError::Pattern { .. } => {
            Some("write a regular expression as Python's `re` takes it".to_owned())
        }
        _ => None,
    }
}

/// What to do about a task file that cannot be written for a plan.
pub(crate) fn for_create(error: &CreateError) -> Option<String> {
    match error {
        CreateError::Begun { id, .. } => Some(format!("finish it with `ftl build {id}` first")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use ftl_engine::run::StoreError;

    use super::for_store;

    #[test]
    fn changed_options_have_the_names_that_are_typed() {
        let changes = [
            "can mend from `true` to `false`",
            "implementer from agent to tree",
            "baseline from `false` to `true`",
            "implementer agent command from `a` to `b`",
        ];
        let typed = super::as_typed(&changes.map(str::to_owned));
        let expected = [
            "implementer from agent to tree",
            "`--baseline` from `false` to `true`",
            "`--agent` from `a` to `b`",
        ];
        assert_eq!(typed, expected);
    }

    #[test]
    fn a_damaged_journal_has_a_way_out() {
        let damaged = StoreError::JournalDamaged {
            path: "journal.jsonl".into(),
            line: 2,
            reason: "its checksum is wrong",
        };
        assert!(for_store(&damaged).unwrap().contains("`--restart`"));
    }
}
