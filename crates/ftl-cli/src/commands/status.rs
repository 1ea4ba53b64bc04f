//! `ftl status`: every task of a project with its state.
//!
//! The engine reads the files and knows what waits for what; here are the table and its words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ftl_engine::project::{Layout, display_path, find, projects_below};
use ftl_engine::result::{AgentWait, DueCheck, Overview, Progress, UnderWay, WorkspaceEntry};
use ftl_engine::status::{TaskEntry, progress, status};
use ftl_engine::tasks::{clock_at, due};
use ftl_model::{Seq, Status, WorkspaceId};
use ftl_text::one_line;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use unicode_width::UnicodeWidthStr;

use crate::args::{Format, StatusArgs};
use crate::render::several;
use crate::{CommandResult, globals, output};

/// Lists the tasks.
pub(crate) fn run(args: &StatusArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    if globals::root().is_none() && !layout.ftl_dir().exists() {
        let below = projects_below(layout.root());
        if !below.is_empty() {
            return of_several(&below, args.format);
        }
    }
    let entries = status(&layout)?;
    let checks = due(&layout, &entries);
    if globals::root().is_none() && !layout.ftl_dir().exists() {
        output::warn(&format!(
            "there is no project here: neither `{}` nor a directory above it holds a `.ftl`; `ftl new` begins one",
            layout.root().display()
        ));
    }
    match args.format {
        Format::Human => {
            let table = table(&layout, &entries, &checks, Timestamp::now());
            output::result(&(table + &several::due_checks(&checks)))?;
        }
        Format::Json => {
            let progress = progress(&layout, &entries);
            let workspaces = listed(&layout, entries, &checks);
            output::json(&Overview { workspaces, checks, progress })?;
        }
    }
    Ok(0)
}

/// Lists the tasks of projects below the current directory, which is in none.
fn of_several(projects: &[Layout], format: Format) -> CommandResult {
    let mut text = String::new();
    let (mut workspaces, mut checks, mut all) = (Vec::new(), Vec::new(), Progress::default());
    for layout in projects {
        let entries = status(layout)?;
        let due = due(layout, &entries);
        let root = display_path(layout.root()).display().to_string();
        let _ = writeln!(text, "{}:", one_line(&root));
        text += &table(layout, &entries, &due, Timestamp::now());
        text += &several::due_checks(&due);
        let progress = progress(layout, &entries);
        all.under_way.extend(progress.under_way);
        all.waiting.extend(progress.waiting);
        all.unreachable.extend(progress.unreachable);
        workspaces.extend(listed(layout, entries, &due));
        checks.extend(due);
    }
    match format {
        Format::Human => output::result(&text)?,
        Format::Json => output::json(&Overview { workspaces, checks, progress: all })?,
    }
    output::warn(&"there is no project here; those below are built there, or with `--root`");
    Ok(0)
}

fn listed(layout: &Layout, entries: Vec<TaskEntry>, checks: &[DueCheck]) -> Vec<WorkspaceEntry> {
    let dir = display_path(&layout.workspace_dir());
    let listed = |entry: TaskEntry| WorkspaceEntry {
        id: entry.name.id.clone(),
        path: dir.join(entry.name.to_string()).display().to_string(),
        status: entry.name.status,
        budget: entry.budget,
        created_at: entry.created_at,
        depends: entry.depends,
        waits_for: entry.waits_for,
        objective: entry.objective,
        last: entry.last,
        holder: entry.holder,
        broken: is_broken(&entry.name.id, checks),
        problem: entry.problem,
    };
    entries.into_iter().map(listed).collect()
}

/// Whether a check of a task failed, and did not pass since.
fn is_broken(id: &WorkspaceId, checks: &[DueCheck]) -> bool {
    checks.iter().any(|check| check.failed.is_some() && check.tasks.contains(id))
}

