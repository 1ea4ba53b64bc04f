use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal};

use crate::capture::Sink;
use crate::feed::Feed;
use crate::group::{living_members, signal_group};
use crate::interrupt::{self, SignalWatch};

/// How long an output may stay open after the command has ended.
const LEAK_LIMIT: Duration = Duration::from_millis(200);

const BUFFER: usize = 64 * 1024;

/// One output pipe of the child, and where its bytes go.
#[derive(Debug)]
pub(crate) struct Stream {
    pipe: Option<File>,
    pub(crate) sink: Sink,
}

impl Stream {
    /// `pipe` must not block.
    pub(crate) fn new(pipe: OwnedFd, sink: Sink) -> Self {
        Self {
            pipe: Some(File::from(pipe)),
            sink,
        }
    }

    fn pull(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(());
        };
        match pipe.read(buffer) {
            Ok(0) => self.pipe = None,
            Ok(count) => self.sink.take(&buffer[..count]),
            Err(error) if would_wait(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

fn would_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
    )
}

/// How far the end of the command has been brought about by us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shutdown {
    NotRequested,
    /// It was asked to end, and is killed at this time.
    Requested {
        kill_at: Instant,
    },
    Killed,
}

/// What poll said.
#[derive(Debug)]
struct Ready {
    exit: bool,
    signal: bool,
    feed: bool,
    streams: Vec<bool>,
}

/// Stays with one child until it has ended and its output is complete or given up.
#[derive(Debug)]
pub(crate) struct Supervisor {
    pub(crate) group: Pid,
    pub(crate) exit: OwnedFd,
    pub(crate) feed: Option<Feed>,
    pub(crate) streams: Vec<Stream>,
    pub(crate) signals: Option<SignalWatch>,
    pub(crate) grace: Duration,
    /// When the time limit passes.
    pub(crate) limit: Option<Instant>,
}

/// How the watch went.
#[derive(Debug)]
pub(crate) struct WatchOutcome {
    pub(crate) timed_out: bool,
    pub(crate) interrupted: Option<i32>,
    pub(crate) pipe_held: bool,
    /// Until when what the command left may end by itself.
    pub(crate) leak_limit: Instant,
}

impl Supervisor {
    /// Returns when the child has ended, which is not reaped, and its output is closed or its
    /// time to close is over.
    pub(crate) fn watch(&mut self) -> io::Result<WatchOutcome> {
        let mut watched = WatchOutcome {
            timed_out: false,
            interrupted: None,
            pipe_held: false,
            leak_limit: Instant::now(),
        };
        let mut shutdown = Shutdown::NotRequested;
        let mut buffer = vec![0; BUFFER];
        while !self.child_exited(&mut watched, &mut shutdown, &mut buffer)? {}
        self.feed = None;
        watched.leak_limit = Instant::now() + LEAK_LIMIT;
        let mut drain_until = self.drain_limit(shutdown, watched.leak_limit);
        while self.streams.iter().any(|stream| stream.pipe.is_some()) {
            if Instant::now() >= drain_until {
                watched.pipe_held = true;
                break;
            }
            let ready = self.wait(Some(drain_until), false)?;
            self.pull(&ready, &mut buffer)?;
            self.handle_signals(&ready, &mut watched, &mut shutdown);
            if shutdown == Shutdown::Killed {
                drain_until = drain_until.min(Instant::now() + LEAK_LIMIT);
            }
        }
        Ok(watched)
    }

    /// One turn of the loop while the child runs.
    fn child_exited(
        &mut self,
        watched: &mut WatchOutcome,
        shutdown: &mut Shutdown,
        buffer: &mut [u8],
    ) -> io::Result<bool> {
        let deadline = match *shutdown {
            Shutdown::NotRequested => self.limit,
            Shutdown::Requested { kill_at } => Some(kill_at),
            Shutdown::Killed => None,
        };
        let ready = self.wait(deadline, true)?;
        self.pull(&ready, buffer)?;
        if ready.feed && self.feed.as_mut().is_some_and(|feed| !feed.push()) {
            self.feed = None;
        }
        if ready.exit {
            return Ok(true);
        }
        self.handle_signals(&ready, watched, shutdown);
        self.handle_timeout(watched, shutdown);
        Ok(false)
    }

    fn handle_signals(
        &mut self,
        ready: &Ready,
        watched: &mut WatchOutcome,
        shutdown: &mut Shutdown,
    ) {
        let count = match &mut self.signals {
            Some(signals) if ready.signal => signals.take(),
            _ => 0,
        };
        if count == 0 {
            return;
        }
        let again = count > 1 || watched.interrupted.is_some();
        watched.interrupted = interrupt::interrupted().or(watched.interrupted);
        if again {
            self.kill(shutdown);
        } else {
            let signal = watched.interrupted.and_then(Signal::from_named_raw);
            self.request_shutdown(signal.unwrap_or(Signal::TERM), shutdown);
        }
    }

