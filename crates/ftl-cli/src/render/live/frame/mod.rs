//! What the region shows, as lines that fit: pure, so that every width can be tested.

mod rows;

use std::time::{Duration, Instant};

use ftl_engine::result::{Counts, Doing, Spent};
use ftl_machine::StateName;
use ftl_model::WorkspaceId;
use ftl_text::one_line;
use unicode_width::UnicodeWidthChar;

use crate::render::duration;

/// How it is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// Whether the terminal shows more than ASCII.
    pub(super) unicode: bool,
    /// Lines of output.
    pub(super) lines: usize,
    /// Without colours.
    pub(super) plain: bool,
}

/// What is shown.
#[derive(Debug, Default)]
pub(super) struct Frame {
    style: Style,
    /// Tasks of the command.
    tasks: usize,
    /// Which of them is under way, from 1.
    number: usize,
    pub(super) counts: Counts,
    /// Whether several can be under way: then each has a row.
    side_by_side: bool,
    /// Those under way, in the order in which they began.
    under_way: Vec<Task>,
    /// The one that reports something.
    selected: usize,
    /// A check at the end of all tasks.
    check: Option<Work>,
    /// What tasks wait for that are not begun, as one line.
    pub(super) waits: String,
    /// What tasks cost that have ended, in US dollars.
    spent: f64,
}

/// The task under way.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: WorkspaceId,
    pub(super) began: Instant,
    pub(super) budget: Option<Spent>,
    passed: Vec<(StateName, Duration)>,
    state: Option<(StateName, Instant)>,
    pub(super) work: Option<Work>,
    /// Another one is in the tree.
    pub(super) waits: bool,
    /// US dollars so far, where the agent says so.
    pub(super) cost: Option<f64>,
}

/// A command that runs.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) doing: Doing,
    command: String,
    began: Instant,
    /// Milliseconds that it took last time.
    pub(super) last: Option<u64>,
    lines: Vec<String>,
    /// Whether an agent reports what it does: then what it prints is for programs.
    reports: bool,
}

impl Task {
    pub(super) fn new(id: WorkspaceId) -> Self {
        Self {
            id,
            began: Instant::now(),
            budget: None,
            passed: Vec::new(),
            state: None,
            work: None,
            waits: false,
            cost: None,
        }
    }

    /// The state before it is passed, and what ran has ended.
    pub(super) fn enter(&mut self, state: StateName) {
        let now = Instant::now();
        if let Some((before, since)) = self.state.replace((state, now)) {
            self.passed.push((before, now.duration_since(since)));
        }
        self.work = None;
        self.waits = false;
    }
}

impl Work {
    pub(super) fn new(doing: Doing, command: String) -> Self {
        Self {
            doing,
            command,
            began: Instant::now(),
            last: None,
            lines: Vec::new(),
            reports: false,
        }
    }

    /// These lines were printed last.
    pub(super) fn print(&mut self, lines: &[String]) {
        if !self.reports {
            self.lines = lines.to_vec();
        }
    }

    /// An agent reports what it does.
    pub(super) fn hear(&mut self, line: &str) {
        const KEPT: usize = 10;
        if !self.reports {
            self.reports = true;
            self.lines.clear();
        }
        self.lines.push(ftl_text::shortened(line, 500));
        if self.lines.len() > KEPT {
            self.lines.remove(0);
        }
    }
}

/// Select graphic rendition: of the parts of a line.
const PLAIN: &str = "";
const BOLD: &str = "1";
const DIM: &str = "2";
const GREEN: &str = "32";
const CYAN: &str = "36";

impl Frame {
    pub(super) fn new(style: Style, tasks: usize, side_by_side: bool) -> Self {
        Self { style, tasks, side_by_side, ..Self::default() }
    }

    pub(super) fn begin(&mut self, task: Task) {
        // Another try of the same task is no other task.
        if self.under_way.last().is_none_or(|before| before.id != task.id) {
            self.number += 1;
        }
        if !self.side_by_side {
            self.under_way.clear();
        }
        self.selected = self.under_way.len();
        self.under_way.push(task);
    }

