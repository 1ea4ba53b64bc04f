//! The files that are judged: real ones, those of conformance suites, and mutants of real ones.
//!
//! Each belongs to the tuning part or is held out; a hash of its source's name decides.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::Language;
use ftl_testkit::Result;
use ftl_testkit::random::Rng;

use super::Size;
use super::languages::{Corpus, CorpusKind, MeasuredLanguage};
use super::mutants::KINDS;
use crate::cache::Cache;
use crate::files;

/// Larger files are left out, in bytes.
const LARGEST: u64 = 1 << 20;
/// Larger files are not damaged, in bytes.
const LARGEST_DAMAGED: usize = 60 << 10;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Real,
    Suite,
    Mutant,
}

/// A file to be judged.
#[derive(Debug, Clone)]
pub(crate) struct FileRow {
    pub(crate) path: PathBuf,
    /// The corpus and the path below it; for a mutant, of the file that was damaged, and how.
    pub(crate) label: String,
    pub(crate) sort: Sort,
    /// Belongs to the part that is only counted.
    pub(crate) is_held_out: bool,
}

/// Corpora, and the ones that could not be had with the reason.
pub(crate) struct Rows {
    pub(crate) rows: Vec<FileRow>,
    pub(crate) missing: Vec<(&'static str, String)>,
}

/// The files of a language's corpora, each content once.
pub(crate) fn collect(language: &MeasuredLanguage, size: Size, cache: &Cache) -> Result<Rows> {
    let mut collected = Rows { rows: Vec::new(), missing: Vec::new() };
    let mut seen = HashSet::new();
    let wanted = |corpus: &&Corpus| !size.is_check || corpus.is_near;
    for corpus in language.corpora.iter().filter(wanted) {
        match corpus.origin.path(cache) {
            Ok(directory) => {
                let rows = of_corpus(language.language, corpus, &directory, size.files, &mut seen)?;
                collected.rows.extend(rows);
            }
            Err(why) => {
                println!("skipped: {}: {why}", corpus.name);
                collected.missing.push((corpus.name, why.to_string()));
            }
        }
    }
    Ok(collected)
}

/// The files of a language in a directory, each content once.
pub(crate) fn of_corpus(
    language: Language,
    corpus: &Corpus,
    directory: &Path,
    most: usize,
    seen: &mut HashSet<u64>,
) -> Result<Vec<FileRow>> {
    let mut files: Vec<(u64, String, PathBuf)> = Vec::new();
    for path in files::all(directory)? {
        if Language::of_file(&path) != Some(language) {
            continue;
        }
        let relative = path.strip_prefix(directory)?.to_string_lossy().into_owned();
        if !corpus.origin.leaves_out(&relative) && fs::metadata(&path)?.len() <= LARGEST {
            files.push((files::hash(relative.as_bytes()), relative, path));
        }
    }
    // The order of the hashes is as good as any, and does not change with the machine.
    files.sort();
    let (mut rows, mut counts) = (Vec::new(), [0_usize; 2]);
    for (_, relative, path) in files {
        let is_held_out =
            is_held_out(language.name(), corpus.name, source(&relative, corpus.depth));
        let count = &mut counts[usize::from(is_held_out)];
        if *count >= most {
            continue;
        }
        let bytes = fs::read(&path)?;
        let is_whole = corpus.without.is_empty()
            || !String::from_utf8_lossy(&bytes).to_ascii_lowercase().contains(corpus.without);
        if is_whole && seen.insert(files::hash(&bytes)) {
            *count += 1;
            rows.push(FileRow {
                path,
                label: format!("{}: {relative}", corpus.name),
                sort: match corpus.kind {
                    CorpusKind::Real => Sort::Real,
                    CorpusKind::Suite => Sort::Suite,
                },
                is_held_out,
            });
        }
    }
    Ok(rows)
}

/// The first components of a path, which name a package or a directory.
fn source(relative: &str, depth: usize) -> &str {
    let depth = depth + usize::from(relative.starts_with('@'));
    let end = relative.match_indices('/').nth(depth.saturating_sub(1));
    end.map_or(relative, |(at, _)| &relative[..at])
}

/// One source in three is held out.
fn is_held_out(language: &str, corpus: &str, source: &str) -> bool {
    let name = format!("{language}\n{corpus}\n{source}");
    (files::hash(name.as_bytes()) >> 17).is_multiple_of(3)
}

/// Damages real files that the reference accepts, in turn with every kind of damage, and writes
/// them below `directory`.
pub(crate) fn mutants(valid: &[&FileRow], most: usize, directory: &Path) -> Result<Vec<FileRow>> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    fs::create_dir_all(directory)?;
    // No manifest above may have a say in how they are read.
    fs::write(directory.join("package.json"), "{}\n")?;
    fs::write(directory.join("Cargo.toml"), "[package]\nedition = \"2021\"\n")?;
    let mut made = Vec::new();
    for is_held_out in [false, true] {
        let part: Vec<_> = valid.iter().filter(|it| it.is_held_out == is_held_out).collect();
        let mut count = 0;
        for round in 0..KINDS.len() {
            for (at, row) in part.iter().enumerate() {
                if count >= most {
                    break;
                }
                let number = format!("{}{count:05}", if is_held_out { "h" } else { "t" });
                if let Some(mutant) = mutant(row, at + round, &directory.join(number))? {
                    made.push(mutant);
                    count += 1;
                }
            }
        }
    }
    Ok(made)
}

fn mutant(row: &FileRow, turn: usize, stem: &Path) -> Result<Option<FileRow>> {
    let bytes = fs::read(&row.path)?;
    let (kind, damage) = KINDS[turn % KINDS.len()];
    let text = match String::from_utf8(bytes) {
        Ok(text) if text.len() <= LARGEST_DAMAGED => text,
        _ => return Ok(None),
    };
    let mut random = Rng::with_seed(files::hash(row.label.as_bytes()) ^ turn as u64);
    let Some(damaged) = damage(&text, &mut random).filter(|damaged| *damaged != text) else {
        return Ok(None);
    };
    let path = stem.with_extension(extension(&row.path));
    fs::write(&path, damaged)?;
    Ok(Some(FileRow {
        path,
        label: format!("{kind}: {}", row.label),
        sort: Sort::Mutant,
        is_held_out: row.is_held_out,
    }))
}

/// The extension, with the `d` of a declaration file.
fn extension(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let last = path.extension().unwrap_or_default().to_string_lossy();
    let stem = &name[..name.len() - last.len() - 1];
    if stem.ends_with(".d") { format!("d.{last}") } else { last.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::{is_held_out, source};

    #[test]
    fn a_source_is_the_beginning_of_a_path() {
        let cases = [
            ("lodash/fp/add.js", 1, "lodash"),
            ("@types/node/fs.d.ts", 1, "@types/node"),
            ("pass/abc.js", 2, "pass/abc.js"),
            ("language/expressions/void/S11.js", 3, "language/expressions/void"),
        ];
        for (path, depth, expected) in cases {
            assert_eq!(source(path, depth), expected);
        }
    }

    #[test]
    fn about_one_source_in_three_is_held_out() {
        let held = (0..3000).filter(|it| is_held_out("go", "std", &it.to_string())).count();
        assert!((900..1100).contains(&held), "{held}");
    }
}
