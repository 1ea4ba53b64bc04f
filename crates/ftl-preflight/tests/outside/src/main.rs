//! Prints a report on each file that is named, and fails if one is invalid.

use std::process::ExitCode;

use ftl_preflight::{Checker, Options, Status};

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let reports = Checker::new(Options::default()).check_many(&paths);
    for report in &reports {
        println!("{}", serde_json::to_string(report).expect("a report is plain data"));
    }
    let is_broken = reports.iter().any(|report| matches!(report.status, Status::Invalid(_)));
    ExitCode::from(u8::from(is_broken))
}