    /// The lines for a screen of this size: each narrower than it, and fewer than its rows.
    pub(super) fn lines(&self, now: Instant, width: usize, height: usize) -> Vec<String> {
        if self.side_by_side || self.check.is_some() {
            return self.rows(now, width, height);
        }
        let Some(task) = self.under_way.first() else {
            return Vec::new();
        };
        let mut lines = vec![self.title(task)];
        lines.extend(task.passed.iter().map(|(state, took)| self.passed(*state, *took)));
        if let Some((state, since)) = task.state {
            lines.push(self.current(task, state, since, now));
        }
        if let Some(work) = &task.work {
            lines.extend(self.output(work));
        }
        // Of a low screen the title and the end.
        let most = height.saturating_sub(1).max(1);
        if lines.len() > most {
            lines.drain(1..=(lines.len() - most).min(lines.len() - 1));
        }
        let number = (self.tasks > 1).then(|| one_line(task.id.seq()));
        lines
            .into_iter()
            .map(|mut line| {
                if let Some(number) = &number {
                    line.insert(0, (DIM, format!("{number} ")));
                }
                self.fit(&line, width.saturating_sub(1))
            })
            .collect()
    }

    fn title(&self, task: &Task) -> Line {
        let mut line: Line = vec![(BOLD, one_line(task.id.as_str()))];
        if self.tasks > 1 {
            line.push((DIM, self.tally()));
        }
        if let Some(Spent { total: Some(total), used }) = &task.budget {
            line.push((DIM, format!("  budget {used}/{total}")));
        }
        line
    }

    fn passed(&self, state: StateName, took: Duration) -> Line {
        let mark = if self.style.unicode { "✓" } else { "*" };
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        vec![
            (GREEN, format!("{mark} ")),
            (PLAIN, format!("{:<10} {:>9}", state.as_str(), duration(took))),
        ]
    }

    fn current(&self, task: &Task, state: StateName, since: Instant, now: Instant) -> Line {
        let turn = now.duration_since(task.began).as_millis() / 250;
        let marks = if self.style.unicode {
            &["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"][..]
        } else {
            &["|", "/", "-", "\\"][..]
        };
        let mark = marks[usize::try_from(turn).unwrap_or(0) % marks.len()];
        let since = task.work.as_ref().map_or(since, |work| work.began);
        let mut line: Line = vec![
            (CYAN, format!("{mark} ")),
            (BOLD, format!("{:<10} {:>9}", state.as_str(), clock(now.duration_since(since)))),
        ];
        if let Some(work) = &task.work {
            if let Some(last) = work.last {
                line.push((DIM, format!("  {} last time", duration(last))));
            }
            line.push((PLAIN, format!("  {}: ", work.doing)));
            line.push((PLAIN, one_line(&work.command)));
        }
        line
    }

    fn output<'w>(&self, work: &'w Work) -> impl Iterator<Item = Line> + 'w {
        let bar = if self.style.unicode { "│" } else { "|" };
        let from = work.lines.len().saturating_sub(self.style.lines);
        work.lines[from..]
            .iter()
            .map(move |line| vec![(DIM, format!("  {bar} {}", one_line(line)))])
    }

    /// The parts as one line of so many columns at most.
    fn fit(&self, line: &[(&str, String)], width: usize) -> String {
        let mut text = String::new();
        let mut left = width;
        for (code, part) in line {
            let part = self.shown(part);
            let total: usize = part.chars().map(columns).sum();
            let part = if total <= left { part } else { self.cut(&part, left) };
            left -= part.chars().map(columns).sum::<usize>();
            if code.is_empty() || self.style.plain {
                text.push_str(&part);
            } else if !part.is_empty() {
                text.push_str(&format!("\u{1b}[{code}m{part}\u{1b}[0m"));
            }
            if total > left && left == 0 {
                break;
            }
        }
        text
    }

    /// What the terminal can show: tabs as blanks, and in other locales nothing but ASCII.
    fn shown(&self, text: &str) -> String {
        let shown = |c: char| match c {
            '\t' => ' ',
            c if c.is_ascii() || self.style.unicode => c,
            _ => '?',
        };
        text.chars().map(shown).collect()
    }

    /// The beginning of a text, with a mark at its end.
    fn cut(&self, text: &str, width: usize) -> String {
        let mark = if self.style.unicode { '…' } else { '~' };
        let mut left = width.saturating_sub(1);
        let mut cut = String::new();
        for c in text.chars() {
            let Some(rest) = left.checked_sub(columns(c)) else {
                break;
            };
            left = rest;
            cut.push(c);
        }
        if width > 0 {
            cut.push(mark);
        }
        cut
    }
}

