//! What a search for a known failure comes to: the match, what fits without a fix, what came near.
//!
//! Nothing is searched here; the search fills these in.

use ftl_model::{Failure, KnownFailure, Remedy};

/// Similarity from which a failure is taken for the error.
pub(super) const ACCEPTED: f64 = 0.55;
/// Similarity from which the judge may be asked.
pub(super) const ASKED: f64 = 0.30;

/// What knowledge says of an error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchResult {
    /// The failure that it is.
    pub matched: Option<Matched>,
    /// Failures that fit but hold no fix, by name, in file order.
    pub without_fix: Vec<String>,
    /// Failures that may be it, the likeliest first; empty when one matched.
    pub candidates: Vec<Candidate>,
    /// Patterns whose search was given up.
    pub warnings: Vec<String>,
}

/// The known failure that an error is.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// Its place in the file, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Why, in one line: ``matched import-order by pattern `…` ``.
    pub rationale: String,
}

impl Matched {
    /// The match as the machine's event has it.
    pub fn known(&self, failures: &[Failure]) -> KnownFailure {
        let failure = failures.get(self.index);
        let fix = failure.map_or("", |failure| failure.fix.as_str());
        KnownFailure {
            index: self.index,
            name: self.name.clone(),
            fix: fix.split_whitespace().collect::<Vec<_>>().join(" "),
            rationale: self.rationale.clone(),
            rerun: failure.is_some_and(|failure| failure.remedy() == Remedy::Rerun),
        }
    }
}

/// A failure that is neither near enough to be taken nor too far to be asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in the file, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// From 0.30 to below 0.55; a failure with more is a match.
    pub score: f64,
    /// What the score rests on, in one line.
    pub rationale: String,
}

#[cfg(test)]
mod tests {
    use crate::matching::match_failure;
    use ftl_model::Failure;

    fn failure(name: &str, pattern: &str, fix: &str, kind: Option<&str>) -> Failure {
        Failure {
            name: Some(name.to_owned()),
            pattern: Some(pattern.to_owned()),
            fix: fix.to_owned(),
            fix_kind: kind.map(str::to_owned),
            ..Failure::default()
        }
    }

    #[test]
    fn the_machine_gets_the_fix_in_one_line() {
        let failures = [
            failure("other", "nothing", "x", None),
            failure("db", "locked", " wait\n  a while ", None),
        ];
        let known =
            match_failure("database is locked", &[], &failures).matched.unwrap().known(&failures);
        assert_eq!((known.index, known.name.as_str()), (1, "db"));
        assert_eq!(known.fix, "wait a while");
        assert_eq!(known.rationale, "matched db by pattern `locked`");
        assert!(!known.rerun);
    }

    #[test]
    fn a_rerun_differs_from_other_fixes() {
        for kind in ["rerun", " rerun "] {
            let failures = [failure("again", "locked", "", Some(kind))];
            let found = match_failure("database is locked", &[], &failures);
            assert!(found.matched.unwrap().known(&failures).rerun, "{kind:?}");
        }
    }
}
