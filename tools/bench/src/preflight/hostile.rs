//! A megabyte of everything that breaks parsers: each must get a verdict within a second.
//!
//! Whether it is the right verdict is for the preflight crate's tests.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use ftl_preflight::Language;
use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::page::reached;

const MEGABYTE: usize = 1 << 20;
/// Seconds that one file may take.
const REACH: f64 = 1.0;

/// A file of each language, with what precedes the hostile part; and a declaration file of TypeScript.
pub(super) fn languages() -> Vec<(String, String)> {
    let cases = ftl_testkit::root().join("crates/ftl-preflight/tests/cases");
    let opening = |language: Language| {
        fs::read_to_string(cases.join(language.name()).join("opening"))
            .unwrap_or_else(|_| "x = ".to_owned())
    };
    let all = Language::all().map(|it| (it.extensions()[0].to_owned(), opening(it)));
    all.chain([("d.ts".to_owned(), "type A = ".to_owned())]).collect()
}

/// What is repeated, after `shown`.
pub(super) const UNITS: &[&str] = &[
    "(",
    "[",
    "{",
    "{\"a\":",
    "else if (a) {} ",
    "if a {} else ",
    "if (a) b; else ",
    "1+1+",
    "a.b",
    "!",
    "- ",
    "a\n",
    "a: b\n",
    "a = 1\n",
    "'a' ",
    "'",
    "\"\\",
    "`${",
    "f'{",
    "<a><a>",
    "</a>",
    "A<A<",
    "A<B, ",
    "lambda a, b: ",
    "a ? b : ",
    "(a, b) => ",
    "/*",
    "# a\n",
    "// a\n",
    "type T [func() { ",
    "\u{e9}",
    "\u{feff}",
    "\0",
    "\t",
    "\r",
    "&a ",
    "- - ",
];

/// One check in a separate process.
struct Check {
    file: String,
    seconds: f64,
    /// None when the process was ended by a signal.
    code: Option<i32>,
    said: String,
}

/// The section about hostile files.
pub(super) fn section(ftl: &Path, scratch: &Path) -> Result<String> {
    let mut checks = Vec::new();
    let languages = languages();
    for (extension, start) in &languages {
        for unit in UNITS {
            let mut bytes = start.as_bytes().to_vec();
            bytes.extend(unit.repeat(MEGABYTE / unit.len()).bytes());
            checks.push(check(ftl, scratch, extension, &format!("{unit:?}"), &bytes)?);
        }
        let mut no_text = start.as_bytes().to_vec();
        no_text.extend((0..MEGABYTE).map(|at| (at * at / 7 % 251) as u8));
        checks.push(check(ftl, scratch, extension, "bytes that are no text", &no_text)?);
    }
    Ok(render(&checks, languages.len()))
}

fn check(ftl: &Path, scratch: &Path, extension: &str, unit: &str, bytes: &[u8]) -> Result<Check> {
    let file = scratch.join(format!("hostile.{extension}"));
    fs::write(&file, bytes)?;
    let start = Instant::now();
    let output = Program::new(ftl, scratch)
        .args(["preflight", "--checker", "embedded", "--strict"])
        .args([&file])
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    fs::remove_file(&file)?;
    Ok(Check {
        file: format!("`.{extension}` of {unit}"),
        seconds,
        code: output.status.code(),
        said: String::from_utf8_lossy(&output.stdout).into_owned(),
    })
}

fn render(checks: &[Check], languages: usize) -> String {
    let aborted = checks.iter().filter(|check| check.code.is_none());
    let slow: Vec<_> = checks.iter().filter(|check| check.seconds > REACH).collect();
    let unchecked = checks.iter().filter(|check| check.said.contains("unchecked:"));
    let valid = checks.iter().filter(|check| check.code == Some(0));
    let aborted = aborted.count();
    let (valid, unchecked) = (valid.count(), unchecked.count());
    let mut text = format!(
        "### A megabyte of hostile text\n\n{} files of 1 MiB, one process each: {} repeated patterns in {} languages, and binary data. {valid} are valid,\n\
         {} invalid and {unchecked} unchecked (nested too deeply to parse safely); {aborted} crashed the process. The slowest:\n\n\
         | file | seconds | verdict |\n|---|---|---|\n",
        checks.len(),
        UNITS.len(),
        languages,
        checks.len() - valid - unchecked - aborted,
    );
    let mut slowest: Vec<_> = checks.iter().collect();
    slowest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    for check in slowest.iter().take(5.max(slow.len())) {
        let verdict = match check.code {
            None => "**crashed**",
            Some(0) => "valid",
            Some(_) if check.said.contains("unchecked:") => "unchecked",
            Some(_) => "invalid",
        };
        let file = check.file.replace('|', "\\|");
        writeln!(text, "| {file} | {:.2} | {verdict} |", check.seconds)
            .expect("because a string takes all that is written");
    }
    let good = aborted == 0 && slow.is_empty();
    write!(
        text,
        "\nTarget: no process crashes, and each takes at most {REACH} s. Met: {}.\n",
        reached(good)
    )
    .expect("because a string takes all that is written");
    text
}
