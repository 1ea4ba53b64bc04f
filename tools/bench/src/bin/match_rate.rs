//! Prints three medians: microseconds for a pair, milliseconds for 1,000 known failures against an output of
//! 10 MB, milliseconds for the error lines of that output.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

use std::hint::black_box;
use std::time::Instant;

use ftl_analysis::diagnosis::error_lines;
use ftl_analysis::matching::match_failure;
use ftl_model::Failure;

const ROUNDS: usize = 9;
const FAILURES: usize = 1000;

fn main() {
    let failures: Vec<Failure> = (0..FAILURES).map(failure).collect();
    let output = output();
    let lines = error_lines(&output);
    assert_eq!(lines.first().map(String::as_str), Some("KeyError: 'sku'"));
    let pair =
        median(|| drop(black_box(match_failure("", &lines, &failures)))) * 1e6 / FAILURES as f64;
    let search = median(|| drop(black_box(match_failure(&output, &lines, &failures)))) * 1e3;
    let found = median(|| drop(black_box(error_lines(&output)))) * 1e3;
    println!("{pair:.3} {search:.3} {found:.3}");
}

fn failure(number: usize) -> Failure {
    Failure {
        name: Some(format!("known-{number}")),
        trigger: format!(
            "ImportError: cannot import name 'part{number}' from 'shop.models{number}'"
        ),
        fix: "mend it".to_owned(),
        ..Failure::default()
    }
}

/// 10 MB of progress, with an error at its end.
fn output() -> String {
    let line = "tests/test_shop.py::test_order PASSED                                   [ 50%]\n";
    let mut text = line.repeat(10_000_000 / line.len());
    text.push_str("E       KeyError: 'sku'\n1 failed, 120000 passed in 61.02s\n");
    text
}

fn median(run: impl Fn()) -> f64 {
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            run();
            begun.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[ROUNDS / 2]
}
