//! Small, trusted programs: see the crate's documentation for when this serves and when a
//! [`Command`](crate::Command) is needed.
//!
//! A build asks git about ten questions, so none takes a thread: one loop of poll(2) feeds the program and reads
//! its outputs. The program has a process group, so that the time limit ends all of it, and is registered, so
//! that a sweep for orphans does not take it for one.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::process::{Pid, Signal};

use crate::ended::How;
use crate::exit_watch::exit_watch;
use crate::feed::Feed;
use crate::group::signal_group;
use crate::orphans::registry;
use crate::programs::new_command;
use crate::programs::resolve;
use crate::supervisor::{BUFFER, LEAK_LIMIT, poll_some};
use crate::{Environment, StartError};

/// A small, trusted program that is run for its answer: `git …`, `tool --version`.
///
/// Unlike of a [`Command`](crate::Command) its whole output is kept, however long, and nothing looks for
/// what it leaves behind. It has its own group, so that an
/// interrupt at the terminal does not cut it short.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The program, found as by [`find_program`](crate::find_program).
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The directory to run in, ours otherwise.
    pub dir: Option<PathBuf>,
    /// The environment to run with.
    pub env: Environment,
    /// What it reads from standard input.
    pub input: Vec<u8>,
    /// How long it may take; it is killed then.
    pub limit: Duration,
}

/// What a probe printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeOutput {
    /// How it ended; killed by its time limit is a signal too.
    pub how: How,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Runs `program` with our environment in our directory, for at most a minute.
///
/// # Errors
/// As [`Probe::run`].
pub fn probe<I>(program: impl Into<OsString>, args: I) -> Result<ProbeOutput, StartError>
where
    I: IntoIterator,
    I::Item: Into<OsString>,
{
    Probe::new(program, args).run()
}

impl Probe {
    /// A probe in our directory, with our environment, no input and a limit of a minute.
    #[must_use]
    pub fn new<I>(program: impl Into<OsString>, args: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        Self {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            dir: None,
            env: Environment::inherit(),
            input: Vec::new(),
            limit: Duration::from_secs(60),
        }
    }

    /// Runs the program to its end.
    ///
    /// # Errors
    /// When it could not be started, or waited for. An exit code other than 0 is no error.
    pub fn run(&self) -> Result<ProbeOutput, StartError> {
        let mut child = self.start(Stdio::piped())?;
        let pid = Pid::from_child(&child);
        // A limit that is too far off to be expressed is none.
        let until = Instant::now().checked_add(self.limit);
        let mut talk = Talk::with(&mut child, &self.input);
        let ended = talk.as_mut().map_err(|error| io::Error::from(error.kind()));
        let ended = ended.and_then(|talk| Ok(talk.go_on(until)? && ends(&mut child, pid, until)?));
        if !matches!(ended, Ok(true)) {
            signal_group(pid, Signal::KILL);
            // Where the system refuses the signal, a program that reads still ends.
            if let Ok(talk) = &mut talk {
                talk.feed = None;
            }
        }
        let status = child.wait();
        registry().remove_direct(pid);
        let answer = ended.and_then(|in_time| {
            let (mut talk, status) = (talk?, status?);
            if !in_time {
                // What it had printed. A process that left its group may hold the pipe for ever.
                talk.go_on(Some(Instant::now() + LEAK_LIMIT))?;
            }
            let [stdout, stderr] = talk.outputs.map(|output| output.bytes);
            Ok(ProbeOutput { how: How::from_status(status), stdout, stderr })
        });
        answer.map_err(|source| self.unwatched(source))
    }

    /// Starts the program with a pipe for its output, and one for its input where it has any.
    fn start(&self, stderr: Stdio) -> Result<Child, StartError> {
        let refused = |source| self.refused(source);
        let program = resolve(&self.program).map_err(refused)?;
        // A path is seen from our directory, not from the program's.
        let program = std::path::absolute(program).map_err(refused)?;
        let mut command = new_command(program.as_os_str());
        command.args(&self.args).process_group(0);
        command.stdout(Stdio::piped()).stderr(stderr);
        command.stdin(if self.input.is_empty() { Stdio::null() } else { Stdio::piped() });
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        self.env.apply(&mut command);
        // The lock spans start and registration: see `Registry` in `orphans.rs`.
        let mut registry = registry();
        let child = command.spawn().map_err(refused)?;
        registry.add_direct(Pid::from_child(&child));
        Ok(child)
    }

