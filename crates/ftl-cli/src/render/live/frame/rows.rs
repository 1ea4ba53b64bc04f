//! Tasks side by side: a row for each that is under way, and the tally below.

use std::time::Instant;

use ftl_engine::result::Counts;
use ftl_machine::StateName;
use ftl_model::WorkspaceId;
use ftl_text::one_line;

use super::{BOLD, CYAN, DIM, Frame, Line, PLAIN, Task, clock};

impl Frame {
    /// What follows is of this task.
    pub(in crate::render::live) fn select(&mut self, id: &WorkspaceId) {
        let place = self.under_way.iter().position(|task| task.id == *id);
        self.selected = place.unwrap_or(self.under_way.len());
    }

    /// The task is no more under way.
    pub(in crate::render::live) fn finish(&mut self, id: &WorkspaceId) {
        self.under_way.retain(|task| task.id != *id);
    }

    /// The task that reports something.
    pub(in crate::render::live) fn reporting(&mut self) -> Option<&mut Task> {
        self.under_way.get_mut(self.selected)
    }

    pub(in crate::render::live) fn task_of(&mut self, id: &WorkspaceId) -> Option<&mut Task> {
        self.under_way.iter_mut().find(|task| task.id == *id)
    }

    /// When the first of those under way began.
    pub(in crate::render::live) fn began(&self) -> Option<Instant> {
        self.under_way.first().map(|task| task.began)
    }

    /// A row for each task under way, and the tally below. Of more than fit the first are shown.
    pub(super) fn rows(&self, now: Instant, width: usize, height: usize) -> Vec<String> {
        let most = height.saturating_sub(2).max(1);
        let shown = self.under_way.len().min(most);
        let more = self.under_way.len() - shown;
        let mut lines: Vec<Line> =
            self.under_way[..shown].iter().map(|task| self.row(task, now)).collect();
        let mut last = self.tally();
        if more > 0 {
            last.push_str(&format!("  {more} more under way"));
        }
        lines.push(vec![(DIM, last.trim_start().to_owned())]);
        lines.iter().map(|line| self.fit(line, width.saturating_sub(1))).collect()
    }

    /// The number, the state, since when, and what it does or printed last.
    fn row(&self, task: &Task, now: Instant) -> Line {
        let (state, since) = task.state.unwrap_or((StateName::Read, task.began));
        let since = task.work.as_ref().map_or(since, |work| work.began);
        let mut line: Line = vec![
            (CYAN, format!("{} ", one_line(task.id.seq()))),
            (BOLD, format!("{:<10} {:>6} ", state.as_str(), clock(now.duration_since(since)))),
        ];
        match &task.work {
            _ if task.waits => line.push((DIM, " waits for its turn".to_owned())),
            Some(work) => {
                let said = work.lines.last().map_or(&work.command, |line| line);
                line.push((PLAIN, format!(" {}: ", work.doing)));
                line.push((DIM, one_line(said)));
            }
            None => line.push((DIM, format!(" {}", one_line(task.id.slug())))),
        }
        line
    }

    /// How many of the tasks ended how.
    pub(super) fn tally(&self) -> String {
        let Counts { complete, blocked, skipped, waiting, failed } = self.counts;
        let ended = complete + blocked + skipped + waiting + failed;
        let number = if self.side_by_side { ended } else { self.number };
        let mut tally = format!("  [{number}/{}]", self.tasks);
        for (count, word) in [
            (complete, "complete"),
            (blocked, "blocked"),
            (skipped, "skipped"),
            (waiting, "waiting"),
            (failed, "failed"),
        ] {
            if count > 0 {
                tally.push_str(&format!(" {count} {word}"));
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use ftl_engine::result::Doing;
    use ftl_machine::StateName;
    use ftl_model::WorkspaceId;
    use unicode_width::UnicodeWidthStr;

    use crate::render::live::frame::{Frame, Style, Task, Work};

    fn bare(line: &str) -> String {
        ftl_text::terminal_text(line.as_bytes())
    }

    #[test]
    fn tasks_side_by_side_have_a_row_each_in_whatever_room_there_is() {
        let mut frame = Frame::new(Style { unicode: true, lines: 3 }, 200, true);
        let now = Instant::now();
        for number in 1..=200 {
            let mut task = Task::new(WorkspaceId::new(&format!("{number:03}"), "a"));
            task.began = now;
            task.enter(StateName::Implement);
            task.work = Some(Work::new(Doing::Agent, "an agent with a long command".repeat(4)));
            frame.begin(task);
        }
        frame.counts.complete = 3;
        for (width, height) in [(60, 24), (60, 300), (20, 3), (120, 10)] {
            let lines = frame.lines(now, width, height);
            assert!(lines.len() < height, "{height}: {}", lines.len());
            for line in &lines {
                assert!(bare(line).width() < width, "{line:?}");
            }
        }
        let lines = frame.lines(now, 60, 24);
        assert!(
            bare(&lines[0]).starts_with("001 IMPLEMENT    0:00  agent: an agent"),
            "{lines:#?}"
        );
        let last = bare(&lines[lines.len() - 1]);
        assert_eq!(last, "[3/200] 3 complete  178 more under way");
    }
}
