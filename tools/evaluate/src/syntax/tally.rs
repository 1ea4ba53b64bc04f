//! Counts of how two verdicts on one file compare, and the rates that follow from them.
//!
//! Whether a rate is good enough, the aims in `languages` say.

use super::verdict::{Status, Verdict};

/// How often two judges agree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct VerdictTally {
    /// Files that the reference accepts, and refuses; those without an answer are in neither.
    pub(crate) valid: usize,
    pub(crate) invalid: usize,
    pub(crate) false_accepts: usize,
    pub(crate) false_rejects: usize,
    /// Files that both refuse, and of them those with the first error on the same line.
    pub(crate) both_refuse: usize,
    pub(crate) same_line: usize,
    /// Files that only the reference gave an answer on.
    pub(crate) unchecked: usize,
}

/// What comes of comparing two verdicts on one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    FalseAccept,
    FalseReject,
    OtherLine,
    Agree,
    /// One of the two has no answer.
    None,
}

impl Outcome {
    pub(crate) fn of(ours: &Verdict, reference: &Verdict) -> Self {
        match (ours.status, reference.status) {
            (Status::Unknown, _) | (_, Status::Unknown) => Self::None,
            (Status::Valid, Status::Invalid) => Self::FalseAccept,
            (Status::Invalid, Status::Valid) => Self::FalseReject,
            (Status::Invalid, Status::Invalid) if ours.line != reference.line => Self::OtherLine,
            (Status::Valid, Status::Valid) | (Status::Invalid, Status::Invalid) => Self::Agree,
        }
    }
}

impl VerdictTally {
    pub(crate) fn add(&mut self, ours: &Verdict, reference: &Verdict) {
        match reference.status {
            Status::Unknown => return,
            _ if ours.status == Status::Unknown => {
                self.unchecked += 1;
                return;
            }
            Status::Valid => self.valid += 1,
            Status::Invalid => self.invalid += 1,
        }
        match Outcome::of(ours, reference) {
            Outcome::FalseAccept => self.false_accepts += 1,
            Outcome::FalseReject => self.false_rejects += 1,
            Outcome::OtherLine => self.both_refuse += 1,
            Outcome::Agree if reference.status == Status::Invalid => {
                self.both_refuse += 1;
                self.same_line += 1;
            }
            Outcome::Agree | Outcome::None => {}
        }
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.false_accepts += other.false_accepts;
        self.false_rejects += other.false_rejects;
        self.both_refuse += other.both_refuse;
        self.same_line += other.same_line;
        self.unchecked += other.unchecked;
        self
    }

    pub(crate) fn files(&self) -> usize {
        self.valid + self.invalid
    }

    /// Files on which both say the same, in percent; not a number when there are none.
    pub(crate) fn agreement(&self) -> f64 {
        let wrong = self.false_accepts + self.false_rejects;
        percent(self.files() - wrong, self.files())
    }

    pub(crate) fn on_the_line(&self) -> f64 {
        percent(self.same_line, self.both_refuse)
    }

    /// False accepts among what the reference refuses, in percent.
    pub(crate) fn false_accept_rate(&self) -> f64 {
        percent(self.false_accepts, self.invalid)
    }

    /// False rejects among what the reference accepts, in percent.
    pub(crate) fn false_reject_rate(&self) -> f64 {
        percent(self.false_rejects, self.valid)
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Verdict;
    use super::VerdictTally;

    #[test]
    fn every_pair_of_verdicts_is_counted_where_it_belongs() {
        let refused = |line| Verdict::invalid(line, "no");
        let pairs = [
            (Verdict::VALID, Verdict::VALID),
            (Verdict::VALID, refused(1)),
            (refused(1), Verdict::VALID),
            (refused(3), refused(3)),
            (refused(3), refused(4)),
            (Verdict::unknown("deep"), refused(1)),
            (refused(1), Verdict::unknown("deep")),
        ];
        let mut tally = VerdictTally::default();
        for (ours, reference) in &pairs {
            tally.add(ours, reference);
        }
        let expected = VerdictTally {
            valid: 2,
            invalid: 3,
            false_accepts: 1,
            false_rejects: 1,
            both_refuse: 2,
            same_line: 1,
            unchecked: 1,
        };
        assert_eq!(tally, expected);
        assert_eq!((tally.agreement(), tally.on_the_line()), (60.0, 50.0));
    }
}
