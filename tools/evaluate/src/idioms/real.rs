//! What the rules find in real code: every new place of a forbidden idiom.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_analysis::quality::{FileText, RuleCard, Rules, judge_idioms};
use ftl_model::{Idiom, Idioms};
use ftl_testkit::Result;

use crate::files;

/// Files that are judged together: rules are compiled once for them, and a verdict lists 100 places.
const AT_ONCE: usize = 12;

/// A place that a rule found.
pub(crate) struct Hit {
    pub(crate) rule: String,
    pub(crate) path: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
    /// The text of the line.
    pub(crate) text: String,
}

/// Prints `rule`, path, line, column and the line of each place, for all files of Python below `directories`.
///
/// # Errors
///
/// A directory cannot be read.
pub(crate) fn print_hits(directories: &[&str]) -> Result {
    let mut files = Vec::new();
    for directory in directories {
        files.extend(files::below(Path::new(directory), &["py"])?);
    }
    for hit in hits(&files) {
        let Hit { rule, path, line, column, text } = hit;
        println!("{rule}\t{path}\t{line}\t{column}\t{}", text.trim());
    }
    println!("files\t{}", files.len());
    Ok(())
}

/// All places in files that the rules of forbidden idioms find. What is no UTF-8 is left out.
pub(crate) fn hits(files: &[PathBuf]) -> Vec<Hit> {
    let rules = Rules::default();
    let cards = rules.cards();
    let forbidden = cards.iter().filter(|card| card.kind == "forbidden");
    let idiom = |card: &RuleCard| Idiom {
        rule: Some(card.id.clone()),
        ..Idiom::prose(card.texts[0].clone())
    };
    let idioms =
        Idioms { framework: None, required: Vec::new(), forbidden: forbidden.map(idiom).collect() };
    let chunks = files.chunks(AT_ONCE);
    chunks.flat_map(|chunk| of_chunk(chunk, &idioms, &rules)).collect()
}

fn of_chunk(chunk: &[PathBuf], idioms: &Idioms, rules: &Rules) -> Vec<Hit> {
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).ok()?;
        Some((path.to_string_lossy().into_owned(), text))
    };
    let texts: Vec<(String, String)> = chunk.iter().filter_map(read).collect();
    let delta: Vec<FileText<'_>> = texts
        .iter()
        .map(|(path, text)| FileText { path, before: None, after: Some(text) })
        .collect();
    let mut hits = Vec::new();
    for verdict in judge_idioms(idioms, &delta, rules) {
        let rule = verdict.rule.unwrap_or_default();
        for place in verdict.places {
            let text = texts.iter().find(|(path, _)| *path == place.path);
            let mut lines = text.iter().flat_map(|(_, text)| text.lines());
            let text = lines.nth(place.line as usize - 1).unwrap_or_default();
            hits.push(Hit {
                rule: rule.clone(),
                line: place.line,
                column: place.column,
                text: text.to_owned(),
                path: place.path,
            });
        }
    }
    hits
}
