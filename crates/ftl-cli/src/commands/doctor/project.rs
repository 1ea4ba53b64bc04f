//! The project, and what builds need around it.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use ftl_engine::project::{Layout, Repository, display_path, read, repository_of, state_directory};
use ftl_engine::result::Check;
use ftl_engine::run::{Implementer, Isolate, Settings, held_state, try_placing};
use ftl_engine::status::{TaskEntry, status};
use ftl_engine::validate::masked_verify;
use ftl_model::Status;

use super::programs::version;
use super::{failed, good, note, problem};
use crate::commands::clean::total;
use crate::commands::scout;
use crate::config::Config;
use crate::failure::Failure;

/// What to do where a directory of the user's cannot be written.
const NO_STATE: &str = "set `XDG_STATE_HOME` to a directory that you can write: implementers work on \
    copies of the project in there";

/// Why isolation is refused on many systems.
const NO_MOUNT: &str = "agents work at the path of the copy instead; `docs/security.md` says \
    what `bind` needs: util-linux, and user namespaces that the system allows (on Ubuntu \
    `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, in a container `--cap-add SYS_ADMIN`)";

/// Bytes from which on the state of old runs is worth a note.
const LARGE: u64 = 1 << 20;

/// Where the project is.
pub(super) fn root(layout: &Layout) -> Check {
    let root = layout.root().display().to_string();
    if layout.ftl_dir().is_dir() {
        return good("project", root);
    }
    note(
        "project",
        format!("{root} has no `.ftl` yet"),
        "`ftl new OBJECTIVE --delta FILE --verify COMMAND` writes the first task",
    )
}

/// Whether `ftl.toml` can be read.
pub(super) fn configuration(loaded: &Result<Config, Failure>, path: &Path) -> Check {
    match loaded {
        Ok(_) if path.is_file() => good("configuration", format!("`{}` is sound", path.display())),
        Ok(_) => good("configuration", "there is no `ftl.toml`: every key has its default"),
        Err(failure) => failed("configuration", failure),
    }
}

/// Whether captures can be kept.
pub(super) fn state(layout: &Layout) -> Check {
    let Some(dir) = layout.private_dir() else {
        return problem("state", "there is no state directory", NO_STATE);
    };
    let shown = dir.display();
    match can_write(&dir) {
        Ok(()) => good("state", shown.to_string()),
        Err(error) => problem("state", format!("`{shown}` cannot be written: {error}"), NO_STATE),
    }
}

/// What runs of any project hold that no build needs any more.
pub(super) fn old_runs(layout: &Layout) -> Option<Check> {
    let held = match held_state(layout, true) {
        Ok(held) => held,
        Err(fault) => return Some(note("old runs", fault.to_string(), NO_STATE)),
    };
    let old: Vec<_> = held.iter().filter(|held| held.need.is_none()).collect();
    let (own, bytes) = (
        old.iter().all(|held| held.root.as_deref() == Some(layout.root())),
        old.iter().map(|held| held.bytes).sum::<u64>(),
    );
    match bytes {
        0 => None,
        1..LARGE => Some(good("old runs", format!("hold {}", total(old)))),
        _ => {
            let command = if own { "ftl clean" } else { "ftl clean --all" };
            Some(note(
                "old runs",
                format!("hold {}", total(old)),
                format!("`{command}` lists and removes it"),
            ))
        }
    }
}

/// Makes what is missing, as a build does, and a directory in it that is removed again.
fn can_write(dir: &Path) -> io::Result<()> {
    if !dir.is_dir() {
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    }
    let probe = dir.join(format!("doctor-{}", std::process::id()));
    DirBuilder::new().mode(0o700).create(&probe)?;
    fs::remove_dir(probe)
}

