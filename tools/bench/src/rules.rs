//! Judging idioms by the rules of a framework, loading included.
//!
//! The program `rule_rate` judges once in a fresh process, as a build does.

use std::fmt::Write as _;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Milliseconds for ten files and all rules of a framework.
const LONGEST: f64 = 50.0;
/// Milliseconds for ten files without an idiom.
const NOTHING: f64 = 0.1;
const FRAMEWORKS: [&str; 6] = ["django", "fastapi", "fasthtml", "flask", "litestar", "none"];
const ROUNDS: usize = 7;

/// Measures and renders.
pub(crate) fn part(_ftl: &Path, _scratch: &Path) -> Result<String> {
    let mut page = String::from(
        "## Rules of idioms\n\n| what | median | aim | |\n| --- | --- | --- | --- |\n",
    );
    for framework in FRAMEWORKS {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let printed = Program::cargo()
                .args(["run", "--quiet", "--release", "--package", "ftl-bench"])
                .args(["--bin", "rule_rate", "--", framework])
                .text()?;
            times.push(printed.trim().parse::<f64>()?);
        }
        times.sort_by(f64::total_cmp);
        let time = times[ROUNDS / 2];
        let (what, aim) = match framework {
            "none" => ("ten files, a workspace without idioms".to_owned(), NOTHING),
            _ => {
                let rules = format!("through all rules of {framework}");
                (format!("ten files of 200 lines, before and after, {rules}"), LONGEST)
            }
        };
        let met = if time <= aim { "reached" } else { "missed" };
        writeln!(page, "| {what} | {time:.3} ms | ≤ {aim} ms | {met} |")?;
    }
    Ok(page)
}
