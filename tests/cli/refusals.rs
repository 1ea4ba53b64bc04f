//! Commands that cannot be done leave every byte where it was.

use std::os::unix::fs::symlink;
use std::path::Path;

use super::{assert_refused, bytes, project};
use crate::support::Project;

const A: &str = "001_a_active.xml";

struct Refusal {
    /// Words behind `ftl build --format json`.
    words: &'static [&'static str],
    code: &'static str,
    about: &'static str,
}

const fn refusal(
    words: &'static [&'static str],
    code: &'static str,
    about: &'static str,
) -> Refusal {
    Refusal { words, code, about }
}

/// In a project that holds 001_a, 001_b and 004_d active, 002_done complete, 003_stuck blocked.
const REFUSALS: &[Refusal] = &[
    refusal(&["9"], "usage::workspace_missing", "active tasks: 001_a, 001_b, 004_d"),
    refusal(&["004-x"], "usage::workspace_missing", "`004-x`"),
    refusal(&["001"], "usage::workspace_ambiguous", "`001_a`, `001_b`"),
    refusal(&["002"], "usage::workspace_finished", "already complete"),
    refusal(&["003-stuck"], "usage::workspace_finished", "already blocked"),
    refusal(
        &[".ftl/workspace/002_done_complete.xml"],
        "usage::workspace_finished",
        "already complete",
    ),
    refusal(
        &[".ftl/workspace/002_done_active.xml"],
        "usage::workspace_finished",
        "already complete",
    ),
    refusal(&[".ftl/workspace/009_x_active.xml"], "usage::workspace_missing", "009_x_active.xml"),
    refusal(&["./notes.txt"], "usage::workspace_name", "NNN_slug_STATUS.xml"),
    refusal(&[".ftl/workspace/005_link_active.xml"], "usage::workspace_missing", "005_link"),
    refusal(
        &[".ftl/workspace/006_directory_active.xml"],
        "usage::workspace_not_a_file",
        "006_directory",
    ),
    refusal(&["001_a", "9"], "usage::workspace_missing", "`9`"),
    refusal(&["001_a", "--root", "nowhere"], "usage::root", "nowhere"),
    refusal(&["001_a", "--agent", ""], "usage::agent", "no name"),
    refusal(&["001_a", "--patch", "no.diff"], "usage::patch", "no.diff"),
    refusal(&["001_a", "--patch", ".ftl"], "usage::patch", ".ftl"),
    refusal(&["001_a", "--agent", "true", "--patch", "no.diff"], "usage::arguments", "--patch"),
    refusal(&["001_a", "--agent", "true", "--tree"], "usage::arguments", "--tree"),
    refusal(&["001_a", "--agent", "true", "--base", "HEAD"], "usage::arguments", "--base"),
    refusal(&["001_a", "--base", "HEAD"], "usage::base", "git"),
    refusal(&["001_a", "--checker", "embeded"], "usage::arguments", "embedded"),
    refusal(&["001_a", "--read-tests", "maybe"], "usage::arguments", "always"),
    refusal(&["001_a", "--verify-timeout", "0"], "usage::arguments", "10m"),
    refusal(&["001_a", "--agent-timeout", "5d"], "usage::arguments", "10m"),
    refusal(&["001_a", "--nonsense"], "usage::arguments", "--nonsense"),
    refusal(&[], "usage::workspace_ambiguous", "5 tasks are active"),
    refusal(&["001_a", "--all"], "usage::arguments", "--all"),
    refusal(&["001_a", "--config", "no.toml"], "config::unreadable", "no.toml"),
    refusal(&["001_a", "--config", ".ftl"], "config::unreadable", ".ftl"),
    refusal(&["001_a", "--events", "no/such/file"], "usage::events", "no/such/file"),
    refusal(&["001_a", "--events", "-"], "usage::events", "standard output"),
];

fn crowded() -> Project {
    let project = project(&[
        A,
        "001_b_active.xml",
        "002_done_complete.xml",
        "003_stuck_blocked.xml",
        "004_d_active.xml",
    ]);
    let tasks = project.path().join(".ftl/workspace");
    symlink("nowhere", tasks.join("005_link_active.xml")).unwrap();
    std::fs::create_dir(tasks.join("006_directory_active.xml")).unwrap();
    project
}

#[test]
fn a_build_that_cannot_begin_is_a_usage_error_and_changes_nothing() {
    let project = crowded();
    let before = bytes(&project);
    for Refusal { words, code, about } in REFUSALS {
        let finished = project.ftl(["build", "--format", "json"].iter().chain(*words));
        assert_refused(&finished, 2, code, about);
        assert_eq!(bytes(&project), before, "{words:?}");
    }
}

#[test]
fn an_unreadable_task_file_is_a_failure() {
    let project = project(&[A]);
    let path = project.path().join(".ftl/workspace").join(A);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    std::fs::set_permissions(&path, mode).unwrap();
    if std::fs::read(&path).is_ok() {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: needs a user who may not read everything");
        }
        return;
    }
    let finished = project.build(&["001"]).ends(1);
    assert!(finished.stderr.contains(A), "{finished:#?}");
}

#[test]
fn events_that_cannot_be_kept_are_no_success_and_the_result_is_still_one_object() {
    if !Path::new("/dev/full").exists() {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: needs /dev/full");
        }
        return;
    }
    let project = project(&[A]);
    let finished = project.build(&["001", "--events", "/dev/full"]).ends(1);
    assert_eq!(finished.json()["outcome"], "complete", "{finished:#?}");
    assert!(finished.stderr.contains("output::events"), "{finished:#?}");
}

#[test]
fn a_preset_that_is_not_installed_is_reported_before_anything_is_begun() {
    let project = project(&[A]);
    let before = bytes(&project);
    project.write(
        "ftl.toml",
        "[agent.claude]\nenv = { mode = 'clean', set = { PATH = '/nonexistent' } }\n",
    );
    let words = ["build", "001", "--format", "json", "--agent", "claude"];
    assert_refused(&project.ftl(words), 2, "usage::agent_missing", "`claude` is not installed");
    assert_eq!(bytes(&project), before);
}
