//! lab/agreement.md, rendered from what was measured.
//!
//! It only renders: `measure` and `tally` count.

use std::path::Path;

use ftl_preflight::CheckerName;
use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::disagreement::grouped;
use super::engines::Engines;
use super::languages::FALSE_REJECTS;
use super::measure::{Measured, Subject};
use super::rows::Sort;
use super::tally::{Outcome, VerdictTally};
use super::verdict::Status;
use ftl_testkit::page::table;

/// What no run can find out.
const KNOWN: &str = include_str!("known.md");

/// Groups of disagreements shown of each kind.
const GROUPS: usize = 2;

/// The whole page.
pub(crate) fn whole(is_full: bool, engines: &Engines<'_>, all: &[Measured]) -> Result<String> {
    let full = if is_full { " --full" } else { "" };
    let date = Program::new("date", Path::new("/")).args(["-u", "+%Y-%m-%d"]).text()?;
    let mut page = format!(
        "# Agreement with the languages' own front ends\n\n\
         How often a checker of `ftl` and a front end of the file's language disagree, written by\n\
         `cargo xtask evaluate syntax{full}` on {}.\n\n\
         - *False accept*: only the front end refuses the file. *False reject*: only the checker refuses it.\n\
         - *Same line*: of the files that both refuse, the share whose first errors are on the same line.\n\
         - *Real* files are code in use. *Mutants* are real files with one seeded error. *Suites* test front ends.\n\
         - A cell of a language's table counts files, false accepts and false rejects, of both parts.\n\
         - One source in three (a package, a directory of a suite) is the *hold-out*, which is only counted.\n  \
           `target/evaluate/disagreements` lists the disagreements of the *tuning* part.\n\n\
         ## Results against the targets\n\n\
         The embedded checkers, compared with each language's reference front end; the target is in brackets.\n\n",
        date.trim()
    );
    page += &aims(all);
    page.push('\n');
    for measured in all {
        page += &section(measured, engines)?;
    }
    Ok(page + KNOWN)
}

fn aims(all: &[Measured]) -> String {
    let mut rows = Vec::new();
    for (measured, is_held_out) in all.iter().flat_map(|it| [(it, false), (it, true)]) {
        let is_ours = |it: &Subject| {
            it.checker == CheckerName::Embedded
                && it.engine == measured.language.engines[0]
                && it.is_held_out == is_held_out
        };
        let used = measured.in_use(is_held_out);
        let all = measured.sum(is_ours);
        let aims = &measured.language.aims;
        let (accepts, rejects) = (used.false_accept_rate(), used.false_reject_rate());
        rows.push(vec![
            measured.language.language.to_string(),
            part(is_held_out).to_owned(),
            most(accepts, aims.false_accepts, used.false_accepts, used.invalid),
            most(rejects, FALSE_REJECTS, used.false_rejects, used.valid),
            least(all.agreement(), aims.bare),
            least(all.on_the_line(), aims.same_line),
        ]);
    }
    let heads = [
        "language",
        "part",
        "% false accepts, real and mutants",
        "% false rejects, real and mutants",
        "% agreement, all files",
        "% same line, all files",
    ];
    table(&heads, rows)
}

fn most(rate: f64, aim: f64, count: usize, of: usize) -> String {
    let missed = if rate > aim { " **missed**" } else { "" };
    format!("{rate:.2}: {count} of {of} (≤ {aim}){missed}")
}

fn least(rate: f64, aim: f64) -> String {
    if aim == 0.0 {
        return format!("{rate:.2}");
    }
    let missed = if rate < aim { " **missed**" } else { "" };
    format!("{rate:.2} (≥ {aim}){missed}")
}

fn part(is_held_out: bool) -> &'static str {
    if is_held_out { "hold-out" } else { "tuning" }
}

