use ftl_model::Failure;

use crate::machine::event::Known;

/// Similarity from which a failure is taken for the error.
pub const ACCEPTED: f64 = 0.55;
/// Similarity from which somebody may be asked.
pub const ASKED: f64 = 0.30;

/// What knowledge says of an error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
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
    /// What told it.
    pub how: How,
    /// Why, in one line: ``matched import-order by pattern `…` ``.
    pub rationale: String,
}

impl Matched {
    /// The match as the machine is told of it.
    pub fn known(&self, failures: &[Failure]) -> Known {
        let failure = failures.get(self.index);
        let fix = failure.map_or("", |failure| failure.fix.as_str());
        Known {
            index: self.index,
            name: self.name.clone(),
            fix: fix.split_whitespace().collect::<Vec<_>>().join(" "),
            rationale: self.rationale.clone(),
            rerun: failure.and_then(|failure| failure.fix_kind.as_deref()) == Some("rerun"),
        }
    }
}

/// What tells a failure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// Its pattern.
    Pattern,
    /// Its trigger's text.
    Text,
    /// Its trigger's similarity, the score.
    Similarity(f64),
    /// Somebody who was asked, its score being in between.
    Asked(f64),
}

/// A failure that is neither near enough to be taken nor too far to be asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in the file, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// From [`ASKED`] to below [`ACCEPTED`].
    pub score: f64,
    /// What the score rests on, in one line.
    pub rationale: String,
}

impl Candidate {
    /// The match that it becomes when somebody who was asked says so.
    pub fn accepted(&self) -> Matched {
        Matched {
            index: self.index,
            name: self.name.clone(),
            how: How::Asked(self.score),
            rationale: format!(
                "matched {} by the judge's word, {}",
                self.name, self.rationale
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Candidate;
    use crate::matching::find;
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
    fn the_machine_is_told_the_fix_in_one_line() {
        let failures = [
            failure("other", "nothing", "x", None),
            failure("db", "locked", " wait\n  a while ", None),
        ];
        let known = find("database is locked", &[], &failures)
            .matched
            .unwrap()
            .known(&failures);
        assert_eq!((known.index, known.name.as_str()), (1, "db"));
        assert_eq!(known.fix, "wait a while");
        assert_eq!(known.rationale, "matched db by pattern `locked`");
        assert!(!known.rerun);
    }

    #[test]
    fn a_rerun_is_told_from_other_fixes() {
        let failures = [failure("again", "locked", "", Some("rerun"))];
        let matched = find("database is locked", &[], &failures).matched.unwrap();
        assert!(matched.known(&failures).rerun);
    }

    #[test]
    fn a_candidate_that_is_confirmed_says_by_whom() {
        let candidate = Candidate {
            index: 0,
            name: "db".to_owned(),
            score: 0.5,
            rationale: "similarity 0.50".to_owned(),
        };
        let rationale = candidate.accepted().rationale;
        assert_eq!(rationale, "matched db by the judge's word, similarity 0.50");
    }
}
