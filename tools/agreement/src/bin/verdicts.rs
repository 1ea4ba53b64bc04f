//! Checks the files named on standard input and prints what was found, for programs to read:
//!
//! ```sh
//! find src -name '*.rs' | cargo run --package ftl-agreement --bin verdicts -- embedded
//! ```
//!
//! For each path, in order, a line `valid`, `invalid`, or `unchecked`, a tab and the reason; and
//! for each finding a line that begins with a tab and holds, with tabs between them, line, column,
//! end line, end column, start, end, code and message. A second argument names a version of
//! Python.

use std::io::{self, Read, Write};

use ftl_preflight::{Checker, Options, PythonVersion, Report, Status};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut options = Options::default();
    if let Some(name) = arguments.first() {
        options = options.with_checker(name.parse()?);
    }
    if let Some((major, minor)) = arguments.get(1).and_then(|it| it.split_once('.')) {
        let (major, minor) = (major.parse()?, minor.parse()?);
        options = options.with_python(PythonVersion { major, minor });
    }
    let mut list = String::new();
    io::stdin().read_to_string(&mut list)?;
    let paths: Vec<&str> = list.lines().collect();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for report in Checker::new(options).check_many(&paths) {
        write(&mut out, &report)?;
    }
    out.flush()?;
    Ok(())
}

fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    match &report.status {
        Status::Unchecked { reason } => {
            writeln!(out, "unchecked\t{}", one_line(&reason.to_string()))?
        }
        status => writeln!(out, "{}", status.as_str())?,
    }
    for found in report.diagnostics() {
        let places =
            [found.line, found.column, found.end_line, found.end_column, found.start, found.end];
        for place in places {
            write!(out, "\t{place}")?;
        }
        let code = found.code.as_deref().unwrap_or_default();
        writeln!(out, "\t{code}\t{}", one_line(&found.message))?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
