//! What the tests share: one command at a time, and a way to find survivors.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ftl_process::{Command, Environment, adopt_orphans};

const MARK: &str = "FTL_PROCESS_TEST_MARK";

static ALONE: Mutex<()> = Mutex::new(());

/// Orphans are adopted by the process as a whole, so a test that asserts about orphans must not
/// share it with one that makes them.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    let guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if cfg!(target_os = "linux") {
        adopt_orphans().unwrap();
    }
    guard
}

/// A mark in the environment, which all descendants inherit, wherever they hide.
#[derive(Debug)]
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::SeqCst);
        Self(format!("{}-{next}-", std::process::id()))
    }

    /// Our environment with the mark in it.
    pub(crate) fn environment(&self) -> Environment {
        Environment::inherit().set(MARK, &self.0)
    }

    pub(crate) fn shell(&self, script: &str) -> Command {
        Command::shell(script, []).env(self.environment()).grace(Duration::from_millis(300))
    }

    /// The living processes that bear the mark.
    pub(crate) fn survivors(&self) -> Vec<String> {
        let wanted = format!("{MARK}={}\0", self.0);
        let mut survivors = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
            if environ.windows(wanted.len()).any(|part| part == wanted.as_bytes()) {
                let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                survivors.push(String::from_utf8_lossy(&line).replace('\0', " "));
            }
        }
        survivors
    }
}

/// Whether the program is there; says so by name when it is not.
pub(crate) fn have(program: &str) -> bool {
    let found = Command::shell(format!("command -v {program}"), []).run(|_| Ok(())).unwrap();
    if !found.success() {
        eprintln!("skipped: needs {program}");
    }
    found.success()
}
