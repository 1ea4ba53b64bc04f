//! Says what is wrong with each file that is named, and fails if something is.

use std::process::ExitCode;

use ftl_preflight::{Checker, Options, Report, Status};

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let reports = Checker::new(Options::default()).check_many(&paths);
    reports.iter().for_each(show);
    let is_broken = reports.iter().any(|report| matches!(report.status, Status::Invalid(_)));
    ExitCode::from(u8::from(is_broken))
}

fn show(report: &Report) {
    let path = report.path.display();
    #[cfg(feature = "serde")]
    println!("{}", serde_json::to_string(report).expect("a report is plain data"));
    #[cfg(not(feature = "serde"))]
    println!("{path}: {}", report.status.as_str());
    for found in report.diagnostics() {
        #[cfg(feature = "miette")]
        {
            let text = std::fs::read_to_string(&report.path).unwrap_or_default();
            let source = miette::NamedSource::new(path.to_string(), text);
            println!("{:?}", miette::Report::new(found.clone()).with_source_code(source));
        }
        #[cfg(not(feature = "miette"))]
        println!("{path}:{found}");
    }
}
