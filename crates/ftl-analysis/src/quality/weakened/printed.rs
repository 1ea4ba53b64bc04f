//! What a failing run printed of each test.

use crate::failures::failures;

/// The messages of a run, each with the test that it is of.
pub(super) struct Printed {
    messages: Vec<(Option<String>, String)>,
}

impl Printed {
    pub(super) fn of(output: &str) -> Self {
        let found = failures(output, "").into_iter().map(|found| {
            let failure = found.failure;
            let detail = failure.detail.unwrap_or_default();
            (failure.test, format!("{}\n{detail}", failure.message))
        });
        Self { messages: found.collect() }
    }

    /// Whether a message of the test named `test` has both values: what was expected, and what is expected now.
    pub(super) fn has_both(&self, test: &str, old: &str, new: &str) -> bool {
        let is_of =
            |name: &Option<String>| name.as_ref().is_none_or(|name| is_same_test(name, test));
        let mut messages = self.messages.iter().filter(|(name, _)| is_of(name));
        old != new && messages.any(|(_, text)| has_word(text, old) && has_word(text, new))
    }
}

/// `tests/a.py::A::test_b[1]` is `A::test_b`, and `TestX/sub` is `TestX`.
fn is_same_test(reported: &str, test: &str) -> bool {
    let reported = reported.split('[').next().unwrap_or(reported);
    let parts = |name: &str| {
        let parts =
            name.split([':', '>', '/', '.', '#']).map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect::<Vec<String>>()
    };
    let (reported, own) = (parts(reported), parts(test));
    let last = own.last();
    last.is_some_and(|last| {
        reported.iter().any(|part| part == last || part.ends_with(last.as_str()))
    })
}

/// Whether `text` has `value`, and not as a part of a longer number or word.
fn has_word(text: &str, value: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let bounded = |at: usize| {
        let before = text[..at].chars().next_back();
        let after = text[at + value.len()..].chars().next();
        let begins = value.chars().next().is_some_and(is_part);
        let ends = value.chars().next_back().is_some_and(is_part);
        !(begins && before.is_some_and(is_part) || ends && after.is_some_and(is_part))
    };
    !value.is_empty() && text.match_indices(value).any(|(at, _)| bounded(at))
}

#[cfg(test)]
mod tests {
    use super::{Printed, is_same_test};

    #[test]
    fn values_are_printed_for_their_own_test_and_as_whole_words() {
        let output = "--- FAIL: TestTotal (0.00s)\n    shop_test.go:9: Total() = 3, want 14\nFAIL\nFAIL\tshop\t0.1s\n";
        let printed = Printed::of(output);
        assert!(printed.has_both("TestTotal", "14", "3"));
        assert!(!printed.has_both("TestTotal", "4", "3"));
        assert!(!printed.has_both("TestOther", "14", "3"));
    }

    #[test]
    fn a_reported_name_is_that_of_a_test_in_its_file() {
        for (reported, test) in [
            ("tests/a.py::A::test_b[1]", "A::test_b"),
            ("TestX/sub", "TestX"),
            ("queue > drains", "queue > drains"),
            ("tests::adds", "tests::adds"),
        ] {
            assert!(is_same_test(reported, test), "{reported}");
        }
        assert!(!is_same_test("tests/a.py::test_c", "test_b"));
    }
}
