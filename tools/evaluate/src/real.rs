//! What the rules find in real code: every new place of a forbidden idiom, for somebody to read.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_analysis::quality::{FileText, RuleCard, Rules, judge_idioms};
use ftl_model::{Idiom, Idioms};
use ftl_testkit::Result;

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
        below(Path::new(directory), &mut files)?;
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

/// All Python files below a directory, sorted, links not followed.
fn below(directory: &Path, files: &mut Vec<PathBuf>) -> Result {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|entry| entry.map(|it| it.path()))
        .collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            below(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "py") {
            files.push(path);
        }
    }
    Ok(())
}
