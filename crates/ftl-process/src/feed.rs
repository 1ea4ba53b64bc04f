//! Bytes for a child's standard input, written as the pipe takes them.
//!
//! The pipe holds 64 KiB (pipe(7)): a blocking write of more would wait for a child that is itself
//! waiting for us to read its output.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::PollFlags;

/// Bytes on their way to a child's standard input.
#[derive(Debug)]
pub(crate) struct Feed {
    pipe: File,
    bytes: Arc<[u8]>,
    sent: usize,
}

impl Feed {
    pub(crate) fn new(pipe: OwnedFd, bytes: Arc<[u8]>) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Self { pipe: File::from(pipe), bytes, sent: 0 })
    }

    /// What poll(2) is asked about one, where there is one.
    pub(crate) fn source(feed: Option<&Self>) -> Option<(BorrowedFd<'_>, PollFlags)> {
        feed.map(|feed| (feed.pipe.as_fd(), PollFlags::OUT))
    }

    /// Sends what the pipe takes, and closes it when that was all.
    pub(crate) fn advance(feed: &mut Option<Self>) {
        if feed.as_mut().is_some_and(|feed| !feed.push()) {
            *feed = None;
        }
    }

    /// Sends what the pipe takes. Returns false when there is nothing more to send, or no reader to
    /// read it: a child need not read its input.
    fn push(&mut self) -> bool {
        while self.sent < self.bytes.len() {
            match self.pipe.write(&self.bytes[self.sent..]) {
                Ok(0) => return false,
                Ok(written) => self.sent += written,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // EPIPE when the reader is gone: Rust programs ignore SIGPIPE, so it arrives as
                // an error.
                Err(error) => return error.kind() == io::ErrorKind::WouldBlock,
            }
        }
        false
    }
}
