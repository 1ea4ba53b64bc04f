//! `cargo xtask evaluate comments`: whether a rule of a forbidden idiom ever finds a comment, a docstring or a string's content.
//!
//! Real code seldom quotes what a rule forbids. So code that is forbidden is put into comments, strings and docstrings at the end of
//! copies of real files, and CPython's tokenizer says what is where the rules found something.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::{Result, root};

use super::real::{Hit, hits};
use super::snippets;
use crate::cache::driver;
use crate::{files, page};

/// Files that must be read, of all and in a check.
const LEAST: (usize, usize) = (2_000, 200);
/// Files of a check.
const CHECKED: usize = 240;
/// What no rule may find.
const TEXT: [&str; 3] = ["comment", "docstring", "string"];

/// Judges the standard library and what is installed with it, or with `--check` some of it; all of it writes its part of
/// lab/evaluation.md.
///
/// # Errors
///
/// Files could not be read, were too few, or a rule found what it must not.
pub(crate) fn run(words: &[&str]) -> Result {
    let is_check = match words {
        [] => false,
        ["--check"] => true,
        _ => return Err("comments takes `--check` and nothing else".into()),
    };
    let scratch = Scratch::new("comments")?;
    let files = seeded(scratch.path(), is_check)?;
    let hits = hits(&files);
    let kinds = kinds(&hits, scratch.path())?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (hit, kind) in hits.iter().zip(&kinds) {
        *counts.entry(kind).or_default() += 1;
        if TEXT.contains(&kind.as_str()) {
            let Hit { rule, path, line, column, text } = hit;
            println!("{kind}: {rule} at {path}:{line}:{column}: {text}");
        }
    }
    let section = section(files.len(), &counts);
    println!("{}", section.lines().last().unwrap_or_default());
    if !is_check {
        page::replace("comments", &section)?;
    }
    let least = if is_check { LEAST.1 } else { LEAST.0 };
    let wrong: usize = TEXT.iter().filter_map(|kind| counts.get(kind)).sum();
    if !counts.contains_key("code") {
        return Err("the rules found nothing at all".into());
    }
    match (files.len() < least, wrong) {
        (true, _) => Err(format!("only {} files could be read", files.len()).into()),
        (_, 0) => Ok(()),
        (_, wrong) => Err(format!("{wrong} places lie in comments or strings").into()),
    }
}

/// Copies of real files in `scratch`, each with forbidden code in its comments and strings.
fn seeded(scratch: &Path, is_check: bool) -> Result<Vec<PathBuf>> {
    let seeds = snippets::violations()?;
    let ask = "import sysconfig; print(sysconfig.get_path('stdlib')); print(sysconfig.get_path('purelib'))";
    let homes = Program::new("python3", &root()).args(["-c", ask]).text()?;
    let mut found = Vec::new();
    for home in homes.lines().map(Path::new).filter(|home| home.is_dir()) {
        found.extend(files::below(home, &["py"])?);
    }
    let found = files::sample(found, if is_check { CHECKED } else { usize::MAX });
    let mut files = Vec::new();
    for (number, path) in found.iter().enumerate() {
        // What is no UTF-8 is no source that ftl reads.
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        let copy = scratch.join(format!("f{number}.py"));
        fs::write(&copy, text + &quoted(&seeds[number % seeds.len()]))?;
        files.push(copy);
    }
    Ok(files)
}

/// Code in a comment, in a string and in a docstring, and as code: that the rules do find.
fn quoted(code: &str) -> String {
    let comment: String = code.lines().map(|line| format!("# {line}\n")).collect();
    let text = code.replace('\\', r"\\").replace(r#"""""#, "'''");
    format!(
        r#"

{comment}
A_NOTE = """
{text}
"""


def a_note():
    """
{text}
"""


{code}
"#
    )
}

/// What is at each place.
fn kinds(hits: &[Hit], scratch: &Path) -> Result<Vec<String>> {
    let line = |hit: &Hit| format!("{}\t{}\t{}\n", hit.path, hit.line, hit.column);
    let list = scratch.join("places");
    fs::write(&list, hits.iter().map(line).collect::<String>())?;
    let driver = driver("places.py");
    let program = Program::new("python3", &root());
    let printed = program.args([driver, list]).text()?;
    let kinds: Vec<String> = printed.lines().map(str::to_owned).collect();
    if kinds.len() == hits.len() {
        Ok(kinds)
    } else {
        Err(format!("{} answers for {} places", kinds.len(), hits.len()).into())
    }
}

fn section(files: usize, counts: &BTreeMap<&str, usize>) -> String {
    let words = counts.iter().map(|(kind, count)| format!("{kind} {count}"));
    let words: Vec<String> = words.collect();
    format!(
        "## Comments and strings\n\n\
         `cargo xtask evaluate comments` adds forbidden code to copies of real Python files, as code and in a comment, a string and a docstring, runs\n\
         the rules of all forbidden idioms, and asks CPython's tokenizer what is where they found something. No place may be in a `comment`,\n\
         a `docstring` or a `string`. A `literal` or `f-string` is itself what the rule is about, such as HTML.\n\n\
         {files} files; places: {}.\n",
        words.join(", ")
    )
}
