//! SIGINT, SIGTERM and SIGHUP: remembered for the whole process, and passed on to running commands.
//!
//! A handler may do next to nothing (signal-safety(7)). So it stores the signal's number, and
//! writes a byte into a pipe for every command that runs: the self-pipe trick, which makes a signal
//! something that poll(2) can wait for. What follows from a signal is decided in `supervisor.rs`.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::low_level::{pipe, unregister};

use crate::procfs;

// The number of the last signal, 0 before the first. Set only once the handlers are installed, so
// that its presence says whether signals are caught.
static CAUGHT: OnceLock<Caught> = OnceLock::new();

#[derive(Debug)]
struct Caught {
    received: Arc<AtomicUsize>,
    signals: Vec<i32>,
}

/// From now on SIGINT, SIGTERM and SIGHUP do not end this process: they are passed on to the groups of
/// running commands, and remembered. A second one kills those groups at once.
///
/// Call it once, in the binary; later calls change nothing.
///
/// # Errors
/// When the system refuses a handler.
pub fn catch_interrupts() -> io::Result<()> {
    if CAUGHT.get().is_some() {
        return Ok(());
    }
    let received = Arc::new(AtomicUsize::new(0));
    let signals = signals_to_catch();
    for signal in &signals {
        signal_hook::flag::register_usize(*signal, Arc::clone(&received), *signal as usize)?;
    }
    // Beyond `ulimit -f` a write fails then, as on a full disk. Programs that start are ended again, as they expect.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    CAUGHT.get_or_init(|| Caught { received, signals });
    Ok(())
}

/// The last interrupting signal that arrived since [`catch_interrupts`], if any.
///
/// Once there is one, no further command starts.
#[must_use]
pub fn interrupted() -> Option<i32> {
    let signal = CAUGHT.get()?.received.load(Ordering::SeqCst);
    (signal != 0).then_some(signal as i32)
}

/// The signals to catch. Under nohup(1) SIGHUP is ignored from the start: the user who asked for that wants
/// the build to outlive the terminal.
fn signals_to_catch() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    if !procfs::ignores(SIGHUP) {
        signals.push(SIGHUP);
    }
    signals
}

/// Listeners that no command uses at the moment: to make one takes twenty system calls.
static IDLE: Mutex<Vec<Arc<Listener>>> = Mutex::new(Vec::new());

fn idle() -> MutexGuard<'static, Vec<Arc<Listener>>> {
    // A panic while it was held leaves at worst a listener less.
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pipe into which every signal writes a byte.
#[derive(Debug)]
struct Listener {
    pipe: File,
    handlers: Vec<SigId>,
}

impl Listener {
    fn new(signals: &[i32]) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        rustix::io::ioctl_fionbio(&reader, true)?;
        let mut listener = Self { pipe: File::from(OwnedFd::from(reader)), handlers: Vec::new() };
        for signal in signals {
            let handler = pipe::register(*signal, OwnedFd::from(writer.try_clone()?))?;
            listener.handlers.push(handler);
        }
        Ok(listener)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        for handler in self.handlers.drain(..) {
            unregister(handler);
        }
    }
}

/// The signals that arrive while one command runs, as something to poll.
#[derive(Debug)]
pub(crate) struct SignalWatch {
    listener: Arc<Listener>,
}

impl SignalWatch {
    /// `None` unless [`catch_interrupts`] was called.
    pub(crate) fn new() -> io::Result<Option<Self>> {
        let Some(caught) = CAUGHT.get() else {
            return Ok(None);
        };
        let Some(listener) = idle().pop() else {
            let listener = Arc::new(Listener::new(&caught.signals)?);
            return Ok(Some(Self { listener }));
        };
        let mut watch = Self { listener };
        // What came while no command listened: the caller asks `interrupted` for it.
        while watch.take() > 0 {}
        Ok(Some(watch))
    }

    /// How many signals arrived since the last call.
    pub(crate) fn take(&mut self) -> usize {
        // More than that between two turns of the loop is no different from two.
        let mut bytes = [0; 16];
        (&self.listener.pipe).read(&mut bytes).unwrap_or(0)
    }
}

impl AsFd for SignalWatch {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.pipe.as_fd()
    }
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        idle().push(Arc::clone(&self.listener));
    }
}
