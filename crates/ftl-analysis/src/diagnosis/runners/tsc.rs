//! TypeScript's compiler, and pyright, which writes like it.

use std::sync::LazyLock;

use regex::Regex;

use crate::constants::pattern;

static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:\S.*\(\d+,\d+\): |\S.*:\d+:\d+ - )?error TS\d+: |^\s*\S+:\d+:\d+ - error: ")
});

/// The lines that carry an error, plain or `--pretty`.
pub(super) fn errors(lines: &[&str]) -> Vec<String> {
    let errors = lines.iter().filter(|line| ERROR.is_match(line));
    errors.map(|line| line.trim().to_owned()).collect()
}