/// Git, and the repository around the project.
pub(super) fn git(layout: &Layout) -> Vec<Check> {
    let Ok(version) = version("git") else {
        return vec![note(
            "git",
            "there is no program `git`",
            "install git: without it every file is copied before an implementer runs, ignored files \
             cannot be recognised, and nothing is known of commits",
        )];
    };
    let repository = match repository_of(layout.root()) {
        Ok(Repository::At(top)) => good("repository", top.display().to_string()),
        Ok(Repository::None) => note(
            "repository",
            "the project is in no git repository",
            "`git init` and a commit tell ignored files from others",
        ),
        Ok(Repository::Refused(reason)) => note(
            "repository",
            format!("git refuses the repository: {reason}"),
            format!(
                "builds take the project for one without git; `git -C {} status` says more",
                ftl_engine::shell_word(&layout.root().display().to_string())
            ),
        ),
        Err(error) => note("repository", error.to_string(), "see what `git status` says of it"),
    };
    vec![good("git", version), repository]
}

/// Whether a workplace can be mounted at the project's path, tried out.
pub(super) fn isolation(layout: &Layout, config: &Config) -> Check {
    let agent = Implementer::Tree { base: None };
    let mut settings = Settings::new(layout.root().to_owned(), agent);
    settings.tree.clone_from(&config.tree);
    settings.requests.view = scout::program();
    settings.layout = settings.layout.with_state(state_directory());
    let is_required = config.isolate == Some(Isolate::Bind);
    match try_placing(&settings) {
        Ok(Ok(_)) => good("isolation", "agents work at the path of the project, on a private copy"),
        Ok(Err(reason)) if is_required => {
            problem("isolation", format!("`ftl.toml` asks for `bind`: {reason}"), NO_MOUNT)
        }
        Ok(Err(reason)) => note("isolation", reason, NO_MOUNT),
        Err(fault) => note("isolation", fault.to_string(), NO_MOUNT),
    }
}

/// Tasks that are held, begun or of no use.
pub(super) fn tasks(layout: &Layout) -> Vec<Check> {
    let entries = match status(layout) {
        Ok(entries) => entries,
        Err(error) => {
            return vec![problem("tasks", error.to_string(), "make `.ftl` readable for you")];
        }
    };
    let count = |status| {
        let of = |entry: &&TaskEntry| entry.name.status == status;
        entries.iter().filter(of).count()
    };
    let [active, complete, blocked, dropped] = Status::ALL.map(count);
    let mut tally = format!("{active} active, {complete} complete, {blocked} blocked");
    if dropped > 0 {
        tally.push_str(&format!(", {dropped} dropped"));
    }
    let mut checks = vec![good("tasks", tally)];
    checks.extend(entries.iter().filter_map(task));
    checks.extend(entries.iter().filter_map(|entry| masked(entry, layout)));
    checks
}

/// An active task whose verify passes although what it runs fails.
fn masked(entry: &TaskEntry, layout: &Layout) -> Option<Check> {
    if entry.name.status != Status::Active || entry.problem.is_some() {
        return None;
    }
    let file = layout.workspace_dir().join(entry.name.to_string());
    let masked = masked_verify(&read(&file).ok()?)?;
    let id = entry.name.id.as_str();
    Some(note(
        "verify",
        format!("of {id}: {}", masked.reason()),
        format!("write `{}` in `{}`", masked.instead, display_path(&file).display()),
    ))
}

fn task(entry: &TaskEntry) -> Option<Check> {
    let id = entry.name.id.as_str();
    if let Some(why) = &entry.problem {
        let found = format!("{id} cannot be used: {why}");
        let file = &entry.name;
        let help = format!("`ftl workspace validate .ftl/workspace/{file}` shows the place");
        // A record that cannot be read keeps no other task from being built.
        return Some(match entry.name.status.is_finished() {
            true => note("task", found, help),
            false => problem("task", found, help),
        });
    }
    match (entry.holder, entry.run) {
        (Some(pid), _) => Some(note(
            "lock",
            format!("{id} is held by process {pid}"),
            "a build is under way; `--wait` waits for it",
        )),
        (None, Some(run)) => Some(note(
            "task",
            format!("run {run} of {id} was begun and has not ended"),
            format!("`ftl build {id}` continues it"),
        )),
        (None, None) => None,
    }
}
