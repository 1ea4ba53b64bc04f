//! Places that a rule of the house does not hold yet. The list may only shrink: an exception that
//! is no longer needed fails the rule, too.

use std::collections::BTreeSet;

/// The exceptions of one rule: lines `RULE SUBJECT` of `exceptions.txt`.
pub(super) struct Exceptions {
    rule: &'static str,
    unused: BTreeSet<&'static str>,
    broken: Vec<String>,
}

impl Exceptions {
    pub(super) fn of(rule: &'static str) -> Exceptions {
        let lines = include_str!("exceptions.txt").lines();
        let of_rule = lines.filter_map(|line| line.strip_prefix(rule)?.strip_prefix(' '));
        Exceptions { rule, unused: of_rule.collect(), broken: Vec::new() }
    }

    /// Records what is wrong with `subject`, unless the subject is excepted.
    pub(super) fn check(&mut self, subject: &str, complaints: &[String]) {
        let excepted = !complaints.is_empty() && self.unused.remove(subject);
        if !excepted {
            self.broken.extend_from_slice(complaints);
        }
    }

    /// Fails with everything that was recorded, and with the exceptions that are not needed.
    pub(super) fn finish(self) {
        assert!(self.broken.is_empty(), "{}", self.broken.join("\n"));
        let unused: Vec<_> = self.unused.into_iter().collect();
        assert!(unused.is_empty(), "remove `{} …` from exceptions.txt: {unused:?}", self.rule);
    }
}
