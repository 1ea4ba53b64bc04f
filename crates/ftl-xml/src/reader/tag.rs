//! Tags: [40] STag, [42] ETag, [44] EmptyElemTag, and the nodes that they open and close.
//!
//! The order within a start tag matters. All attributes come before the element's own name is
//! looked up, since a prefix may be declared in the same tag that uses it, behind its first use.

use std::ops::Range;

use super::Reader;
use super::cursor::{Cursor, Pair};
use super::namespace::QName;
use crate::Fault;
use crate::document::{Attribute, Node};
use crate::limits::{MAX_ATTRIBUTES, MAX_DEPTH};
use crate::span::{Checked, Span, SpannedFault, offset};
use ftl_text::quote;

impl<'a> Reader<'a> {
    /// `<name a="b">`, or with `empty` `<name a="b"/>`.
    pub(super) fn start_tag(&mut self, range: Range<usize>, empty: bool) -> Checked {
        let suffix = if empty { 2 } else { 1 };
        let mut cursor = Cursor::new(self.text, range.start + 1..range.end - suffix);
        let name = cursor.name("a tag")?;
        let text = self.text;
        if self.open.is_empty() && !self.nodes.is_empty() {
            return Err(self.outside("a second root element", range));
        }
        // Before the attributes are read: what is nested too deeply costs nothing more.
        let depth = self.open.len() + 1;
        if depth > MAX_DEPTH {
            return Err(SpannedFault::new(Fault::TooDeep, range));
        }
        let first = self.attributes.len();
        self.attribute_list(&mut cursor, first, depth)?;
        let qualified = QName::split(&text[name.clone()])
            .map_err(|fault| SpannedFault::new(fault, name.clone()))?;
        let plain = self.check_element(&qualified, &name)?;
        self.check_expanded(first)?;
        self.push_node(range.clone(), name, first, plain);
        if empty {
            // An empty tag opens nothing, so its declarations end with it.
            self.namespaces.leave(depth);
            self.finish_node(self.nodes.len() - 1, range.end, range.end);
        } else {
            self.open.push(self.nodes.len() - 1);
        }
        Ok(())
    }

    fn push_node(&mut self, range: Range<usize>, name: Range<usize>, first: usize, plain: bool) {
        if let Some(&parent) = self.open.last() {
            let parent = &mut self.nodes[parent];
            // 0 means "not yet": no text can end where the document begins.
            if parent.text_end == 0 {
                parent.text_end = offset(range.start);
            }
        }
        self.nodes.push(Node {
            name: Span::new(name.start, name.end),
            start: offset(range.start),
            open_end: offset(range.end),
            attributes: (offset(first), offset(self.attributes.len())),
            plain,
            ..Node::default()
        });
    }

    /// Takes the attributes, declares the namespaces among them.
    fn attribute_list(&mut self, cursor: &mut Cursor<'a>, first: usize, depth: usize) -> Checked {
        loop {
            let spaced = cursor.skip_space();
            if cursor.is_done() {
                return Ok(());
            }
            if !spaced {
                let fault = Fault::Attribute("white space is missing before it");
                return Err(SpannedFault::new(fault, cursor.here()));
            }
            let pair = cursor.attribute()?;
            self.count(pair.name.clone())?;
            self.push_attribute(pair, first, depth)?;
        }
    }

    fn push_attribute(&mut self, pair: Pair, first: usize, depth: usize) -> Checked {
        let text = self.text;
        let name = &text[pair.name.clone()];
        let flaw = |fault| SpannedFault::new(fault, pair.name.clone());
        let earlier = &self.attributes[first..];
        if earlier.len() == MAX_ATTRIBUTES {
            return Err(flaw(Fault::TooManyAttributes));
        }
        // Well-formedness constraint "Unique Att Spec". Compared with each other and not hashed: an
        // element has few, and no more than `MAX_ATTRIBUTES`.
        if earlier.iter().any(|a| a.name.of(text) == name) {
            return Err(flaw(Fault::DuplicateAttribute(quote(name))));
        }
        let qualified = QName::split(name).map_err(flaw)?;
        if let Some(prefix) = qualified.declares() {
            let value = &text[pair.value.clone()];
            self.namespaces.declare(depth, prefix, value).map_err(flaw)?;
        }
        self.attributes.push(Attribute {
            name: Span::new(pair.name.start, pair.name.end),
            value: Span::new(pair.value.start, pair.value.end),
            plain: qualified.prefix.is_none() && name != "xmlns",
        });
        Ok(())
    }

    /// Whether the element is in no namespace; its prefix must be declared.
    fn check_element(&self, name: &QName<'_>, range: &Range<usize>) -> Checked<bool> {
        let flaw = |fault| SpannedFault::new(fault, range.clone());
        match name.prefix {
            None => Ok(!self.namespaces.has_default()),
            Some("xmlns") => {
                let reason = "an element cannot have the prefix `xmlns`".to_owned();
                Err(flaw(Fault::Namespace(reason)))
            }
            Some(prefix) => {
                self.namespaces.resolve(prefix).map_err(flaw)?;
                Ok(false)
            }
        }
    }

    /// Prefixes of attributes must be declared, and no two attributes may mean the same name
    /// (Namespaces in XML, section 6.3): with two prefixes for one namespace, `a:x` and `b:x` are
    /// the same. An attribute without a prefix is in no namespace, whatever the default is.
    fn check_expanded(&self, first: usize) -> Checked {
        let mut seen: Vec<(&str, &str)> = Vec::new();
        for attribute in self.attributes[first..].iter().filter(|a| !a.plain) {
            let name = attribute.name.of(self.text);
            let flaw = |fault| SpannedFault::new(fault, attribute.name.range());
            let qualified = QName::split(name).map_err(flaw)?;
            let (Some(prefix), None) = (qualified.prefix, qualified.declares()) else {
                continue;
            };
            let expanded = (self.namespaces.resolve(prefix).map_err(flaw)?, qualified.local);
            if seen.contains(&expanded) {
                return Err(flaw(Fault::DuplicateAttribute(quote(name))));
            }
            seen.push(expanded);
        }
        Ok(())
    }

    /// `</name>`.
    pub(super) fn end_tag(&mut self, range: Range<usize>) -> Checked {
        let mut cursor = Cursor::new(self.text, range.start + 2..range.end - 1);
        let name = cursor.name("an end tag")?;
        cursor.skip_space();
        if !cursor.is_done() {
            let fault = Fault::Tag("an end tag holds a name only");
            return Err(SpannedFault::new(fault, cursor.at()..range.end));
        }
        let found = &self.text[name];
        let Some(index) = self.open.pop() else {
            return Err(SpannedFault::new(Fault::Unopened(quote(found)), range));
        };
        let open = self.nodes[index].name.of(self.text);
        if open != found {
            let fault = Fault::Mismatch { open: quote(open), found: quote(found) };
            return Err(SpannedFault::new(fault, range));
        }
        self.namespaces.leave(self.open.len() + 1);
        self.finish_node(index, range.start, range.end);
        Ok(())
    }

    fn finish_node(&mut self, index: usize, close_start: usize, end: usize) {
        let after = offset(self.nodes.len());
        let node = &mut self.nodes[index];
        if node.text_end == 0 {
            node.text_end = offset(close_start);
        }
        node.close_start = offset(close_start);
        node.end = offset(end);
        node.after = after;
    }
}
