//! Paths of one place in texts for another: a prompt names the project's root, and what an agent prints that of the copy
//! that it works in, here or on another machine.

use std::sync::Arc;

use ftl_process::{Filter, Filters};

/// The text with one path in place of another, but for longer names that begin with it.
#[must_use]
pub fn relocated(text: &str, from: &str, to: &str) -> String {
    if !is_replaced(from.as_bytes()) || !text.contains(from) {
        return text.to_owned();
    }
    let mut bytes = Vec::new();
    let rest = replace(text.as_bytes(), from.as_bytes(), to.as_bytes(), &mut bytes);
    bytes.extend_from_slice(rest);
    if rest == from.as_bytes() {
        bytes.truncate(bytes.len() - rest.len());
        bytes.extend_from_slice(to.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn is_replaced(from: &[u8]) -> bool {
    from.len() > 1 && from.starts_with(b"/")
}

/// Writes the text with the path replaced, and gives its end, which may be the path's beginning: what follows decides.
fn replace<'t>(mut text: &'t [u8], from: &[u8], to: &[u8], out: &mut Vec<u8>) -> &'t [u8] {
    while let Some(at) = text.iter().position(|byte| *byte == from[0]) {
        let (before, rest) = text.split_at(at);
        out.extend_from_slice(before);
        match rest.strip_prefix(from) {
            Some(after) => {
                let Some(next) = after.first() else {
                    return rest;
                };
                let is_longer = next.is_ascii_alphanumeric() || b"_-".contains(next);
                out.extend_from_slice(if is_longer { from } else { to });
                text = after;
            }
            None if from.starts_with(rest) => return rest,
            None => {
                out.push(rest[0]);
                text = &rest[1..];
            }
        }
    }
    out.extend_from_slice(text);
    &[]
}

/// Filters of an agent's output that replace a path after others have worked.
#[derive(Debug)]
pub struct Relocating {
    first: Arc<dyn Filters>,
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Relocating {
    /// After `first`, one path in place of another.
    #[must_use]
    pub fn new(first: Arc<dyn Filters>, from: &str, to: &str) -> Self {
        Self { first, from: from.as_bytes().to_vec(), to: to.as_bytes().to_vec() }
    }
}

impl Filters for Relocating {
    fn filter(&self) -> Box<dyn Filter> {
        let (from, to) = (self.from.clone(), self.to.clone());
        Box::new(Stream { first: self.first.filter(), from, to, held: Vec::new() })
    }
}

#[derive(Debug)]
struct Stream {
    first: Box<dyn Filter>,
    from: Vec<u8>,
    to: Vec<u8>,
    /// What may be the beginning of the path.
    held: Vec<u8>,
}

impl Stream {
    fn replace(&mut self, out: &mut dyn FnMut(&[u8])) {
        let mut replaced = Vec::with_capacity(self.held.len());
        let kept = replace(&self.held, &self.from, &self.to, &mut replaced).len();
        self.held.drain(..self.held.len() - kept);
        out(&replaced);
    }
}

impl Filter for Stream {
    fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) {
        let held = &mut self.held;
        self.first.push(bytes, &mut |bytes| held.extend_from_slice(bytes));
        self.replace(out);
    }

    fn finish(&mut self, out: &mut dyn FnMut(&[u8])) {
        let held = &mut self.held;
        self.first.finish(&mut |bytes| held.extend_from_slice(bytes));
        self.replace(out);
        let whole = self.held == self.from;
        out(if whole { &self.to } else { &self.held });
        self.held.clear();
    }
}
