//! Matching a failed verify with what is known, and finding its error lines.
//!
//! The searches are timed by the program `match_rate`, whose figures are rendered here.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Microseconds for a pair of an error and a known failure.
const LONGEST_PAIR: f64 = 5.0;
/// Milliseconds for 1,000 known failures against a long output.
const LONGEST_SEARCH: f64 = 100.0;

/// Measures and renders.
pub(crate) fn part(_ftl: &Path, _scratch: &Path) -> Result<String> {
    let printed = Program::cargo()
        .args(["run", "--quiet", "--release", "--package", "ftl-bench"])
        .args(["--bin", "match_rate"])
        .text()?;
    let figures: Vec<f64> =
        printed.split_whitespace().map(str::parse).collect::<std::result::Result<_, _>>()?;
    let [pair, search, lines] = figures.as_slice() else {
        return Err(format!("`{printed}` is no row of figures").into());
    };
    let reached = |held| if held { "reached" } else { "missed" };
    Ok(format!(
        "## Matching errors\n\n| what | median | aim | |\n| --- | --- | --- | --- |\n\
         | a known failure compared with an error | {pair:.1} µs | ≤ {LONGEST_PAIR} µs | {} |\n\
         | 1,000 known failures against an output of 10 MB | {search:.1} ms | ≤ {LONGEST_SEARCH} ms | {} |\n\
         | the error lines of an output of 10 MB | {lines:.0} ms | – | |\n",
        reached(*pair <= LONGEST_PAIR),
        reached(*search <= LONGEST_SEARCH),
    ))
}