/// What is said of one language.
pub(crate) fn section(measured: &Measured, engines: &Engines<'_>) -> Result<String> {
    let corpora = measured.corpora.iter().map(|(name, count)| format!("{name} {count}"));
    let corpora = corpora.collect::<Vec<_>>().join(" · ");
    let missing = measured.missing.iter();
    let missing = missing.map(|(name, why)| format!("Not available: {name} ({why}).\n"));
    let misplaced = match measured.misplaced {
        0 => String::new(),
        count => format!("**Findings whose line, column or offsets are inconsistent: {count}.**\n"),
    };
    let mut versions = Vec::new();
    for &engine in measured.language.engines {
        versions.push(format!("{}: {}", engine.title, engines.version(engine)?));
    }
    let heads = ["checker", "front end", "real", "mutants", "suites", "all, and agreement"];
    Ok(format!(
        "## {}\n\nFiles: {corpora}.\nFront ends: {}.\n{}{misplaced}\n{}\n{}",
        measured.language.language,
        versions.join(" · "),
        missing.collect::<String>(),
        table(&heads, counts(measured)),
        limits(measured)
    ))
}

/// For each checker and front end, the files of each sort with false accepts and false rejects.
fn counts(measured: &Measured) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for group in measured.counts.chunk_by(|a, b| a.subject.row() == b.subject.row()) {
        let Subject { checker, engine, .. } = &group[0].subject;
        let sum = |sorts: &[Option<Sort>]| {
            let chosen = group.iter().filter(|count| sorts.contains(&count.subject.sort));
            chosen.fold(VerdictTally::default(), |sum, count| sum.merge(count.tally))
        };
        let (real, mutant, suite) = (Some(Sort::Real), Some(Sort::Mutant), Some(Sort::Suite));
        let cell = |sort| match sum(&[sort]) {
            tally if tally.files() == 0 => String::new(),
            tally => files(&tally),
        };
        let all = sum(&[None, real, mutant, suite]);
        if all.files() > 0 {
            rows.push(vec![
                checker.to_string(),
                engine.title.to_owned(),
                cell(real),
                cell(mutant),
                cell(suite),
                format!("{}: {:.2} %", files(&all), all.agreement()),
            ]);
        }
    }
    rows
}

fn files(tally: &VerdictTally) -> String {
    let unchecked = match tally.unchecked {
        0 => String::new(),
        count => format!(" (+{count} unchecked)"),
    };
    format!("{}{unchecked}: {}, {}", tally.files(), tally.false_accepts, tally.false_rejects)
}

/// The largest groups of wrong verdicts in the tuning part, each with the shortest example: for the terminal.
///
/// `target/evaluate/disagreements` has all of them, and the files with errors on different lines.
pub(crate) fn disagreements(measured: &Measured) -> String {
    let groups = grouped(&measured.compared.disagreements);
    let kinds = [
        (Outcome::FalseAccept, "False accepts by message of the front end"),
        (Outcome::FalseReject, "False rejects by message of the checker"),
    ];
    let mut page = String::new();
    for (kind, title) in kinds {
        let of_kind: Vec<_> = groups.iter().filter(|group| group.outcome == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let files: usize = of_kind.iter().map(|group| group.count).sum();
        page += &format!("{title}, {files} in the tuning part:\n\n");
        for group in of_kind.iter().take(GROUPS) {
            let it = group.example;
            let line = if kind == Outcome::FalseAccept { it.theirs.0 } else { it.ours.0 };
            let (said, label) = (cell(it.said()), cell(&it.label));
            page += &format!("- {}: {said} ({label}, line {line})\n", group.count);
        }
        page.push('\n');
    }
    page
}

/// What is known and stays so for now.
fn limits(measured: &Measured) -> String {
    if measured.limits.is_empty() {
        return String::new();
    }
    let row = |limit: &super::limits::Limit| {
        let theirs = match limit.theirs.status {
            _ if limit.is_none() => "**agrees**".to_owned(),
            Status::Valid => "accepts".to_owned(),
            Status::Invalid => cell(&limit.theirs.message),
            Status::Unknown => "gives no verdict".to_owned(),
        };
        let ours = if limit.we_accept { "accepts" } else { "refuses" };
        let example = format!("`{}`", cell(&limit.text.trim().replace('\n', " ⏎ ")));
        vec![limit.name.clone(), example, ours.to_owned(), theirs]
    };
    let heads = ["limit", "example", "the checker", "the front end"];
    let rows: Vec<_> = measured.limits.iter().map(row).collect();
    format!("Known limits, each checked by a test:\n\n{}\n", table(&heads, rows))
}

/// Text that a table can hold.
fn cell(text: &str) -> String {
    let text: String = text.chars().take(110).collect();
    text.replace('|', "\\|").replace('<', "&lt;").replace('\u{fffd}', "?")
}
