//! Changes to a document that leave every byte they do not touch as it is.
//!
//! A task file is its author's work: its comments, its indentation, its quotes, even its line ends
//! are not ours to change. So a record is not written from the model but spliced into the text that
//! was read, at the places that the reader kept.
//!
//! Edits are collected first and made in one pass, from the front to the back. They must not
//! overlap: each attribute, each child and the end of the root may be edited once.

use std::ops::Range;

use crate::Document;
use crate::document::{ElementRef, Node};
use crate::element::{Context, Element, escape, push_attribute};

/// Changes to a document that leave every byte they do not touch as it is.
///
/// All offsets are those of the document as it was read, so changes cannot see each other.
#[derive(Debug)]
pub struct Splice<'d, 'a> {
    document: &'d Document<'a>,
    edits: Vec<(Range<usize>, String)>,
    /// Elements for the end of the root.
    appended: Vec<Element>,
}

/// On which side of another element one is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    Behind,
}

impl<'d, 'a> Splice<'d, 'a> {
    /// No change yet.
    pub const fn new(document: &'d Document<'a>) -> Self {
        Self { document, edits: Vec::new(), appended: Vec::new() }
    }

    fn root(&self) -> ElementRef<'d, 'a> {
        self.document.root()
    }

    /// Sets an attribute of the root: its value where it exists, else behind the other attributes.
    #[must_use]
    pub fn set_attribute(self, name: &str, value: &str) -> Self {
        let root = self.root();
        self.set_attribute_of(root, name, value)
    }

    /// Sets an attribute of an element: its value where it exists, else after the other attributes.
    #[must_use]
    pub(crate) fn set_attribute_of(
        mut self,
        element: ElementRef<'_, 'a>,
        name: &str,
        value: &str,
    ) -> Self {
        let mut written = String::new();
        let range = match element.find_attribute(name) {
            Some(attribute) => {
                escape(value, Context::Attribute, &mut written);
                attribute.value.range()
            }
            None => {
                push_attribute(name, value, &mut written);
                let at = self.behind_attributes(element.node());
                at..at
            }
        };
        self.edits.push((range, written));
        self
    }

    fn behind_attributes(&self, node: &Node) -> usize {
        let (from, to) = node.attributes;
        match self.document.attributes[from as usize..to as usize].last() {
            // Behind the closing quote.
            Some(last) => last.value.range().end + 1,
            None => node.name.range().end,
        }
    }

    /// Removes an attribute of the root with the white space before it, where it exists.
    #[must_use]
    pub fn remove_attribute(mut self, name: &str) -> Self {
        if let Some(attribute) = self.root().find_attribute(name) {
            let before = &self.document.text[..attribute.name.range().start];
            // Behind the closing quote.
            let end = attribute.value.range().end + 1;
            self.edits.push((before.trim_end().len()..end, String::new()));
        }
        self
    }

    /// Replaces the whole content of an element by the text and the children of another one.
    #[must_use]
    pub(crate) fn fill(mut self, at: ElementRef<'_, 'a>, content: &Element) -> Self {
        let mut written = String::new();
        content.write_content(1, &mut written);
        let edit = self.refill(at.node(), &written);
        self.edits.push(edit);
        self
    }

    /// Inserts elements before or behind another one, each indented as it is.
    #[must_use]
    pub(crate) fn beside(
        mut self,
        anchor: ElementRef<'_, 'a>,
        side: Side,
        depth: usize,
        elements: &[Element],
    ) -> Self {
        let (start, end) = (anchor.node().start as usize, anchor.node().end as usize);
        let before = &self.document.text[..start];
        let indent = &before[before.trim_end_matches([' ', '\t', '\n', '\r']).len()..];
        let mut written = String::new();
        for element in elements {
            match side {
                Side::Before => {
                    element.write(depth, &mut written);
                    written.push_str(indent);
                }
                Side::Behind => {
                    written.push_str(indent);
                    element.write(depth, &mut written);
                }
            }
        }
        let at = match side {
            Side::Before => start,
            Side::Behind => end,
        };
        self.edits.push((at..at, written));
        self
    }