/// A row for each task with its problem below it, and a last line with totals.
fn table(layout: &Layout, entries: &[TaskEntry], checks: &[DueCheck], now: Timestamp) -> String {
    let progress = progress(layout, entries);
    let known = Known {
        states: entries.iter().map(|entry| (entry.name.id.seq(), entry.name.status)).collect(),
        progress: &progress,
        checks,
    };
    let rows: Vec<[String; 5]> = entries.iter().map(|entry| row(entry, &known, now)).collect();
    let heads = ["ID", "STATE", "BUDGET", "AGE", "WAITS FOR"].map(str::to_owned);
    let mut widths = heads.each_ref().map(|head| head.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let mut text = String::new();
    if !entries.is_empty() {
        push_row(&heads, &widths, &mut text);
    }
    for (entry, row) in entries.iter().zip(&rows) {
        push_row(row, &widths, &mut text);
        if let Some(problem) = &entry.problem {
            let _ = writeln!(text, "  problem: {}", one_line(problem));
        }
    }
    text + &tally(entries, &known)
}

fn push_row(cells: &[String; 5], widths: &[usize; 5], text: &mut String) {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        let _ = write!(line, "{cell}{:1$}", "", width - cell.width() + 2);
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

/// What a row says of other tasks.
struct Known<'a> {
    /// How the tasks of a number stand; of several that number the last.
    states: BTreeMap<&'a str, Status>,
    progress: &'a Progress,
    checks: &'a [DueCheck],
}

impl Known<'_> {
    fn under_way(&self, entry: &TaskEntry) -> Option<&UnderWay> {
        self.progress.under_way.iter().find(|task| task.id == entry.name.id)
    }
}

fn row(entry: &TaskEntry, known: &Known<'_>, now: Timestamp) -> [String; 5] {
    let last = entry.last.as_ref();
    let changed = last.and_then(|last| last.ended_at.as_deref().or(last.began_at.as_deref()));
    let changed = changed.or(entry.created_at.as_deref());
    [
        one_line(entry.name.id.as_str()),
        state(entry, known),
        budget(entry),
        changed.and_then(|at| age(at, now)).unwrap_or_default(),
        waits_for(entry, known),
    ]
}

/// `under way: VERIFY, process 7`, `active, held by process 7`, `active, begun`, `unreachable`,
/// `active, was blocked: retry_limit`, `blocked: retry_limit`.
fn state(entry: &TaskEntry, known: &Known<'_>) -> String {
    let status = entry.name.status;
    if let Some(UnderWay { state, pid, .. }) = known.under_way(entry) {
        return format!("under way: {state}, process {pid}");
    }
    if known.progress.unreachable.iter().any(|task| task.id == entry.name.id) {
        return "unreachable".to_owned();
    }
    if is_broken(&entry.name.id, known.checks) {
        return "broken".to_owned();
    }
    let kind = entry.last.as_ref().and_then(|last| last.kind.as_deref());
    match (status, entry.holder, entry.run, kind) {
        (_, Some(pid), ..) => format!("{status}, held by process {pid}"),
        (_, None, Some(_), _) => format!("{status}, begun"),
        (Status::Active, None, None, Some(kind)) => format!("{status}, was blocked: {kind}"),
        (Status::Blocked, None, None, Some(kind)) => format!("{status}: {kind}"),
        (_, None, None, _) => status.to_string(),
    }
}

/// `3/6`, where a run has used some of it.
fn budget(entry: &TaskEntry) -> String {
    let Some(budget) = entry.budget else {
        return String::new();
    };
    match entry.last.as_ref().and_then(|last| last.used) {
        Some(used) => format!("{used}/{budget}"),
        None => budget.to_string(),
    }
}

/// `002, 004 (blocked)`, `its turn to land`, `a file of 003`: the note says that such a task does not go on by itself.
fn waits_for(entry: &TaskEntry, known: &Known<'_>) -> String {
    let progress = known.progress;
    let is_unreachable =
        |seq: &Seq| progress.unreachable.iter().any(|task| task.id.seq() == seq.as_str());
    let said = |seq: &Seq| match known.states.get(seq.as_str()) {
        Some(Status::Active) if is_unreachable(seq) => format!("{seq} (unreachable)"),
        Some(Status::Active | Status::Complete) => seq.to_string(),
        Some(Status::Blocked) => format!("{seq} (blocked)"),
        Some(Status::Dropped) => format!("{seq} (dropped)"),
        None => format!("{seq} (missing)"),
    };
    let mut said: Vec<String> = entry.waits_for.iter().map(said).collect();
    if known.under_way(entry).is_some_and(|task| task.waits_to_land) {
        said.push("its turn to land".to_owned());
    }
    for task in progress.waiting.iter().filter(|task| task.id == entry.name.id) {
        said.extend(task.files_of.iter().map(|other| format!("a file of {}", other.seq())));
        said.extend(task.agent.as_ref().map(waits_for_agent));
    }
    one_line(&said.join(", "))
}

