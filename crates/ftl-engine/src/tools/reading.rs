//! Reading and searching the project: regular text files beneath the root, never through a link.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use ftl_model::DeltaPath;
use ftl_text::shortened;
use ftl_tree::read_beneath;
use regex::{Regex, RegexBuilder};

use super::calls::{Read, Search};
use super::{Answer, MAX_FILE, Refusal, Toolbox, path};
use crate::project::walk;

/// Bytes of an answer: more would crowd out the task.
const MAX_ANSWER: usize = 128 << 10;
/// Lines that are read unless a number is given.
const LINES: u64 = 2000;
/// Bytes of a pattern.
const MAX_PATTERN: usize = 1 << 10;
/// Lines or names that a search gives.
const MAX_FOUND: usize = 200;
/// Files that a search looks at.
const MAX_FILES: usize = 50_000;
/// Bytes of a file that a search looks at.
const MAX_SEARCHED: u64 = 1 << 20;
/// Characters of a line that a search gives.
const LINE_LENGTH: usize = 300;
/// How long a search may take.
const SEARCH_LIMIT: Duration = Duration::from_secs(10);

impl Toolbox {
    pub(super) fn read(&mut self, call: &Read) -> Result<Answer, Refusal> {
        let path = path(&call.path, &self.root)?;
        let text = self.text_of(&path)?.ok_or_else(|| missing(&path))?;
        let first = call.from.unwrap_or(1).max(1);
        let wanted = call.lines.unwrap_or(LINES);
        let all = text.lines().count() as u64;
        let mut shown = String::new();
        let mut last = first - 1;
        let lines =
            text.split_inclusive('\n').skip(usize::try_from(first - 1).unwrap_or(usize::MAX));
        for line in lines.take(usize::try_from(wanted).unwrap_or(usize::MAX)) {
            if shown.len() + line.len() > MAX_ANSWER {
                break;
            }
            shown.push_str(line);
            last += 1;
        }
        let shown = self.secrets.hide(&shown);
        let note = match () {
            () if all < first => Some(format!("the file has {all} lines")),
            () if last < first && wanted > 0 => {
                Some(format!("line {first} is longer than {} KiB", MAX_ANSWER >> 10))
            }
            () if last < all || first > 1 => Some(format!("lines {first} to {last} of {all}")),
            () => None,
        };
        Ok(Answer::said(shown).noting(note))
    }

    /// The text of a file; `None` where there is none.
    pub(super) fn text_of(&self, path: &DeltaPath) -> Result<Option<String>, Refusal> {
        let bytes = match read_beneath(&self.root, path.as_path(), MAX_FILE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let why = crate::project::obstacle(&self.root, path)
                    .map_or_else(|| error.to_string(), |why| format!("it {why}"));
                return Err(Refusal::new(format!("`{path}` cannot be read: {why}")));
            }
        };
        if bytes.len() as u64 > MAX_FILE {
            let most = MAX_FILE >> 20;
            return Err(Refusal::new(format!("`{path}` is larger than {most} MiB")));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(Refusal::new(format!("`{path}` is not UTF-8 text"))),
        }
    }

    pub(super) fn search(&mut self, call: &Search) -> Result<Answer, Refusal> {
        let pattern = call.pattern.as_deref().map(pattern).transpose()?;
        let below = match call.path.as_deref().map(str::trim) {
            None | Some("" | "." | "./") => None,
            Some(below) => Some(path(below.trim_end_matches('/'), &self.root)?),
        };
        if let Some(why) = below.as_ref().and_then(|below| self.in_the_way(below)) {
            return Err(Refusal::new(why));
        }
        let mut found = SearchHits {
            text: String::new(),
            count: 0,
            since: Instant::now(),
            files: 0,
            stopped: None,
        };
        let from = below.as_ref().map_or_else(|| self.root.clone(), |path| self.root.join(path));
        for file in walk::with_hidden(&from) {
            let path = file.strip_prefix(&self.root).ok().and_then(Path::to_str);
            // The store and git's own directory are no paths of a delta.
            let Some(path) = path.and_then(|path| DeltaPath::parse(path).ok()) else {
                continue;
            };
            if !found.goes_on() {
                break;
            }
            found.files += 1;
            match &pattern {
                None => found.name(&path),
                Some(pattern) => found.lines_of(&self.root, &path, pattern),
            }
        }
        let stopped = found.stopped.map(|why| format!("the search is not complete: {why}"));
        if found.count == 0 {
            return Ok(Answer::said("nothing was found".to_owned()).noting(stopped));
        }
        Ok(Answer::said(self.secrets.hide(&found.text)).noting(stopped))
    }

    /// What keeps a directory or file from being searched.
    fn in_the_way(&self, below: &DeltaPath) -> Option<String> {
        match self.root.join(below).symlink_metadata() {
            Err(error) => Some(format!("`{below}` cannot be searched: {error}")),
            Ok(found) if found.is_dir() => {
                // Its parents, as those of a file in it.
                let inside = DeltaPath::parse(&format!("{below}/x")).ok()?;
                let why = crate::project::obstacle(&self.root, &inside)?;
                Some(format!("`{below}` cannot be searched: it {why}"))
            }
            Ok(_) => {
                let why = crate::project::obstacle(&self.root, below)?;
                Some(format!("`{below}` cannot be searched: it {why}"))
            }
        }
    }
}

fn missing(path: &DeltaPath) -> Refusal {
    Refusal::new(format!("`{path}` does not exist"))
}

fn pattern(text: &str) -> Result<Regex, Refusal> {
    if text.is_empty() || text.len() > MAX_PATTERN {
        return Err(Refusal::new(format!(
            "the pattern has {} bytes; it may have 1 to {MAX_PATTERN}",
            text.len()
        )));
    }
    RegexBuilder::new(text)
        .size_limit(1 << 20)
        .dfa_size_limit(1 << 20)
        .build()
        .map_err(|error| Refusal::new(format!("the pattern does not compile: {error}")))
}

/// What a search found so far.
struct SearchHits {
    text: String,
    count: usize,
    since: Instant,
    files: usize,
    stopped: Option<String>,
}

impl SearchHits {
    /// Whether there is room for more; says what is at its end otherwise.
    fn goes_on(&mut self) -> bool {
        self.stopped = match () {
            () if self.count >= MAX_FOUND => Some(format!("it ended after {MAX_FOUND} hits")),
            () if self.text.len() >= MAX_ANSWER => Some("the answer is too long".to_owned()),
            () if self.files >= MAX_FILES => Some(format!("it ended after {MAX_FILES} files")),
            () if self.since.elapsed() > SEARCH_LIMIT => {
                Some(format!("it ended after {} s", SEARCH_LIMIT.as_secs()))
            }
            () => None,
        };
        self.stopped.is_none()
    }

    fn name(&mut self, path: &DeltaPath) {
        let _ = writeln!(self.text, "{path}");
        self.count += 1;
    }

    fn lines_of(&mut self, root: &Path, path: &DeltaPath, pattern: &Regex) {
        // What can't be read, or is no text, holds nothing that could be found.
        let Ok(bytes) = read_beneath(root, path.as_path(), MAX_SEARCHED) else {
            return;
        };
        let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| !text.contains('\0'))
        else {
            return;
        };
        for (index, line) in text.lines().enumerate() {
            if pattern.is_match(line) {
                if !self.goes_on() {
                    return;
                }
                let line = shortened(line, LINE_LENGTH);
                let _ = writeln!(self.text, "{path}:{}: {line}", index + 1);
                self.count += 1;
            }
        }
    }
}
