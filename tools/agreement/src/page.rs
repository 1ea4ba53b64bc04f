//! docs/agreement.md, rendered from what was measured.
//!
//! It only renders: `measure` and `tally` count.

use std::fmt::Write as _;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::disagreement::grouped;
use crate::engines::Engines;
use crate::languages::FALSE_REJECTS;
use crate::measure::{Measured, Subject};
use crate::rows::Sort;
use crate::tally::{Outcome, VerdictTally};
use crate::verdict::Status;

/// What no run can find out.
const KNOWN: &str = include_str!("known.md");

/// Groups of disagreements shown of each kind.
const GROUPS: usize = 12;

/// The whole page.
pub(crate) fn whole(is_full: bool, engines: &Engines<'_>, all: &[Measured]) -> Result<String> {
    let command = if is_full { "cargo xtask agreement --full" } else { "cargo xtask agreement" };
    let date = Program::new("date", Path::new("/")).args(["-u", "+%Y-%m-%d"]).text()?;
    let mut page = format!(
        "# Agreement with the languages' own front ends\n\n\
         `{command}` wrote this page on {}. It checks every file with a checker of `ftl` and with a front\n\
         end of the file's language.\n\n\
         - *False accept*: only the front end refuses the file. *False reject*: only the checker refuses it.\n\
         - *Same line*: of the files that both refuse, the share whose first errors are on the same line.\n\
         - *Real* files are code in use, up to 1 MiB each, without duplicates. *Mutants* are real files with one seeded\n  \
           error. *Suites* were written to test front ends.\n\
         - One source in three (a package, a directory of a suite) is the *hold-out*. This page shows only its counts.\n\n",
        date.trim()
    );
    page.push_str(
        "## Results against the targets\n\nThe embedded checkers, compared with each language's reference front end.\n\n",
    );
    aims(&mut page, all)?;
    page.push_str("\n## Versions\n\n| language | front end | version |\n|---|---|---|\n");
    for measured in all {
        for &engine in measured.language.engines {
            let (name, version) = (measured.language.name, engines.version(engine)?);
            writeln!(page, "| {name} | {} | {version} |", engine.title())?;
        }
    }
    page.push('\n');
    for measured in all {
        page.push_str(&section(measured)?);
    }
    page.push_str(KNOWN);
    Ok(page)
}

fn aims(page: &mut String, all: &[Measured]) -> Result {
    page.push_str(
        "| language | part | false accepts, real and mutants | false rejects, real and mutants | agreement, all rows | same line, all rows |\n\
         |---|---|---|---|---|---|\n",
    );
    for measured in all {
        for is_held_out in [false, true] {
            let engine = Some(measured.language.engines[0]);
            let is_ours = |it: &Subject| {
                it.checker == "embedded" && it.engine == engine && it.is_held_out == is_held_out
            };
            let used = measured.in_use(is_held_out);
            let rows = measured.sum(is_ours);
            let aims = &measured.language.aims;
            writeln!(
                page,
                "| {} | {} | {} | {} | {} | {} |",
                measured.language.name,
                part(is_held_out),
                most(
                    used.false_accept_rate(),
                    aims.false_accepts,
                    used.false_accepts,
                    used.invalid
                ),
                most(used.false_reject_rate(), FALSE_REJECTS, used.false_rejects, used.valid),
                least(rows.agreement(), aims.bare),
                least(rows.on_the_line(), aims.same_line),
            )?;
        }
    }
    Ok(())
}

fn most(rate: f64, aim: f64, count: usize, of: usize) -> String {
    let missed = if rate > aim { " **missed**" } else { "" };
    format!("{rate:.2} % ({count} of {of}); at most {aim} %{missed}")
}

fn least(rate: f64, aim: f64) -> String {
    if aim == 0.0 {
        return format!("{rate:.2} %");
    }
    let missed = if rate < aim { " **missed**" } else { "" };
    format!("{rate:.2} %; at least {aim} %{missed}")
}

fn part(is_held_out: bool) -> &'static str {
    if is_held_out { "hold-out" } else { "tuning" }
}