    fn handle_timeout(&self, watched: &mut WatchOutcome, shutdown: &mut Shutdown) {
        let now = Instant::now();
        match *shutdown {
            Shutdown::NotRequested if self.limit.is_some_and(|limit| now >= limit) => {
                watched.timed_out = true;
                self.request_shutdown(Signal::TERM, shutdown);
            }
            Shutdown::Requested { kill_at } if now >= kill_at => self.kill(shutdown),
            Shutdown::NotRequested | Shutdown::Requested { .. } | Shutdown::Killed => {}
        }
    }

    /// CONT, since a stopped process would not get the signal until somebody continued it.
    fn request_shutdown(&self, signal: Signal, shutdown: &mut Shutdown) {
        signal_group(self.group, signal);
        signal_group(self.group, Signal::CONT);
        if *shutdown == Shutdown::NotRequested {
            let kill_at = Instant::now() + self.grace;
            *shutdown = Shutdown::Requested { kill_at };
        }
    }

    fn kill(&self, shutdown: &mut Shutdown) {
        signal_group(self.group, Signal::KILL);
        *shutdown = Shutdown::Killed;
    }

    /// A shell often dies of TERM at once while what it started still tidies up: as long as its
    /// group lives, that has the rest of the grace.
    fn drain_limit(&self, shutdown: Shutdown, leak: Instant) -> Instant {
        match shutdown {
            Shutdown::Requested { kill_at } if self.group_lives() => kill_at.max(leak),
            Shutdown::NotRequested | Shutdown::Requested { .. } | Shutdown::Killed => leak,
        }
    }

    fn group_lives(&self) -> bool {
        let leader = self.group.as_raw_nonzero().get();
        living_members(leader)
            .iter()
            .any(|member| member.pid != leader)
    }

    fn pull(&mut self, ready: &Ready, buffer: &mut [u8]) -> io::Result<()> {
        for (stream, ready) in self.streams.iter_mut().zip(&ready.streams) {
            if *ready {
                stream.pull(buffer)?;
            }
        }
        Ok(())
    }

    fn wait(&self, deadline: Option<Instant>, for_exit: bool) -> io::Result<Ready> {
        let sources = [
            for_exit.then(|| (self.exit.as_fd(), PollFlags::IN)),
            self.signals
                .as_ref()
                .map(|signals| (signals.as_fd(), PollFlags::IN)),
            self.feed
                .as_ref()
                .map(|feed| (feed.as_fd(), PollFlags::OUT)),
        ];
        let pipes = self.streams.iter().map(|stream| {
            let pipe = stream.pipe.as_ref()?;
            Some((pipe.as_fd(), PollFlags::IN))
        });
        let sources: Vec<_> = sources.into_iter().chain(pipes).collect();
        let mut ready = poll_some(&sources, deadline)?.into_iter();
        let mut next = || ready.next().unwrap_or(false);
        Ok(Ready {
            exit: next(),
            signal: next(),
            feed: next(),
            streams: ready.collect(),
        })
    }
}

/// Which of the sources that are there have something to tell. None of them, when the deadline
/// passed or a signal came between.
fn poll_some(
    sources: &[Option<(BorrowedFd<'_>, PollFlags)>],
    deadline: Option<Instant>,
) -> io::Result<Vec<bool>> {
    let there = sources.iter().flatten();
    let mut fds: Vec<_> = there
        .map(|&(fd, flags)| PollFd::from_borrowed_fd(fd, flags))
        .collect();
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let timeout = left.and_then(|left| left.try_into().ok());
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Ok(vec![false; sources.len()]),
        Err(error) => return Err(error.into()),
    }
    let mut fds = fds.iter();
    let told = |_: &_| fds.next().is_some_and(|fd| !fd.revents().is_empty());
    let mut told = told;
    Ok(sources
        .iter()
        .map(|source| source.as_ref().is_some_and(&mut told))
        .collect())
}

/// Waits until the descriptor is readable or the time is up.
pub(crate) fn wait_readable(fd: &OwnedFd, until: Instant) {
    let source = [Some((fd.as_fd(), PollFlags::IN))];
    while Instant::now() < until {
        match poll_some(&source, Some(until)) {
            Ok(ready) if ready == [false] => {}
            Ok(_) | Err(_) => return,
        }
    }
}
