//! Small, trusted programs, run by the `duct` crate: see the crate's documentation for when this
//! serves and when a [`Command`](crate::Command) is needed.
//!
//! What is added to duct: a process group, so that the time limit ends all of it; registration, so
//! that a sweep for orphans does not take the child for one; errors that say what is missing.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::command::start_error;
use crate::ended::How;
use crate::group::signal_group;
use crate::orphans::registry;
use crate::programs::resolve;
use crate::{Environment, StartError};

/// How long a single wait for the child may take before its state is asked for again, in case a
/// notification of its end was lost.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// A small, trusted program that is run for its answer: `git …`, `tool --version`.
///
/// Unlike a [`Command`](crate::Command) it is run by the `duct` crate: its whole output is kept,
/// however long, and nothing looks for what it leaves behind. It has its own group, so that an
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
        let expression = self.expression()?.stdout_capture().stderr_capture();
        let (handle, pids) =
            self.register(&expression, duct::Expression::start, duct::Handle::pids)?;
        let waited = wait(&handle, self.limit);
        if !matches!(waited, Ok(true)) {
            pids.iter().for_each(|&pid| signal_group(pid, Signal::KILL));
        }
        // Taken after the kill too: it reaps the child and joins the threads that read its outputs.
        let output = waited.and_then(|_| handle.into_output());
        unregister(&pids);
        let output = output.map_err(|source| self.unwatched(source))?;
        Ok(ProbeOutput {
            how: How::from_status(output.status),
            stdout: output.stdout,
            stderr: output.stderr,
        })
    }

    /// Runs the program and hands over what it prints while it prints it, for answers that are too large
    /// to keep. A program that is still printing when `take` is done is killed; so is one that takes
    /// longer than the limit, and what it prints ends there.
    ///
    /// # Errors
    /// When it could not be started, or waited for. An exit code other than 0 is no error.
    pub fn stream<T>(&self, take: impl FnOnce(&mut dyn Read) -> T) -> Result<(How, T), StartError> {
        let expression = self.expression()?.stderr_null();
        let (reader, pids) =
            self.register(&expression, duct::Expression::reader, duct::ReaderHandle::pids)?;
        // Once it is waited for, its id may belong to another process.
        let end = || {
            if !matches!(reader.try_wait(), Ok(Some(_))) {
                pids.iter().for_each(|&pid| signal_group(pid, Signal::KILL));
            }
        };
        let (done, over) = mpsc::channel::<()>();
        let taken = thread::scope(|scope| {
            let (end, limit) = (&end, self.limit);
            let watch = move || {
                if over.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                    end();
                }
            };
            let watching = thread::Builder::new().spawn_scoped(scope, watch);
            let taken = take(&mut &reader);
            end();
            drop(done);
            watching.map(|_| taken)
        });
        // To the end of what it printed, where it is waited for.
        let ended = taken.and_then(|taken| {
            io::copy(&mut &reader, &mut io::sink())?;
            let output = reader.try_wait()?;
            let output = output.ok_or_else(|| io::Error::other("it did not end"))?;
            Ok((How::from_status(output.status), taken))
        });
        unregister(&pids);
        ended.map_err(|source| self.unwatched(source))
    }

    fn expression(&self) -> Result<duct::Expression, StartError> {
        let program = resolve(&self.program);
        let program = program.map_err(|source| self.refused(source))?;
        let mut expression = duct::cmd(program, &self.args)
            .full_env(self.env.resolve())
            .unchecked()
            .before_spawn(|command| {
                command.process_group(0);
                Ok(())
            });
        if let Some(dir) = &self.dir {
            expression = expression.dir(dir);
        }
        // Input takes a pipe and a thread.
        Ok(match self.input.is_empty() {
            true => expression.stdin_null(),
            false => expression.stdin_bytes(self.input.clone()),
        })
    }

    fn refused(&self, source: io::Error) -> StartError {
        start_error(&self.program, self.dir.as_deref(), source)
    }

    /// Starts an expression, and names its processes.
    fn register<H>(
        &self,
        expression: &duct::Expression,
        start: impl FnOnce(&duct::Expression) -> io::Result<H>,
        pids: impl FnOnce(&H) -> Vec<u32>,
    ) -> Result<(H, Vec<Pid>), StartError> {
        // The lock spans start and registration: see `Registry` in `orphans.rs`.
        let mut registry = registry();
        let handle = start(expression).map_err(|source| self.refused(source))?;
        let pids = pids(&handle).into_iter();
        let pids: Vec<Pid> = pids.filter_map(|pid| Pid::from_raw(pid as i32)).collect();
        pids.iter().for_each(|&pid| registry.add_direct(pid));
        Ok((handle, pids))
    }

    fn unwatched(&self, source: io::Error) -> StartError {
        StartError::Watch { program: self.program.to_string_lossy().into_owned(), source }
    }
}

fn unregister(pids: &[Pid]) {
    let mut registry = registry();
    pids.iter().for_each(|&pid| registry.remove_direct(pid));
}

/// Whether it ended within the limit.
fn wait(handle: &duct::Handle, limit: Duration) -> io::Result<bool> {
    let until = Instant::now() + limit;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match handle.wait_timeout(left.min(POLL_INTERVAL)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(None) if left > POLL_INTERVAL => {}
            waited => return waited.map(|output| output.is_some()),
        }
    }
}
