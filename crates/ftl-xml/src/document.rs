//! A document as it was read: nodes and attributes with their places in the text, and references to
//! elements.
//!
//! All nodes are in one vector in document order, and a node knows where its descendants end. This
//! is what makes children, descendants and copies cheap, without a pointer or a second allocation;
//! offsets are of 32 bits, which [`limits`](crate::limits) makes enough. Values are decoded when
//! they are asked for, since most never are.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;
use std::sync::OnceLock;

use ftl_model::{Lines, SourcePosition};

use crate::decode;
use crate::span::Span;

/// An element as it is in the text. Nodes are in document order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: Span,
    /// Offset of `<`.
    pub(crate) start: u32,
    /// Offset behind the start tag.
    pub(crate) open_end: u32,
    /// Where the text before the first child element ends.
    pub(crate) text_end: u32,
    /// Offset of the end tag; `end` when there is none.
    pub(crate) close_start: u32,
    /// Offset behind the element.
    pub(crate) end: u32,
    /// Indices of the attributes, from and up to.
    pub(crate) attributes: (u32, u32),
    /// Index behind the last descendant.
    pub(crate) after: u32,
    /// Whether it is in no namespace.
    pub(crate) plain: bool,
}

impl Node {
    /// Whether it is written `<name/>`. An end tag takes at least four bytes.
    pub(crate) const fn is_empty_tag(&self) -> bool {
        self.close_start == self.end
    }
}

/// An attribute as it is in the text, the value without quotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Span,
    pub(crate) value: Span,
    /// Whether it is in no namespace, and declares none.
    pub(crate) plain: bool,
}

/// A well-formed document, and the range of each part of it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) source: &'a [u8],
    /// The source behind the byte order mark.
    pub(crate) text: &'a str,
    /// Length of the byte order mark.
    pub(crate) base: usize,
    pub(crate) nodes: Vec<Node>,
    pub(crate) attributes: Vec<Attribute>,
    /// Made when the first place is asked for.
    pub(crate) lines: OnceLock<Lines>,
}

impl<'a> Document<'a> {
    /// The bytes that were read.
    pub const fn source(&self) -> &'a [u8] {
        self.source
    }

    /// The root element.
    pub const fn root(&self) -> ElementRef<'_, 'a> {
        ElementRef { document: self, index: 0 }
    }

    /// The place of a range of the text.
    pub(crate) fn place(&self, range: Range<usize>) -> SourcePosition {
        // Only documents with something to complain about need places.
        let lines = self.lines.get_or_init(|| Lines::new(self.text));
        let place = lines.place(self.text, range.start, range.end);
        SourcePosition { start: place.start + self.base, end: place.end + self.base, ..place }
    }
}

/// An element of a [`Document`].
#[derive(Clone, Copy, Debug)]
pub struct ElementRef<'d, 'a> {
    document: &'d Document<'a>,
    index: usize,
}

impl<'d, 'a> ElementRef<'d, 'a> {
    pub(crate) fn node(self) -> &'d Node {
        &self.document.nodes[self.index]
    }

    /// The name as written, with its prefix.
    pub fn name(self) -> &'a str {
        self.node().name.of(self.document.text)
    }

    /// Whether the element has this name and no namespace.
    pub fn is(self, name: &str) -> bool {
        let node = self.node();
        // Bytes and not `str`: a range that the reader made needs no check for character boundaries.
        node.plain && self.document.text.as_bytes()[node.name.range()] == *name.as_bytes()
    }

    /// Whether it is in no namespace.
    pub fn is_plain(self) -> bool {
        self.node().plain
    }

    /// Whether elements without prefix inside it are in a namespace that its own tag declares.
    pub(crate) fn is_in_default_namespace(self) -> bool {
        let text = self.document.text;
        let (from, to) = self.node().attributes;
        self.document.attributes[from as usize..to as usize]
            .iter()
            // `xmlns=""` declares that there is none.
            .any(|a| a.name.of(text) == "xmlns" && !a.value.of(text).is_empty())
    }

    /// Child elements, in order.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let document = self.document;
        let end = self.node().after as usize;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            let index = next;
            (index < end).then(|| {
                next = document.nodes[index].after as usize;
                Self { document, index }
            })
        })
    }

    /// Child elements of this name, in order.
    pub fn children_named(self, name: &str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.is(name))
    }

    /// The first child element of this name.
    pub fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.is(name))
    }

    /// All elements inside this one, in document order.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        let document = self.document;
        let end = self.node().after as usize;
        (self.index + 1..end).map(move |index| Self { document, index })
    }

    /// The character data before the first child element; `None` when there is none.
    pub fn text(self) -> Option<Cow<'a, str>> {
        let raw = &self.document.text[self.text_range()];
        Some(decode::text(raw)).filter(|text| !text.is_empty())
    }

    fn text_range(self) -> Range<usize> {
        let node = self.node();
        node.open_end as usize..node.text_end as usize
    }

    /// Attributes in no namespace: name and value.
    pub fn attributes(self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> {
        let text = self.document.text;
        self.plain_attributes().map(move |a| (a.name.of(text), decode::attribute(a.value.of(text))))
    }

    pub(crate) fn plain_attributes(self) -> impl Iterator<Item = &'d Attribute> {
        let (from, to) = self.node().attributes;
        self.document.attributes[from as usize..to as usize]
            .iter()
            .filter(|attribute| attribute.plain)
    }

    pub(crate) fn find_attribute(self, name: &str) -> Option<&'d Attribute> {
        let text = self.document.text.as_bytes();
        self.plain_attributes().find(|a| text[a.name.range()] == *name.as_bytes())
    }

    /// The value of an attribute in no namespace.
    pub fn attribute(self, name: &str) -> Option<Cow<'a, str>> {
        self.find_attribute(name).map(|a| decode::attribute(a.value.of(self.document.text)))
    }

    /// The value of an attribute, as a string.
    pub fn string(self, name: &str) -> Option<String> {
        self.attribute(name).map(Cow::into_owned)
    }

    /// The value of an attribute, where it is a `T`.
    pub fn parsed<T: FromStr>(self, name: &str) -> Option<T> {
        self.attribute(name)?.parse().ok()
    }

    /// The text of the first child element of this name.
    pub fn child_text(self, name: &str) -> Option<String> {
        self.child(name)?.text().map(Cow::into_owned)
    }

    /// The place of the whole element.
    pub fn place(self) -> SourcePosition {
        let node = self.node();
        self.document.place(node.start as usize..node.end as usize)
    }

    /// The place of its start tag.
    pub fn tag_place(self) -> SourcePosition {
        let node = self.node();
        self.document.place(node.start as usize..node.open_end as usize)
    }

    /// The place of the text before its first child element, without surrounding white space; of
    /// the whole element when there is no such text.
    pub fn text_place(self) -> SourcePosition {
        let range = self.text_range();
        let raw = &self.document.text[range.clone()];
        let trimmed = raw.trim_start();
        // Nothing to point at inside: the element that lacks the text is what is meant.
        if trimmed.is_empty() {
            return self.place();
        }
        let start = range.end - trimmed.len();
        self.document.place(start..start + trimmed.trim_end().len())
    }

    /// The place of an attribute's value.
    pub fn attribute_place(self, name: &str) -> Option<SourcePosition> {
        self.find_attribute(name).map(|a| self.document.place(a.value.range()))
    }

    /// The place of an attribute's name.
    pub fn attribute_name_place(self, name: &str) -> Option<SourcePosition> {
        self.find_attribute(name).map(|a| self.document.place(a.name.range()))
    }
}
