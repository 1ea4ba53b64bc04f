//! Programs on a pseudo terminal, and the screens that they draw.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use ftl_testkit::program::Program;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use vt100::{Parser, Screen};

use crate::support::{FTL, Project, STATE};

const PATIENCE: Duration = Duration::from_secs(60);

/// A program on a pseudo terminal, and the screen that it draws.
pub(super) struct Terminal {
    pub(super) child: Child,
    master: OwnedFd,
    pub(super) shown: Arc<Shown>,
    reader: Option<thread::JoinHandle<Vec<u8>>>,
}

/// The screen, and the news that bytes arrived for it.
pub(super) struct Shown {
    parser: Mutex<Parser>,
    changed: Condvar,
}

impl Shown {
    pub(super) fn lock(&self) -> MutexGuard<'_, Parser> {
        self.parser.lock().unwrap()
    }
}

impl Terminal {
    /// Starts ftl in a project.
    pub(super) fn start(
        project: &Project,
        words: &[&str],
        width: u16,
        variables: &[(&str, &str)],
    ) -> Self {
        let ftl = Program::new(FTL, project.path()).args(words);
        Self::of(ftl, width, variables)
    }

    /// Starts any program.
    pub(super) fn of(program: Program, width: u16, variables: &[(&str, &str)]) -> Self {
        let rows = 24;
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        resize(&master, width, rows);
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(name.as_c_str(), flags, Mode::empty()).unwrap();
        let mut program = program
            .without_cargo()
            .env_remove("NO_COLOR")
            .env_remove("CI")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("XDG_STATE_HOME", STATE)
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8");
        for (name, value) in variables {
            program = program.env(name, value);
        }
        let child = program.start_on(&File::from(slave)).unwrap();
        let parser = Mutex::new(Parser::new(rows, width, 0));
        let shown = Arc::new(Shown { parser, changed: Condvar::new() });
        let filled = Arc::clone(&shown);
        let mut file = File::from(rustix::io::dup(&master).unwrap());
        let reader = thread::spawn(move || {
            let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
            // The end of a terminal is an error, EIO.
            while let Ok(count @ 1..) = file.read(&mut buffer) {
                filled.lock().process(&buffer[..count]);
                filled.changed.notify_all();
                all.extend_from_slice(&buffer[..count]);
            }
            all
        });
        Self { child, master, shown, reader: Some(reader) }
    }

    pub(super) fn resize(&self, width: u16) {
        self.shown.lock().screen_mut().set_size(24, width);
        resize(&self.master, width, 24);
    }

    pub(super) fn text(&self) -> String {
        self.shown.lock().screen().contents()
    }

    /// The screen once a complete frame of it satisfies `is_there`.
    pub(super) fn when(&self, is_there: impl Fn(&str) -> bool) -> String {
        self.frame(is_there).screen().contents()
    }

    /// What `draw` makes of that screen, and of its text without times.
    pub(super) fn drawn<T>(
        &self,
        is_there: impl Fn(&str) -> bool,
        draw: impl Fn(&Screen, &str) -> T,
    ) -> T {
        let parser = self.frame(is_there);
        draw(parser.screen(), &timeless(&parser.screen().contents()))
    }

    /// Waits for a complete frame that satisfies `is_there`.
    ///
    /// The bytes of a frame arrive in several pieces. ftl begins a frame by erasing the last one and ends it with
    /// a carriage return, so only a complete frame has text in the cursor's line and the cursor at its beginning.
    fn frame(&self, is_there: impl Fn(&str) -> bool) -> MutexGuard<'_, Parser> {
        self.until(|screen| {
            let ((row, column), (_, width)) = (screen.cursor_position(), screen.size());
            let line = screen.rows(0, width).nth(row.into());
            column == 0 && line.is_some_and(|line| !line.is_empty()) && is_there(&screen.contents())
        })
    }

    /// Waits for a screen without a region that has this text.
    pub(super) fn when_printed(&self, text: &str) {
        drop(self.until(|screen| screen.contents().contains(text)));
    }

    fn until(&self, is_there: impl Fn(&Screen) -> bool) -> MutexGuard<'_, Parser> {
        let is_missing = |parser: &mut Parser| !is_there(parser.screen());
        let waited = self.shown.changed.wait_timeout_while(self.shown.lock(), PATIENCE, is_missing);
        let (parser, waited) = waited.unwrap();
        assert!(!waited.timed_out(), "{}", parser.screen().contents());
        parser
    }

    pub(super) fn interrupt(&self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
    }

    /// Waits for the end: the exit code, the last screen, and every byte.
    pub(super) fn end(mut self) -> (Option<i32>, String, Vec<u8>) {
        let code = self.child.wait().unwrap().code();
        let all = self.reader.take().unwrap().join().unwrap();
        (code, self.text(), all)
    }
}

fn resize(master: &OwnedFd, width: u16, rows: u16) {
    let size = Winsize { ws_row: rows, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(master, size).unwrap();
}

fn is_number(word: &str) -> bool {
    word.len() == 3 && word.chars().all(|digit| digit.is_ascii_digit())
}

/// A line in which all durations are the same.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.trim_end().split(' ').collect();
    for at in 1..words.len() {
        if matches!(words[at].trim_end_matches(','), "s" | "ms") {
            (words[at - 1], words[at]) = ("4.2", "s");
        }
    }
    words.join(" ")
}

/// The screen with fixed times and a fixed spinner, so that it is equal in every run.
pub(super) fn timeless(screen: &str) -> String {
    let mut text = String::new();
    for line in screen.trim_end().lines() {
        let mut words = line.split_whitespace();
        let line = match (words.next(), words.next()) {
            // The result of a task, or the tally of all.
            (Some("✓" | "✗"), Some(task)) if is_number(task) => masked(line),
            (Some(_), Some("complete" | "complete," | "blocked,")) => masked(line),
            (Some("✓"), Some(state)) => format!("✓ {state:<10}     1.2 s"),
            (Some("⠋" | "⠙" | "⠸" | "⠴" | "⠦" | "⠇"), Some(state)) => {
                let rest: String = line.chars().skip(22).collect();
                format!("⠋ {state:<10}      0:07{rest}")
            }
            // A row of a task beside others.
            (Some(task), Some(state))
                if is_number(task) && state.chars().all(char::is_uppercase) =>
            {
                let rest: String = line.chars().skip(21).collect();
                format!("{task} {state:<10}   0:07{rest}")
            }
            (Some(_), Some("verify")) | (Some("verify"), _) => match line.rsplit_once(", ") {
                Some((before, after)) if after.ends_with(" s)") => format!("{before}, 0.1 s)"),
                _ => line.trim_end().to_owned(),
            },
            _ => line.trim_end().to_owned(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}
