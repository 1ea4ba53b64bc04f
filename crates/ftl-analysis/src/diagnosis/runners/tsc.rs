use std::sync::LazyLock;

use regex::Regex;

use super::pattern;

static ERROR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\S.*\(\d+,\d+\): |\S.*:\d+:\d+ - )?error TS\d+: "));

/// The lines of TypeScript's compiler that carry a code, plain or `--pretty`.
pub(super) fn errors(lines: &[&str]) -> Vec<String> {
    let errors = lines.iter().filter(|line| ERROR.is_match(line));
    errors.map(|line| (*line).to_owned()).collect()
}
