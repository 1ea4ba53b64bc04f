//! One loop of poll(2) that stays with a child until it has ended and its output is dealt with.
//!
//! It decides when to signal and when to stop reading. It neither starts nor reaps anything, and
//! what the command leaves behind is ended elsewhere: see `command.rs` for the order and
//! `orphans.rs` for the sweep.
//!
//! The loop has two phases. While the child runs, any of its output, its input, a signal to us and
//! the deadline may be what happens next, so all of them are polled at once: reading one pipe to
//! its end before the other is how a parent and a child deadlock. Once the child has exited, only
//! its output matters, and only for a bounded time, for a grandchild may hold the pipe for ever.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal};

use crate::Overfull;
use crate::capture::Sink;
use crate::feed::Feed;
use crate::group::{living_members, signal_group};
use crate::interrupt::{self, SignalWatch};
use crate::observer::Observer;
use crate::room::Meter;

/// How long an output may stay open after the command has ended. A pipe that is still open then is
/// held by a process that the command left behind (nextest calls such a test leaky): the end of file
/// would come only when that process ends, which may be never.
pub(crate) const LEAK_LIMIT: Duration = Duration::from_millis(200);

/// The capacity of a pipe on Linux (pipe(7)): one read empties a full one.
pub(crate) const BUFFER: usize = 64 * 1024;

/// One output pipe of the child, and where its bytes go.
#[derive(Debug)]
pub(crate) struct Stream {
    pipe: Option<File>,
    pub(crate) sink: Sink,
}

impl Stream {
    /// `pipe` must not block: poll(2) may report a descriptor as ready that a read then has to wait
    /// for, and everything else would wait with it.
    pub(crate) fn new(pipe: OwnedFd, sink: Sink) -> Self {
        Self { pipe: Some(File::from(pipe)), sink }
    }

