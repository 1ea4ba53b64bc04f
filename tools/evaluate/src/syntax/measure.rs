//! One language measured: its files judged by the checkers and by every front end, and counted.
//!
//! Nothing is rendered here; that is the page's.

use std::path::PathBuf;

use ftl_preflight::{CheckerName, PythonVersion};
use ftl_testkit::Result;

use super::Size;
use super::checkers::{self, Checked};
use super::disagreement::Compared;
use super::engines::{Engine, Engines};
use super::languages::{FALSE_REJECTS, MeasuredLanguage};
use super::limits::{self, Limit};
use super::rows::{self, FileRow, Sort};
use super::tally::VerdictTally;
use super::verdict::{Status, Verdict};

/// What was found about a language.
pub(crate) struct Measured {
    pub(crate) language: &'static MeasuredLanguage,
    pub(crate) counts: Vec<Count>,
    /// Of the tuning part, against the reference.
    pub(crate) compared: Compared,
    /// Findings whose places contradict one another or the file.
    pub(crate) misplaced: usize,
    pub(crate) missing: Vec<(&'static str, String)>,
    pub(crate) corpora: Vec<(String, usize)>,
    pub(crate) limits: Vec<Limit>,
}

/// Who was compared with whom, on what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) checker: CheckerName,
    pub(crate) engine: Engine,
    /// `None` for all files together.
    pub(crate) sort: Option<Sort>,
    pub(crate) is_held_out: bool,
}

impl Subject {
    /// Everything but the sort and the part of files.
    pub(crate) fn row(&self) -> (CheckerName, Engine) {
        (self.checker, self.engine)
    }
}

/// And how that came out.
pub(crate) struct Count {
    pub(crate) subject: Subject,
    pub(crate) tally: VerdictTally,
}

/// Judges the files of a language and counts.
pub(crate) fn language(
    language: &'static MeasuredLanguage,
    size: Size,
    engines: &Engines<'_>,
) -> Result<Measured> {
    let name = language.language.name();
    println!("{name}");
    let collected = rows::collect(language, size, engines.cache)?;
    let (mut rows, missing) = (collected.rows, collected.missing);
    let primary = language.engines[0];
    let mut reference = engines.judge(primary, &paths(&rows))?;
    let mutants =
        rows::mutants(&valid(&rows, &reference), size.mutants, &engines.cache.mutants(name))?;
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
        compared: Compared::default(),
        misplaced: 0,
        missing,
        corpora: corpora(&rows),
        limits: limits::of(language, engines)?,
    };
    for (at, (&engine, opinion)) in language.engines.iter().zip(&opinions).enumerate() {
        let embedded = checkers::judge(CheckerName::Embedded, engines.python(engine)?, &all);
        measured.count(CheckerName::Embedded, engine, &rows, &embedded, opinion);
        if at == 0 {
            measured.misplaced = embedded.iter().map(|it| it.misplaced).sum();
            measured.compared.add(&rows, &embedded, opinion);
        }
    }
    if language.language.front_end().is_some() && !size.is_check {
        measured.with_toolchain(&rows, &opinions[0], size.sample, engines.python(primary)?);
    }
    Ok(measured)
}

/// The real files that the reference accepts.
pub(crate) fn valid<'r>(rows: &'r [FileRow], reference: &[Verdict]) -> Vec<&'r FileRow> {
    let is_valid = |(row, verdict): &(&FileRow, &Verdict)| {
        row.sort == Sort::Real && verdict.status == Status::Valid
    };
    rows.iter().zip(reference).filter(is_valid).map(|(row, _)| row).collect()
}

/// How verdicts on the files of a part compare, or on those of one sort in it.
pub(crate) fn tally(
    (sort, is_held_out): (Option<Sort>, bool),
    rows: &[FileRow],
    checked: &[Checked],
    opinion: &[Verdict],
) -> VerdictTally {
    let mut tally = VerdictTally::default();
    for ((row, checked), reference) in rows.iter().zip(checked).zip(opinion) {
        if sort.is_none_or(|sort| row.sort == sort) && row.is_held_out == is_held_out {
            tally.add(&checked.verdict, reference);
        }
    }
    tally
}

impl Measured {
    fn count(
        &mut self,
        checker: CheckerName,
        engine: Engine,
        rows: &[FileRow],
        checked: &[Checked],
        opinion: &[Verdict],
    ) {
        // Where only a few files are looked at, they are counted together.
        let sorts: &[Option<Sort>] = match checker {
            CheckerName::Embedded => &[Some(Sort::Real), Some(Sort::Mutant), Some(Sort::Suite)],
            _ => &[None],
        };
        for is_held_out in [false, true] {
            for &sort in sorts {
                let tally = tally((sort, is_held_out), rows, checked, opinion);
                self.counts
                    .push(Count { subject: Subject { checker, engine, sort, is_held_out }, tally });
            }
        }
    }

    /// Counts the checkers that ask the toolchain, on a part of the rows.
    fn with_toolchain(
        &mut self,
        rows: &[FileRow],
        reference: &[Verdict],
        most: usize,
        python: Option<PythonVersion>,
    ) {
        let step = (rows.len() / most.max(1)).max(1);
        let rows: Vec<FileRow> = rows.iter().step_by(step).cloned().collect();
        let reference: Vec<Verdict> = reference.iter().step_by(step).cloned().collect();
        for checker in [CheckerName::Toolchain, CheckerName::Hybrid] {
            // The machine's own version is the one that a toolchain knows.
            let checked = checkers::judge(checker, python, &paths(&rows));
            self.count(checker, self.language.engines[0], &rows, &checked, &reference);
        }
    }

    /// The sum of what was counted of a subject that `wanted` accepts.
    pub(crate) fn sum(&self, wanted: impl Fn(&Subject) -> bool) -> VerdictTally {
        let chosen = self.counts.iter().filter(|count| wanted(&count.subject));
        chosen.fold(VerdictTally::default(), |sum, count| sum.merge(count.tally))
    }

    /// What the embedded checker made of real code and its mutants, against the reference.
    pub(crate) fn in_use(&self, is_held_out: bool) -> VerdictTally {
        self.sum(|it| {
            it.checker == CheckerName::Embedded
                && it.engine == self.language.engines[0]
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

pub(crate) fn paths(rows: &[FileRow]) -> Vec<PathBuf> {
    rows.iter().map(|row| row.path.clone()).collect()
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
