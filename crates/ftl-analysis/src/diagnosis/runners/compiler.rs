use std::sync::LazyLock;

use regex::Regex;

use super::pattern;

/// rustc's `error[E0425]: …`, with `--message-format short` behind a place, as C compilers write.
static ERROR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[^\s:][^:]*:\d+(?::\d+)?: )?(?:fatal )?error(?:\[\w+\])?: \S"));
/// What cargo and rustc say about errors that they have told already.
static EPILOGUE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^error: (?:could not compile|aborting due to|build failed|(?:doc)?test failed, to rerun",
        r"|\d+ targets? failed|process didn't exit successfully)",
    ))
});

/// The `error: …` lines of rustc, cargo, and compilers that write like them.
pub(super) fn errors(lines: &[&str]) -> Vec<String> {
    let all = || lines.iter().filter(|line| ERROR.is_match(line));
    let telling: Vec<String> = all()
        .filter(|line| !EPILOGUE.is_match(line))
        .map(|line| (*line).to_owned())
        .collect();
    match telling.is_empty() {
        true => all().map(|line| (*line).to_owned()).collect(),
        false => telling,
    }
}
