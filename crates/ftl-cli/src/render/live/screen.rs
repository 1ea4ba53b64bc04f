//! A region at the end of a terminal's screen, drawn and erased whole.
//!
//! Only three sequences are used, which every terminal since the VT100 obeys: carriage return, cursor up, and
//! erase to the end of the screen. The cursor rests at the beginning of the region's last line, so that what a
//! terminal echoes (`^C`) is erased with it. A line never reaches the last column: none wraps.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use rustix::termios::tcgetwinsize;

/// What is drawn, and where the cursor is left.
#[derive(Debug, Default)]
pub(super) struct Screen {
    drawn: Vec<String>,
}

impl Screen {
    /// Draws the lines in place of those that are drawn.
    pub(super) fn draw(&mut self, lines: Vec<String>) {
        if lines == self.drawn {
            return;
        }
        let mut text = self.erasing();
        text.push_str(&lines.join("\r\n"));
        text.push('\r');
        self.drawn = lines;
        write(&text);
    }

    /// Leaves nothing.
    pub(super) fn erase(&mut self) {
        let text = self.erasing();
        self.drawn.clear();
        write(&text);
    }

    fn erasing(&self) -> String {
        let mut text = String::new();
        match self.drawn.len() {
            0 => {}
            1 => text.push_str("\r\u{1b}[J"),
            lines => {
                let _ = write!(text, "\r\u{1b}[{}A\u{1b}[J", lines - 1);
            }
        }
        text
    }
}

/// In one piece, so that no half drawn region is seen. A terminal that is gone shows nothing.
fn write(text: &str) {
    if !text.is_empty() {
        let mut stderr = io::stderr().lock();
        drop(stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()));
    }
}

/// Columns and rows of the terminal; what is usual where it does not say.
pub(super) fn size() -> (usize, usize) {
    let size = tcgetwinsize(io::stderr()).ok();
    let or = |said: Option<u16>, usual: usize| match said {
        None | Some(0) => usual,
        Some(said) => usize::from(said),
    };
    (or(size.map(|size| size.ws_col), 80), or(size.map(|size| size.ws_row), 24))
}
