//! Tests that became weaker, in a sentence.

use ftl_model::{Weakening, WeakeningKind};
use ftl_text::{one_line, shortened};

use crate::record::LONGEST_WEAKENED as LONGEST;

/// `tests/test_a.py:12 test_b: an assertion is gone: assert x == 1`.
pub(super) fn sentence(weakening: &Weakening) -> String {
    let Weakening { kind, path, line, test, before, after } = weakening;
    let what = match kind {
        WeakeningKind::TestRemoved => "the test is gone",
        WeakeningKind::TestSkipped => "the test is skipped",
        WeakeningKind::AssertionRemoved => "an assertion is gone",
        WeakeningKind::ExpectedPrinted => "it expects what the failing run printed",
        WeakeningKind::ToleranceWidened => "a larger difference is allowed",
        WeakeningKind::SnapshotRewritten => "the snapshot is rewritten",
        WeakeningKind::FewerTests => "fewer tests ran than before",
    };
    let short = |text: &str| shortened(&one_line(text), LONGEST);
    let detail = match (before, after) {
        (Some(before), Some(after)) => format!(" ({} became {})", short(before), short(after)),
        (Some(text), None) | (None, Some(text)) => format!(" ({})", short(text)),
        (None, None) => String::new(),
    };
    format!("{path}:{line} {}: {what}{detail}", one_line(test))
}

#[cfg(test)]
mod tests {
    use ftl_model::{Weakening, WeakeningKind};

    use super::sentence;

    #[test]
    fn a_weaker_test_is_said_in_a_line() {
        for kind in WeakeningKind::ALL {
            let said = sentence(&Weakening {
                kind,
                path: "tests/test_a.py".into(),
                line: 12,
                test: "T::test_<b>".into(),
                before: Some("assert x == 1\n  & more".into()),
                after: Some("assert x".into()),
            });
            assert!(said.starts_with("tests/test_a.py:12 T::test_<b>: "), "{said}");
            assert!(!said.contains('\n') && said.contains("became assert x"), "{said}");
        }
    }
}
