//! One language measured: its files judged by the checkers and by every front end, and counted.
//!
//! Nothing is rendered here; that is the page's.

use std::path::PathBuf;

use ftl_testkit::Result;

use crate::Size;
use crate::cache::Cache;
use crate::checkers::{Checked, Checkers};
use crate::disagreement::Disagreement;
use crate::engines::{Engine, Engines};
use crate::languages::{FALSE_REJECTS, Language};
use crate::limits::{self, Limit};
use crate::rows::{self, FileRow, Sort};
use crate::tally::{Outcome, VerdictTally};
use crate::verdict::{Status, Verdict};

/// What was found about a language.
pub(crate) struct Measured {
    pub(crate) language: &'static Language,
    pub(crate) counts: Vec<Count>,
    /// Of the tuning part, against the reference.
    pub(crate) disagreements: Vec<Disagreement>,
    /// Findings whose places contradict one another or the file; and the files of the tuning part
    /// with such findings.
    pub(crate) misplaced: usize,
    pub(crate) misplaced_in: Vec<PathBuf>,
    pub(crate) missing: Vec<(&'static str, String)>,
    pub(crate) corpora: Vec<(String, usize)>,
    pub(crate) limits: Vec<Limit>,
}

/// Who was compared with whom, on what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) checker: &'static str,
    /// `None` for the files on which all front ends agree.
    pub(crate) engine: Option<Engine>,
    /// `None` for all files together.
    pub(crate) sort: Option<Sort>,
    pub(crate) is_held_out: bool,
}

/// And how that came out.
pub(crate) struct Count {
    pub(crate) subject: Subject,
    pub(crate) tally: VerdictTally,
}

/// Judges the files of a language and counts.
///
/// # Errors
///
/// A front end or a checker failed, or a file could not be read or written.
pub(crate) fn language(
    language: &'static Language,
    size: Size,
    cache: &Cache,
    engines: &Engines<'_>,
    checkers: &Checkers,
) -> Result<Measured> {
    println!("{}", language.name);
    let collected = rows::collect(language, size, cache, engines)?;
    let (mut rows, missing) = (collected.rows, collected.missing);
    let primary = language.engines[0];
    let mut reference = engines.judge(primary, &paths(&rows))?;
    let valid: Vec<&FileRow> = (rows.iter().zip(&reference))
        .filter(|(row, verdict)| row.sort == Sort::Real && verdict.status == Status::Valid)
        .map(|(row, _)| row)
        .collect();
    let directory = cache.directory().join("mutants").join(language.name);
    let mutants = rows::mutants(&valid, size.mutants, &directory)?;
    reference.extend(engines.judge(primary, &paths(&mutants))?);
    rows.extend(mutants);

    let all = paths(&rows);
    let mut opinions = vec![reference];
    let others = if size.is_check { &[] } else { &language.engines[1..] };
    for &engine in others {
        opinions.push(engines.judge(engine, &all)?);
    }
    let mut measured = Measured {
        language,
        counts: Vec::new(),
        disagreements: Vec::new(),
        misplaced: 0,
        misplaced_in: Vec::new(),
        missing,
        corpora: corpora(&rows),
        limits: limits::of(language, engines)?,
    };
    for (at, (&engine, opinion)) in language.engines.iter().zip(&opinions).enumerate() {
        let python = engines.python(engine)?;
        let embedded = checkers.judge("embedded", python.as_deref(), &all)?;
        measured.count("embedded", Some(engine), &rows, &embedded, opinion);
        if at == 0 {
            measured.misplaced = embedded.iter().map(|it| it.misplaced).sum();
            measured.note(&rows, &embedded, opinion);
            if opinions.len() > 1 {
                measured.count("embedded", None, &rows, &embedded, &consensus(&opinions));
            }
        }
    }
    if language.has_toolchain && !size.is_check {
        let python = engines.python(primary)?;
        measured.with_toolchain(&rows, &opinions, size.sample, checkers, python.as_deref())?;
    }
    Ok(measured)
}

impl Measured {
    fn count(
        &mut self,
        checker: &'static str,
        engine: Option<Engine>,
        rows: &[FileRow],
        checked: &[Checked],
        opinion: &[Verdict],
    ) {
        // Where only a few files are looked at, they are counted together.
        let sorts: &[Option<Sort>] = if checker == "embedded" {
            &[Some(Sort::Real), Some(Sort::Mutant), Some(Sort::Suite)]
        } else {
            &[None]
        };
        for is_held_out in [false, true] {
            for &sort in sorts {
                let mut tally = VerdictTally::default();
                for ((row, checked), reference) in rows.iter().zip(checked).zip(opinion) {
                    let is_wanted = sort.is_none_or(|sort| row.sort == sort);
                    if is_wanted && row.is_held_out == is_held_out {
                        tally.add(&checked.verdict, reference);
                    }
                }
                let subject = Subject { checker, engine, sort, is_held_out };
                self.counts.push(Count { subject, tally });
            }
        }
    }