/// `claude until 14:05`, or `claude` while another task tries it.
fn waits_for_agent(wait: &AgentWait) -> String {
    let until: Option<Timestamp> = wait.until.as_ref().and_then(|until| until.parse().ok());
    let until = until.map(|until| clock_at(&until.to_zoned(TimeZone::system())));
    let until = until.map_or_else(String::new, |until| format!(" until {until}"));
    format!("{}{until}", wait.agent)
}

/// How long ago that was, in the largest unit that fits; times without a zone count as UTC.
fn age(created_at: &str, now: Timestamp) -> Option<String> {
    let at: Timestamp = created_at.parse().ok().or_else(|| {
        let local: DateTime = created_at.parse().ok()?;
        Some(local.to_zoned(TimeZone::UTC).ok()?.timestamp())
    })?;
    let seconds = now.as_second().checked_sub(at.as_second())?;
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let fitting = units.iter().find(|(length, _)| seconds >= *length);
    Some(match fitting {
        Some((length, unit)) => format!("{} {unit}", seconds / length),
        None => "now".to_owned(),
    })
}

fn tally(entries: &[TaskEntry], known: &Known<'_>) -> String {
    let progress = known.progress;
    let is_checked = |entry: &&TaskEntry| is_broken(&entry.name.id, known.checks);
    let broken = entries.iter().filter(is_checked).count();
    let count = |status| {
        let alike = |entry: &&TaskEntry| entry.name.status == status && !is_checked(entry);
        entries.iter().filter(alike).count()
    };
    let [active, complete, blocked, dropped] = Status::ALL.map(count);
    let problems = entries.iter().filter(|entry| entry.problem.is_some()).count();
    let of_active = [
        (progress.under_way.len(), "under way"),
        (progress.waiting.len(), "waiting"),
        (progress.unreachable.len(), "unreachable"),
    ];
    let some = of_active.iter().filter(|(count, _)| *count > 0);
    let some: Vec<String> = some.map(|(count, word)| format!("{count} {word}")).collect();
    let some = if some.is_empty() { String::new() } else { format!(" ({})", some.join(", ")) };
    let mut line = format!("{active} active{some}, {complete} complete, {blocked} blocked");
    if dropped > 0 {
        let _ = write!(line, ", {dropped} dropped");
    }
    if broken > 0 {
        let _ = write!(line, ", {broken} broken");
    }
    if problems > 0 {
        let _ = write!(line, "; {problems} with a problem");
    }
    line + "\n"
}

#[cfg(test)]
mod tests {
    use ftl_engine::project::Layout;
    use jiff::Timestamp;

    use super::{age, table};

    #[test]
    fn an_age_is_shown_in_the_largest_unit_that_fits() {
        let now: Timestamp = "2026-01-18T12:00:00Z".parse().unwrap();
        for (at, expected) in [
            ("2026-01-18T11:59:30", Some("30 s")),
            ("2026-01-18T12:00:00", Some("now")),
            ("2026-01-18T11:58:00Z", Some("2 min")),
            ("2026-01-18T10:00:00+01:00", Some("3 h")),
            ("2025-12-18T12:00:00.123456", Some("31 d")),
            ("2027-01-01T00:00:00Z", Some("now")),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(age(at, now).as_deref(), expected, "{at}");
        }
    }

    #[test]
    fn a_project_without_tasks_has_none() {
        let layout = Layout::new("/nowhere");
        assert_eq!(
            table(&layout, &[], &[], Timestamp::UNIX_EPOCH),
            "0 active, 0 complete, 0 blocked\n"
        );
    }
}
