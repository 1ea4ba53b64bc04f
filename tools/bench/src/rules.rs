//! Judging idioms by the rules of a framework, loading included.
//!
//! The program `rule_rate` judges once in a fresh process, as a build does.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Milliseconds for ten files and all rules of a framework.
const LONGEST: f64 = 50.0;
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
        page.push_str(&match framework {
            "none" => format!("| ten files, a workspace without idioms | {time:.3} ms | – | |\n"),
            _ => format!(
                "| ten files of 200 lines, before and after, through all rules of {framework} | {time:.1} ms | ≤ {LONGEST} ms | {} |\n",
                if time <= LONGEST { "reached" } else { "missed" }
            ),
        });
    }
    Ok(page)
}
