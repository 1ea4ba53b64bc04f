//! What ftl makes of a corpus: the line it would quote, the family, the match, each against its label.

use std::collections::BTreeMap;

use ftl_analysis::diagnosis::{Families, error_lines};
use ftl_analysis::matching::match_failure;
use ftl_model::Failure;

use super::corpus::{Corpus, Output, Transient, Trigger};
use super::quote::is_quoted;
use crate::tally::{Detection, Share};

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
    /// Matches by style of trigger, and how many of the missed ones would be asked about.
    pub(crate) matches: BTreeMap<String, (Detection, usize)>,
    /// What was wrong, as text.
    pub(crate) misses: Vec<String>,
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
        let (matches, near) = self.matches.entry(trigger.style.clone()).or_default();
        let matched = found.matched.as_ref();
        matches.count(matched.is_some(), same);
        *near += usize::from(matched.is_none() && same && !found.candidates.is_empty());
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