    /// Keeps the disagreements of the tuning part.
    fn note(&mut self, rows: &[FileRow], checked: &[Checked], opinion: &[Verdict]) {
        for ((row, checked), theirs) in rows.iter().zip(checked).zip(opinion) {
            let outcome = Outcome::of(&checked.verdict, theirs);
            if checked.misplaced > 0 && !row.is_held_out {
                self.misplaced_in.push(row.path.clone());
            }
            if row.is_held_out || matches!(outcome, Outcome::Agree | Outcome::None) {
                continue;
            }
            self.disagreements.push(Disagreement {
                outcome,
                label: row.label.clone(),
                path: row.path.display().to_string(),
                ours: (checked.verdict.line, checked.verdict.message.clone()),
                theirs: (theirs.line, theirs.message.clone()),
            });
        }
    }

    /// Counts the checkers that ask the toolchain, on a part of the rows, against every opinion.
    fn with_toolchain(
        &mut self,
        rows: &[FileRow],
        opinions: &[Vec<Verdict>],
        most: usize,
        checkers: &Checkers,
        python: Option<&str>,
    ) -> Result {
        let step = (rows.len() / most.max(1)).max(1);
        let chosen: Vec<usize> = (0..rows.len()).step_by(step).collect();
        let rows: Vec<FileRow> = chosen.iter().map(|&at| rows[at].clone()).collect();
        let engines = self.language.engines;
        for checker in ["toolchain", "hybrid"] {
            // The machine's own version is the one that a toolchain knows.
            let checked = checkers.judge(checker, python, &paths(&rows))?;
            for (&engine, opinion) in engines.iter().zip(opinions) {
                let opinion: Vec<_> = chosen.iter().map(|&at| opinion[at].clone()).collect();
                self.count(checker, Some(engine), &rows, &checked, &opinion);
            }
        }
        Ok(())
    }

    /// The sum of what was counted of a subject that `wanted` accepts.
    pub(crate) fn sum(&self, wanted: impl Fn(&Subject) -> bool) -> VerdictTally {
        let chosen = self.counts.iter().filter(|count| wanted(&count.subject));
        chosen.fold(VerdictTally::default(), |sum, count| sum.merge(count.tally))
    }

    /// What the embedded checker made of real code and its mutants, against the reference.
    pub(crate) fn in_use(&self, is_held_out: bool) -> VerdictTally {
        self.sum(|it| {
            it.checker == "embedded"
                && it.engine == Some(self.language.engines[0])
                && it.sort != Some(Sort::Suite)
                && it.is_held_out == is_held_out
        })
    }

    /// Whether both parts together hold as few wrong verdicts in use as is aimed at; one of each
    /// kind is forgiven, for few files make coarse rates.
    pub(crate) fn is_within_aims(&self) -> bool {
        let used = self.in_use(false).merge(self.in_use(true));
        let is_few = |count: usize, of: usize, percent: f64| {
            count <= 1 || count as f64 <= of as f64 * percent / 100.0
        };
        is_few(used.false_accepts, used.invalid, self.language.aims.false_accepts)
            && is_few(used.false_rejects, used.valid, FALSE_REJECTS)
            && self.misplaced == 0
    }
}

fn paths(rows: &[FileRow]) -> Vec<PathBuf> {
    rows.iter().map(|row| row.path.clone()).collect()
}

/// The first verdict where all give the same status, else none.
fn consensus(opinions: &[Vec<Verdict>]) -> Vec<Verdict> {
    let (first, others) = opinions.split_first().expect("because every language has a reference");
    let agreed = first.iter().enumerate().map(|(at, verdict)| {
        let is_shared = others.iter().all(|other| other[at].status == verdict.status);
        if is_shared { verdict.clone() } else { Verdict::unknown("the front ends disagree") }
    });
    agreed.collect()
}

/// How many files of each corpus were judged; mutants count as one corpus.
fn corpora(rows: &[FileRow]) -> Vec<(String, usize)> {
    let mut corpora: Vec<(String, usize)> = Vec::new();
    for row in rows {
        let name = match row.sort {
            Sort::Mutant => "mutants of the real ones",
            Sort::Real | Sort::Suite => row.label.split_once(": ").map_or("", |(name, _)| name),
        };
        match corpora.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => corpora.push((name.to_owned(), 1)),
        }
    }
    corpora
}
