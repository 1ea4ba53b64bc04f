//! One file, one process: what a hook or an editor pays for a check.
//!
//! Mostly start-up is measured; `tree` measures throughput.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::peers::Peers;
use crate::page::reached;
use crate::sample::Sample;

const ROUNDS: usize = 20;
/// More than the start of a process, in milliseconds.
const REACH: f64 = 2.0;
/// How many times slower the customary command is.
const TIMES: f64 = 15.0;

/// Case of a language in the tests of ftl-preflight, and the customary command for it.
const FILES: &[(&str, &str)] = &[
    ("python/ok/scopes.py", "python3 -m py_compile {file}"),
    ("javascript/ok/module.mjs", "node --check {file}"),
    ("typescript/ok/types.ts", "{tsc} --noEmit {file}"),
    ("go/ok/program.go", "{go} build -o /dev/null {file}"),
    ("rust/ok/items.rs", "rustc --crate-type=lib --emit=metadata {file}"),
    ("jsx/ok/component.jsx", ""),
    ("tsx/ok/component.tsx", ""),
    ("typescript/ok/ambient.d.ts", ""),
    ("json/ok/values.json", ""),
    ("jsonc/ok/tsconfig.build.json", ""),
    ("toml/ok/values.toml", ""),
    ("yaml/ok/documents.yaml", ""),
];

/// The section about single files.
pub(super) fn section(ftl: &Path, peers: &Peers, scratch: &Path) -> Result<String> {
    let mut text = format!(
        "### One file, one process\n\n`ftl preflight FILE`, `ftl --version` and the usual command take turns, {ROUNDS} times each. The usual command may refuse\n\
         the file, because it does not see its project. Medians in milliseconds. The targets: `ftl` takes at most {REACH} ms more than\n\
         the start of its process, and the usual command is at least {TIMES} times slower.\n\n\
         | file | ftl | beyond start | met | usual command | its time | times slower | met |\n|---|---|---|---|---|---|---|---|\n"
    );
    for (case, customary) in FILES {
        let file = copy(case, scratch)?;
        let customary = customary
            .replace("{tsc}", &peers.npm("tsc").display().to_string())
            .replace("{go}", &peers.go().display().to_string())
            .replace("{file}", &file.display().to_string());
        let (mut start, mut check, mut other) =
            (Sample::default(), Sample::default(), Sample::default());
        for _ in 0..ROUNDS {
            start.program(Program::new(ftl, scratch).args(["--version"]))?;
            check.program(Program::new(ftl, scratch).args(["preflight"]).args([&file]))?;
            if !customary.is_empty() {
                let mut words = customary.split(' ');
                let program = words.next().unwrap_or_default();
                other.whatever_it_says(Program::new(program, scratch).args(words))?;
            }
        }
        row(&mut text, case, &customary, [&start, &check, &other])?;
    }
    Ok(text)
}

fn row(text: &mut String, case: &str, customary: &str, samples: [&Sample; 3]) -> Result {
    let [start, check, other] = samples.map(Sample::median);
    let beyond = check - start;
    write!(
        text,
        "| `{}` | {check:.2} | {beyond:.2} | {} | ",
        Path::new(case).file_name().unwrap_or_default().display(),
        reached(beyond <= REACH),
    )?;
    if customary.is_empty() {
        writeln!(text, "| | | |")?;
    } else {
        let name = customary.split(' ').next().map(Path::new);
        let name = name.and_then(Path::file_name).unwrap_or_default().display();
        let rest: Vec<_> = customary.split(' ').skip(1).collect();
        let rest = rest[..rest.len() - 1].join(" ");
        let times = other / check;
        writeln!(
            text,
            "`{name} {rest} FILE` | {other:.1} | {times:.1} | {} |",
            reached(times >= TIMES)
        )?;
    }
    Ok(())
}

/// Copies a case to where it is no part of a package.
fn copy(case: &str, scratch: &Path) -> Result<PathBuf> {
    let cases = ftl_testkit::root().join("crates/ftl-preflight/tests/cases");
    let file = scratch.join(Path::new(case).file_name().unwrap_or_default());
    std::fs::copy(cases.join(case), &file)?;
    Ok(file)
}
