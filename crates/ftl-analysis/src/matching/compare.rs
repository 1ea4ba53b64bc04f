//! One known failure against one error, reported in full: for the author of the failure.

use ftl_model::Failure;

use super::failure::{check_patterns, fits_passing};
use super::found::{ACCEPTED, ASKED};
use super::search::{match_failure, wording};
use super::similarity::Error;

/// How a known failure and an error compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Whether the error is taken for this failure.
    pub matches: bool,
    /// Why, or why not, in one line.
    pub rationale: String,
    /// How alike the trigger and the error lines are, from 0 to 1.
    pub score: f64,
    /// What is wrong with its pattern.
    pub warnings: Vec<String>,
}

/// Compares the error of `output` with one failure, whether or not it has a fix; `lines` are
/// the error lines, `passing` an output of the same command where it passed.
pub fn compare(
    output: &str,
    lines: &[String],
    failure: &Failure,
    passing: Option<&str>,
) -> Comparison {
    // The search applies no failure without a fix; here only the match is asked for.
    let fixed = Failure { fix: "a fix".to_owned(), fix_kind: None, ..failure.clone() };
    let found = match_failure(output, lines, std::slice::from_ref(&fixed));
    let similarity = Error::new(lines).similarity(&failure.trigger);
    let mut warnings = check_patterns(std::slice::from_ref(failure));
    warnings.extend(found.warnings);
    warnings.extend(passing.and_then(|passing| fits_passing(failure, passing)));
    let rationale = match &found.matched {
        Some(matched) => matched.rationale.clone(),
        None => {
            let words = wording(&similarity);
            let needed = if similarity.score >= ASKED {
                format!("from {ASKED} on, a judge would be asked")
            } else {
                format!("from {ACCEPTED} on, it matches")
            };
            let has_pattern = failure.pattern.as_deref().is_some_and(|it| !it.trim().is_empty());
            let pattern = if has_pattern { "its pattern is not found; " } else { "" };
            format!("{pattern}its trigger does not occur; {words} ({needed})")
        }
    };
    Comparison { matches: found.matched.is_some(), rationale, score: similarity.score, warnings }
}

#[cfg(test)]
mod tests {
    use ftl_model::Failure;

    use super::compare;

    fn failure(trigger: &str, pattern: Option<&str>) -> Failure {
        Failure {
            name: Some("db".to_owned()),
            trigger: trigger.to_owned(),
            pattern: pattern.map(str::to_owned),
            ..Failure::default()
        }
    }

    #[test]
    fn the_step_that_matched_or_the_reason_for_no_match_is_reported() {
        let output = "sqlite3.OperationalError: database is locked\n";
        let lines = ["sqlite3.OperationalError: database is locked".to_owned()];
        for (failure, matches, rationale) in [
            (
                failure("", Some("is (locked|busy)")),
                true,
                "matched db by pattern `is (locked|busy)`",
            ),
            (failure("database is locked", None), true, "matched db by the text of its trigger"),
            (failure("database table is locked", None), true, "matched db by similarity "),
            (
                failure("disk is full", Some("No space left")),
                false,
                "its pattern is not found; its trigger",
            ),
            (failure("disk is full", None), false, "its trigger does not occur; similarity 0."),
        ] {
            let found = compare(output, &lines, &failure, None);
            assert_eq!(found.matches, matches, "{found:?}");
            assert!(found.rationale.starts_with(rationale), "{found:?}");
            assert!(found.warnings.is_empty(), "{found:?}");
        }
    }

    #[test]
    fn a_pattern_that_says_too_little_is_warned_of() {
        let lines = ["error: no".to_owned()];
        let found = compare("error: no\n", &lines, &failure("", Some(".")), Some("ok\n"));
        let all = found.warnings.join("; ");
        assert!(all.contains("fits any output"), "{all}");
        assert!(all.contains("fits the output of a verify that passed"), "{all}");
    }
}