    /// Appends elements at the end of one, which may be empty.
    #[must_use]
    pub(crate) fn append_in(
        mut self,
        parent: ElementRef<'_, 'a>,
        depth: usize,
        elements: &[Element],
    ) -> Self {
        if elements.is_empty() {
            return self;
        }
        let node = parent.node();
        let text = self.document.text;
        let steps = |depth: usize| format!("\n{}", "  ".repeat(depth));
        let mut written = String::new();
        for element in elements {
            written.push_str(&steps(depth + 1));
            element.write(depth + 1, &mut written);
        }
        let edit = if node.is_empty_tag() {
            written.push_str(&steps(depth));
            open_empty_tag(node, text, &written)
        } else {
            let end = node.close_start as usize;
            let content = &text[node.open_end as usize..end];
            let kept = content.trim_end_matches([' ', '\t', '\n', '\r']);
            // What was before the end tag stays before it.
            let at = if kept.len() < content.len() {
                node.open_end as usize + kept.len()
            } else {
                written.push_str(&steps(depth));
                end
            };
            (at..at, written)
        };
        self.edits.push(edit);
        self
    }

    /// Replaces the whole content of the first child of the root that is named like `element`, of
    /// which text and children are taken; appends `element` where there is none.
    #[must_use]
    pub fn set_child(mut self, element: Element) -> Self {
        let Some(child) = self.root().child(element.name()) else {
            return self.append(element);
        };
        let mut written = String::new();
        element.write_content(1, &mut written);
        let edit = self.refill(child.node(), &written);
        self.edits.push(edit);
        self
    }

    /// The edit that puts `content` between the tags of an element.
    fn refill(&self, node: &Node, content: &str) -> (Range<usize>, String) {
        if node.is_empty_tag() {
            let edit = open_empty_tag(node, self.document.text, content);
            return edit;
        }
        let range = node.open_end as usize..node.close_start as usize;
        (range, content.to_owned())
    }

    /// Appends an element at the end of the root.
    #[must_use]
    pub fn append(mut self, element: Element) -> Self {
        self.appended.push(element);
        self
    }

    /// The document with all changes made.
    pub fn finish(mut self) -> Vec<u8> {
        self.place_appended();
        // Stable: two insertions at one place, as of two new attributes, stay in the order in which
        // they were made.
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let Document { source, base, .. } = *self.document;
        let text = self.document.text.as_bytes();
        let added: usize = self.edits.iter().map(|(_, text)| text.len()).sum();
        // Offsets are those of the text, which begins behind the byte order mark.
        let mut out = Vec::with_capacity(source.len() + added);
        out.extend_from_slice(&source[..base]);
        let mut at = 0;
        for (range, written) in &self.edits {
            out.extend_from_slice(&text[at..range.start]);
            out.extend_from_slice(written.as_bytes());
            at = range.end;
        }
        out.extend_from_slice(&text[at..]);
        out
    }

    fn place_appended(&mut self) {
        if self.appended.is_empty() {
            return;
        }
        let node = self.root().node();
        let text = self.document.text;
        let before = &text[..node.close_start as usize];
        // What was appended is on separate lines, without a blank line where the end tag
        // already had one.
        let on_new_line =
            !node.is_empty_tag() && before.trim_end_matches([' ', '\t']).ends_with('\n');
        let mut written = String::from(if on_new_line { "" } else { "\n" });
        for element in std::mem::take(&mut self.appended) {
            written.push_str("  ");
            self.without_namespace(element).write(1, &mut written);
            written.push('\n');
        }
        // All appended elements in one edit: an empty tag can be opened only once.
        let edit = if node.is_empty_tag() {
            open_empty_tag(node, text, &written)
        } else {
            let at = node.close_start as usize;
            (at..at, written)
        };
        self.edits.push(edit);
    }

    /// Our elements are in no namespace, also below a root that declares a default one.
    fn without_namespace(&self, element: Element) -> Element {
        if self.root().is_in_default_namespace() {
            element.verbatim_attribute("xmlns", "")
        } else {
            element
        }
    }
}

/// The edit that makes `<name/>` into `<name>content</name>`.
fn open_empty_tag(node: &Node, text: &str, content: &str) -> (Range<usize>, String) {
    let end = node.end as usize;
    let name = node.name.of(text);
    (end - "/>".len()..end, format!(">{content}</{name}>"))
}
