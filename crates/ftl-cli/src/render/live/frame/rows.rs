//! Tasks side by side: a row for each that is under way, and the tally below.

use std::time::Instant;

use ftl_engine::result::Counts;
use ftl_machine::StateName;
use ftl_model::WorkspaceId;
use ftl_text::one_line;

use super::{BOLD, CYAN, DIM, Frame, Line, PLAIN, Task, Work, clock};

impl Frame {
    /// What follows is of this task.
    pub(in crate::render::live) fn select(&mut self, id: &WorkspaceId) {
        let place = self.under_way.iter().position(|task| task.id == *id);
        self.selected = place.unwrap_or(self.under_way.len());
    }

    /// The task is no more under way.
    pub(in crate::render::live) fn finish(&mut self, id: &WorkspaceId) {
        let ended = self.under_way.iter().filter(|task| task.id == *id);
        self.spent += ended.filter_map(|task| task.cost).sum::<f64>();
        self.under_way.retain(|task| task.id != *id);
    }

    /// No task is under way any more, and a verify command runs once more.
    pub(in crate::render::live) fn begin_check(&mut self, work: Work) {
        self.under_way.clear();
        self.waits.clear();
        self.check = Some(work);
    }

    /// What runs: of the task that reports something, or a check.
    pub(in crate::render::live) fn work(&mut self) -> Option<&mut Work> {
        match &mut self.check {
            Some(work) => Some(work),
            None => self.under_way.get_mut(self.selected)?.work.as_mut(),
        }
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
        let check = self.check.as_ref().map(|work| work.began);
        check.or_else(|| self.under_way.first().map(|task| task.began))
    }

    /// A row for each task under way, and below the tally and what the others wait for. Of more rows than fit the
    /// first are shown.
    pub(super) fn rows(&self, now: Instant, width: usize, height: usize) -> Vec<String> {
        let mut last = vec![self.tally().trim_start().to_owned()];
        if !self.waits.is_empty() && height > 3 {
            last.push(self.waits.clone());
        }
        let most = height.saturating_sub(1 + last.len()).max(1);
        let shown = self.under_way.len().min(most);
        let more = self.under_way.len() - shown;
        let rows = self.under_way[..shown].iter().map(|task| self.row(task, now));
        let check = self.check.iter().map(|work| self.check_row(work, now));
        let mut lines: Vec<Line> = rows.chain(check).collect();
        if more > 0 {
            last[0].push_str(&format!("  {more} more under way"));
        }
        lines.extend(last.into_iter().map(|line| vec![(DIM, one_line(&line))]));
        lines.iter().map(|line| self.fit(line, width.saturating_sub(1))).collect()
    }

    /// The number, the state, since when, the cost, and what it does or printed last.
    fn row(&self, task: &Task, now: Instant) -> Line {
        let (state, since) = task.state.unwrap_or((StateName::Read, task.began));
        let since = task.work.as_ref().map_or(since, |work| work.began);
        let mut line: Line = vec![
            (CYAN, format!("{} ", one_line(task.id.seq()))),
            (BOLD, format!("{:<10} {:>6} ", state.as_str(), clock(now.duration_since(since)))),
        ];
        line.extend(task.cost.map(|cost| (DIM, format!(" ${cost:.2}"))));
        match &task.work {
            Some(work) => line.extend(said(work)),
            None if task.waits => {
                let what = if state == StateName::Verify { "to land" } else { "for the tree" };
                line.push((DIM, format!(" waits {what}")));
            }
            None => line.push((DIM, format!(" {}", one_line(task.id.slug())))),
        }
        line
    }

    fn check_row(&self, work: &Work, now: Instant) -> Line {
        let since = clock(now.duration_since(work.began));
        let mut line: Line = vec![(BOLD, format!("{:<14} {since:>6} ", "CHECK"))];
        line.extend(said(work));
        line
    }

    /// How many of the tasks ended how.
    pub(super) fn tally(&self) -> String {
        let Counts { complete, blocked, skipped, waiting, failed, planned: _ } = self.counts;
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
        let cost: f64 =
            self.spent + self.under_way.iter().filter_map(|task| task.cost).sum::<f64>();
        if cost > 0.0 {
            tally.push_str(&format!("  ${cost:.2}"));
        }
        tally
    }
}

/// What a command is for, and what it printed last.
fn said(work: &Work) -> Line {
    let said = work.lines.last().map_or(&work.command, |line| line);
    vec![(PLAIN, format!(" {}: ", work.doing)), (DIM, one_line(said))]
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
        let mut frame = Frame::new(Style { unicode: true, lines: 3, plain: false }, 200, true);
        let now = Instant::now();
        for number in 1..=200 {
            let mut task = Task::new(WorkspaceId::new(&format!("{number:03}"), "a"));
            task.began = now;
            task.enter(StateName::Implement);
            task.work = Some(Work::new(Doing::Agent, "an agent with a long command".repeat(4)));
            frame.begin(task);
        }
        frame.counts.complete = 3;
        frame.waits = "waiting: 12 for a job, 7 for 003".to_owned();
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
        let last: Vec<String> = lines[lines.len() - 2..].iter().map(|line| bare(line)).collect();
        let expected =
            ["[3/200] 3 complete  179 more under way", "waiting: 12 for a job, 7 for 003"];
        assert_eq!(last, expected);
    }

    #[test]
    fn a_row_has_the_cost_and_says_what_a_task_waits_for_and_the_tally_has_the_sum() {
        let mut frame = Frame::new(Style { unicode: true, lines: 3, plain: false }, 3, true);
        for (number, cost) in [("001", Some(0.5)), ("002", Some(1.25)), ("003", None)] {
            let mut task = Task::new(WorkspaceId::new(number, "a"));
            task.enter(StateName::Verify);
            task.cost = cost;
            task.waits = number == "002";
            frame.begin(task);
        }
        frame.finish(&WorkspaceId::new("001", "a"));
        let lines: Vec<String> =
            frame.lines(Instant::now(), 60, 24).iter().map(|line| bare(line)).collect();
        assert_eq!(lines[0], "002 VERIFY       0:00  $1.25 waits to land");
        assert_eq!(lines[2], "[0/3]  $1.75");
        frame.begin_check(Work::new(Doing::Check, "pytest -q".into()));
        let lines: Vec<String> =
            frame.lines(Instant::now(), 60, 24).iter().map(|line| bare(line)).collect();
        assert_eq!(lines, ["CHECK            0:00  check: pytest -q", "[0/3]  $0.50"]);
    }
}
