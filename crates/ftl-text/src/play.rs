//! What a terminal shows in the end of lines that a program repaints: progress bars, spinners,
//! overstrikes.
//!
//! Only movement within a line is played. What moves up, or puts the cursor anywhere, belongs to
//! programs that paint whole screens; ftl's children have no terminal, so they seldom do.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

const BACKSPACE: char = '\u{8}';
const ESCAPE: char = '\u{1B}';
/// Columns between tab stops.
const TAB: usize = 8;

/// Plays carriage returns, backspaces and the erasing of lines (`ESC [ K`). Lines without any of
/// these are passed on as they are; of those with some, only what stays visible is left.
#[must_use]
pub fn play(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.iter().any(|byte| matches!(byte, b'\r' | 8)) {
        return Cow::Borrowed(bytes);
    }
    let mut played = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        play_line(line, &mut played);
    }
    Cow::Owned(played)
}

fn play_line(line: &[u8], played: &mut Vec<u8>) {
    let end = match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n'] => 1,
        _ => 0,
    };
    let (content, end) = line.split_at(line.len() - end);
    if !content.iter().any(|byte| matches!(byte, b'\r' | 8)) {
        played.extend_from_slice(line);
        return;
    }
    let text = String::from_utf8_lossy(content);
    let mut row = ScreenRow::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => row.at = 0,
            BACKSPACE => row.at = row.at.saturating_sub(1),
            ESCAPE => row.obey(&mut chars),
            '\t' => row.at = (row.at / TAB + 1) * TAB,
            c => row.write(c),
        }
    }
    played.extend(row.cells.iter().collect::<String>().trim_end().bytes());
    played.extend_from_slice(end);
}

/// A line of a terminal. Every character has one cell: overwriting wide ones with narrow ones, or
/// combining marks, come out a cell off.
#[derive(Default)]
struct ScreenRow {
    cells: Vec<char>,
    at: usize,
}

impl ScreenRow {
    fn write(&mut self, c: char) {
        if self.at >= self.cells.len() {
            self.cells.resize(self.at, ' ');
            self.cells.push(c);
        } else {
            self.cells[self.at] = c;
        }
        self.at += 1;
    }

    /// A control sequence: erasing is played, everything else has no width and goes.
    fn obey(&mut self, chars: &mut Peekable<Chars<'_>>) {
        if chars.next_if_eq(&'[').is_none() {
            return self.write(ESCAPE);
        }
        let mut parameters = String::new();
        while let Some(c) = chars.next_if(|c| matches!(c, ' '..='?')) {
            parameters.push(c);
        }
        if chars.next_if(|c| matches!(c, '@'..='~')) == Some('K') {
            match parameters.as_str() {
                "" | "0" => self.cells.truncate(self.at),
                "1" => self.cells.iter_mut().take(self.at + 1).for_each(|c| *c = ' '),
                _ => self.cells.clear(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::play;

    #[test]
    fn text_that_was_painted_over_is_not_shown() {
        for (printed, seen) in [
            ("plain\nlines\n", "plain\nlines\n"),
            ("dos\r\nlines\r\n", "dos\r\nlines\r\n"),
            ("10 %\r50 %\r100 %\ndone\n", "100 %\ndone\n"),
            ("loading...\rok\n", "okading...\n"),
            ("loading...\r\u{1b}[Kok\n", "ok\n"),
            ("loading...\u{1b}[2K\rok\n", "ok\n"),
            ("\u{1b}[31mred\u{1b}[0m\rblue", "blue"),
            ("|\u{8}/\u{8}-\u{8}done\n", "done\n"),
            ("N\u{8}NA\u{8}AM\u{8}ME\u{8}E\n", "NAME\n"),
            ("\u{8}\u{8}a", "a"),
            ("äöü\rA\n", "Aöü\n"),
            ("a\tb\rxyz\n", "xyz     b\n"),
            ("error: real\r\n\rnext", "error: real\r\nnext"),
            ("colour \u{1b}[1mstays\u{1b}[0m\n", "colour \u{1b}[1mstays\u{1b}[0m\n"),
        ] {
            let played = play(printed.as_bytes()).into_owned();
            assert_eq!(String::from_utf8(played).unwrap(), seen, "{printed:?}");
        }
    }

    #[test]
    fn a_long_line_takes_linear_time() {
        let hostile = "x\r\u{1b}[K\u{8}".repeat(500_000);
        assert_eq!(play(hostile.as_bytes()).len(), 0);
    }
}
