//! Builders in separate processes, which are killed at any moment.
//!
//! What `model` proves of the order of steps, this tries with the real system: that a lock keeps others
//! out, that it goes with a process that is killed, and that the seal leaves one file. The test starts
//! its own binary again, with a variable that makes it a builder.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ftl_model::Status;

use super::{Files, Layout, Lock, OsFiles, StoreError, Waiting, finish_rename, seal};

/// Set for the processes that this test starts of itself: the root to build in.
const ROOT: &str = "FTL_TEST_RACE_ROOT";
const TEST: &str = "race::each_task_is_done_once_however_many_builders_race_and_die";

const BUILDERS: usize = 8;
const TASKS: usize = 100;
const KILLS: usize = 24;

const INTRUDER: &str = "a builder met another in its task";

const DONE: &[u8] = b"done";

#[test]
fn each_task_is_done_once_however_many_builders_race_and_die() {
    if let Some(root) = std::env::var_os(ROOT) {
        return build_all(&Layout::new(root));
    }
    let temp = tempfile::tempdir().unwrap();
    let layout = Layout::new(temp.path());
    layout.prepare(&OsFiles).unwrap();
    fs::create_dir(layout.workspace_dir()).unwrap();
    for task in 0..TASKS {
        fs::write(layout.workspace_dir().join(format!("{task:03}_t_active.xml")), "").unwrap();
    }

    let mut builders: Vec<Child> = (0..BUILDERS).map(|_| start(temp.path())).collect();
    for kill in 0..KILLS {
        while count(&layout, "_complete.xml") * KILLS < kill * TASKS / 2 {
            for builder in &mut builders {
                let ended = builder.try_wait().unwrap();
                assert!(ended.is_none_or(|status| status.success()), "{INTRUDER}");
            }
        }
        let builder = &mut builders[kill % BUILDERS];
        builder.kill().unwrap();
        builder.wait().unwrap();
        *builder = start(temp.path());
    }
    for mut builder in builders {
        assert!(builder.wait().unwrap().success(), "{INTRUDER}");
    }

    let expected: Vec<OsString> =
        (0..TASKS).map(|task| format!("{task:03}_t_complete.xml").into()).collect();
    assert_eq!(OsFiles.list(&layout.workspace_dir()).unwrap(), expected, "and nothing else");
    for name in expected {
        assert_eq!(fs::read(layout.workspace_dir().join(name)).unwrap(), DONE);
    }
    assert_eq!(OsFiles.list(&layout.locks_dir()).unwrap().len(), TASKS);
}

#[expect(
    clippy::disallowed_methods,
    reason = "a supervised child cannot be left to race and be killed at any moment"
)]
fn start(root: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST])
        .env(ROOT, root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn count(layout: &Layout, suffix: &str) -> usize {
    let names = OsFiles.list(&layout.workspace_dir()).unwrap();
    let with_suffix = |name: &&OsString| name.to_string_lossy().ends_with(suffix);
    names.iter().filter(with_suffix).count()
}

/// What each builder does until nothing is left to do.
fn build_all(layout: &Layout) {
    while count(layout, "_active.xml") > 0 {
        for name in OsFiles.list(&layout.workspace_dir()).unwrap() {
            let task = layout.workspace_dir().join(&name);
            if !name.to_string_lossy().ends_with("_active.xml") {
                continue;
            }
            match Lock::task(&OsFiles, layout, &task, Waiting::Refuse) {
                Ok(lock) => {
                    build(layout, &task);
                    drop(lock);
                }
                Err(StoreError::Held { .. } | StoreError::Gone { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// Leaves its name beside the task, and must still find it there at the end.
fn build(layout: &Layout, task: &Path) {
    let judge = |content: &[u8]| (content == DONE).then_some(Status::Complete);
    if finish_rename(&OsFiles, task, judge).unwrap().is_some() {
        return;
    }
    let sign = layout.runs_dir().join(task.file_stem().unwrap());
    let me = std::process::id().to_string();
    fs::write(&sign, &me).unwrap();
    seal(&OsFiles, task, Status::Complete, DONE).unwrap();
    assert_eq!(fs::read_to_string(&sign).unwrap(), me, "{INTRUDER}");
}