    fn pull(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(());
        };
        match pipe.read(buffer) {
            // End of file: every process that held the other end has closed it or ended.
            Ok(0) => self.pipe = None,
            // One read a turn, however much there is: a child that floods must not keep the loop from
            // its deadline.
            Ok(count) => self.sink.take(&buffer[..count]),
            Err(error) if would_wait(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

fn would_wait(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

/// How far we have gone to end the command. It only ever moves down this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shutdown {
    NotRequested,
    /// The group was sent a signal that it can handle, and is killed at this time.
    Requested {
        kill_at: Instant,
    },
    Killed,
}

/// What one call of poll(2) reported.
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
    /// When the observer wants to be called, though nothing is printed.
    pub(crate) look_at: Option<Instant>,
    /// Measures what is written in a view.
    pub(crate) meter: Option<Meter>,
}

/// How the watch went.
#[derive(Debug)]
pub(crate) struct WatchOutcome {
    pub(crate) timed_out: bool,
    pub(crate) overfull: Option<Overfull>,
    pub(crate) interrupted: Option<i32>,
    pub(crate) pipe_held: bool,
    /// Until when what the command left may end by itself.
    pub(crate) leak_limit: Instant,
}

impl Supervisor {
    /// Returns when the child has ended, which is not reaped, and its output is closed or its
    /// time to close is over.
    /// `observer` gets what is printed while it runs.
    pub(crate) fn watch(&mut self, observer: &mut dyn Observer) -> io::Result<WatchOutcome> {
        let mut watched = WatchOutcome {
            timed_out: false,
            overfull: None,
            interrupted: None,
            pipe_held: false,
            leak_limit: Instant::now(),
        };
        let mut shutdown = Shutdown::NotRequested;
        let mut buffer = vec![0; BUFFER];
        while !self.child_exited(&mut watched, &mut shutdown, &mut buffer)? {
            self.tell(observer);
            self.tell_in_time(observer);
        }
        // Closes the pipe: a grandchild that reads the rest of the input must see its end.
        self.feed = None;
        watched.leak_limit = Instant::now() + LEAK_LIMIT;
        // Reckoned once and not per byte: a grandchild that prints without end would extend it for
        // ever.
        let mut drain_until = self.drain_limit(shutdown, watched.leak_limit);
        while self.streams.iter().any(|stream| stream.pipe.is_some()) {
            if Instant::now() >= drain_until {
                watched.pipe_held = true;
                break;
            }
            let ready = self.wait(Some(drain_until), false)?;
            self.pull(&ready, &mut buffer)?;
            self.tell(observer);
            self.handle_signals(&ready, &mut watched, &mut shutdown);
            // A second interrupt in this phase ends the grace that the drain had.
            if shutdown == Shutdown::Killed {
                drain_until = drain_until.min(Instant::now() + LEAK_LIMIT);
            }
        }
        Ok(watched)
    }

    /// One turn of the loop while the child runs; whether it has exited.
    fn child_exited(
        &mut self,
        watched: &mut WatchOutcome,
        shutdown: &mut Shutdown,
        buffer: &mut [u8],
    ) -> io::Result<bool> {
        let deadline = match *shutdown {
            Shutdown::NotRequested => self.limit,
            Shutdown::Requested { kill_at } => Some(kill_at),
            // Nothing but the exit is left to wait for. A process in uninterruptible sleep (state D)
            // does not die of KILL until the kernel lets it go.
            Shutdown::Killed => None,
        };
        let measure = self.meter.as_ref().map(|meter| meter.next);
        let wake = [deadline, self.look_at, measure].into_iter().flatten().min();
        let ready = self.wait(wake, true)?;
        self.pull(&ready, buffer)?;
        if ready.streams.contains(&true) {
            self.look_at = Some(Instant::now());
        }
        if ready.feed {
            Feed::advance(&mut self.feed);
        }
        // Before the deadline is looked at: a child that exits in the same turn was in time.
        if ready.exit {
            return Ok(true);
        }
        self.handle_signals(&ready, watched, shutdown);
        self.handle_timeout(watched, shutdown);
        self.handle_bound(watched, shutdown);
        Ok(false)
    }

    /// Calls the observer where something was printed, or it wanted to be called by now.
    fn tell_in_time(&mut self, observer: &mut dyn Observer) {
        let now = Instant::now();
        if self.look_at.is_some_and(|at| at <= now) {
            self.look_at = observer.printed().map(|after| now + after);
        }
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
        // Two that arrive between two turns are as good as one after the other: a user who presses
        // Ctrl-C twice wants the command gone.
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

    /// Ends a command that has written more than it may. It is measured until then alone.
    fn handle_bound(&mut self, watched: &mut WatchOutcome, shutdown: &mut Shutdown) {
        if let Some(meter) = self.meter.as_mut()
            && meter.is_exceeded()
        {
            watched.overfull = Some(meter.overfull());
            self.meter = None;
            self.request_shutdown(Signal::TERM, shutdown);
        }
    }

    /// Sends a signal that the group may handle, and sets the time at which it is killed.
    ///
    /// CONT follows, since a stopped process does not get the signal until it is continued
    /// (signal(7)). The order matters: the other way around, a process could stop itself again in
    /// between.
    fn request_shutdown(&self, signal: Signal, shutdown: &mut Shutdown) {
        signal_group(self.group, signal);
        signal_group(self.group, Signal::CONT);
        // An interrupt after the time limit, or the reverse, does not start the grace again.
        if *shutdown == Shutdown::NotRequested {
            let kill_at = Instant::now() + self.grace;
            *shutdown = Shutdown::Requested { kill_at };
        }
    }

    fn kill(&self, shutdown: &mut Shutdown) {
        signal_group(self.group, Signal::KILL);
        *shutdown = Shutdown::Killed;
    }

    /// Until when the output is read after the child has exited.
    ///
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
        // The leader has exited but is not reaped, so it is still in the list of the group.
        living_members(leader).iter().any(|member| member.pid != leader)
    }

    fn tell(&mut self, observer: &mut dyn Observer) {
        if let Some(stream) = self.streams.first_mut() {
            let fresh = stream.sink.fresh();
            if !fresh.is_empty() {
                observer.hear(&fresh);
            }
        }
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
        // `poll_some` answers in the order of this list: exit, signals, input, outputs.
        let sources = [
            for_exit.then(|| (self.exit.as_fd(), PollFlags::IN)),
            self.signals.as_ref().map(|signals| (signals.as_fd(), PollFlags::IN)),
            Feed::source(self.feed.as_ref()),
        ];
        let pipes = self.streams.iter().map(|stream| {
            let pipe = stream.pipe.as_ref()?;
            Some((pipe.as_fd(), PollFlags::IN))
        });
        let sources: Vec<_> = sources.into_iter().chain(pipes).collect();
        let mut ready = poll_some(&sources, deadline)?.into_iter();
        let mut next = || ready.next().unwrap_or(false);
        Ok(Ready { exit: next(), signal: next(), feed: next(), streams: ready.collect() })
    }
}

/// Which of the sources are ready; an absent one never is, and none are when the deadline passed or
/// a signal handler ran.
///
/// Any event counts, POLLHUP and POLLERR among them: the read or write that follows finds out which
/// it was. A source that is absent has to be left out of the call: poll(2) would report a closed
/// descriptor as POLLNVAL at once, and the loop would spin.
pub(crate) fn poll_some(
    sources: &[Option<(BorrowedFd<'_>, PollFlags)>],
    deadline: Option<Instant>,
) -> io::Result<Vec<bool>> {
    let there = sources.iter().flatten();
    let mut fds: Vec<_> = there.map(|&(fd, flags)| PollFd::from_borrowed_fd(fd, flags)).collect();
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    // No timeout for a deadline that is too far off to be expressed: the same as none.
    let timeout = left.and_then(|left| left.try_into().ok());
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) => {}
        // Not retried here: the caller computes its timeout again.
        Err(rustix::io::Errno::INTR) => return Ok(vec![false; sources.len()]),
        Err(error) => return Err(error.into()),
    }
    let mut fds = fds.iter();
    let mut is_ready = |_: &_| fds.next().is_some_and(|fd| !fd.revents().is_empty());
    Ok(sources.iter().map(|source| source.as_ref().is_some_and(&mut is_ready)).collect())
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
