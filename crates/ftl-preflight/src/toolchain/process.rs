//! Programs that are asked about a file, run by duct: with a time limit, bounded output, and nothing left
//! running in their process group.
//!
//! duct waits for a program and feeds it; what it lacks is here. Its own time limit would install a handler
//! of SIGCHLD for the whole process, so this looks every few milliseconds instead.

use std::collections::VecDeque;
use std::io::{self, PipeReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use duct::{Expression, Handle};

use crate::{Options, Reason};

/// Bytes of output kept from either end: some front ends repeat the whole file (`gofmt` prints it).
const KEPT: usize = 256 << 10;

/// How often a running program is looked at whose output goes on.
const INTERVAL: Duration = Duration::from_millis(20);

/// How long the output may stay open once the program has ended: a process that it started may hold it.
const GRACE: Duration = Duration::from_millis(200);

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Code(i32),
    Signal(i32),
    TimedOut(Duration),
    Interrupted,
}

/// A program's end and what it printed.
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    pub(crate) output: String,
    /// Empty if it goes into the output.
    pub(crate) errors: String,
}

impl Ended {
    /// The exit code.
    ///
    /// # Errors
    ///
    /// It ended otherwise, which is no verdict.
    pub(crate) fn code(&self) -> Result<i32, Reason> {
        let why = match self.exit {
            Exit::Code(code) => return Ok(code),
            Exit::Signal(signal) => format!("ended by signal {signal}"),
            Exit::TimedOut(limit) => format!("no answer after {limit:?}"),
            Exit::Interrupted => "interrupted".to_owned(),
        };
        Err(Reason::CheckerFailed(why))
    }
}

/// A program in the `PATH`, or the one that a path names.
///
/// # Errors
///
/// There is none.
pub(crate) fn find(name: &str, options: &Options) -> Result<PathBuf, Reason> {
    let found = match options.find_program {
        _ if name.contains('/') => Some(PathBuf::from(name)),
        Some(find) => find(name.as_ref()),
        None => which::which_in(name, Some((options.path)()), "/").ok(),
    };
    found.ok_or_else(|| Reason::MissingTool(name.to_owned()))
}

/// The `PATH` without entries that depend on the current directory.
pub(crate) fn absolute_path() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let kept = std::env::split_paths(&path).filter(|it| it.is_absolute());
    // They were joined before, so they can be joined again.
    std::env::join_paths(kept).unwrap_or_default()
}

/// Runs a program; its errors go into its output, unless they are `separate`.
///
/// # Errors
///
/// It could not be started.
pub(crate) fn run(program: Expression, separate: bool, options: &Options) -> Result<Ended, Reason> {
    let failed = |error: io::Error| Reason::CheckerFailed(error.to_string());
    let (output, errors, ends, handle) = start(program, separate).map_err(failed)?;
    let exit = wait(&handle, &ends, options).map_err(failed)?;
    Ok(Ended {
        exit,
        output: output.text(),
        errors: errors.map(|it| it.text()).unwrap_or_default(),
    })
}

fn start(
    program: Expression,
    separate: bool,
) -> io::Result<(Kept, Option<Kept>, Receiver<()>, Handle)> {
    let (ended, ends) = channel();
    let (reader, writer) = io::pipe()?;
    // The innermost redirection of a stream counts.
    let (errors, program) = if separate {
        let (reader, writer) = io::pipe()?;
        (Some(Kept::of(reader, ended.clone())), program.stderr_file(writer))
    } else {
        (None, program.stderr_to_stdout())
    };
    let program = own_group(program.unchecked().stdout_file(writer));
    let handle = program.start()?;
    // It holds the ends of the pipes that only the program should hold now.
    drop(program);
    Ok((Kept::of(reader, ended), errors, ends, handle))
}

/// Waits for the program and for the end of its output. Its group is killed when it takes too long, and
/// when something of it goes on after it.
fn wait(handle: &Handle, ends: &Receiver<()>, options: &Options) -> io::Result<Exit> {
    let (start, mut ended) = (Instant::now(), None);
    let mut is_open = true;
    loop {
        // The end of the output is near the program's: until then nothing is to be looked at often.
        if is_open {
            is_open = ends.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Disconnected);
        } else {
            thread::sleep(Duration::from_millis(1));
        }
        if let Some(output) = handle.try_wait()? {
            let since = *ended.get_or_insert_with(Instant::now);
            if is_open && since.elapsed() < GRACE {
                continue;
            }
            if is_open {
                kill(handle);
            }
            return Ok(exit(output.status));
        }
        let why = match (options.is_interrupted)() {
            true => Exit::Interrupted,
            false if start.elapsed() > options.timeout => Exit::TimedOut(options.timeout),
            false => continue,
        };
        kill(handle);
        handle.wait()?;
        return Ok(why);
    }
}

#[cfg(unix)]
fn own_group(program: Expression) -> Expression {
    use std::os::unix::process::CommandExt;
    program.before_spawn(|command| {
        command.process_group(0);
        Ok(())
    })
}

#[cfg(not(unix))]
fn own_group(program: Expression) -> Expression {
    program
}

/// Kills the program and what it started.
fn kill(handle: &Handle) {
    #[cfg(unix)]
    for pid in handle.pids() {
        let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            // The group may have ended, which is as good.
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
    }
    let _ = handle.kill();
}

fn exit(status: std::process::ExitStatus) -> Exit {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Exit::Signal(signal);
    }
    Exit::Code(status.code().unwrap_or(1))
}

/// Output as it comes, of which the beginning and the end are kept.
struct Kept(Arc<Mutex<Output>>);

#[derive(Default)]
struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
}

impl Kept {
    /// Reads to the end, on a thread that holds `ended` until then.
    fn of(mut pipe: PipeReader, ended: Sender<()>) -> Self {
        let kept = Arc::new(Mutex::new(Output::default()));
        let output = Arc::clone(&kept);
        // Not joined: a process that left the group could hold the pipe for ever.
        thread::spawn(move || {
            let _ended = ended;
            let mut buffer = [0; 1 << 14];
            while let Ok(length @ 1..) = pipe.read(&mut buffer) {
                let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
                output.add(&buffer[..length]);
            }
        });
        Self(kept)
    }

    fn text(&self) -> String {
        let output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = output.head.iter().chain(&output.tail).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Output {
    fn add(&mut self, bytes: &[u8]) {
        let (head, tail) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend(head);
        self.tail.extend(tail);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT));
    }
}

/// A program and its arguments.
pub(crate) fn command<A: Into<std::ffi::OsString>>(
    program: &Path,
    args: impl IntoIterator<Item = A>,
) -> Expression {
    duct::cmd(program, args.into_iter().map(Into::into))
}
