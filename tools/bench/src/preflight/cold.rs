//! One file, one process: what a hook or an editor pays for a check.
//!
//! Mostly start-up is measured; `tree` measures throughput.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::Language;
use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::peers::Peers;
use crate::page::reached;
use crate::sample::Sample;

const ROUNDS: usize = 40;
/// More than the start of a process, in milliseconds.
const REACH: f64 = 2.0;
/// How many times slower the usual command is, of the languages whose command is one of these.
const TIMES: f64 = 15.0;
const COMPARED: &[&str] = &["go", "node", "npx", "python", "rustc"];

/// The section about single files.
pub(super) fn section(ftl: &Path, peers: &Peers, scratch: &Path) -> Result<String> {
    let mut text = format!(
        "### One file, one process\n\n`ftl preflight --checker embedded FILE`, `ftl --version` and the usual command take turns, {ROUNDS} times each. The usual\n\
         command may refuse the file, because it does not see its project. The fastest of each, in milliseconds, so that other work on\n\
         the machine counts little. The targets: `ftl` takes at most {REACH} ms more than the start of its process, and the commands of\n\
         Python, node, tsc, rustc and Go are at least {TIMES} times slower. The others are small programs in C, C++ or Go.\n\n\
         | file | ftl | beyond start | met | usual command | its time | times slower | met |\n|---|---|---|---|---|---|---|---|\n"
    );
    for language in Language::all() {
        let file = case(language, scratch)?;
        let command = usual_command(language, peers);
        let (mut start, mut check, mut other) =
            (Sample::default(), Sample::default(), Sample::default());
        for _ in 0..ROUNDS {
            start.program(Program::new(ftl, scratch).args(["--version"]))?;
            let preflight = Program::new(ftl, scratch).args(["preflight", "--checker", "embedded"]);
            check.program(preflight.args([&file]))?;
            if let Some((program, words)) = &command {
                let file = file.display().to_string();
                let words = words.iter().map(|word| word.replace("{file}", &file));
                other.whatever_it_says(Program::new(program, scratch).args(words))?;
            }
        }
        row(&mut text, &file, language, [&start, &check, &other])?;
    }
    Ok(text)
}

/// The program and its words, where it is installed or among the peers.
fn usual_command(language: Language, peers: &Peers) -> Option<(PathBuf, &'static [&'static str])> {
    let (program, words) = language.usual_command().split_first()?;
    match *program {
        "go" => Some((peers.go(), words)),
        "npx" => Some((peers.npm(words[0]), &words[1..])),
        "python" => Some(("python3".into(), words)),
        name => {
            let path = std::env::var_os("PATH")?;
            let is_there = std::env::split_paths(&path).any(|it| it.join(name).is_file());
            is_there.then(|| (name.into(), words))
        }
    }
}

fn row(text: &mut String, file: &Path, language: Language, samples: [&Sample; 3]) -> Result {
    let [start, check, other] = samples.map(Sample::fastest);
    let beyond = check - start;
    write!(
        text,
        "| `{}` | {check:.2} | {beyond:.2} | {} | ",
        file.file_name().unwrap_or_default().display(),
        reached(beyond <= REACH),
    )?;
    if other.is_nan() {
        writeln!(text, "| | | |")?;
    } else {
        let words = language.usual_command().join(" ").replace("{file}", "FILE");
        let times = other / check;
        let program = language.usual_command()[0];
        let is_met = if COMPARED.contains(&program) { reached(times >= TIMES) } else { "" };
        writeln!(text, "`{words}` | {other:.1} | {times:.1} | {is_met} |")?;
    }
    Ok(())
}

/// Copies the largest good case of a language to where it is no part of a package.
fn case(language: Language, scratch: &Path) -> Result<PathBuf> {
    let cases = ftl_testkit::root().join("crates/ftl-preflight/tests/cases");
    let mut files = Vec::new();
    // Of what is checked in part none are valid.
    let ok = cases.join(language.name()).join("ok");
    let good = if ok.exists() { ok } else { ok.with_file_name("unchecked") };
    for entry in fs::read_dir(good)? {
        let path = entry?.path();
        let known = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if path.is_file() && language.extensions().contains(&known) {
            files.push(path);
        }
    }
    files.sort_by_key(|path| fs::metadata(path).map_or(0, |it| it.len()));
    let largest = files.last().ok_or_else(|| format!("{language} has no case"))?;
    let file = scratch.join(largest.file_name().unwrap_or_default());
    fs::copy(largest, &file)?;
    Ok(file)
}