/// Parts of a line, each with its rendition.
type Line = Vec<(&'static str, String)>;

fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// `0:07`, `12:30`, `1:02:30`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use ftl_engine::result::{Doing, Spent};
    use ftl_machine::StateName;
    use ftl_model::WorkspaceId;
    use unicode_width::UnicodeWidthStr;

    use super::{Frame, Style, Task, Work, clock};

    fn frame(unicode: bool, tasks: usize) -> (Frame, Instant) {
        let style = Style { unicode, lines: 3, plain: false };
        let mut frame = Frame::new(style, tasks, false);
        let mut task = Task::new(WorkspaceId::new("002", "日本-invalid-paths-are-shown-escaped"));
        let now = task.began + Duration::from_secs(7);
        task.passed = vec![
            (StateName::Read, Duration::from_millis(12)),
            (StateName::Implement, Duration::from_millis(41_200)),
        ];
        task.state = Some((StateName::Verify, task.began));
        task.budget = Some(Spent { total: Some(5), used: 3 });
        let mut work = Work::new(Doing::Verify, ".venv/bin/python -m pytest -q".into());
        work.began = task.began;
        work.last = Some(20_000);
        work.lines = vec!["one".into(), "two\tbeyond".into(), "日本語".repeat(60), "four".into()];
        task.work = Some(work);
        frame.begin(task);
        (frame, now)
    }

    fn bare(line: &str) -> String {
        ftl_text::terminal_text(line.as_bytes())
    }

    #[test]
    fn states_passed_what_runs_and_its_last_lines_are_shown() {
        let (frame, now) = frame(true, 1);
        let lines: Vec<String> = frame.lines(now, 100, 24).iter().map(|line| bare(line)).collect();
        assert_eq!(lines[0], "002_日本-invalid-paths-are-shown-escaped  budget 3/5");
        assert_eq!(lines[1], "✓ READ           12 ms");
        assert_eq!(lines[2], "✓ IMPLEMENT       41 s");
        assert_eq!(
            lines[3].chars().skip(1).collect::<String>(),
            " VERIFY          0:07  20 s last time  verify: .venv/bin/python -m pytest -q"
        );
        assert_eq!(lines[4], "  │ two beyond");
        assert_eq!(lines[6], "  │ four");
    }

    #[test]
    fn no_line_reaches_the_last_column_and_no_screen_is_overrun() {
        for (unicode, tasks) in [(true, 1), (true, 4), (false, 1), (false, 4)] {
            let (frame, now) = frame(unicode, tasks);
            for width in 1..170 {
                for height in [1, 3, 5, 24] {
                    let lines = frame.lines(now, width, height);
                    assert!(lines.len() < height.max(2), "{width} {height}");
                    for line in &lines {
                        let line = bare(line);
                        assert!(line.width() < width, "{width}: {line:?}");
                        assert!(unicode || line.is_ascii(), "{line:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn of_several_tasks_each_line_names_its_own() {
        let (mut frame, now) = frame(true, 4);
        frame.counts.complete = 1;
        frame.counts.blocked = 2;
        let lines = frame.lines(now, 120, 24);
        assert!(lines.iter().all(|line| bare(line).starts_with("002 ")), "{lines:#?}");
        assert!(bare(&lines[0]).contains("  [1/4] 1 complete 2 blocked"), "{lines:#?}");
    }

    #[test]
    fn a_clock_shows_hours_where_there_are_any() {
        let shown = [7, 750, 3750].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(shown, ["0:07", "12:30", "1:02:30"]);
    }
}
