//! Describing a command, starting it, and what happens in which order until it has ended.
//!
//! [`Command::run_observed`] is the order; each step is elsewhere: `supervisor.rs` waits, `orphans.rs` ends what
//! was left, `capture.rs` keeps output. No error is about how the command fared: that is data, in [`Ended`].

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::capture::Sink;
use crate::ended::{Ended, How};
use crate::exit_watch::exit_watch;
use crate::feed::Feed;
use crate::interrupt::{self, SignalWatch};
use crate::observer::Observer;
use crate::orphans::{await_orphans, registry};
use crate::programs::{new_command, resolve};
use crate::supervisor::{Stream, Supervisor, WatchOutcome};
use crate::{Capture, Environment, Group, StartError, Trail, View, WriteRoom};

/// From TERM to KILL.
pub const DEFAULT_GRACE: Duration = Duration::from_secs(10);

/// A program to run under supervision.
///
/// By default it runs in our directory with our environment, empty standard input, no
/// time limit, and both outputs in one, as they come.
#[derive(Debug, Clone)]
pub struct Command {
    program: OsString,
    args: Vec<OsString>,
    dir: Option<PathBuf>,
    env: Environment,
    input: Option<Arc<[u8]>>,
    limit: Option<Duration>,
    grace: Duration,
    capture: Capture,
    stderr: Option<Capture>,
    view: Option<View>,
    room: Option<WriteRoom>,
}

