//! Redaction of bytes as they arrive.
//!
//! What has arrived is in one buffer. Only its new part is searched for literals, each is decided about as
//! soon as enough has been seen, and everything before the first one that is undecided goes out, but
//! for the last few bytes, with which a secret may begin that is recognised later on. So a secret is
//! found wherever the pieces end in which a program, a pipe or a reader cuts it.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use super::search::Hit;
use super::shape::{BACK, Decision, REACH};
use super::value::{Reading, SHORTEST, Value};
use super::{Inner, Needle};

/// A text under redaction.
#[derive(Debug)]
pub struct Stream {
    redactor: Arc<Inner>,
    pending: Vec<u8>,
    /// Up to where literals were searched for.
    searched: usize,
    hits: VecDeque<Hit>,
    /// What is to be replaced, in order and apart from each other.
    secrets: VecDeque<(Range<usize>, Arc<str>)>,
    found: RedactionCounts,
}

/// How many secrets of which name were replaced.
pub type RedactionCounts = BTreeMap<Arc<str>, u64>;

impl Stream {
    pub(super) fn new(redactor: Arc<Inner>) -> Self {
        Self {
            redactor,
            pending: Vec::new(),
            searched: 0,
            hits: VecDeque::new(),
            secrets: VecDeque::new(),
            found: RedactionCounts::new(),
        }
    }

    /// Takes more of the text; `out` gets what is decided about.
    pub fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) {
        // With every shape exempt there is nothing to search for.
        if self.redactor.needles.is_empty() {
            return out(bytes);
        }
        self.pending.extend_from_slice(bytes);
        self.go_on(false, out);
    }

    /// What was taken and not given out yet, as it arrived: it may hold secrets.
    #[must_use]
    pub fn held(&self) -> &[u8] {
        &self.pending
    }

    /// The text has ended: `out` gets the rest.
    pub fn finish(&mut self, out: &mut dyn FnMut(&[u8])) -> RedactionCounts {
        self.go_on(true, out);
        std::mem::take(&mut self.found)
    }

    fn go_on(&mut self, is_end: bool, out: &mut dyn FnMut(&[u8])) {
        self.search();
        let undecided = self.decide(is_end);
        let lag = self.redactor.lag;
        let limit = match undecided {
            Some(at) => at.saturating_sub(lag),
            None if is_end => self.pending.len(),
            None => self.pending.len().saturating_sub(lag),
        };
        self.emit(limit, out);
    }

    fn search(&mut self) {
        let mut hits = Vec::new();
        let search = &self.redactor.search;
        let from = self.searched.saturating_sub(search.longest);
        search.find(&self.pending, from, self.searched, &mut hits);
        self.searched = self.pending.len();
        // Those across the boundary may begin before what was found earlier: dots are found late.
        let sorted =
            self.hits.back().is_none_or(|last| hits.first().is_none_or(|first| last <= first));
        self.hits.extend(hits);
        if !sorted {
            self.hits.make_contiguous().sort_unstable();
        }
    }

    /// Decides about hits, up to the first for which more must be seen; gives its place.
    fn decide(&mut self, is_end: bool) -> Option<usize> {
        while let Some(hit) = self.hits.front() {
            let (decision, name) = match &self.redactor.needles[hit.id] {
                Needle::Shape(matcher) => {
                    let decision = matcher.decide(&self.pending, hit.at, is_end);
                    (decision, &matcher.name)
                }
                Needle::Piece(value, offset) => {
                    let value = &self.redactor.values[*value];
                    let decision = of_piece(value, *offset, &self.pending, hit.at, is_end);
                    (decision, &value.name)
                }
            };
            match decision {
                Decision::Wait => return Some(hit.at),
                Decision::Harmless => {}
                Decision::Secret(range) => {
                    let (name, id) = (Arc::clone(name), hit.id);
                    self.add(range, name, id);
                }
            }
            self.hits.pop_front();
        }
        None
    }

    /// Adds a secret. Of those that overlap, one is made, with the name of a variable if it has one.
    fn add(&mut self, mut range: Range<usize>, mut name: Arc<str>, id: usize) {
        let mut is_value = matches!(self.redactor.needles[id], Needle::Piece(..));
        let mut after = Vec::new();
        while let Some((last, last_name)) = self.secrets.pop_back() {
            if last.start >= range.end {
                after.push((last, last_name));
            } else if last.end <= range.start {
                self.secrets.push_back((last, last_name));
                break;
            } else {
                let known = self.redactor.values.iter().any(|value| value.name == last_name);
                if known && !is_value || last.len() >= range.len() && known == is_value {
                    name = last_name;
                    is_value = known;
                }
                range = last.start.min(range.start)..last.end.max(range.end);
            }
        }
        self.secrets.push_back((range, name));
        self.secrets.extend(after.into_iter().rev());
    }

    /// Passes on what is before `limit`, up to a secret that ends behind it.
    fn emit(&mut self, limit: usize, out: &mut dyn FnMut(&[u8])) {
        let mut at = 0;
        while let Some((range, _)) = self.secrets.front() {
            // A secret behind it may reach back into it.
            if range.end > limit {
                break;
            }
            let (range, name) = self.secrets.pop_front().expect("because there is one");
            if range.start > at {
                out(&self.pending[at..range.start]);
            }
            out(format!("[redacted: {name}]").as_bytes());
            *self.found.entry(name).or_default() += 1;
            at = range.end.max(at);
        }
        let next = self.secrets.front().map_or(limit, |(range, _)| range.start.min(limit));
        if next > at {
            out(&self.pending[at..next]);
            at = next;
        }
        self.forget(at);
    }

    fn forget(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        self.pending.drain(..count);
        self.searched = self.searched.saturating_sub(count);
        self.hits.retain(|hit| hit.at >= count);
        for hit in &mut self.hits {
            hit.at -= count;
        }
        for (range, _) in &mut self.secrets {
            *range = range.start - count..range.end - count;
        }
    }
}

/// Whether the whole value is around a piece of it.
fn of_piece(value: &Value, offset: usize, text: &[u8], at: usize, is_end: bool) -> Decision {
    let first = at.saturating_sub(Value::back(offset));
    let last = at.saturating_sub(offset);
    for start in (first..=last).rev() {
        match value.read(text, start) {
            Reading::Ends(end) if end > at && !is_end && value.may_go_on(&text[end..]) => {
                return Decision::Wait;
            }
            Reading::Ends(end) if end > at => return Decision::Secret(start..end),
            // A value that a program did not live to print to its end.
            Reading::Cut(read) if is_end && read >= SHORTEST => {
                return Decision::Secret(start..text.len());
            }
            Reading::Cut(read) | Reading::Open(read)
                if !is_end && read > offset && text.len() - start < REACH.max(8 * read) =>
            {
                return Decision::Wait;
            }
            Reading::Ends(_) | Reading::Cut(_) | Reading::Open(_) | Reading::Other => {}
        }
    }
    Decision::Harmless
}

/// Bytes at the end of a text that are kept back: an unfinished literal, what may belong to a secret before
/// a literal, and what shows whether a word or a full line begins there.
pub(super) fn lag(longest: usize, back: usize) -> usize {
    longest + back.max(BACK) + 16
}
