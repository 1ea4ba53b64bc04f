//! What goes on, live on a terminal: the states passed with their times, what runs, since when, how long it took
//! last time, and the last lines of its output.
//!
//! A thread draws a region at the end of the screen, a few times a second and only where it changed. The region
//! is erased before anything else is printed and when a build ends, so that it leaves nothing behind. What it
//! shows is data (`frame`); how it gets on the screen is `screen`.

mod frame;
mod screen;

use std::env;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ftl_engine::history::{LastTime, last_time};
use ftl_engine::project::{Layout, WorkspaceFile};
use ftl_engine::result::{Counts, Doing, Spent};
use ftl_machine::StateName;
use ftl_model::WorkspaceId;

use self::frame::{Frame, Style, Task, Work};
use self::screen::Screen;
use super::verbosity::Verbosity;

/// How often the region is drawn while nothing happens: clocks go on.
const INTERVAL: Duration = Duration::from_millis(250);
/// How soon after the last drawing it is drawn again.
const REST: Duration = Duration::from_millis(60);
/// How long a build may take before anything is shown of it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The region of a command. Its thread ends with the process, or once the region is closed.
#[derive(Debug)]
pub(crate) struct Live {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    view: Mutex<View>,
    changed: Condvar,
}

#[derive(Debug)]
struct View {
    frame: Frame,
    screen: Screen,
    layout: Option<Layout>,
    /// The verify commands whose last times are not looked up yet.
    unknown: Option<(WorkspaceId, String)>,
    /// Nothing is shown between two builds.
    paused: bool,
    closed: bool,
    dirty: bool,
}

impl Live {
    /// Shows what goes on, where standard error is a terminal that can: not in CI, nor of a dumb one.
    pub(crate) fn start(verbosity: Verbosity) -> Option<Self> {
        if !is_wanted() {
            return None;
        }
        let style = Style {
            unicode: is_utf8(),
            lines: if verbosity.verbose { 10 } else { 3 },
            plain: !crate::output::colour(&io::stderr()),
        };
        let shared = Arc::new(Shared {
            view: Mutex::new(View {
                frame: Frame::new(style, verbosity.tasks, verbosity.side_by_side),
                screen: Screen::default(),
                layout: None,
                unknown: None,
                paused: true,
                closed: false,
                dirty: false,
            }),
            changed: Condvar::new(),
        });
        let for_thread = Arc::clone(&shared);
        let drawing = thread::Builder::new().spawn(move || for_thread.draw());
        // Without a thread there is no progress to see, and nothing else is lost.
        drawing.ok().map(|_| Self { shared })
    }

    pub(crate) fn task(&self, task: &WorkspaceFile) {
        let id = task.id().clone();
        self.change(|view| {
            view.paused = false;
            view.layout = Some(task.layout.clone());
            view.frame.begin(Task::new(id));
        });
    }

    /// What follows is of this task, of those side by side.
    pub(crate) fn select(&self, id: &WorkspaceId) {
        self.change(|view| {
            view.paused = false;
            view.frame.select(id);
        });
    }

    /// The task under way waits for its turn to land.
    pub(crate) fn waits(&self) {
        self.change(|view| {
            if let Some(task) = view.frame.reporting() {
                task.work = None;
                task.waits = true;
            }
        });
    }

    /// A task of those side by side is no more under way.
    pub(crate) fn finish(&self, id: &WorkspaceId) {
        self.change(|view| view.frame.finish(id));
    }

    pub(crate) fn count(&self, counts: Counts) {
        self.change(|view| view.frame.counts = counts);
    }

    pub(crate) fn entered(&self, state: StateName, budget: Option<&Spent>) {
        self.change(|view| {
            if let Some(task) = view.frame.reporting() {
                task.enter(state);
                task.budget = budget.cloned().or(task.budget.take());
            }
        });
    }

    pub(crate) fn cost(&self, usd: f64) {
        self.change(|view| {
            if let Some(task) = view.frame.reporting() {
                task.cost = Some(usd);
            }
        });
    }

    /// What tasks wait for that are not begun.
    pub(crate) fn says_waits(&self, line: String) {
        self.change(|view| view.frame.waits = line);
    }

    pub(crate) fn begins(&self, doing: Doing, command: String) {
        self.change(|view| {
            if doing == Doing::Check {
                view.paused = false;
                view.frame.begin_check(Work::new(doing, command));
            } else if let Some(task) = view.frame.reporting() {
                view.unknown = Some((task.id.clone(), command.clone()));
                task.work = Some(Work::new(doing, command));
            }
        });
    }

    pub(crate) fn printed(&self, lines: &[String]) {
        self.change(|view| {
            if let Some(work) = view.frame.work() {
                work.print(lines);
            }
        });
    }

    /// What an agent says that it does, in place of the lines that it prints.
    pub(crate) fn activity(&self, line: &str) {
        self.change(|view| {
            if let Some(work) = view.frame.work() {
                work.hear(line);
            }
        });
    }

    /// Prints something that stays, above the region.
    pub(crate) fn above(&self, print: impl FnOnce()) {
        let mut view = self.shared.lock();
        view.screen.erase();
        print();
        view.dirty = true;
    }

    /// Erases the region until the next task begins.
    pub(crate) fn pause(&self) {
        let mut view = self.shared.lock();
        view.paused = true;
        view.screen.erase();
    }

    fn change(&self, change: impl FnOnce(&mut View)) {
        let mut view = self.shared.lock();
        change(&mut view);
        view.dirty = true;
        self.shared.changed.notify_one();
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let mut view = self.shared.lock();
        view.closed = true;
        view.screen.erase();
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) {
        let mut view = self.lock();
        while !view.closed {
            let (now, layout) = (Instant::now(), view.layout.clone());
            if let Some(((id, command), layout)) = view.unknown.take().zip(layout) {
                drop(view);
                // Journals of earlier runs: nothing else waits for them to be read.
                let last = last_time(&layout, &id, &command);
                view = self.lock();
                view.learn(&id, last);
            }
            view.draw(now);
            drop(view);
            thread::sleep(REST);
            view = self.lock();
            if !view.dirty && !view.closed {
                let waited = self.changed.wait_timeout(view, INTERVAL);
                view = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

impl View {
    fn learn(&mut self, id: &WorkspaceId, last: LastTime) {
        let task = self.frame.task_of(id);
        if let Some(work) = task.and_then(|task| task.work.as_mut()) {
            work.last = match work.doing {
                Doing::Verify | Doing::Broken | Doing::OldTests | Doing::Baseline => last.verify,
                Doing::Agent => last.implement,
                Doing::Mend | Doing::Fix | Doing::Preflight | Doing::Check | Doing::Judge => None,
            };
        }
    }

    fn draw(&mut self, now: Instant) {
        self.dirty = false;
        let began = self.frame.began();
        let is_long = began.is_some_and(|began| now.duration_since(began) >= PATIENCE);
        if self.paused || self.closed || !is_long {
            return;
        }
        let (width, height) = screen::size();
        self.screen.draw(self.frame.lines(now, width, height));
    }
}

/// Whether a region can be drawn, and the user did not ask for plain lines.
fn is_wanted() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    let in_ci = set("CI") && env::var_os("CI").is_some_and(|ci| ci != "false" && ci != "0");
    io::stderr().is_terminal() && !is_dumb && !in_ci
}

/// Whether the locale lets a terminal show more than ASCII.
fn is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let mut locale = locale.filter_map(|name| env::var(name).ok());
    let locale = locale.find(|value| !value.is_empty()).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