impl Command {
    /// A program with its arguments, found as by [`find_program`](crate::find_program).
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
            input: None,
            limit: None,
            grace: DEFAULT_GRACE,
            capture: Capture::default(),
            stderr: None,
            view: None,
            room: None,
        }
    }

    /// `sh -c SCRIPT NAME ARGUMENT…`: the first of `args` becomes the script's `$0`, the others
    /// its `"$@"`.
    #[must_use]
    pub fn shell<'a>(script: impl AsRef<OsStr>, args: impl IntoIterator<Item = &'a OsStr>) -> Self {
        let script = [OsStr::new("-c"), script.as_ref()].map(OsStr::to_os_string);
        let args = args.into_iter().map(OsStr::to_os_string);
        Self::new("sh", script.into_iter().chain(args))
    }

    /// The directory to run in.
    #[must_use]
    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    /// The environment to run with.
    #[must_use]
    pub fn env(mut self, env: Environment) -> Self {
        self.env = env;
        self
    }

    /// Bytes for standard input. The command need not read them.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Arc<[u8]>>) -> Self {
        self.input = Some(bytes.into());
        self
    }

    /// How long the command may run before its group is ended.
    #[must_use]
    pub fn time_limit(mut self, limit: Option<Duration>) -> Self {
        self.limit = limit;
        self
    }

    /// How long the group has from TERM to KILL; [`DEFAULT_GRACE`] otherwise.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// What to keep of the output.
    #[must_use]
    pub fn capture(mut self, capture: Capture) -> Self {
        self.capture = capture;
        self
    }

    /// Keeps standard error apart, in its own [`Ended::stderr`].
    #[must_use]
    pub fn separate_stderr(mut self, capture: Capture) -> Self {
        self.stderr = Some(capture);
        self
    }

    /// Bounds what it may write.
    #[must_use]
    pub fn room(mut self, room: Option<WriteRoom>) -> Self {
        self.room = room;
        self
    }

    /// Runs it in a view: with other directories at some paths.
    #[must_use]
    pub fn within(mut self, view: View) -> Self {
        self.view = Some(view);
        self
    }

    /// Runs the command to its end, and ends what it leaves.
    ///
    /// `started` is called with the group before anything waits for it, so that a journal can record
    /// it, and a later process can end the group if this one crashes.
    ///
    /// # Errors
    /// When the command could not be started, recorded by `started`, or watched; it is not running
    /// then. How the command itself ends is never an error.
    pub fn run(&self, started: impl FnOnce(&Group) -> io::Result<()>) -> Result<Ended, StartError> {
        self.run_observed(&mut GroupObserver(Some(started)))
    }

    /// As [`run`](Self::run), with an observer that is called before the start too: if this process
    /// crashes between the start and the record of the group, the trail still leads to the command.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_observed(&self, observer: &mut dyn Observer) -> Result<Ended, StartError> {
        // Listen first, ask then: a signal that comes between the two is seen by one of them.
        let signals = SignalWatch::new().map_err(|source| self.unwatched(source))?;
        if let Some(signal) = interrupt::interrupted() {
            return Err(StartError::Interrupted { signal });
        }
        // Before the start, so that a file that cannot be made costs no process.
        let listens = observer.listens();
        let mut sinks = self.open_sinks()?.into_iter();
        let output = sinks.next().map(|sink| match listens {
            true => sink.listened_to(),
            false => sink,
        });
        let sinks: Vec<Sink> = output.into_iter().chain(sinks).collect();
        let begun = Instant::now();
        let (mut child, pipes) = self.spawn(observer)?;
        let group = Pid::from_child(&child);
        // From here on there is a child: whatever fails, `close` below ends and reaps it.
        let watched = observer
            .started(&Group::led_by(group))
            .map_err(|source| self.unobserved(source))
            .and_then(|()| {
                let streams = streams(pipes, sinks);
                self.watch(&mut child, streams, signals, begun, &mut *observer)
                    .map_err(|source| self.unwatched(source))
            });
        // Only after a watch that went well; one that failed has no reason to be patient.
        let left_nothing =
            watched.as_ref().is_ok_and(|(watched, _)| await_orphans(group, watched.leak_limit));
        let closed = registry().close(group, &mut child, left_nothing);
        let (watched, mut streams) = watched?;
        if let Some(stream) = streams.first_mut().filter(|_| listens) {
            stream.sink.end();
            observer.hear(&stream.sink.fresh());
        }
        let status = closed.status.map_err(|source| self.unwatched(source))?;
        let mut outputs = streams.into_iter().map(|stream| stream.sink.finish());
        let ended = Ended {
            how: How::from_status(status),
            timed_out: watched.timed_out,
            overfull: watched.overfull,
            interrupted: watched.interrupted,
            duration: begun.elapsed(),
            output: outputs.next().unwrap_or_default(),
            stderr: outputs.next(),
            pipe_held: watched.pipe_held,
            left_behind: closed.left,
            unsettled: closed.unsettled,
        };
        let settled = match &self.view {
            Some(view) => view.settle(ended)?,
            None => ended,
        };
        Ok(match &self.room {
            Some(room) => room.settle(settled),
            None => settled,
        })
    }

    fn watch(
        &self,
        child: &mut Child,
        streams: Vec<Stream>,
        signals: Option<SignalWatch>,
        begun: Instant,
        observer: &mut dyn Observer,
    ) -> io::Result<(WatchOutcome, Vec<Stream>)> {
        let group = Pid::from_child(child);
        let feed = match (child.stdin.take(), &self.input) {
            (Some(pipe), Some(bytes)) => Some(Feed::new(pipe.into(), Arc::clone(bytes))?),
            (None, _) | (_, None) => None,
        };
        let mut supervisor = Supervisor {
            group,
            exit: exit_watch(group)?,
            feed,
            streams,
            signals,
            grace: self.grace,
            limit: self.limit.and_then(|limit| begun.checked_add(limit)),
            look_at: Some(begun),
            meter: self.room.as_ref().and_then(WriteRoom::meter),
        };
        let watched = supervisor.watch(observer)?;
        Ok((watched, supervisor.streams))
    }

    /// Starts the child; the pipes are those of its output, and of its standard error if apart.
    fn spawn(&self, observer: &mut dyn Observer) -> Result<(Child, Vec<OwnedFd>), StartError> {
        let refused = |source| self.refused(source);
        let (reader, writer) = output_pipe().map_err(refused)?;
        let trail = Trail::of(&reader).map_err(refused)?;
        observer.starts(&trail).map_err(|source| self.unobserved(source))?;
        // The trail is that of the first pipe. Standard error kept apart adds a second one that
        // no search finds: a process that holds it alone is still a member of the group or an
        // orphan.
        let mut readers = vec![reader];
        let stderr = match self.stderr {
            None => writer.try_clone().map_err(refused)?,
            Some(_) => {
                let (reader, writer) = output_pipe().map_err(refused)?;
                readers.push(reader);
                writer
            }
        };
        let mut command = self.to_start().map_err(refused)?;
        // A separate group: one signal reaches all of it, and an interrupt at the terminal
        // reaches us and not the child, so that we decide what becomes of it.
        command.process_group(0);
        command.stdout(writer).stderr(stderr);
        command.stdin(match self.input {
            Some(_) => Stdio::piped(),
            // Not inherited: a child that asks for input would wait at our terminal.
            None => Stdio::null(),
        });
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        self.env.apply(&mut command);
        // The lock spans start and registration: see `Registry`.
        let mut registry = registry();
        let child = command.spawn().map_err(refused)?;
        registry.add_watched(Pid::from_child(&child));
        // `command` is dropped here, and with it our copies of the writing ends. Were one left
        // open, the pipe would never reach its end of file.
        Ok((child, readers))
    }

    /// The program with its arguments, or what runs it within a view.
    fn to_start(&self) -> io::Result<std::process::Command> {
        let program = resolve(&self.program)?;
        if let Some(room) = &self.room {
            room.reserve();
        }
        let Some(view) = &self.view else {
            let mut command = new_command(program.as_os_str());
            command.args(&self.args);
            return Ok(command);
        };
        view.reserve();
        let dir = self.dir.as_deref().unwrap_or(Path::new("/"));
        let shell = resolve(OsStr::new("sh"))?;
        let mut command = new_command(shell.as_os_str());
        command.args(view.wrap(program.as_os_str(), &self.args, dir));
        Ok(command)
    }

    fn open_sinks(&self) -> Result<Vec<Sink>, StartError> {
        let captures = [Some(&self.capture), self.stderr.as_ref()];
        let open = |capture: &Capture| {
            capture.open().map_err(|source| StartError::Spill {
                path: capture.spill_path().cloned().unwrap_or_default(),
                source,
            })
        };
        captures.into_iter().flatten().map(open).collect()
    }

    fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }

    fn refused(&self, source: io::Error) -> StartError {
        StartError::of(&self.program, self.dir.as_deref(), source)
    }

    fn unobserved(&self, source: io::Error) -> StartError {
        StartError::Unobserved { program: self.name(), source }
    }

    fn unwatched(&self, source: io::Error) -> StartError {
        StartError::Watch { program: self.name(), source }
    }
}