    /// Runs the program and hands over what it prints while it prints it, for answers that are too large
    /// to keep. A program that is still printing when `take` is done is killed; so is one that takes
    /// longer than the limit, and what it prints ends there.
    ///
    /// # Errors
    /// When it could not be started, or waited for. An exit code other than 0 is no error.
    pub fn stream<T>(&self, take: impl FnOnce(&mut dyn Read) -> T) -> Result<(How, T), StartError> {
        let mut child = self.start(Stdio::null())?;
        let pid = Pid::from_child(&child);
        let until = Instant::now().checked_add(self.limit);
        let talk = Talk::with(&mut child, &self.input);
        let taken = talk.map(|talk| {
            let mut answer = Answer { talk, child: &mut child, pid, until };
            take(&mut answer)
        });
        // Once it is waited for, its id may belong to another process.
        if !matches!(child.try_wait(), Ok(Some(_))) {
            signal_group(pid, Signal::KILL);
        }
        let status = child.wait();
        registry().remove_direct(pid);
        let ended = taken.and_then(|taken| Ok((How::from_status(status?), taken)));
        ended.map_err(|source| self.unwatched(source))
    }

    fn refused(&self, source: io::Error) -> StartError {
        StartError::of(&self.program, self.dir.as_deref(), source)
    }

    fn unwatched(&self, source: io::Error) -> StartError {
        StartError::Watch { program: self.program.to_string_lossy().into_owned(), source }
    }
}

/// Whether a child that has closed its outputs ends in time. It is not reaped, unless that is so.
fn ends(child: &mut Child, pid: Pid, until: Option<Instant>) -> io::Result<bool> {
    // It often closes them by ending.
    if child.try_wait()?.is_some() {
        return Ok(true);
    }
    let exit = exit_watch(pid)?;
    let source = [Some((exit.as_fd(), PollFlags::IN))];
    loop {
        if poll_some(&source, until)? == [true] {
            return Ok(true);
        }
        if is_over(until) {
            return Ok(false);
        }
    }
}

fn is_over(until: Option<Instant>) -> bool {
    until.is_some_and(|until| Instant::now() >= until)
}

/// What a program reads and prints while it runs.
struct Talk {
    feed: Option<Feed>,
    /// Standard output and standard error.
    outputs: [Printed; 2],
}

#[derive(Default)]
struct Printed {
    /// `None` once it is closed.
    pipe: Option<File>,
    bytes: Vec<u8>,
}

impl Talk {
    fn with(child: &mut Child, input: &[u8]) -> io::Result<Self> {
        let feed = child.stdin.take().map(|pipe| Feed::new(pipe.into(), input.into()));
        let stdout = child.stdout.take().map(OwnedFd::from);
        let stderr = child.stderr.take().map(OwnedFd::from);
        let printed = |pipe: Option<OwnedFd>| Printed { pipe: pipe.map(File::from), bytes: vec![] };
        Ok(Self { feed: feed.transpose()?, outputs: [printed(stdout), printed(stderr)] })
    }

    /// Reads both outputs to their ends. Returns whether they were in time.
    fn go_on(&mut self, until: Option<Instant>) -> io::Result<bool> {
        let mut buffer = vec![0; BUFFER];
        while self.outputs.iter().any(|output| output.pipe.is_some()) {
            let feed = Feed::source(self.feed.as_ref());
            let [stdout, stderr] = self.outputs.each_ref().map(|output| {
                let pipe = output.pipe.as_ref()?;
                Some((pipe.as_fd(), PollFlags::IN))
            });
            let ready = poll_some(&[stdout, stderr, feed], until)?;
            for (output, _) in self.outputs.iter_mut().zip(&ready).filter(|(_, ready)| **ready) {
                output.pull(&mut buffer)?;
            }
            if ready[2] {
                Feed::advance(&mut self.feed);
            }
            // However much there is: a program that floods must not keep the loop from its limit.
            if is_over(until) {
                return Ok(false);
            }
        }
        self.feed = None;
        Ok(true)
    }
}

impl Printed {
    /// Takes what there is. This process alone reads the pipe, so that a read does not wait once poll(2) has reported
    /// it.
    fn pull(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(());
        };
        match pipe.read(buffer) {
            Ok(0) => self.pipe = None,
            Ok(count) => self.bytes.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// What a program prints, to be read while it runs. Its end is that of the program, which is killed when its time
/// is up.
struct Answer<'c> {
    talk: Talk,
    child: &'c mut Child,
    pid: Pid,
    until: Option<Instant>,
}

impl Answer<'_> {
    fn end(&mut self) -> io::Result<usize> {
        self.talk.feed = None;
        self.talk.outputs[0].pipe = None;
        if !ends(self.child, self.pid, self.until)? {
            signal_group(self.pid, Signal::KILL);
        }
        Ok(0)
    }
}

impl Read for Answer<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(pipe) = &mut self.talk.outputs[0].pipe {
            let feed = Feed::source(self.talk.feed.as_ref());
            let ready = poll_some(&[Some((pipe.as_fd(), PollFlags::IN)), feed], self.until)?;
            if ready[1] {
                Feed::advance(&mut self.talk.feed);
            }
            if is_over(self.until) {
                return self.end();
            }
            if ready[0] {
                return match pipe.read(buffer)? {
                    0 => self.end(),
                    count => Ok(count),
                };
            }
        }
        Ok(0)
    }
}
