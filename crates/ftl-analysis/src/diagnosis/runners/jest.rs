//! What Jest and Vitest say when no test failed: that they found none, or that too little was covered.

use crate::constants::ConstPattern;

static WHOLE: ConstPattern = ConstPattern::new(
    r"^No (?:tests|test files) found, exiting with code [1-9]|^(?:Jest|ERROR): Coverage .* does not meet ",
);

/// Its words on the whole run.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    lines.iter().filter(|line| WHOLE.is_match(line)).map(|line| (*line).to_owned()).collect()
}
