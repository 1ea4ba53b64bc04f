//! How fast workspaces are read, beside Python's ElementTree (expat) in the same run: what
//! `cargo xtask bench workspace` makes its page of. A separate program, since it is measured as a
//! release build while the tool that starts it is none.
//!
//! A line for each document: its name and size in bytes, and how many microseconds it takes to read
//! it, to read it as a workspace, and ElementTree to read it (`-` without Python).

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement prints, and starts what it is compared with"
)]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use ftl_model::{CodeContext, Failure, Idiom, Idioms, PriorKnowledge, Workspace};
use ftl_xml::{read, write_new};

/// Rounds of which the fastest counts: short and many, so that one of them is left alone by others.
const ROUNDS: usize = 200;
/// Bytes read in a round.
const VOLUME: usize = 400_000;

const ELEMENT_TREE: &str = "
import sys, timeit, xml.etree.ElementTree as tree
document = open(sys.argv[1], 'rb').read()
count = int(sys.argv[2])
print(min(timeit.repeat(lambda: tree.fromstring(document), number=count, repeat=200)) / count)
";

fn main() -> Result<(), Box<dyn Error>> {
    for (name, functions) in [("usual", 44), ("large", 2_000), ("largest", 40_000)] {
        let document = write_new(&workspace(functions));
        let bytes = document.as_bytes();
        let count = (VOLUME / bytes.len()).max(1);
        let reading = fastest(count, || read(black_box(bytes)).is_ok());
        let lowering = fastest(count, || {
            read(black_box(bytes)).is_ok_and(|document| document.workspace().is_ok())
        });
        println!(
            "{name} {} {} {} {}",
            bytes.len(),
            micros(reading),
            micros(lowering),
            element_tree(&document, count).map_or("-".to_owned(), micros),
        );
    }
    Ok(())
}

fn micros(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e6)
}

fn fastest(count: usize, task: impl Fn() -> bool) -> Duration {
    let round = || {
        let start = Instant::now();
        for _ in 0..count {
            assert!(black_box(task()));
        }
        start.elapsed().div_f64(count as f64)
    };
    (0..ROUNDS).map(|_| round()).min().unwrap_or_default()
}

fn element_tree(document: &str, count: usize) -> Option<Duration> {
    let path = std::env::temp_dir().join(format!("ftl-read-rate-{}.xml", std::process::id()));
    fs::write(&path, document).ok()?;
    let output = Command::new("python3")
        .args(["-c", ELEMENT_TREE])
        .arg(&path)
        .arg(count.to_string())
        .output();
    fs::remove_file(&path).ok()?;
    let seconds = String::from_utf8(output.ok()?.stdout).ok()?;
    seconds.trim().parse().ok().map(Duration::from_secs_f64)
}

/// A task on one file of so many functions.
fn workspace(functions: usize) -> Workspace {
    let function =
        |n| format!("def f{n}(a, b):\n    if a < b and b > 3:  # \"x\"\n        return a\n");
    let failure = |n| Failure {
        name: Some(format!("import-order-{n}")),
        cost: 2500,
        trigger: "ImportError: cannot import name 'FT'".to_owned(),
        fix: "Import FT from fasthtml.common".to_owned(),
        pattern: Some("ImportError.*'FT'".to_owned()),
        ..Failure::default()
    };
    Workspace {
        id: Some("003-routes".to_owned()),
        status: Some("active".to_owned()),
        objective: "serve the users".to_owned(),
        delta: vec![Some("src/routes.py".to_owned())],
        verify: "pytest tests/test_routes.py -q".to_owned(),
        code_contexts: vec![CodeContext {
            path: Some("src/routes.py".to_owned()),
            content: (0..functions).map(function).collect(),
            ..CodeContext::default()
        }],
        idioms: Some(Idioms {
            framework: Some("fasthtml".to_owned()),
            required: vec![Idiom::prose("@rt decorator for routes")],
            forbidden: vec![Idiom::prose("Raw HTML strings with f-strings")],
        }),
        prior_knowledge: Some(PriorKnowledge {
            failures: (0..5).map(failure).collect(),
            patterns: Vec::new(),
        }),
        ..Workspace::default()
    }
}
