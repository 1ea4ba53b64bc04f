//! What ftl makes of a corpus: the line it would quote, the family, the match, each against its label.

use std::collections::BTreeMap;

use ftl_analysis::diagnosis::{Families, error_lines};
use ftl_analysis::matching::match_failure;
use ftl_model::Failure;

use crate::corpus::{Corpus, Output, Transient, Trigger};
use crate::quote::is_quoted;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    pub(crate) right: usize,
    pub(crate) all: usize,
}

impl Share {
    fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.all += 1;
    }

    /// All of `shares` together.
    pub(crate) fn sum<'a>(shares: impl Iterator<Item = &'a Self>) -> Self {
        shares.fold(Self::default(), |sum, share| Self {
            right: sum.right + share.right,
            all: sum.all + share.all,
        })
    }

    /// As text: `97 of 100 (97.0 %)`.
    pub(crate) fn words(self) -> String {
        let percent = 100.0 * self.right as f64 / self.all.max(1) as f64;
        format!("{} of {} ({percent:.1} %)", self.right, self.all)
    }
}

/// The verdicts on a corpus.
#[derive(Debug, Default)]
pub(crate) struct Score {
    /// First lines that are the reader's, by runner.
    pub(crate) lines: BTreeMap<String, Share>,
    /// The same for runners that no rule was written for.
    pub(crate) held_out: BTreeMap<String, Share>,
    /// The same for outputs of `passing && failing`.
    pub(crate) chains: Share,
    /// Transient errors that are known as such.
    pub(crate) transient: Share,
    /// Deterministic errors that are not taken for transient.
    pub(crate) deterministic: Share,
    /// Matches by style of trigger.
    pub(crate) matches: BTreeMap<String, Matches>,
    /// What was wrong, as text.
    pub(crate) misses: Vec<String>,
}

/// What became of the pairs of one style.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Matches {
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    pub(crate) missed: usize,
    pub(crate) refused: usize,
    /// Of the missed ones, those that would be asked about.
    pub(crate) near: usize,
}

impl Matches {
    /// Accepted pairs that are the same error.
    pub(crate) fn precision(self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }

    /// Pairs of the same error that are accepted.
    pub(crate) fn recall(self) -> f64 {
        self.right as f64 / (self.right + self.missed).max(1) as f64
    }
}

/// Judges every output and pair of `corpus`.
pub(crate) fn score(corpus: &Corpus) -> Score {
    let mut score = Score::default();
    let families = Families::default();
    for (name, output) in &corpus.outputs {
        if output.exit != 0 {
            score.judge(name, output, &families);
        }
    }
    for (name, trigger, same) in &corpus.pairs {
        if let Some(output) = corpus.outputs.get(name) {
            score.pair(name, output, &corpus.triggers[*trigger], *same);
        }
    }
    score
}

impl Score {
    fn judge(&mut self, name: &str, output: &Output, families: &Families) {
        let found = error_lines(&output.text);
        if let Some(wanted) = output.lines.as_ref().filter(|lines| !lines.is_empty()) {
            let first = found.first().map_or("", String::as_str);
            let right = is_quoted(first, wanted);
            match name.starts_with("ok-") {
                true => self.chains.count(right),
                false if output.held_out => {
                    self.held_out.entry(output.runner.clone()).or_default().count(right)
                }
                false => self.lines.entry(output.runner.clone()).or_default().count(right),
            }
            if !right {
                let miss =
                    format!("line\t{name}\t{}\t{first}\t{}", output.runner, wanted.join(" ¦ "));
                self.misses.push(miss);
            }
        }
        if let Some(Transient::Known(wanted)) = output.transient {
            let found_transient = families.classify(&found).transient_only;
            match wanted {
                true => self.transient.count(found_transient),
                false => self.deterministic.count(!found_transient),
            }
            if found_transient != wanted {
                let miss = format!("transient\t{name}\t{wanted}\t{}", found.join(" ¦ "));
                self.misses.push(miss);
            }
        }
    }

    fn pair(&mut self, name: &str, output: &Output, trigger: &Trigger, same: bool) {
        let is_pattern = trigger.style == "regex";
        let failure = Failure {
            name: Some("known".to_owned()),
            trigger: if is_pattern { String::new() } else { trigger.text.clone() },
            pattern: is_pattern.then(|| trigger.text.clone()),
            fix: "mend it".to_owned(),
            ..Failure::default()
        };
        let lines = error_lines(&output.text);
        let found = match_failure(&output.text, &lines, &[failure]);
        let matches = self.matches.entry(trigger.style.clone()).or_default();
        let matched = found.matched.as_ref();
        match (matched.is_some(), same) {
            (true, true) => matches.right += 1,
            (true, false) => matches.wrong += 1,
            (false, true) => {
                matches.missed += 1;
                matches.near += usize::from(!found.candidates.is_empty());
            }
            (false, false) => matches.refused += 1,
        }
        if matched.is_some() != same {
            let why = match (matched, found.candidates.first()) {
                (Some(matched), _) => matched.rationale.clone(),
                (None, Some(near)) => format!("near: {}", near.rationale),
                (None, None) => "nothing".to_owned(),
            };
            let first = lines.iter().take(3).cloned().collect::<Vec<_>>().join(" ¦ ");
            let kind = if same { "missed" } else { "wrong" };
            let miss =
                format!("{kind}\t{}\t{name}\t{}\t{first}\t{why}", trigger.style, trigger.text);
            self.misses.push(miss);
        }
    }
}
