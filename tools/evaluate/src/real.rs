//! What the rules find in real code: every new place of a forbidden idiom, for somebody to read.

use std::fs;
use std::path::Path;

use ftl_analysis::quality::{FileText, RuleCard, Rules, judge_idioms};
use ftl_model::{Idiom, Idioms};
use ftl_testkit::Result;

use crate::files;

/// Files that are judged together: rules are compiled once for them, and a verdict lists 100 places.
const AT_ONCE: usize = 12;

/// Prints `rule`, path, line, column and the line of each place, for all files of Python below `directories`.
///
/// # Errors
///
/// A directory cannot be read.
pub(crate) fn print_hits(directories: &[&str]) -> Result {
    let rules = Rules::default();
    let cards = rules.cards();
    let forbidden: Vec<&RuleCard> = cards
        .iter()
        .filter(|card| card.kind == "forbidden")
        .collect();
    let mut files = Vec::new();
    for directory in directories {
        files.extend(files::below(Path::new(directory), &["py"])?);
    }
    let idioms = Idioms {
        framework: None,
        required: Vec::new(),
        forbidden: forbidden
            .iter()
            .map(|card| Idiom {
                rule: Some(card.id.clone()),
                ..Idiom::prose(card.texts[0].clone())
            })
            .collect(),
    };
    let mut count = 0;
    for chunk in files.chunks(AT_ONCE) {
        let texts: Vec<(String, String)> = chunk
            .iter()
            .filter_map(|path| {
                let text = fs::read_to_string(path).ok()?;
                Some((path.to_string_lossy().into_owned(), text))
            })
            .collect();
        count += texts.len();
        let delta: Vec<FileText<'_>> = texts
            .iter()
            .map(|(path, text)| FileText {
                path,
                before: None,
                after: Some(text),
            })
            .collect();
        for verdict in judge_idioms(&idioms, &delta, &rules) {
            let rule = verdict.rule.as_deref().unwrap_or_default();
            for place in verdict.places {
                let text = texts.iter().find(|(path, _)| *path == place.path);
                let mut lines = text.iter().flat_map(|(_, text)| text.lines());
                let line = lines.nth(place.line as usize - 1).unwrap_or_default();
                println!(
                    "{rule}\t{}\t{}\t{}\t{}",
                    place.path,
                    place.line,
                    place.column,
                    line.trim()
                );
            }
        }
    }
    println!("files\t{count}");
    Ok(())
}