/// What is said of one language.
pub(crate) fn section(measured: &Measured) -> Result<String> {
    let mut page = format!("## {}\n\n", measured.language.name);
    let corpora = measured.corpora.iter().map(|(name, count)| format!("{name} {count}"));
    writeln!(page, "Files: {}.", corpora.collect::<Vec<_>>().join(" · "))?;
    for (name, why) in &measured.missing {
        writeln!(page, "Not available: {name} ({why}).")?;
    }
    let findings = match measured.misplaced {
        0 => "The line, column and offsets of every finding are consistent with each other and with the file."
            .to_owned(),
        count => format!("**Findings whose line, column or offsets are inconsistent: {count}.**"),
    };
    writeln!(page, "{findings}\n")?;
    page.push_str(
        "| checker | front end | files | part | n | valid / invalid | false accepts | false rejects | agree | same line |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for count in &measured.counts {
        if count.tally.files() > 0 {
            page.push_str(&row(&count.subject, &count.tally));
        }
    }
    page.push('\n');
    disagreements(&mut page, measured)?;
    limits(&mut page, measured)?;
    Ok(page)
}

fn row(subject: &Subject, tally: &VerdictTally) -> String {
    let engine = subject.engine.map_or("where all front ends agree", |engine| engine.title());
    let files = match subject.sort {
        None => "a sample of all",
        Some(Sort::Real) => "real",
        Some(Sort::Mutant) => "mutants",
        Some(Sort::Suite) => "suites",
    };
    let unchecked = match tally.unchecked {
        0 => String::new(),
        count => format!(" (+{count} unchecked)"),
    };
    let line = if tally.both_refuse == 0 {
        "–".to_owned()
    } else {
        format!("{:.1} %", tally.on_the_line())
    };
    format!(
        "| {} | {engine} | {files} | {} | {}{unchecked} | {} / {} | {} | {} | {:.2} % | {line} |\n",
        subject.checker,
        part(subject.is_held_out),
        tally.files(),
        tally.valid,
        tally.invalid,
        tally.false_accepts,
        tally.false_rejects,
        tally.agreement(),
    )
}

/// The largest groups of each kind in the tuning part, with the shortest example.
fn disagreements(page: &mut String, measured: &Measured) -> Result {
    let groups = grouped(&measured.disagreements);
    let kinds = [
        (Outcome::FalseAccept, "False accepts: messages of the front end"),
        (Outcome::FalseReject, "False rejects: messages of the checker"),
        (Outcome::OtherLine, "Different lines: messages of the checker"),
    ];
    for (kind, title) in kinds {
        let of_kind: Vec<_> = groups.iter().filter(|group| group.outcome == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let total: usize = of_kind.iter().map(|group| group.count).sum();
        writeln!(page, "{title} (tuning part, {total})\n")?;
        page.push_str("| times | message | example |\n|---|---|---|\n");
        for group in of_kind.iter().take(GROUPS) {
            let example = group.example;
            let line = match kind {
                Outcome::FalseAccept => format!("line {}", example.theirs.0),
                Outcome::OtherLine => {
                    format!("line {}, the front end: line {}", example.ours.0, example.theirs.0)
                }
                Outcome::FalseReject | Outcome::Agree | Outcome::None => {
                    format!("line {}", example.ours.0)
                }
            };
            let (said, label) = (cell(example.said()), cell(&example.label));
            writeln!(page, "| {} | {said} | {label}, {line} |", group.count)?;
        }
        if let Some(rest) = of_kind.len().checked_sub(GROUPS + 1) {
            let files: usize = of_kind[GROUPS..].iter().map(|group| group.count).sum();
            writeln!(page, "| {files} | in {} more groups | |", rest + 1)?;
        }
        page.push('\n');
    }
    Ok(())
}

/// What is known and stays so for now.
fn limits(page: &mut String, measured: &Measured) -> Result {
    if measured.limits.is_empty() {
        return Ok(());
    }
    page.push_str("Known limits, each with an example that the tests check\n\n");
    page.push_str("| limit | example | the checker | the front end |\n|---|---|---|---|\n");
    for limit in &measured.limits {
        let example = cell(&limit.text.trim().replace('\n', " ⏎ "));
        let ours = if limit.we_accept { "accepts" } else { "refuses" };
        let theirs = match limit.theirs.status {
            _ if limit.is_none() => "**agrees**".to_owned(),
            Status::Valid => "accepts".to_owned(),
            Status::Invalid => cell(&limit.theirs.message),
            Status::Unknown => "gives no verdict".to_owned(),
        };
        writeln!(page, "| {} | `{example}` | {ours} | {theirs} |", limit.name)?;
    }
    page.push('\n');
    Ok(())
}

/// Text that a table can hold.
fn cell(text: &str) -> String {
    let text: String = text.chars().take(110).collect();
    text.replace('|', "\\|").replace('<', "&lt;").replace('\u{fffd}', "?")
}
