//! Programs on a pseudo terminal, with the screen that they make there.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ftl_testkit::program::Program;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use vt100::{Parser, Screen};

use crate::support::{FTL, Project, STATE};

const PATIENCE: Duration = Duration::from_secs(60);

/// A program on a pseudo terminal, and the screen that it makes there.
pub(super) struct Terminal {
    pub(super) child: Child,
    master: OwnedFd,
    pub(super) screen: Arc<Mutex<Parser>>,
    reader: Option<thread::JoinHandle<Vec<u8>>>,
}

impl Terminal {
    /// ftl at work in a project.
    pub(super) fn start(
        project: &Project,
        words: &[&str],
        width: u16,
        variables: &[(&str, &str)],
    ) -> Self {
        let ftl = Program::new(FTL, project.path()).args(words);
        Self::of(ftl, width, variables)
    }

    /// Any program.
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
        let screen = Arc::new(Mutex::new(Parser::new(rows, width, 0)));
        let shown = Arc::clone(&screen);
        let mut file = File::from(rustix::io::dup(&master).unwrap());
        let reader = thread::spawn(move || {
            let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
            // The end of a terminal is an error, EIO.
            while let Ok(count @ 1..) = file.read(&mut buffer) {
                shown.lock().unwrap().process(&buffer[..count]);
                all.extend_from_slice(&buffer[..count]);
            }
            all
        });
        Self { child, master, screen, reader: Some(reader) }
    }

    pub(super) fn resize(&self, width: u16) {
        self.screen.lock().unwrap().screen_mut().set_size(24, width);
        resize(&self.master, width, 24);
    }

    pub(super) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// The screen once it is as it should be.
    pub(super) fn when(&self, is_there: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let text = self.text();
            if is_there(&text) {
                return text;
            }
            assert!(Instant::now() < until, "{text}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(super) fn interrupt(&self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
    }

    /// What `draw` makes of the screen once it is as it should be, and of its text without times.
    pub(super) fn drawn<T>(
        &self,
        is_there: impl Fn(&str) -> bool,
        draw: impl Fn(&Screen, &str) -> T,
    ) -> T {
        loop {
            let text = timeless(&self.when(&is_there));
            let parser = self.screen.lock().unwrap();
            // Not in the middle of a redraw.
            if timeless(&parser.screen().contents()) == text {
                return draw(parser.screen(), &text);
            }
            drop(parser);
            thread::sleep(Duration::from_millis(5));
        }
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

/// The same screen for every run: times and the turning mark are told by their forms.
pub(super) fn timeless(screen: &str) -> String {
    let mut text = String::new();
    for line in screen.trim_end().lines() {
        let mut words = line.split_whitespace();
        let line = match (words.next(), words.next()) {
            (Some("✓"), Some(state)) => format!("✓ {state:<10}     1.2 s"),
            (Some("⠋" | "⠙" | "⠸" | "⠴" | "⠦" | "⠇"), Some(state)) => {
                let rest: String = line.chars().skip(22).collect();
                format!("⠋ {state:<10}      0:07{rest}")
            }
            (Some("verify"), _) => match line.rsplit_once(", ") {
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
