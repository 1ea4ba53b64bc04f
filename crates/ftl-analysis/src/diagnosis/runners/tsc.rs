//! TypeScript's compiler, and pyright, which writes like it.

use crate::constants::ConstPattern;

static ERROR: ConstPattern = ConstPattern::new(
    r"^(?:\S.*\(\d+,\d+\): |\S.*:\d+:\d+ - )?error TS\d+: |^\s*\S+:\d+:\d+ - error: ",
);

/// The lines that carry an error, plain or `--pretty`.
pub(super) fn errors(lines: &[&str]) -> Vec<String> {
    let errors = lines.iter().filter(|line| ERROR.is_match(line));
    errors.map(|line| line.trim().to_owned()).collect()
}