/// An observer of the group alone.
struct GroupObserver<F>(Option<F>);

impl<F: FnOnce(&Group) -> io::Result<()>> Observer for GroupObserver<F> {
    fn starts(&mut self, _: &Trail) -> io::Result<()> {
        Ok(())
    }

    fn started(&mut self, group: &Group) -> io::Result<()> {
        self.0.take().map_or(Ok(()), |started| started(group))
    }
}

fn streams(pipes: Vec<OwnedFd>, sinks: Vec<Sink>) -> Vec<Stream> {
    let pairs = pipes.into_iter().zip(sinks);
    pairs.map(|(pipe, sink)| Stream::new(pipe, sink)).collect()
}

/// A pipe whose end here does not block; the child's end still does, for the two ends are different
/// open file descriptions (pipe(2)). A child with a non-blocking output would lose what it prints.
///
/// Both ends are close-on-exec, so that commands started at the same time do not inherit each
/// other's.
fn output_pipe() -> io::Result<(OwnedFd, PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    Ok((reader.into(), writer))
}

impl View {
    /// Whether such a view can be made here, tried out.
    ///
    /// # Errors
    /// Why not, in one line.
    pub fn probe(&self) -> Result<(), String> {
        let probe = Command::new("sh", ["-c", ":"])
            .capture(Capture::default())
            .time_limit(Some(std::time::Duration::from_secs(10)))
            .within(self.clone());
        let ended = probe.run(|_| Ok(())).map_err(|error| match error {
            StartError::View { reason } => reason,
            error => error.to_string(),
        })?;
        match ended.how {
            How::Exit(0) => Ok(()),
            How::Exit(_) | How::Signal(_) => Err(crate::view::said(&ended)),
        }
    }
}
