//! A reader that cannot think: it follows the places and names of a request into the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use regex::Regex;

/// Lines that are read for one request.
const MOST_LINES: usize = 300;

/// `path:line` in any form, and a frame of Python.
const PLACE: &str = r#"File "([^"]+)", line (\d+)|([\w./@+-]+\.(?:py|js|ts|rs|go)):(\d+)"#;
const NAME: &str = r#"['"`](?:\w+\.)*(\w+)['"`]|\b(\w+)\("#;
const FUNCTION: &str = r"^[^#/*]*\b(?:def|function|fn|func|class)\s+(?:\([^)]*\)\s*)?(\w+)\s*[(<:]";

/// What a request leads to.
#[derive(Debug)]
pub(super) struct BugFound {
    /// Whether it names a line of the project, be it a test's, the file with the bug, its line, and whether that line
    /// was read.
    pub(super) named: [bool; 4],
    pub(super) lines_read: usize,
}

/// Some lines of a file, counted from 1.
type Passage = (String, RangeInclusive<usize>);

/// The files of a project, and where its functions are.
pub(super) struct Sources {
    files: BTreeMap<String, Vec<String>>,
    functions: BTreeMap<String, Vec<Passage>>,
    place: Regex,
    name: Regex,
}

impl Sources {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let patterns = ["*.py", "*.js", "*.ts", "*.rs", "*.go"];
        let listed = Program::git(root).args(["ls-files"]).args(patterns).text()?;
        let function = Regex::new(FUNCTION)?;
        let mut sources = Self {
            files: BTreeMap::new(),
            functions: BTreeMap::new(),
            place: Regex::new(PLACE)?,
            name: Regex::new(NAME)?,
        };
        for path in listed.lines() {
            let text = fs::read_to_string(root.join(path))?;
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            for (at, line) in lines.iter().enumerate() {
                let Some(name) = function.captures(line) else {
                    continue;
                };
                let passage = (path.to_owned(), at + 1..=end_of(&lines, at));
                sources.functions.entry(name[1].to_owned()).or_default().push(passage);
            }
            sources.files.insert(path.to_owned(), lines);
        }
        Ok(sources)
    }

    /// The places that a text names, in files of the project.
    fn places(&self, text: &str) -> Vec<(String, usize)> {
        let places = self.place.captures_iter(text).filter_map(|found| {
            let path = found.get(1).or(found.get(3))?.as_str().trim_start_matches("./");
            let line = found.get(2).or(found.get(4))?.as_str().parse().ok()?;
            // Absolute paths are those of the copy in which the tests ran.
            let path = self.files.keys().find(|file| {
                path.strip_suffix(file.as_str())
                    .is_some_and(|at| at.is_empty() || at.ends_with('/'))
            })?;
            Some((path.clone(), line))
        });
        places.collect()
    }

    /// The innermost function around a place, or its line alone.
    fn around(&self, path: &str, line: usize) -> Passage {
        let all = self.functions.values().flatten();
        let around = all.filter(|(file, lines)| file == path && lines.contains(&line));
        let innermost = around.min_by_key(|(_, lines)| lines.end() - lines.start());
        innermost.cloned().unwrap_or_else(|| (path.to_owned(), line..=line))
    }

    /// The functions of sources that a text quotes or calls.
    fn named(&self, text: &str) -> Vec<Passage> {
        let names = self.name.captures_iter(text).filter_map(|name| name.get(1).or(name.get(2)));
        let functions = names.filter_map(|name| self.functions.get(name.as_str())).flatten();
        functions.filter(|(path, _)| !is_test(path)).cloned().collect()
    }

    fn text(&self, (path, lines): &Passage) -> String {
        let all = &self.files[path];
        let end = (*lines.end()).min(all.len());
        all.get(lines.start() - 1..end).unwrap_or_default().join("\n")
    }
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with("test"))
}

/// The last line of the function that begins at `at`: before the next line that is indented no deeper and closes
/// nothing.
fn end_of(lines: &[String], at: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let next = lines.iter().enumerate().skip(at + 1).find(|(_, line)| {
        let closes = line.trim_start().starts_with([')', '}', ']']);
        !line.trim().is_empty() && !closes && indent(line) <= indent(&lines[at])
    });
    next.map_or(lines.len(), |(next, _)| next)
}

/// Follows a request to the line of a file that is wrong.
pub(super) fn find(request: &str, sources: &Sources, file: &str, line: usize) -> BugFound {
    let places = sources.places(request);
    let (tests, own): (Vec<_>, Vec<_>) = places.iter().partition(|(path, _)| is_test(path));
    let around = |places: &[&(String, usize)]| -> Vec<Passage> {
        places.iter().map(|(path, line)| sources.around(path, *line)).collect()
    };
    let called = around(&tests).into_iter().flat_map(|test| sources.named(&sources.text(&test)));
    let passages = around(&own).into_iter().chain(sources.named(request)).chain(called);
    let mut read: BTreeSet<(String, usize)> = BTreeSet::new();
    for (path, lines) in passages {
        let new: Vec<_> = lines.map(|line| (path.clone(), line)).collect();
        if read.len() + new.len() <= MOST_LINES {
            read.extend(new);
        }
    }
    let is_named = |at: Option<usize>| {
        places.iter().any(|(path, line)| path == file && at.is_none_or(|at| at == *line))
    };
    let is_read = read.contains(&(file.to_owned(), line));
    BugFound {
        named: [!places.is_empty(), is_named(None), is_named(Some(line)), is_read],
        lines_read: read.len(),
    }
}
